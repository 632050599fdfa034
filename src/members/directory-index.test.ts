import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStore, type TestStore } from '../../test/support/store.ts'
import { tokenize } from '../base/tokenize.ts'
import { statement } from '../db/statement.ts'
import {
  addEntries,
  searchEntries,
  type DirectoryDocument,
  type PositionedRow,
} from './directory-index.ts'

/** The same people and queries for both engines, with the same expected results. */
const PEOPLE: readonly Omit<DirectoryDocument, 'memberId' | 'filters'>[] = [
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
  ['unknown', []],
  ['ann unknown', []],
  ['AND OR NOT', ['and-or']],
  ['near not and', ['and-or']],
  [`"quoted" AND (x) OR *`, ['and-or']],
  [`'); drop table members; --`, []],
  ['x & !y | z <-> :*A', []],
  ['annannannannannannannannannannannannannannannann', []],
]

test('the directory: both engines return the same results in the same order', async () => {
  await using store = await createDirectory()
  for (const [query, expected] of DIRECTORY) {
    const asked = tokenize(query)
    if (asked.length === 0 && query !== '') continue
    assert.deepEqual(await searchAll(store, asked), expected, query)
  }
})

test('the directory: pages join without gaps, with the same positions on both engines', async () => {
  await using store = await createDirectory()
  for (const [query, expected] of DIRECTORY) {
    const asked = tokenize(query)
    const paged: string[] = []
    let after: PositionedRow<object> | null = null
    for (;;) {
      const [next]: PositionedRow<{ username: string }>[] = await search(store, asked, after, 1)
      if (!next) break
      paged.push(next.username)
      after = next
    }
    assert.deepEqual(paged, expected, query)
  }
  const [lee] = await search(store, tokenize('ann lee'), null, 1)
  assert.deepEqual({ ...lee }, { tier: 1, place: 4085 * 2 ** 28 + 1, username: 'ann' })
})

const ADD_MEMBER = statement<{ id: number; username: string; name: string }>(
  'insert into members (member_id, username, name, joined_at, updated_at) values (:id, :username, :name, 0, 0)',
)

async function createDirectory(): Promise<TestStore> {
  const store = await createStore()
  await store.database.write(async (tx) => {
    for (const [index, person] of PEOPLE.entries()) {
      const { username, name } = person
      await tx.run(ADD_MEMBER, { id: index + 1, username, name })
      await addEntries(tx, [{ ...person, memberId: index + 1, filters: [] }])
    }
  })
  return store
}

function search(
  { database }: TestStore,
  asked: readonly string[],
  after: PositionedRow<object> | null,
  limit: number,
): Promise<PositionedRow<{ username: string }>[]> {
  return searchEntries(database.heavy, 'm.username', { words: asked, after, limit })
}

async function searchAll(store: TestStore, asked: readonly string[]): Promise<string[]> {
  return (await search(store, asked, null, 100)).map(({ username }) => username)
}
