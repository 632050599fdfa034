import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { tagConnectionsTool, updateConnectionTool } from '../../../../test/fixtures/one-person.ts'
import { saveNoteTool } from '../../notes/save-note.tool.ts'
import { deleteConnectionsTool } from '../../deletion/delete-connections.tool.ts'
import { restoreConnectionsTool } from '../../deletion/restore-connections.tool.ts'
import { memberStatement } from '../../../db/statement.ts'
import { openDatabase } from '../../../db/engines/open.ts'
import { parseDatabaseAddress } from '../../../db/database-address.ts'
import {
  dropSearchSnapshots,
  rangesOf,
  readSearchChanges,
  recordSearchChanges,
  REMEMBERED_CHANGES,
} from '../../model/search-changes.ts'
import { readSnapshot } from './index-snapshots.ts'
import { heldIndex, prepareIndex, readIndex } from './network-index.ts'
import { readNetworkState } from '../../../tools/network-state.ts'
import { MAX_LATEST } from './versioned-index.ts'
import { searchConnections } from '../search.ts'
import { createWorld, type Acting, type World } from '../../../../test/fixtures/network.ts'
import type { Database, MemberDatabase } from '../../../db/database.ts'

/** Another process on the same database. */
async function openNode({ address, clock }: World, memoryBytes?: number): Promise<Database> {
  const parsed = parseDatabaseAddress(address)
  assert.ok(parsed)
  const options = { clock, searchThreads: 1, ...(memoryBytes !== undefined && { memoryBytes }) }
  return (await openDatabase(parsed, options)).database
}

async function namesFor(db: MemberDatabase, query: string): Promise<string[]> {
  const { connections } = await searchConnections(db, { query: { query }, limit: 50 })
  return connections.map(({ name }) => name)
}

function people(count: number, from = 0) {
  return Array.from({ length: count }, (_, at) => ({
    name: `Person${from + at} Common`,
    profileUrl: `https://www.linkedin.com/in/p${from + at}`,
  }))
}

test('a search finds the new value that another node has just written, and not the old one', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await using other = await openNode(world)
  const there = other.member(member.db.memberId)
  await member.import([{ name: 'Ada Lovelace' }, { name: 'Grace Hopper' }])
  assert.deepEqual(await namesFor(there, 'ada'), ['Ada Lovelace'])
  const find = async (query: string, expected: readonly string[]) => {
    assert.deepEqual(await namesFor(there, query), expected, query)
    assert.deepEqual(await namesFor(member.db, query), expected, query)
  }
  await member.ask(updateConnectionTool, { connection_id: 'c_1', company: 'Engines' })
  await find('engines', ['Ada Lovelace'])
  await member.ask(saveNoteTool, { people: 'c_2', text: 'Likes compilers.' })
  await find('compilers', ['Grace Hopper'])
  await member.ask(tagConnectionsTool, { connection_ids: ['c_2'], add: ['navy'] })
  await find('navy', ['Grace Hopper'])
  await member.ask(deleteConnectionsTool, { people: ['c_1'] })
  await find('engines', [])
  await member.ask(restoreConnectionsTool, { people: ['c_1'] })
  await find('engines', ['Ada Lovelace'])
})

test('every sequence of changes leaves an index that equals one built from the rows', async () => {
  await using world = await createWorld()
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 5 }), { maxLength: 8 }), async (steps) => {
      const member = await world.join()
      await member.import(people(12))
      await readIndex(member.db)
      for (const [at, step] of steps.entries()) {
        await change(member, step, at)
        if (step % 2 === 0) await readIndex(member.db)
      }
      await using other = await openNode(world)
      for (const query of ['common', 'person1', 'changed', 'noted', 'x'])
        assert.deepEqual(
          await searchConnections(member.db, { query: { query }, limit: 50 }).then(withoutCursor),
          await searchConnections(other.member(member.db.memberId), {
            query: { query },
            limit: 50,
          }).then(withoutCursor),
          query,
        )
    }),
    { numRuns: 8 },
  )
})

