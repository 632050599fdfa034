import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SECOND } from '../base/clock.ts'
import { memberStatement } from '../db/statement.ts'
import { createMember } from '../members/member.ts'
import { recordStatements } from '../../test/support/recorded.ts'
import { createStore, TEST_NOW as now } from '../../test/support/store.ts'
import { packVectors } from './packed-vectors.ts'
import { dropEmbeddings, writeEmbeddings } from './stored-vectors.ts'
import { vectorMemory } from './vector-memory.ts'
import type { MemberDatabase } from '../db/database.ts'

async function createWorld() {
  const store = await createStore()
  const texts = new Set<string>()
  const database = recordStatements(store.database, texts)
  let members = 0
  return {
    /** A member with one connection. */
    async join(): Promise<MemberDatabase> {
      const username = `member-${(members += 1)}`
      const { memberId } = await database.write((tx) =>
        createMember(tx, { username, name: 'M' }, now),
      )
      const db = database.member(memberId)
      await db.write((tx) =>
        tx.insertMany({
          table: 'connections',
          columns: ['connection_id', 'name', 'name_key', 'source', 'created_at', 'updated_at'],
          rows: [[1, 'Ann', 'ann', 'typed', now, now]],
        }),
      )
      return db
    },
    /** The number of distinct statements that this work runs. */
    async newStatements(work: () => Promise<unknown>): Promise<number> {
      texts.clear()
      await work()
      return texts.size
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

function embed(db: MemberDatabase, components: number[], connectionId = 1): Promise<void> {
  const packed = packVectors([Float32Array.from(components)])
  return db.write(async (tx) => {
    await writeEmbeddings(tx, [{ connectionId, model: 'm', fingerprint: 'f', packed }])
    await tx.run(SET_EMBEDDED, {})
  })
}

const SET_EMBEDDED = memberStatement()(
  "update networks set embedded_model = 'm' where member_id = :member_id",
)

test('vectors are read once, and again after `recheck`', async () => {
  await using world = await createWorld()
  const [db, memory] = [await world.join(), vectorMemory()]
  assert.equal(await memory.of(db, 'm', now), undefined)
  await embed(db, [1, 0])
  memory.recheck(db.memberId)
  const first = await memory.of(db, 'm', now)
  assert.deepEqual(first?.ids, [1])
  assert.equal(await world.newStatements(async () => memory.of(db, 'm', now)), 0)
  assert.equal(await memory.of(db, 'm', now), first)
  await embed(db, [0, 1])
  memory.recheck(db.memberId)
  assert.deepEqual(Array.from((await memory.of(db, 'm', now))?.components ?? []), [0, 127])
})

test('a change by another process is visible a few seconds later', async () => {
  await using world = await createWorld()
  const [db, memory] = [await world.join(), vectorMemory()]
  await memory.of(db, 'm', now)
  await embed(db, [1, 0])
  assert.equal(await memory.of(db, 'm', now + 4 * SECOND), undefined)
  const seen = await memory.of(db, 'm', now + 6 * SECOND)
  assert.deepEqual(seen?.ids, [1])
  // Only the version is checked when nothing has changed.
  assert.equal(await memory.of(db, 'm', now + 60 * SECOND), seen)
})

test('vectors of other models and of deleted connections are not returned', async () => {
  await using world = await createWorld()
  const [db, memory] = [await world.join(), vectorMemory()]
  await embed(db, [1, 0])
  assert.equal(await memory.of(db, 'other', now), undefined)
  await embed(db, [1, 0], 7)
  memory.recheck(db.memberId)
  assert.deepEqual((await memory.of(db, 'm', now))?.ids, [1])
  assert.equal(await db.write((tx) => dropEmbeddings(tx, 'other')), 1)
  memory.recheck(db.memberId)
  assert.deepEqual((await memory.of(db, 'm', now))?.ids, [])
})

test('members are kept apart, and the least recently used entry is evicted', async () => {
  await using world = await createWorld()
  const memory = vectorMemory(700)
  const [ada, grace] = [await world.join(), await world.join()]
  await embed(
    ada,
    Array.from({ length: 200 }, () => 1),
  )
  await embed(
    grace,
    Array.from({ length: 200 }, () => -1),
  )
  const ofAda = await memory.of(ada, 'm', now)
  const ofGrace = await memory.of(grace, 'm', now)
  assert.deepEqual([ofAda?.components[0], ofGrace?.components[0]], [127, -127])
  assert.equal(await memory.of(grace, 'm', now), ofGrace)
  const again = await memory.of(ada, 'm', now)
  assert.notEqual(again, ofAda)
  assert.deepEqual(again, ofAda)
})

test('concurrent callers share one read', async () => {
  await using world = await createWorld()
  const [db, memory] = [await world.join(), vectorMemory()]
  await embed(db, [1, 0])
  const all = await Promise.all(Array.from({ length: 9 }, async () => memory.of(db, 'm', now)))
  assert.ok(all[0] !== undefined && all.every((one) => one === all[0]))
})
