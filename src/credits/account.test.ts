import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { DAY } from '../base/clock.ts'
import { Refusal } from '../base/refusal.ts'
import { memberStatement } from '../db/statement.ts'
import { createMember } from '../members/member.ts'
import { createStore, TEST_NOW, type TestStore } from '../../test/support/store.ts'
import { creditBalance, refundCredits, spendCredits } from './account.ts'

const QUOTA = 10
const DECEMBER = Date.UTC(2026, 11, 1)

async function join({ database }: TestStore, username = 'ada') {
  const { memberId } = await database.write((tx) =>
    createMember(tx, { username, name: username }, TEST_NOW),
  )
  const db = database.member(memberId)
  const charge = { reason: 'search_connections', credentialId: 'tok_1' }
  return {
    spend: (cost: number, now = TEST_NOW, quota = QUOTA) =>
      db.write((tx) => spendCredits(tx, { ...charge, cost, quota, now })),
    refund: (cost: number, chargedAt: number, now: number) =>
      db.write((tx) => refundCredits(tx, { ...charge, cost, chargedAt, now })),
    remaining: async (now = TEST_NOW, quota = QUOTA) =>
      (await creditBalance(db, quota, now)).remaining,
    ledger: async () => {
      const rows = await db.all(LEDGER, {})
      return rows.map(({ kind, delta, balance_after }) => [kind, delta, balance_after])
    },
  }
}

const isExhausted = (error: unknown) =>
  error instanceof Refusal && error.code === 'credits_exhausted'

test('a month begins with its first charge; what was left of the last one expires', async () => {
  await using store = await createStore()
  const ada = await join(store)
  assert.equal(await ada.remaining(), QUOTA)
  assert.deepEqual(await ada.ledger(), [])
  await ada.spend(4)
  assert.equal(await ada.remaining(DECEMBER - 1), 6)
  assert.equal(await ada.remaining(DECEMBER), QUOTA)
  const balance = await ada.spend(1, DECEMBER, 20)
  assert.deepEqual(balance, {
    quota: 20,
    remaining: 19,
    periodStart: DECEMBER,
    resetsAt: Date.UTC(2027, 0, 1),
  })
  assert.deepEqual(await ada.ledger(), [
    ['grant', 10, 10],
    ['charge', -4, 6],
    ['expire', -6, 0],
    ['grant', 20, 20],
    ['charge', -1, 19],
  ])
})

test('a month of which nothing was left has nothing to expire', async () => {
  await using store = await createStore()
  const ada = await join(store)
  await ada.spend(10)
  await ada.spend(1, DECEMBER)
  assert.deepEqual(
    (await ada.ledger()).map(([kind]) => kind),
    ['grant', 'charge', 'grant', 'charge'],
  )
})

test('an account that cannot pay is left as it was, the very first charge among it', async () => {
  await using store = await createStore()
  const ada = await join(store)
  await assert.rejects(ada.spend(11), isExhausted)
  assert.deepEqual(await ada.ledger(), [])
  await ada.spend(10)
  await assert.rejects(ada.spend(1), isExhausted)
  assert.equal(await ada.remaining(), 0)
  const poor = await join(store, 'grace')
  await assert.rejects(poor.spend(1, TEST_NOW, 0), isExhausted)
})

test('a charge of nothing writes nothing', async () => {
  await using store = await createStore()
  const ada = await join(store)
  assert.equal((await ada.spend(0)).remaining, QUOTA)
  assert.deepEqual(await ada.ledger(), [])
})

test('a refund comes back in the month it was charged, and in no other', async () => {
  await using store = await createStore()
  const ada = await join(store)
  await ada.spend(5)
  await ada.refund(5, TEST_NOW, TEST_NOW + DAY)
  assert.equal(await ada.remaining(), QUOTA)
  await ada.spend(5)
  await ada.refund(5, TEST_NOW, DECEMBER)
  await ada.spend(1, DECEMBER)
  await ada.refund(5, TEST_NOW, DECEMBER + DAY)
  assert.equal(await ada.remaining(DECEMBER), 9)
})

test('a new quota holds from the month that begins under it', async () => {
  await using store = await createStore()
  const ada = await join(store)
  await ada.spend(1)
  assert.equal(await ada.remaining(TEST_NOW, 50), 9)
  assert.equal(await ada.remaining(DECEMBER, 50), 50)
})

test('over any months, charges and refunds, the rows sum to the balance and never pass the quota', async () => {
  await using store = await createStore()
  let members = 0
  const step = fc.record({
    days: fc.integer({ min: 0, max: 20 }),
    cost: fc.integer({ min: 0, max: 6 }),
    back: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
      members += 1
      const ada = await join(store, `ada-${members}`)
      let now = TEST_NOW
      for (const { days, cost, back } of steps) {
        const chargedAt = now
        const paid = await ada.spend(cost, now).then(
          () => true,
          (error) => !isExhausted(error),
        )
        now += days * DAY
        if (paid && back) await ada.refund(cost, chargedAt, now)
      }
      let balance = 0
      for (const [, delta, after] of await ada.ledger()) {
        balance += Number(delta)
        assert.equal(balance, after)
        assert.ok(balance >= 0 && balance <= QUOTA)
      }
    }),
    { numRuns: 40 },
  )
})

const LEDGER = memberStatement<object, { kind: string; delta: number; balance_after: number }>()(
  'select kind, delta, balance_after from credit_ledger where member_id = :member_id order by entry_id',
)