function withoutCursor({
  connections,
  matches,
  total,
}: Awaited<ReturnType<typeof searchConnections>>) {
  return { connections, matches, total }
}

async function change(member: Acting, step: number, at: number): Promise<void> {
  const connection_id = `c_${(at % 12) + 1}`
  if (step === 0) await member.ask(updateConnectionTool, { connection_id, title: `changed ${at}` })
  else if (step === 1) await member.call(deleteConnectionsTool, { people: [connection_id] })
  else if (step === 2) await member.call(restoreConnectionsTool, { people: [connection_id] })
  else if (step === 3) await member.import(people(3, 100 + 10 * at))
  else if (step === 4)
    await member.call(saveNoteTool, { people: connection_id, text: `noted ${at}` })
  else await member.call(tagConnectionsTool, { connection_ids: [connection_id], add: ['x'] })
}

test('a large network is indexed in a thread and stored; another node loads what was stored', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const { memberId } = member.db
  await member.import(people(1100))
  {
    await using node = await openNode(world)
    assert.deepEqual(await namesFor(node.member(memberId), 'person1099'), ['Person1099 Common'])
  }
  // Closing the node waits for its snapshot.
  const stored = await readSnapshot(member.db)
  assert.equal(stored?.segment.ids.length, 1100)
  await member.ask(updateConnectionTool, { connection_id: 'c_7', name: 'Zelda Renamed' })
  assert.deepEqual(await namesFor(member.db, 'zelda'), ['Zelda Renamed'])
  assert.ok(!(await namesFor(member.db, 'person6')).includes('Person6 Common'))
  const index = heldIndex(member.db)
  assert.deepEqual(
    index?.segments.map(({ segment }) => segment.ids.length),
    [1100, 1],
  )
  assert.deepEqual(index?.segments[0]?.segment, stored?.segment)
})

test('many changes are merged into one segment, which is stored', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.import(people(600))
  await readIndex(member.db)
  await member.import(people(300, 600))
  await readIndex(member.db)
  const index = heldIndex(member.db)
  assert.deepEqual(
    index?.segments.map(({ segment }) => segment.ids.length),
    [900],
  )
})

test('a change is merged with few others, and searches of three segments equal those of one', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.import(people(600))
  await readIndex(member.db)
  await member.db.write((tx) => recordSearchChanges(tx, range(1, 100)))
  await readIndex(member.db)
  const sizes: (readonly number[])[] = []
  for (let at = 0; at <= MAX_LATEST; at += 1) {
    // Some of them were changed before, in each of the segments.
    await member.call(saveNoteTool, { people: `c_${90 + (at % 25)}`, text: `noted ${at}` })
    const { segments, people: count } = await readIndex(member.db)
    sizes.push(segments.map(({ segment }) => segment.ids.length))
    assert.equal(count, 600)
  }
  assert.deepEqual(sizes[0], [600, 100, 1])
  assert.ok(sizes.every(([, recent, latest = 0]) => recent === 100 && latest <= MAX_LATEST))
  await using other = await openNode(world)
  const there = other.member(member.db.memberId)
  for (const query of ['noted', 'noted 7', 'person95', 'common'])
    assert.deepEqual(
      await searchConnections(member.db, { query: { query }, limit: 50 }).then(withoutCursor),
      await searchConnections(there, { query: { query }, limit: 50 }).then(withoutCursor),
      query,
    )
  await member.db.write((tx) => recordSearchChanges(tx, range(200, 200 + MAX_LATEST)))
  const { segments } = await readIndex(member.db)
  assert.deepEqual(
    segments.map(({ segment }) => segment.ids.length),
    [600, 114 + MAX_LATEST + 1],
  )
})

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}

