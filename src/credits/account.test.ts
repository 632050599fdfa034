import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { DAY, HOUR, SECOND } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { memberStatement } from '../db/statement.ts'
import { createMember } from '../members/member.ts'
import { createStore, TEST_NOW, type TestStore } from '../../test/support/store.ts'
import { CLOCK_TOLERANCE_MS, periodOf } from './month.ts'
import { MAX_LEDGER_ENTRIES } from './ledger.ts'
import { chargeCredits, creditBalance, refundCredits, spendCredits } from './account.ts'

const QUOTA = 10
const NOVEMBER = Date.UTC(2026, 10, 1)
const DECEMBER = Date.UTC(2026, 11, 1)
const JANUARY = Date.UTC(2027, 0, 1)

async function join({ database }: TestStore, username = 'ada') {
  const { memberId } = await database.write((tx) =>
    createMember(tx, { username, name: username }, TEST_NOW),
  )
  const db = database.member(memberId)
  const charge = { reason: 'search_connections', credentialId: 'tok_1' }
  return {
    spend: (cost: number, now = TEST_NOW, quota = QUOTA) =>
      db.write((tx) => spendCredits(tx, { ...charge, cost, quota, now })),
    refund: (cost: number, chargedPeriod: number, now: number) =>
      db.write((tx) => refundCredits(tx, { ...charge, cost, chargedPeriod, now })),
    charge: (cost: number, now = TEST_NOW) =>
      chargeCredits(db, { ...charge, cost, quota: QUOTA, now }),
    balance: (now: number) => creditBalance(db, QUOTA, now),
    remaining: async (now = TEST_NOW, quota = QUOTA) =>
      (await creditBalance(db, quota, now)).remaining,
    entries: () => db.all(LEDGER, {}),
    ledger: async () => {
      const rows = await db.all(LEDGER, {})
      return rows.map(({ kind, delta, balance_after }) => [kind, delta, balance_after])
    },
    renumber: (by: number) =>
      db.write(async (tx) => {
        await tx.run(RENUMBER, { by })
        await tx.run(RENUMBER_LAST, { by })
      }),
  }
}

const isExhausted = (error: unknown) =>
  error instanceof RequestError && error.code === 'credits_exhausted'

const ifExhausted = (error: unknown) => {
  if (!isExhausted(error)) throw error
  return undefined
}

