import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { RequestError } from '../base/request-error.ts'
import { memberStatement } from '../db/statement.ts'
import { createMember } from '../members/member.ts'
import { createStore, TEST_NOW, type TestStore } from '../../test/support/store.ts'
import { ChargeQueue } from './charge-queue.ts'
import { creditBalance } from './account.ts'
import type { MemberDatabase } from '../db/database.ts'

interface Asked {
  readonly reason: string
  readonly cost: number
}

async function join({ database }: TestStore, username: string) {
  const create = { username, name: username }
  const { memberId } = await database.write((tx) => createMember(tx, create, TEST_NOW))
  return database.member(memberId)
}

/** The remaining credits after each charge, in call order; null if it was rejected. */
function chargeAll(db: MemberDatabase, quota: number, asked: readonly Asked[]) {
  const queue = new ChargeQueue()
  return Promise.all(
    asked.map(async ({ reason, cost }, at) => {
      const charge = { reason, cost, credentialId: 'tok_1', quota, now: TEST_NOW + at }
      try {
        return (await queue.charge(db, charge)).remaining
      } catch (error) {
        assert.ok(
          error instanceof RequestError && error.code === 'credits_exhausted',
          String(error),
        )
        return null
      }
    }),
  )
}

test('charges that arrive together each have a ledger row with their own time and balance', async () => {
  await using store = await createStore()
  const db = await join(store, 'ada')
  await chargeAll(db, 10, [{ reason: 'search', cost: 1 }])
  const asked = Array.from({ length: 4 }, () => ({ reason: 'search', cost: 2 }))
  assert.deepEqual(await chargeAll(db, 10, asked), [7, 5, 3, 1])
  const entries = await db.all(LEDGER, {})
  // Rows have no prototype.
  const plain = structuredClone(entries)
  assert.deepEqual(plain, [
    { entry_id: 1, at: TEST_NOW, kind: 'grant', delta: 10, balance_after: 10, reason: 'month' },
    { entry_id: 2, at: TEST_NOW, kind: 'charge', delta: -1, balance_after: 9, reason: 'search' },
    ...[7, 5, 3, 1].map((balance_after, at) => ({
      entry_id: 3 + at,
      at: TEST_NOW + at,
      kind: 'charge',
      delta: -2,
      balance_after,
      reason: 'search',
    })),
  ])
})

test('as many charges succeed as the credits cover, and the ledger adds up', async () => {
  await using store = await createStore()
  let members = 0
  const asked = fc.array(
    fc.record({ reason: fc.constantFrom('search', 'list'), cost: fc.integer({ min: 1, max: 4 }) }),
    { minLength: 1, maxLength: 12 },
  )
  await fc.assert(
    fc.asyncProperty(asked, fc.integer({ min: 1, max: 20 }), async (charges, quota) => {
      const db = await join(store, `member-${++members}`)
      const left = await chargeAll(db, quota, charges)
      const spent = charges.reduce((sum, { cost }, at) => (left[at] === null ? sum : sum + cost), 0)
      const { remaining } = await creditBalance(db, quota, TEST_NOW)
      assert.equal(remaining, quota - spent)
      for (const [at, { cost }] of charges.entries())
        if (left[at] === null) assert.ok(cost > remaining)
      const entries = await db.all(LEDGER, {})
      let balance = 0
      for (const [at, { entry_id, delta, balance_after }] of entries.entries()) {
        balance += delta
        assert.deepEqual([entry_id, balance_after], [at + 1, balance])
      }
      assert.equal(balance, entries.length === 0 ? 0 : remaining)
    }),
    { numRuns: 25 },
  )
})

test('a failed transaction rejects all its charges, and later charges succeed', async () => {
  await using store = await createStore()
  const db = await join(store, 'ada')
  const failing = Object.create(db, {
    change: { value: () => Promise.reject(new Error('disk full')) },
  }) as MemberDatabase
  const queue = new ChargeQueue()
  const charge = { reason: 'search', cost: 1, credentialId: null, quota: 10, now: TEST_NOW }
  const outcomes = await Promise.allSettled([1, 2].map(() => queue.charge(failing, charge)))
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal((await queue.charge(db, charge)).remaining, 9)
})

const LEDGER = memberStatement<
  object,
  {
    entry_id: number
    at: number
    kind: string
    delta: number
    balance_after: number
    reason: string
  }
>()(`
  select entry_id, at, kind, delta, balance_after, reason from credit_ledger
  where member_id = :member_id order by entry_id`)
