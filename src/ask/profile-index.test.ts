import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { createSeparateStore, createStore, TEST_NOW } from '../../test/support/store.ts'
import { HUNG_MS } from '../../test/support/hung.ts'
import { until } from '../../test/support/until.ts'
import { defineMemory, type Database } from '../db/database.ts'
import { openDatabase } from '../db/engines/open.ts'
import { parseDatabaseAddress } from '../db/database-address.ts'
import { statement } from '../db/statement.ts'
import {
  createMember,
  deleteMember,
  disableMember,
  enableMember,
  insertMembers,
  updateMember,
} from '../members/member.ts'
import { segmentOf } from './build-profile-index.ts'
import { peopleSource } from './profile-source.ts'
import { heldProfileIndex, profileIndexAt, type ProfileIndexOptions } from './profile-index.ts'
import { searchProfiles } from './search-profiles.ts'
import { readDirectoryVersion, readIndexedProfiles } from '../members/directory-changes.ts'
import { indexOf } from '../connections/search/index/versioned-index.ts'
import { type Clock } from '../base/clock.ts'
import type { Member } from '../members/member-row.ts'

/** Waits for the index, however slow the machine is. */
const PATIENT: ProfileIndexOptions = { maxWaitMs: HUNG_MS }

/** Asks one node; answers with usernames. */
function askerOf(database: Database, clock: Clock, profileIndex: ProfileIndexOptions = {}) {
  const source = peopleSource({ database, clock, publicUrl: 'https://weft.example', profileIndex })
  return async (question: string, limit = 10) =>
    (await source.search(question, limit)).map(({ url }) => url.split('/').at(-1))
}

/** `open` is `createSeparateStore` where no index can be built: that is remembered for the next test of the database. */
async function createDirectory(profileIndex?: ProfileIndexOptions, open = createStore) {
  const store = await open()
  const { database, clock } = store
  return {
    database,
    ask: askerOf(database, clock, { ...PATIENT, ...profileIndex }),
    add: (fields: { username: string; name: string; title?: string; isPublic?: boolean }) =>
      database.write((tx) => createMember(tx, fields, TEST_NOW)),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

/** Members with numbers in their names. */
async function addMany(database: Database, count: number): Promise<void> {
  await database.write(async (tx) => {
    const first = await createMember(tx, { username: 'number-0', name: 'Number0' }, TEST_NOW)
    const others = Array.from({ length: count - 1 }, (_, index): Member => {
      const id = index + 1
      return { ...first, memberId: id, username: `number-${id}`, name: `Number${id} Common` }
    })
    await insertMembers(tx, others)
  })
}

test('each node finds a profile that another node has just changed, and never what is no longer public', async () => {
  await using store = await createSeparateStore()
  const { database, clock } = store
  const address = parseDatabaseAddress(store.address)
  assert.ok(address)
  await using other = (await openDatabase(address, { clock, searchThreads: 1 })).database
  const [here, there] = [askerOf(database, clock, PATIENT), askerOf(other, clock, PATIENT)]
  const find = async (question: string, expected: readonly string[]) => {
    assert.deepEqual(await there(question), expected, question)
    assert.deepEqual(await here(question), expected, question)
  }
  await find('lovelace', [])
  const { memberId } = await database.write((tx) =>
    createMember(tx, { username: 'ada', name: 'Ada Lovelace', title: 'Analyst' }, TEST_NOW),
  )
  await find('lovelace', ['ada'])
  await database.write((tx) => updateMember(tx, memberId, { title: 'Beekeeper' }, TEST_NOW))
  await find('beekeepers', ['ada'])
  await find('analysts', [])
  await other.write((tx) => updateMember(tx, memberId, { isPublic: false }, TEST_NOW))
  await find('beekeepers', [])
  await other.write((tx) => updateMember(tx, memberId, { isPublic: true }, TEST_NOW))
  await find('beekeepers', ['ada'])
  await database.write((tx) => disableMember(tx, memberId, TEST_NOW))
  await find('beekeepers', [])
  await database.write((tx) => enableMember(tx, memberId))
  await find('beekeepers', ['ada'])
  await other.write((tx) => deleteMember(tx, memberId))
  await find('beekeepers', [])
})

test('every sequence of changes leaves an index that answers like one built from the rows', async () => {
  await using directory = await createDirectory()
  const { database } = directory
  const titles = ['Analyst', 'Baker', 'Climate engineer', null]
  let added = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 23 }), { maxLength: 6 }), async (steps) => {
      const ids: number[] = []
      for (const [at, step] of steps.entries()) {
        const title = titles[step % 4] ?? null
        const id = ids[step % Math.max(1, ids.length)]
        if (id === undefined || step < 8) {
          added += 1
          const person = { username: `person-${added}`, name: `Person ${added}`, title }
          ids.push((await database.write((tx) => createMember(tx, person, TEST_NOW))).memberId)
        } else if (step < 12) await database.write((tx) => deleteMember(tx, id))
        else
          await database.write(async (tx) => {
            const isPublic = step < 20
            if (await tx.get(EXISTS, { id }))
              await updateMember(tx, id, { title, about: `Changed ${at}`, isPublic }, TEST_NOW)
          })
        const version = await readDirectoryVersion(database)
        const index = await profileIndexAt(database, version, PATIENT)
        assert.ok(index)
        const rows = await readIndexedProfiles(database, { after: 0, limit: 1000 })
        const built = indexOf({ version, segment: await segmentOf(rows) })
        assert.equal(index.people, built.people)
        for (const text of ['analysts', 'bakers', 'climate', 'person', 'changed']) {
          const question = { text, limit: 50, now: TEST_NOW }
          assert.deepEqual(searchProfiles(index, question), searchProfiles(built, question), text)
        }
      }
    }),
    { numRuns: 8 },
  )
})

