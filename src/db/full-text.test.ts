import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStore, type TestStore } from '../../test/support/store.ts'
import { normalize, tokenize } from '../base/tokenize.ts'
import { statement } from './statement.ts'
import type { ConnectionDocument, ConnectionSearch, DirectoryDocument, Found } from './full-text.ts'

/** The same people and the same questions for both engines: what is expected here is what each must answer. */
const PEOPLE: readonly Omit<DirectoryDocument, 'memberId'>[] = [
  { rank: 10, username: 'ann', name: 'Ann Lee', text: 'Engineer\nSiemens\nZürich' },
  { rank: 90, username: 'anna-muller', name: 'Anna Müller', text: 'Physician\nCharité Berlin' },
  { rank: 50, username: 'elodie', name: 'Élodie Müßig', text: 'Researcher, climate and energy' },
  { rank: 50, username: 'annika', name: 'Annika Ström', text: 'Ann Arbor\nEngineering manager' },
  { rank: 4095, username: 'lee', name: 'Lee Ann', text: 'Energy economist' },
  { rank: 0, username: 'wang-fang', name: '王芳', text: '上海 climate' },
  { rank: 70, username: 'and-or', name: 'Near Not And', text: 'OR columns: "quoted" (x) *' },
]

const DIRECTORY: readonly [query: string, expected: readonly string[]][] = [
  ['', ['lee', 'anna-muller', 'and-or', 'elodie', 'annika', 'ann', 'wang-fang']],
  ['ann', ['ann', 'lee', 'anna-muller', 'annika']],
  ['ann lee', ['ann', 'lee']],
  ['LEE, ann', ['lee', 'ann']],
  ['an', ['lee', 'anna-muller', 'and-or', 'annika', 'ann', 'elodie']],
  ['müller', ['anna-muller']],
  ['MULLER', ['anna-muller']],
  ['mussig', ['elodie']],
  ['engineer', ['annika', 'ann']],
  ['energy', ['lee', 'elodie']],
  ['climate', ['elodie', 'wang-fang']],
  ['王', ['wang-fang']],
  ['芳 王', ['wang-fang']],
  ['anna-muller', ['anna-muller']],
  ['nobody', []],
  ['ann nobody', []],
  ['AND OR NOT', ['and-or']],
  ['near not and', ['and-or']],
  [`"quoted" AND (x) OR *`, ['and-or']],
  [`'); drop table members; --`, []],
  ['x & !y | z <-> :*A', []],
  ['annannannannannannannannannannannannannannannann', []],
]

test('the directory: one set of questions, one order, whatever engine', async () => {
  await using store = await createDirectory()
  for (const [query, expected] of DIRECTORY) {
    const asked = tokenize(query)
    if (asked.length === 0 && query !== '') continue
    assert.deepEqual(await searchAll(store, asked), expected, query)
  }
})

test('the directory: pages join without a gap, and every place is the same', async () => {
  await using store = await createDirectory()
  for (const [query, expected] of DIRECTORY) {
    const asked = tokenize(query)
    const paged: string[] = []
    let after: Found<object> | null = null
    for (;;) {
      const [next]: Found<{ username: string }>[] = await search(store, asked, after, 1)
      if (!next) break
      paged.push(next.username)
      after = next
    }
    assert.deepEqual(paged, expected, query)
  }
  const [lee] = await search(store, tokenize('ann lee'), null, 1)
  assert.deepEqual({ ...lee }, { tier: 1, place: 4085 * 2 ** 28 + 1, username: 'ann' })
})

const CONNECTIONS: readonly ConnectionDocument[] = (
  [
    ['Ann Lee', 'Siemens', 'Engineer', 'Zürich', ['Alumni'], ['Met at the Müller dinner']],
    ['Bo Müller', 'Ann & Co', 'Head of Energy', 'Bern', [], []],
    ['Cy Kant', 'Siemens Energy', 'Ann liaison', 'New York', ['friend'], []],
    ['Di Ström', null, null, 'Zürich', [], ['Knows Ann; likes 王芳']],
    ['王芳', '上海 Labs', 'Engineer', null, ['Ann'], []],
    ['Siemens', null, 'Annual reports', 'Siemens Stadt', [], []],
  ] as const
).map(([name, company, title, location, tags, notes], index) => ({
  connectionId: index + 1,
  name,
  company,
  title,
  location,
  tags: [...tags],
  notes: [...notes],
}))

type Filters = Partial<Record<'company' | 'title' | 'location' | 'tag', string>>

const NETWORK: readonly [query: string, filters: Filters, expected: readonly number[]][] = [
  ['', {}, [1, 2, 3, 4, 5, 6]],
  ['ann', {}, [1, 2, 3, 6, 4, 5]],
  ['ann lee', {}, [1]],
  ['müller', {}, [2, 1]],
  ['muller', {}, [2, 1]],
  ['siemens', {}, [6, 1, 3]],
  ['siemens', { company: 'energy' }, [3]],
  ['', { company: 'siemens' }, [1, 3]],
  ['', { title: 'eng' }, [1, 5]],
  ['', { title: 'engineer', company: 'lab' }, [5]],
  ['', { location: 'new york' }, [3]],
  ['', { location: 'zurich' }, [1, 4]],
  ['ann', { location: 'zür' }, [1, 4]],
  ['', { location: 'siemens' }, [6]],
  ['', { tag: 'friend' }, [3]],
  ['ann', { tag: 'friend' }, [3]],
  ['ann', { tag: 'nothing' }, []],
  ['芳', {}, [5, 4]],
  ['ann siemens', {}, [1, 3]],
  ['nobody', {}, []],
  ['ann) OR (lee', {}, []],
  ["ann:*A & 'lee'", {}, []],
]

