/** Concurrent operations give correct results. On PostgreSQL, each has its own transaction. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchConnectionsTool } from './fixtures/search.ts'
import { addConnectionTool, updateConnectionTool } from './fixtures/one-person.ts'
import { createWorld, type Acting } from './fixtures/network.ts'
import { mintApiToken } from '../src/access/api-token.ts'
import { DAY } from '../src/base/clock.ts'
import { chargeCredits, creditBalance, refundCredits } from '../src/credits/account.ts'
import { periodOf } from '../src/credits/month.ts'
import { createMember, requireMember, updateMember } from '../src/members/member.ts'
import { seedDemo } from '../src/acts/seed-demo.ts'
import { memberStatement } from '../src/db/statement.ts'
import { RequestError } from '../src/base/request-error.ts'
import type { Database, Reader } from '../src/db/database.ts'

const LEDGER = memberStatement<object, { kind: string; delta: number; balance_after: number }>()(
  'select kind, delta, balance_after from credit_ledger where member_id = :member_id order by entry_id',
)
const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

test('a month is opened once, no credit is spent twice, and the ledger adds up to the balance', async () => {
  await using world = await createWorld()
  const { db } = await world.join()
  const now = world.clock.now()
  const charge = { cost: 1, reason: 'x', credentialId: null, quota: 30, now }
  const outcomes = await Promise.allSettled(
    Array.from({ length: 50 }, () => chargeCredits(db, charge)),
  )
  const paid = outcomes.filter(({ status }) => status === 'fulfilled').length
  assert.equal(paid, 30)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected')
      assert.equal((outcome.reason as RequestError).code, 'credits_exhausted')
  const chargedPeriod = periodOf(now).periodStart
  await times(5, () => db.write((tx) => refundCredits(tx, { ...charge, chargedPeriod })))
  const ledger = await db.all(LEDGER, {})
  assert.deepEqual(
    ledger.filter(({ kind }) => kind === 'grant').map(({ delta }) => delta),
    [30],
  )
  let balance = 0
  for (const { delta, balance_after } of ledger) {
    balance += delta
    assert.equal(balance, balance_after)
  }
  assert.equal((await creditBalance(db, 30, now)).remaining, 5)
})

test('nodes with different clocks open each month once, even concurrently', async () => {
  await using world = await createWorld()
  const { db } = await world.join()
  const december = Date.UTC(2026, 11, 1)
  const clocks = [december - 2_000, december + 2_000, december + 40 * DAY]
  const paid = new Map<number, number>()
  await times(90, async (index) => {
    const now = clocks[index % clocks.length] ?? december
    const charge = { cost: 1, reason: 'x', credentialId: null, quota: 100, now }
    const { periodStart } = await chargeCredits(db, charge)
    paid.set(periodStart, (paid.get(periodStart) ?? 0) + 1)
  })
  for (const [month, credits] of paid)
    assert.equal((await creditBalance(db, 100, month + DAY)).remaining, 100 - credits)
  const ledger = await db.all(LEDGER, {})
  assert.equal(ledger.filter(({ kind }) => kind === 'charge').length, 90)
  assert.equal(ledger.filter(({ kind }) => kind === 'grant').length, paid.size)
  let balance = 0
  for (const { delta, balance_after } of ledger) {
    balance += delta
    assert.equal(balance, balance_after)
  }
})

test('the reported cost of a call does not include concurrent charges', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const outcomes = await times(40, (index) =>
    index % 2 === 0
      ? member.call(addConnectionTool, { name: `Person ${index}` })
      : member.call(searchConnectionsTool),
  )
  for (const outcome of outcomes) assert.equal(outcome.ok && outcome.meta.cost, 1)
  const { remaining } = await creditBalance(member.db, 1_000_000, world.clock.now())
  assert.equal(remaining, 1_000_000 - 40)
})

test('concurrent additions of the same person create one connection', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const person = { name: 'Ada Lovelace', emails: ['ada@example.org'] }
  const added = await times(12, () =>
    member.ask<{ created: boolean; connection: { connection_id: string } }>(
      addConnectionTool,
      person,
    ),
  )
  assert.equal(added.filter(({ created }) => created).length, 1)
  assert.equal(new Set(added.map(({ connection }) => connection.connection_id)).size, 1)
})

test('a concurrent import and manual addition of the same person create one connection', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const people = Array.from({ length: 40 }, (_, index) => ({
    name: `Person ${index}`,
    emails: [`p${index}@example.org`],
  }))
  await Promise.all([
    member.import(people, { batch: 5 }),
    member.import(people, { batch: 7, jobId: 2 }),
    ...people.map((person) => member.ask(addConnectionTool, person)),
  ])
  assert.equal(await countConnections(member), 40)
})

test('concurrent changes of one connection are all saved, each with its own version', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.ask(addConnectionTool, { name: 'Ada' })
  const change = { connection_id: 'c_1' }
  await times(10, (index) =>
    member.ask(updateConnectionTool, { ...change, add_emails: [`a${index}@example.org`] }),
  )
  const changed = await member.ask<{ emails: string[]; version: number }>(updateConnectionTool, {
    ...change,
    title: 'x',
    if_version: 11,
  })
  assert.equal(changed.emails.length, 10)
  const refused = await times(5, () =>
    member.call(updateConnectionTool, { ...change, title: 'y', if_version: 12 }),
  )
  assert.equal(refused.filter(({ ok }) => ok).length, 1)
})

test('of concurrent requests, one takes a username, email or token name; the others get an error', async () => {
  await using world = await createWorld()
  const { database, clock } = world
  const now = clock.now()
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, (_, index) =>
      database.write((tx) =>
        createMember(
          tx,
          { username: index % 2 ? 'ada' : `ada-${index}`, name: 'A', email: 'ada@example.org' },
          now,
        ),
      ),
    ),
  )
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected')
      assert.equal((outcome.reason as RequestError).code, 'conflict')
  const { db } = await world.join()
  const token = { name: 'ci', holder: 'ai_client', lifetimeDays: null } as const
  const minted = await Promise.allSettled(
    Array.from({ length: 8 }, () => db.write((tx) => mintApiToken(tx, token, now))),
  )
  assert.equal(minted.filter(({ status }) => status === 'fulfilled').length, 1)
})

test('concurrent changes of one profile are all saved', async () => {
  await using world = await createWorld()
  const { database, clock } = world
  const { caller } = await world.join()
  const fields = ['headline', 'about', 'location', 'organization', 'title'] as const
  await Promise.all(
    fields.map((field) =>
      database.write((tx) => updateMember(tx, caller.memberId, { [field]: 'x' }, clock.now())),
    ),
  )
  const member = await requireMember(database, caller.memberId)
  assert.equal(member.version, 1 + fields.length)
  for (const field of fields) assert.equal(member[field], 'x', field)
})

test('nodes that start together create one demo account', async () => {
  await using world = await createWorld()
  const seeded = await times(4, () => seedDemo(world.database, world.clock.now()))
  assert.equal(seeded.filter((state) => state === 'created').length, 1)
})

test('a node that looks for the demo account just before another creates it finds it', async () => {
  await using world = await createWorld()
  const now = world.clock.now()
  await seedDemo(world.database, now)
  assert.equal(await seedDemo(missingOnce(world.database), now), 'present')
})

/** A database in which the first look for a username, outside and in a transaction, finds no one. */
function missingOnce(database: Database): Database {
  const write: Database['write'] = (work, options) =>
    database.write((tx) => work(withoutFirst(tx)), options)
  return new Proxy(withoutFirst(database), {
    get: (target, name) => (name === 'write' ? write : Reflect.get(target, name)),
  })
}

function withoutFirst<R extends Reader>(reader: R): R {
  let isFirst = true
  const get: Reader['get'] = (query, params) => {
    const isMissed = isFirst && query.text.includes('from members where username')
    if (isMissed) isFirst = false
    return isMissed ? Promise.resolve(undefined) : reader.get(query, params)
  }
  return new Proxy(reader, {
    get(target, name) {
      if (name === 'get') return get
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

async function countConnections({ db }: Acting): Promise<number> {
  const count = memberStatement<object, { n: number }>()(
    'select count(*) as n from connections where member_id = :member_id',
  )
  return (await db.get(count, {}))?.n ?? 0
}
