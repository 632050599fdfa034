import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSeparateStore, createStore } from '../../../test/support/store.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../base/clock.ts'
import { statement } from '../../db/statement.ts'
import {
  countSignInAttempts,
  sweepSignInAttempts,
  type Attempt,
  type Attempted,
} from './sign-in-attempts.ts'

const ADA = 'ada@example.org'
const ADA_ID = 17
const HERE = '192.0.2.1'

type Tried = Partial<Attempted>

async function createTestWorld() {
  const store = await createStore()
  const { database, clock } = store
  const attempts = countSignInAttempts({ database, clock })
  const begin = (tried: Tried = {}, node = attempts): Promise<Attempt> =>
    node.begin({ method: 'password', name: ADA, memberId: undefined, address: HERE, ...tried })
  return {
    database,
    clock,
    begin,
    otherNode: countSignInAttempts({ database, clock }),
    /** Seconds to wait, 0 where the attempt was allowed and failed. */
    fail: async (tried: Tried = {}): Promise<number> => {
      const attempt = await begin(tried)
      return attempt.allowed ? 0 : attempt.retryAfter
    },
    succeed: async (tried: Tried = {}): Promise<void> => {
      const attempt = await begin(tried)
      assert.ok(attempt.allowed && attempt.canSucceed)
      await database.write((tx) => attempt.succeed(tx))
    },
    rows: async () => (await database.get(COUNT, {}))?.count ?? 0,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

const COUNT = statement<object, { count: number }>('select count(*) as count from sign_in_windows')

async function times(count: number, work: (index: number) => Promise<void>): Promise<void> {
  for (let index = 0; index < count; index += 1) await work(index)
}

test('after five consecutive failures each attempt waits longer than the one before', async () => {
  await using world = await createTestWorld()
  const { clock, fail } = world
  await times(5, async () => assert.equal(await fail(), 0))
  for (const minutes of [1, 2, 4, 8, 15, 15]) {
    assert.equal(await fail(), minutes * 60)
    clock.advance(minutes * MINUTE - SECOND)
    assert.equal(await fail(), 1, 'a rejected attempt does not extend the wait')
    clock.advance(SECOND)
    assert.equal(await fail(), 0)
  }
})

test('a success clears earlier failures', async () => {
  await using world = await createTestWorld()
  const { fail, succeed } = world
  await times(4, async () => void (await fail()))
  await succeed()
  await times(5, async () => assert.equal(await fail(), 0))
  assert.ok((await fail()) > 0)
})

test('an attempt that could not run does not count', async () => {
  await using world = await createTestWorld()
  await times(20, async () => {
    const attempt = await world.begin()
    assert.ok(attempt.allowed)
    await attempt.cancel()
  })
})

test('attempts from another IP address, or for another account, do not wait', async () => {
  await using world = await createTestWorld()
  await times(9, async () => void (await world.fail()))
  assert.equal(await world.fail({ address: '192.0.2.2' }), 0)
  assert.equal(await world.fail({ name: 'grace@example.org' }), 0)
  assert.equal(
    await world.fail({ method: 'confirmation' }),
    0,
    'another method does not wait either',
  )
})

test('names are counted in normalized form', async () => {
  await using world = await createTestWorld()
  await times(5, async () => void (await world.fail({ name: 'zo\u00eb' })))
  for (const name of [' Zo\u00cb ', 'zoe\u0308', '\uff3a\uff4fe\u0308'])
    assert.ok((await world.fail({ name })) > 0, name)
})

test('a member has one count across all names, and no response reveals it', async () => {
  await using world = await createTestWorld()
  const { begin, clock } = world
  await times(5, async () => void (await begin({ name: 'ada', memberId: ADA_ID })))
  for (const [known, unknown] of [
    [{ name: ADA, memberId: ADA_ID }, { name: 'nobody@example.org' }],
  ] as const) {
    const attempts = [await begin(known), await begin(unknown)]
    assert.deepEqual(
      attempts.map(({ allowed }) => allowed),
      [true, true],
      'the other name is treated as any name that is tried for the first time',
    )
    const [ofMember] = attempts
    assert.equal(ofMember?.allowed && ofMember.canSucceed, false, 'but it cannot succeed')
  }
  clock.advance(DAY)
  const later = await begin({ name: ADA, memberId: ADA_ID })
  assert.equal(later.allowed && later.canSucceed, true)
})

test('an account allows a hundred attempts an hour across IP addresses and names', async () => {
  await using world = await createTestWorld()
  const { begin, clock } = world
  let couldSucceed = 0
  await times(120, async (index) => {
    const name = index % 2 === 0 ? ADA : 'ada'
    const attempt = await begin({ name, memberId: ADA_ID, address: `198.51.100.${index}` })
    if (attempt.allowed && attempt.canSucceed) couldSucceed += 1
  })
  assert.equal(couldSucceed, 100)
  clock.advance(HOUR)
  const later = await begin({ memberId: ADA_ID, address: '203.0.113.9' })
  assert.equal(later.allowed && later.canSucceed, true)
})

test('strangers cannot lock out an owner at a known IP address', async () => {
  await using world = await createTestWorld()
  const own = { memberId: ADA_ID }
  await world.succeed(own)
  world.clock.advance(DAY)
  await times(120, async (index) => {
    await world.begin({ ...own, address: `198.51.100.${index}` })
  })
  await world.succeed(own)
  assert.ok((await world.fail({ ...own, address: '203.0.113.9' })) > 0, 'from elsewhere it is shut')
})

test('an IP address has a hundred attempts an hour across accounts, and further ones write nothing', async () => {
  await using world = await createTestWorld()
  const { fail, clock } = world
  await times(100, async (index) => assert.equal(await fail({ name: `member${index}` }), 0))
  const rows = await world.rows()
  await times(120, async (index) => assert.equal(await fail({ name: `other${index}` }), 3600))
  assert.equal(await world.rows(), rows, 'rejected attempts leave nothing behind')
  assert.equal(await fail({ name: 'other', address: '192.0.2.2' }), 0)
  clock.advance(HOUR)
  assert.equal(await fail({ name: 'other' }), 0)
})

test('a flood of other names does not evict the count of an account', async () => {
  await using world = await createTestWorld()
  const { fail } = world
  await times(5, async () => void (await fail({ memberId: ADA_ID })))
  await times(120, async (index) => void (await fail({ name: `random ${index}` })))
  assert.ok((await fail({ memberId: ADA_ID, address: HERE })) > 0)
})

test('successful sign-ins from a shared IP address do not count', async () => {
  await using world = await createTestWorld()
  await times(105, (index) =>
    world.succeed({ name: `member${index}@example.org`, memberId: index }),
  )
  assert.equal(await world.fail(), 0)
})

test('concurrent attempts on two nodes do not exceed the limit', async () => {
  await using world = await createTestWorld()
  const { begin, otherNode } = world
  const begun = await Promise.all(
    Array.from({ length: 30 }, (_, index) => begin({}, index % 2 === 0 ? undefined : otherNode)),
  )
  assert.equal(begun.filter(({ allowed }) => allowed).length, 5)
})

test('names and IP addresses are not stored, and expired counts are swept', async () => {
  await using store = await createSeparateStore()
  const { database, clock } = store
  const attempts = countSignInAttempts(store)
  await attempts.begin({ method: 'password', name: ADA, memberId: ADA_ID, address: HERE })
  const kept = await store.everything()
  for (const text of [ADA, HERE]) assert.equal(kept.includes(text), false, text)
  clock.advance(DAY)
  await database.write((tx) => sweepSignInAttempts(tx, clock.now()))
  assert.equal((await database.get(COUNT, {}))?.count, 0)
})