const EXISTS = statement<{ id: number }, { member_id: number }>(
  'select member_id from members where member_id = :id',
)

test('concurrent questions share one index, and a profile added meanwhile is found by the next', async () => {
  await using directory = await createDirectory()
  await directory.add({ username: 'ada', name: 'Ada Lovelace' })
  const answers = await Promise.all(Array.from({ length: 20 }, () => directory.ask('lovelace')))
  assert.deepEqual(new Set(answers.flat()), new Set(['ada']))
  const [, added] = await Promise.all([
    directory.ask('lovelace'),
    directory.add({ username: 'byron', name: 'Byron Lovelace' }),
  ])
  assert.equal(added.username, 'byron')
  assert.deepEqual(new Set(await directory.ask('lovelace')), new Set(['ada', 'byron']))
})

test('a large directory is indexed in a thread, and counts as memory of search indexes', async () => {
  await using directory = await createDirectory({ maxBuiltHere: 100 })
  const { database } = directory
  await addMany(database, 1200)
  const before = database.memoryBytes
  assert.deepEqual(await eventually(() => directory.ask('numbr1077', 1)), ['number-1077'])
  const index = heldProfileIndex(database)
  assert.equal(index?.people, 1200)
  assert.deepEqual(
    index?.segments.map(({ segment }) => segment.ids.length),
    [1200],
  )
  assert.ok(database.memoryBytes > before + 100_000)
  await directory.add({ username: 'ada', name: 'Ada Number1077' })
  assert.deepEqual(new Set(await directory.ask('number1077')), new Set(['ada', 'number-1077']))
  assert.deepEqual(
    heldProfileIndex(database)?.segments.map(({ segment }) => segment.ids.length),
    [1200, 1],
  )
})

test('an index that has missed more changes than are remembered is built again', async () => {
  await using directory = await createDirectory()
  await directory.add({ username: 'ada', name: 'Ada Lovelace' })
  assert.deepEqual(await directory.ask('lovelace'), ['ada'])
  await addMany(directory.database, 1100)
  assert.deepEqual(await eventually(() => directory.ask('numbr1099', 1)), ['number-1099'])
  assert.equal(heldProfileIndex(directory.database)?.people, 1101)
})

/** The answer to a question with a typo. Until the index is ready, the database is searched, which finds no one. */
async function eventually(ask: () => Promise<unknown>): Promise<unknown> {
  return until(async () => {
    const answer = await ask()
    return Array.isArray(answer) && answer.length > 0 && answer
  })
}

test('a directory beyond the limit is searched in the database', async () => {
  await using directory = await createDirectory(
    { maxBuiltHere: 2, maxProfiles: 3 },
    createSeparateStore,
  )
  for (const username of ['ada', 'byron', 'grace', 'annabella'])
    await directory.add({ username, name: `${username} Lovelace`, title: 'Mathematician' })
  assert.deepEqual(await directory.ask('grace'), ['grace'])
  assert.deepEqual(await directory.ask('Lovelase'), [])
  assert.equal(heldProfileIndex(directory.database)?.people, undefined)
  await directory.database.write(async (tx) => {
    const { memberId } = await createMember(tx, { username: 'ruth', name: 'Ruth' }, TEST_NOW)
    await updateMember(tx, memberId, { isPublic: false }, TEST_NOW)
  })
  assert.deepEqual(await directory.ask('ruth'), [])
})

/** The index of 400 people takes about 45 kB. */
const MEMORY_BYTES = 100_000

test('an index that would take too much of the memory is not kept', async () => {
  await using store = await createSeparateStore()
  const address = parseDatabaseAddress(store.address)
  assert.ok(address)
  const { clock } = store
  await using small = (
    await openDatabase(address, { clock, searchThreads: 1, memoryBytes: MEMORY_BYTES })
  ).database
  await addMany(small, 400)
  const ask = askerOf(small, clock)
  assert.deepEqual(await ask('number77'), ['number-77'])
  assert.equal(heldProfileIndex(small)?.people, undefined)
  assert.ok(small.memoryBytes <= MEMORY_BYTES)
})

test('an evicted index is built again', async () => {
  await using directory = await createDirectory()
  const { database } = directory
  await directory.add({ username: 'ada', name: 'Ada Lovelace' })
  assert.deepEqual(await directory.ask('lovelase'), ['ada'])
  database.memory.keep(FILLER, null, database.memory.maxBytes + 1)
  assert.equal(heldProfileIndex(database)?.people, undefined)
  assert.deepEqual(await directory.ask('lovelase'), ['ada'])
})

const FILLER = defineMemory<null>('filler')

test('a question whose index cannot be built is answered by the database', async () => {
  await using directory = await createDirectory({ maxBuiltHere: 1 }, createSeparateStore)
  const { database, add } = directory
  await add({ username: 'ada', name: 'Ada Lovelace' })
  await add({ username: 'grace', name: 'Grace Hopper' })
  let computations = 0
  const fail = () => {
    computations += 1
    return Promise.reject(new Error('no thread'))
  }
  const broken = new Proxy(database, {
    get(target, key) {
      const value: unknown = key === 'compute' ? fail : Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const ask = askerOf(broken, { now: () => TEST_NOW }, { maxBuiltHere: 1 })
  for (let asked = 0; asked < 3; asked += 1) assert.deepEqual(await ask('hopper'), ['grace'])
  assert.equal(computations, 1)
})
