import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY } from '../base/clock.ts'
import { createMember } from '../members/member.ts'
import { createStore, TEST_NOW } from '../../test/support/store.ts'
import { refundCredits, spendCredits } from './account.ts'
import { countCalls, spendingByCredential, spendingByDay } from './usage.ts'

const NOVEMBER = Date.UTC(2026, 10, 1)
const DECEMBER = Date.UTC(2026, 11, 1)

async function createWorld() {
  const store = await createStore()
  const { database } = store
  const join = async (username: string) => {
    const { memberId } = await database.write((tx) =>
      createMember(tx, { username, name: username }, TEST_NOW),
    )
    const db = database.member(memberId)
    const charge = (credentialId: string | null, now: number, cost = 1) => ({
      cost,
      reason: 'search_connections',
      credentialId,
      quota: 100,
      now,
    })
    return {
      spend: (credentialId: string | null, now = TEST_NOW, cost = 1) =>
        db.write((tx) => spendCredits(tx, charge(credentialId, now, cost))),
      refund: (credentialId: string) =>
        db.write((tx) =>
          refundCredits(tx, { ...charge(credentialId, TEST_NOW), chargedPeriod: NOVEMBER }),
        ),
      byDay: (since: number) => spendingByDay(db, since),
      byCredential: (since: number) => spendingByCredential(db, since),
      calls: async (since: number) => Object.fromEntries(await countCalls(db, since)),
    }
  }
  return { ...store, ada: await join('ada'), grace: await join('grace') }
}

test('each credential’s count leaves out free, refunded and unattributed calls', async () => {
  await using world = await createWorld()
  const { ada, grace } = world
  assert.deepEqual(await ada.calls(NOVEMBER), {})
  for (const id of ['tok_1', 'tok_1', 'grant_1', null]) await ada.spend(id)
  await ada.spend('tok_1', TEST_NOW, 5)
  await ada.spend('tok_2', TEST_NOW, 0)
  await ada.refund('tok_1')
  await grace.spend('tok_1')
  assert.deepEqual(await ada.calls(NOVEMBER), { tok_1: 3, grant_1: 1 })
  assert.deepEqual(await grace.calls(NOVEMBER), { tok_1: 1 })
})

test('a month starts at its first millisecond and leaves out earlier calls', async () => {
  await using world = await createWorld()
  const { ada } = world
  await ada.spend('tok_1', DECEMBER - 1)
  assert.deepEqual(await ada.calls(DECEMBER), {})
  await ada.spend('tok_1', DECEMBER)
  await ada.spend('tok_2', DECEMBER + 1)
  assert.deepEqual(await ada.calls(DECEMBER), { tok_1: 1, tok_2: 1 })
  assert.deepEqual(await ada.calls(NOVEMBER), { tok_1: 2, tok_2: 1 })
})

test('spending is summed by day and by credential, less refunds, from the start of the period', async () => {
  await using world = await createWorld()
  const { ada, grace } = world
  await ada.spend('tok_1', DECEMBER - 1, 4)
  await ada.spend('tok_1', DECEMBER, 2)
  await ada.spend('grant_1', DECEMBER + DAY - 1, 3)
  await ada.spend(null, DECEMBER + DAY)
  await grace.spend('tok_1', DECEMBER)
  const reason = 'search_connections'
  assert.deepEqual(await ada.byDay(DECEMBER), [
    { day: 0, reason, credits: 5 },
    { day: 1, reason, credits: 1 },
  ])
  assert.deepEqual(await ada.byCredential(DECEMBER), [
    { credentialId: 'grant_1', calls: 1, credits: 3 },
    { credentialId: 'tok_1', calls: 1, credits: 2 },
    { credentialId: null, calls: 1, credits: 1 },
  ])
  assert.deepEqual(await grace.byCredential(DECEMBER), [
    { credentialId: 'tok_1', calls: 1, credits: 1 },
  ])
})

test('refunded credits are not counted as spent', async () => {
  await using world = await createWorld()
  const { ada } = world
  await ada.spend('tok_1')
  await ada.spend('tok_1')
  await ada.refund('tok_1')
  const day = Math.floor((TEST_NOW - NOVEMBER) / DAY)
  const spent = { day, reason: 'search_connections', credits: 1 }
  assert.deepEqual(await ada.byDay(NOVEMBER), [spent])
  assert.deepEqual(await ada.byCredential(NOVEMBER), [
    { credentialId: 'tok_1', calls: 2, credits: 1 },
  ])
})