test('a month begins with its first charge, and the rest of the previous month expires', async () => {
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

test('a month without remaining credits has nothing to expire', async () => {
  await using store = await createStore()
  const ada = await join(store)
  await ada.spend(10)
  await ada.spend(1, DECEMBER)
  assert.deepEqual(
    (await ada.ledger()).map(([kind]) => kind),
    ['grant', 'charge', 'grant', 'charge'],
  )
})

test('a rejected charge changes nothing, even if it is the first one', async () => {
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

test('a charge of zero credits writes nothing', async () => {
  await using store = await createStore()
  const ada = await join(store)
  assert.equal((await ada.spend(0)).remaining, QUOTA)
  assert.deepEqual(await ada.ledger(), [])
})

test('a refund goes to the month of the charge and to no other', async () => {
  await using store = await createStore()
  const ada = await join(store)
  await ada.spend(5)
  await ada.refund(5, NOVEMBER, TEST_NOW + DAY)
  assert.equal(await ada.remaining(), QUOTA)
  await ada.spend(5)
  await ada.refund(5, NOVEMBER, DECEMBER)
  await ada.spend(1, DECEMBER)
  await ada.refund(5, NOVEMBER, DECEMBER + DAY)
  assert.equal(await ada.remaining(DECEMBER), 9)
})

test('a new quota applies from the next month that begins', async () => {
  await using store = await createStore()
  const ada = await join(store)
  await ada.spend(1)
  assert.equal(await ada.remaining(TEST_NOW, 50), 9)
  assert.equal(await ada.remaining(DECEMBER, 50), 50)
})

test('for any months, charges and refunds, the rows sum to the balance and never exceed the quota', async () => {
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
        const paid = await ada.spend(cost, now).catch(ifExhausted)
        now += days * DAY
        if (paid && back) await ada.refund(cost, paid.periodStart, now)
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

test('two clocks four seconds apart share the month that opened first', async () => {
  await using store = await createStore()
  const ada = await join(store)
  const [fast, slow] = [DECEMBER + 2 * SECOND, DECEMBER - 2 * SECOND]
  await ada.spend(3, slow)
  await ada.spend(1, fast)
  const december = { quota: QUOTA, periodStart: DECEMBER, resetsAt: JANUARY }
  assert.deepEqual(await ada.spend(1, slow), { ...december, remaining: 8 })
  assert.deepEqual(await ada.charge(1, slow), { ...december, remaining: 7 })
  assert.deepEqual(await ada.balance(slow), { ...december, remaining: 7 })
  await ada.refund(1, DECEMBER, slow)
  assert.deepEqual((await ada.ledger()).slice(2), [
    ['expire', -7, 0],
    ['grant', 10, 10],
    ['charge', -1, 9],
    ['charge', -1, 8],
    ['charge', -1, 7],
    ['refund', 1, 8],
  ])
  const dates = (await ada.entries()).filter(({ kind }) => kind === 'charge').map(({ at }) => at)
  assert.deepEqual(dates, [slow, fast, DECEMBER, DECEMBER])
})

test('a month opened by a clock 40 days ahead is set aside, and neither month is granted twice', async () => {
  await using store = await createStore()
  const ada = await join(store)
  await ada.spend(3)
  const ahead = await ada.spend(1, TEST_NOW + 45 * DAY)
  assert.equal(ahead.periodStart, JANUARY)
  const november = { quota: QUOTA, periodStart: NOVEMBER, resetsAt: DECEMBER }
  assert.deepEqual(await ada.balance(TEST_NOW), { ...november, remaining: 7 })
  assert.deepEqual(await ada.charge(2), { ...november, remaining: 5 })
  assert.equal((await ada.spend(4, DECEMBER)).remaining, 6)
  // A job of January that fails while the clock is right.
  await ada.refund(1, JANUARY, DECEMBER)
  assert.equal((await ada.spend(2, JANUARY)).remaining, 8)
  assert.deepEqual(await ada.ledger(), [
    ['grant', 10, 10],
    ['charge', -3, 7],
    ['expire', -7, 0],
    ['grant', 10, 10],
    ['charge', -1, 9],
    ['adjust', -9, 0],
    ['adjust', 7, 7],
    ['charge', -2, 5],
    ['expire', -5, 0],
    ['grant', 10, 10],
    ['charge', -4, 6],
    ['expire', -6, 0],
    ['adjust', 10, 10],
    ['charge', -2, 8],
  ])
})

test('whatever the clocks of the nodes say, every month is granted once and pays only for its own charges', async () => {
  await using store = await createStore()
  let members = 0
  const skew = fc.oneof(
    fc.constantFrom(0, -4 * SECOND, 4 * SECOND, HOUR, -HOUR, 14 * HOUR, -14 * HOUR),
    fc.integer({ min: -400, max: 400 }).map((days) => days * DAY),
  )
  const step = fc.record({
    passes: fc.constantFrom(0, SECOND, HOUR, 5 * DAY, 12 * DAY),
    skew,
    cost: fc.integer({ min: 1, max: 6 }),
    alone: fc.boolean(),
    refunded: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      members += 1
      const ada = await join(store, `ada-${members}`)
      /** By month: what it has paid for. */
      const paid = new Map<number, number>()
      const leftOf = (month: number) => QUOTA - (paid.get(month) ?? 0)
      let charged = 0
      let now = DECEMBER - DAY
      for (const { passes, skew: ahead, cost, alone, refunded } of steps) {
        now += passes
        const told = now + ahead
        const before = await ada.balance(told)
        const after = await (alone ? ada.charge : ada.spend)(cost, told).catch(ifExhausted)
        assert.equal(before.remaining, leftOf(before.periodStart))
        assert.equal(after === undefined, before.remaining < cost)
        if (!after) continue
        charged += cost
        const month = after.periodStart
        assert.equal(month, before.periodStart)
        assert.ok(month >= periodOf(told).periodStart && month <= told + CLOCK_TOLERANCE_MS)
        paid.set(month, (paid.get(month) ?? 0) + cost)
        assert.equal(after.remaining, leftOf(month))
        if (!refunded) continue
        await ada.refund(cost, month, told)
        paid.set(month, (paid.get(month) ?? 0) - cost)
      }
      await checkLedger(await ada.entries(), charged)
      const right = await ada.balance(now)
      assert.equal(right.remaining, leftOf(right.periodStart))
      assert.ok(right.periodStart - now <= CLOCK_TOLERANCE_MS)
    }),
    { numRuns: 60 },
  )
})

/**
 * Numbers have no gaps, each row follows from the previous one, no month is granted twice, and every charge is present.
 */
async function checkLedger(entries: readonly Entry[], charged: number): Promise<void> {
  let balance = 0
  for (const [index, { entry_id, delta, balance_after }] of entries.entries()) {
    balance += delta
    assert.deepEqual([entry_id, balance_after], [index + 1, balance])
    assert.ok(balance >= 0 && balance <= QUOTA)
  }
  const granted = entries.filter(({ kind }) => kind === 'grant')
  const months = granted.map(({ at }) => periodOf(at).periodStart)
  assert.equal(new Set(months).size, months.length)
  const charges = entries.filter(({ kind }) => kind === 'charge')
  assert.equal(0 - charges.reduce((sum, { delta }) => sum + delta, 0), charged)
}

test('the ledger keeps only its newest entries', async () => {
  await using store = await createStore()
  const ada = await join(store)
  for (let count = 0; count < 3; count += 1) await ada.spend(1)
  // As if the ledger had that many between its second and its third entry.
  await ada.renumber(MAX_LEDGER_ENTRIES - 2)
  await ada.refund(1, NOVEMBER, TEST_NOW)
  const ids = (await ada.entries()).map(({ entry_id }) => entry_id - MAX_LEDGER_ENTRIES)
  assert.deepEqual(ids, [1, 2, 3])
})

interface Entry {
  readonly entry_id: number
  readonly at: number
  readonly kind: string
  readonly delta: number
  readonly balance_after: number
}

const LEDGER = memberStatement<object, Entry>()(`
  select entry_id, at, kind, delta, balance_after from credit_ledger
  where member_id = :member_id order by entry_id`)

const RENUMBER = memberStatement<{ by: number }>()(
  'update credit_ledger set entry_id = entry_id + :by where member_id = :member_id and entry_id > 2',
)
const RENUMBER_LAST = memberStatement<{ by: number }>()(
  'update credit_accounts set last_entry = last_entry + :by where member_id = :member_id',
)