test('the index of a large network is prepared in time: built, brought up to date, and stored again', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const prepared = async () => {
    await prepareIndex(member.db)
    await whenStored(member.db)
    await using node = await openNode(world)
    const stored = await readSnapshot(node.member(member.db.memberId))
    const held = heldIndex(member.db)
    return { held: held?.version, stored: stored?.version, segments: held?.segments.length }
  }
  await member.import(people(3))
  assert.deepEqual(await prepared(), { held: undefined, stored: undefined, segments: undefined })
  await member.import(people(600))
  const { search_version: first } = await readNetworkState(member.db)
  assert.deepEqual((await prepared()).held, first)
  // In memory only: another node can apply the same changes to the stored index.
  await member.ask(saveNoteTool, { people: 'c_2', text: 'Likes compilers.' })
  assert.deepEqual(await prepared(), { held: first + 1, stored: first, segments: 2 })
  // Before the recorded changes no longer reach back to the stored index.
  await recordVersions(member.db, REMEMBERED_CHANGES / 2)
  const { search_version: last } = await readNetworkState(member.db)
  assert.deepEqual(await prepared(), { held: last, stored: last, segments: 1 })
})

test('a node without the index in memory loads the one that another has prepared', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.import(people(600))
  await prepareIndex(member.db)
  await whenStored(member.db)
  await using node = await openNode(world)
  const there = node.member(member.db.memberId)
  await prepareIndex(there)
  assert.equal(heldIndex(there), undefined)
  await recordVersions(member.db, REMEMBERED_CHANGES)
  await prepareIndex(there)
  const { search_version } = await readNetworkState(there)
  assert.equal(heldIndex(there)?.version, search_version)
})

/** Indexes are stored in the background: a bulk write waits for the earlier ones. */
async function whenStored(db: MemberDatabase): Promise<void> {
  await db.write(async () => {}, { bulk: true })
}

/** Records changes, at least `count` of them. */
async function recordVersions(db: MemberDatabase, count: number): Promise<void> {
  const ids = Array.from({ length: 64 }, (_, at) => 2 * at + 1)
  await db.write(async (tx) => {
    for (let at = 0; at < count; at += ids.length) await recordSearchChanges(tx, ids)
  })
}

test('changes are read around the end of the ring', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await recordVersions(member.db, REMEMBERED_CHANGES)
  const { version } = await readIndex(member.db)
  const inRing = version % REMEMBERED_CHANGES
  const last = await member.db.write((tx) => recordSearchChanges(tx, [301, 303, 305]))
  assert.ok(last !== undefined)
  const newest = await readSearchChanges(member.db, last - 3, last)
  assert.deepEqual(
    newest?.map(({ first }) => first),
    [301, 303, 305],
  )
  // Versions on both sides of the end.
  const before = last - (last % REMEMBERED_CHANGES) - 2
  assert.ok(inRing < REMEMBERED_CHANGES - 2 && before > last - REMEMBERED_CHANGES)
  assert.equal((await readSearchChanges(member.db, before, before + 4))?.length, 4)
  assert.ok(await readSearchChanges(member.db, last - REMEMBERED_CHANGES, last))
  assert.equal(await readSearchChanges(member.db, last - REMEMBERED_CHANGES - 1, last), undefined)
})

test('stored indexes contain no purged connections, and older indexes are no longer stored', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.import(people(600))
  {
    await using node = await openNode(world)
    await readIndex(node.member(member.db.memberId))
  }
  assert.ok(await readSnapshot(member.db))
  await member.db.write(async (tx) => {
    await recordSearchChanges(tx, [1])
    await dropSearchSnapshots(tx)
  })
  assert.equal(await readSnapshot(member.db), undefined)
})

test('an index older than the recorded changes is rebuilt', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.import([{ name: 'Ada Lovelace' }])
  await readIndex(member.db)
  await member.db.write(async (tx) => {
    await tx.run(RENAME, { name: 'Ada Byron' })
    for (let at = 0; at <= REMEMBERED_CHANGES; at += 1) await recordSearchChanges(tx, [at + 2])
  })
  assert.deepEqual(await namesFor(member.db, 'byron'), ['Ada Byron'])
  const [slots] = await member.db.all(SLOTS, {})
  assert.equal(Number(slots?.count), REMEMBERED_CHANGES)
})