test('connections: one set of questions, one order, whatever engine', async () => {
  await using store = await createNetwork()
  for (const [query, filters, expected] of NETWORK) {
    const found = await searchNetwork(store, query, filters, 100)
    const label = `${query} ${JSON.stringify(filters)}`
    assert.deepEqual(
      found.map(({ connection_id }) => connection_id),
      expected,
      label,
    )
    const paged: number[] = []
    let after: ConnectionSearch['after'] = null
    for (;;) {
      const [next]: FoundConnection[] = await searchNetwork(store, query, filters, 1, after)
      if (!next) break
      paged.push(next.connection_id)
      after = next
    }
    assert.deepEqual(paged, expected, `${label}, page by page`)
  }
})

test('connections: what is indexed again replaces what was, what is removed is not found', async () => {
  await using store = await createNetwork()
  const { database } = store
  const [first] = CONNECTIONS
  assert.ok(first)
  const member = database.member(MEMBER)
  await member.write((tx) => tx.fullText.indexConnections(tx, [{ ...first, name: 'Zoe Lee' }]))
  const idsOf = async (query: string) =>
    (await searchNetwork(store, query, {}, 10)).map(({ connection_id }) => connection_id)
  assert.deepEqual(await idsOf('zoe'), [1])
  assert.deepEqual(await idsOf('ann lee'), [])
  await member.write((tx) => tx.fullText.removeConnections(tx, [1]))
  assert.deepEqual(await idsOf('zoe'), [])
})

test('a note of a whole book is stored, and its beginning is found', async () => {
  await using store = await createNetwork()
  const [first] = CONNECTIONS
  assert.ok(first)
  const book = Array.from({ length: 120_000 }, (_, word) => `wordnumber${word}`).join(' ')
  const member = store.database.member(MEMBER)
  await member.write((tx) => tx.fullText.indexConnections(tx, [{ ...first, notes: [book] }]))
  assert.equal((await searchNetwork(store, 'wordnumber7', {}, 1)).length, 1)
})

const ADD_MEMBER = statement<{ id: number; username: string; name: string }>(
  'insert into members (member_id, username, name, joined_at, updated_at) values (:id, :username, :name, 0, 0)',
)
const MEMBER = 1

async function createDirectory(): Promise<TestStore> {
  const store = await createStore()
  await store.database.write(async (tx) => {
    for (const [index, person] of PEOPLE.entries()) {
      const { username, name } = person
      await tx.run(ADD_MEMBER, { id: index + 1, username, name })
      await tx.fullText.indexMember(tx, { ...person, memberId: index + 1 })
    }
  })
  return store
}

function search(
  { database }: TestStore,
  asked: readonly string[],
  after: Found<object> | null,
  limit: number,
): Promise<Found<{ username: string }>[]> {
  return database.fullText.searchMembers(database.heavy, 'm.username', {
    words: asked,
    after,
    limit,
  })
}

async function searchAll(store: TestStore, asked: readonly string[]): Promise<string[]> {
  return (await search(store, asked, null, 100)).map(({ username }) => username)
}

async function createNetwork(): Promise<TestStore> {
  const store = await createStore()
  await store.database.write(async (tx) => {
    for (const id of [MEMBER, MEMBER + 1]) {
      await tx.run(ADD_MEMBER, { id, username: `member-${id}`, name: 'Ann' })
      const columns = ['member_id']
      await tx.insertMany({ table: 'networks', columns, rows: [[id]], service: true })
      const member = tx.member(id)
      await member.insertMany({
        table: 'connections',
        columns: ['connection_id', 'name', 'name_key', 'source', 'created_at', 'updated_at'],
        rows: CONNECTIONS.map(({ connectionId, name }) => [
          connectionId,
          name,
          name,
          'typed',
          0,
          0,
        ]),
      })
      await member.insertMany({
        table: 'connection_tags',
        columns: ['tag_key', 'connection_id', 'tag'],
        rows: CONNECTIONS.flatMap(({ connectionId, tags }) =>
          tags.map((tag) => [normalize(tag), connectionId, tag]),
        ),
      })
      await member.fullText.indexConnections(member, CONNECTIONS)
    }
  })
  return store
}

type FoundConnection = Found<{ connection_id: number }>

function searchNetwork(
  { database }: TestStore,
  query: string,
  { tag, ...columns }: Filters,
  limit: number,
  after: ConnectionSearch['after'] = null,
): Promise<FoundConnection[]> {
  const filters = Object.fromEntries(
    Object.entries(columns).map(([column, text]) => [column, tokenize(text)]),
  )
  return database.fullText.searchConnections(database.member(MEMBER), 'c.connection_id', {
    words: tokenize(query),
    ...filters,
    ...(tag !== undefined && { tag }),
    after,
    limit,
  })
}