test('changed connections are recorded as ranges, and read back', async () => {
  await using world = await createWorld()
  const member = await world.join()
  assert.deepEqual(rangesOf([5, 1, 2, 3, 9, 3]), [
    { first: 1, last: 3 },
    { first: 5, last: 5 },
    { first: 9, last: 9 },
  ])
  const spread = Array.from({ length: 200 }, (_, at) => at * 3 + 1)
  assert.deepEqual(rangesOf(spread), [{ first: 1, last: 598 }])
  const before = (await readIndex(member.db)).version
  await member.db.write((tx) => recordSearchChanges(tx, [4, 5, 8]))
  const { version } = await readIndex(member.db)
  assert.equal(version, before + 2)
  assert.deepEqual(await readSearchChanges(member.db, before, version), [
    { first: 4, last: 5 },
    { first: 8, last: 8 },
  ])
})

test('a change that is rolled back is not recorded', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const { version } = await readIndex(member.db)
  await assert.rejects(
    member.db.write(async (tx) => {
      await recordSearchChanges(tx, [1])
      throw new Error('rolled back')
    }),
  )
  assert.equal((await readIndex(member.db)).version, version)
})

test('indexes beyond the memory budget are dropped, the least recently used first', async () => {
  await using world = await createWorld()
  const members = [await world.join(), await world.join(), await world.join()]
  for (const member of members) await member.import(people(200))
  const [one, two, three] = members.map(({ db }) => db.memberId)
  assert.ok(one !== undefined && two !== undefined && three !== undefined)
  await using sized = await openNode(world)
  await readIndex(sized.member(one))
  const bytes = sized.memoryBytes
  await using node = await openNode(world, 2 * bytes + 100)
  for (const id of [one, two, one, three]) await readIndex(node.member(id))
  const isHeld = (id: number) => heldIndex(node.member(id)) !== undefined
  assert.deepEqual([one, two, three].map(isHeld), [true, false, true])
  assert.ok(node.memoryBytes <= 2 * bytes + 100)
  assert.deepEqual(await namesFor(node.member(two), 'person199'), ['Person199 Common'])
})

test('cached rows are updated with the changes of other nodes', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.import(people(3))
  await using node = await openNode(world)
  const db = node.member(member.db.memberId)
  const tagsFor = async (query: string) => {
    const { rows } = await searchConnections(db, { query: { query }, limit: 50 })
    return rows.map(({ summary }) => [summary.name, summary.title, summary.tags])
  }
  assert.deepEqual(await tagsFor('person1'), [['Person1 Common', undefined, undefined]])
  await member.ask(tagConnectionsTool, { connection_ids: ['c_2'], add: ['Friend'] })
  assert.deepEqual(await tagsFor('person1'), [['Person1 Common', undefined, ['Friend']]])
  await member.ask(updateConnectionTool, { connection_id: 'c_2', title: 'Engineer' })
  assert.deepEqual(await tagsFor('person1'), [['Person1 Common', 'Engineer', ['Friend']]])
  assert.deepEqual(await tagsFor('person2'), [['Person2 Common', undefined, undefined]])
})

test('rows are evicted before indexes', async () => {
  await using world = await createWorld()
  const members = [await world.join(), await world.join()]
  for (const member of members) await member.import(people(200))
  const [one, two] = members.map(({ db }) => db.memberId)
  assert.ok(one !== undefined && two !== undefined)
  await using sized = await openNode(world)
  await readIndex(sized.member(one))
  const budget = 2 * sized.memoryBytes + 100
  await using node = await openNode(world, budget)
  assert.equal((await namesFor(node.member(one), 'person19')).length, 11)
  assert.ok(node.memoryBytes > sized.memoryBytes)
  assert.equal((await namesFor(node.member(one), 'common')).length, 50)
  assert.ok(heldIndex(node.member(one)) && node.memoryBytes <= budget)
  await readIndex(node.member(two))
  assert.ok(heldIndex(node.member(one)) && heldIndex(node.member(two)))
})

const RENAME = memberStatement<{ name: string }>()(
  'update connections set name = :name where member_id = :member_id',
)

const SLOTS = memberStatement<object, { count: number }>()(
  'select count(*) as count from search_changes where member_id = :member_id',
)
