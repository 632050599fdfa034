import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import * as Type from '../base/type.ts'
import { KeyedSemaphore } from '../base/concurrency/keyed-semaphore.ts'
import { createLog } from '../base/log.ts'
import { RequestError } from '../base/request-error.ts'
import { creditBalance } from '../credits/account.ts'
import { ChargeQueue } from '../credits/charge-queue.ts'
import { requestKey } from '../guards/idempotency-key.ts'
import { createInFlight } from '../guards/in-flight.ts'
import { memberStatement } from '../db/statement.ts'
import { createWorld, type Acting } from '../../test/fixtures/network.ts'
import { runTool } from './run-tool.ts'
import { type ToolOutcome } from './tool-outcome.ts'
import { defineReadTool, defineWriteTool, type Tool, type WriteTool } from './tool.ts'
import type { Database } from '../db/database.ts'

const INPUT = Type.Object(
  { text: Type.Optional(Type.String({ maxLength: 5 })) },
  { additionalProperties: false },
)
const OUTPUT = Type.Object({ said: Type.String() }, { additionalProperties: false })

interface Ending {
  readonly credits: number
  readonly ends?: 'well' | 'refused' | 'broken'
}

function end(ends: Ending['ends']): { said: string } {
  if (ends === 'refused')
    throw new RequestError('not_found', 'Not found.', { hint: 'Check the ID.' })
  if (ends === 'broken') throw new Error('the password is hunter2')
  return { said: 'done' }
}

function reading({ credits, ends }: Ending): Tool {
  return defineReadTool({
    name: 'read_it',
    title: 'Read it',
    description: 'Reads',
    credits,
    input: INPUT,
    output: OUTPUT,
    run: async () => end(ends),
  })
}

/** Ends only after it has written a note and an activity entry. */
function writing({ credits, ends }: Ending, turns?: WriteTool['turns']): Tool {
  return defineWriteTool({
    name: 'write_it',
    title: 'Write it',
    description: 'Writes',
    effect: 'write',
    ...(turns && { turns }),
    credits,
    input: INPUT,
    output: OUTPUT,
    async run({ tx, record }, { text = '' }) {
      await tx.run(WRITE_NOTE, { text })
      const subject = { subjectKind: 'note', subjectId: 'n' }
      await record({ action: 'note.add', ...subject, before: null, after: { text } })
      return end(ends)
    },
  })
}

test('successful reads and writes cost their price and report the remaining credits', async () => {
  await using world = await createWorld(10)
  const member = await world.join()
  const resets_at = '2026-12-01T00:00:00.000Z'
  const output = { said: 'done' }
  assert.deepEqual(await member.call(reading({ credits: 2 })), {
    ok: true,
    output,
    meta: { cost: 2, remaining: 8, resets_at },
  })
  assert.deepEqual(await member.call(writing({ credits: 3 })), {
    ok: true,
    output,
    meta: { cost: 3, remaining: 5, resets_at },
  })
  assert.deepEqual(await member.call(reading({ credits: 0 })), {
    ok: true,
    output,
    meta: { cost: 0, remaining: 5, resets_at },
  })
  assert.deepEqual(await changesOf(world.database, member), {
    notes: 1,
    activity: 1,
    ledger: ['grant 10', 'charge -2', 'charge -3'],
  })
})

test('a call that is rejected, fails or has invalid arguments is free and changes nothing', async () => {
  await using world = await createWorld(10)
  const member = await world.join()
  await member.ask(writing({ credits: 1 }))
  const before = await changesOf(world.database, member)
  for (const make of [reading, writing]) {
    const refused = await member.refused(make({ credits: 2, ends: 'refused' }))
    assert.deepEqual(refused, { code: 'not_found', message: 'Not found.', hint: 'Check the ID.' })
    const broken = await member.refused(make({ credits: 2, ends: 'broken' }))
    assert.deepEqual(Object.keys(broken), ['code', 'message', 'request_id'])
    assert.equal(broken.code, 'internal')
    assert.doesNotMatch(JSON.stringify(broken), /hunter2/)
    for (const input of [
      { text: 'too long' },
      { other: 1 },
      { text: ['b', 'c'] },
      { text: 'a\0' },
    ]) {
      const wrong = await member.refused(make({ credits: 2 }), input)
      assert.equal(wrong.code, 'invalid_arguments')
      assert.match(wrong.message, /(text|other) /)
    }
  }
  assert.deepEqual(await changesOf(world.database, member), before)
})

test('a call without enough credits returns the quota and its reset time, and changes nothing', async () => {
  await using world = await createWorld(4)
  const member = await world.join()
  await member.ask(writing({ credits: 3 }))
  const before = await changesOf(world.database, member)
  for (const make of [reading, writing])
    assert.deepEqual(await member.refused(make({ credits: 2 })), {
      code: 'credits_exhausted',
      message:
        'Not enough credits: this costs 2, and 1 of your 4 monthly credits remain. ' +
        'Credits reset at 2026-12-01T00:00:00.000Z.',
      limit: 'monthly_credits',
      quota: 4,
      required: 2,
      remaining: 1,
      period_start: '2026-11-01T00:00:00.000Z',
      resets_at: '2026-12-01T00:00:00.000Z',
      retryable: false,
    })
  assert.deepEqual(await changesOf(world.database, member), before)
})

test('a tool with `chargesItself` is not charged again, and `committed` runs once its transaction commits', async () => {
  await using world = await createWorld(10)
  const member = await world.join()
  let commits = 0
  const own: Tool = {
    ...(writing({ credits: 5 }) as Extract<Tool, { effect: 'write' | 'destructive' }>),
    chargesItself: true,
    committed: () => {
      commits += 1
    },
  }
  const outcome = await member.call(own)
  assert.ok(outcome.ok)
  assert.deepEqual([outcome.meta.cost, commits], [0, 1])
  await member.refused(own, { text: 'too long' })
  assert.equal(commits, 1)
})

/** Resolves `entered` once a transaction of the member has begun, which then stays open until `leave` is called. */
function holdWrites({ db }: Acting) {
  const { promise: left, resolve: leave } = Promise.withResolvers<void>()
  const { promise: entered, resolve: enter } = Promise.withResolvers<void>()
  const held = db.write(async () => {
    enter()
    await left
  })
  return { entered, leave, held }
}

test('a write whose client disconnects before it begins changes nothing, and its key can be used again', async () => {
  await using world = await createWorld(10)
  const member = await world.join()
  const { memberId } = member.caller
  const before = await changesOf(world.database, member)
  const turns = new KeyedSemaphore<number>({ permits: 2, permitsPerKey: 1 })
  const once = requestKey({ scope: 'pat', surface: 'mcp', key: 'k', fingerprint: 'f' })

  await turns.acquire(memberId)
  const inQueue = new AbortController()
  const queued = member.call(writing({ credits: 2 }, turns), {}, once, inQueue.signal)
  while (turns.waiting === 0) await new Promise(setImmediate)
  inQueue.abort()
  assert.equal(codeOf(await queued), 'cancelled')
  turns.release(memberId)

  const { entered, leave, held } = holdWrites(member)
  await entered
  const atDatabase = new AbortController()
  const waiting = member.call(writing({ credits: 2 }), {}, once, atDatabase.signal)
  await new Promise(setImmediate)
  atDatabase.abort()
  leave()
  await held
  assert.equal(codeOf(await waiting), 'cancelled')

  assert.deepEqual(await changesOf(world.database, member), before)
  const again = await member.call(writing({ credits: 2 }), {}, once)
  assert.ok(again.ok)
  assert.equal(again.replayed, undefined)
  assert.equal(again.meta.cost, 2)
})

test('a write whose client disconnects after it has begun is finished and charged', async () => {
  await using world = await createWorld(10)
  const member = await world.join()
  const leaving = new AbortController()
  const tool = defineWriteTool({
    ...(writing({ credits: 2 }) as WriteTool),
    async run() {
      leaving.abort()
      return end('well')
    },
  })
  const outcome = await member.call(tool, {}, undefined, leaving.signal)
  assert.ok(outcome.ok)
  assert.equal(outcome.meta.remaining, 8)
})

test('a retry that joined a call whose client disconnects runs instead of it', async () => {
  await using world = await createWorld(10)
  const { caller } = await world.join()
  const { database } = world
  const turns = new KeyedSemaphore<number>({ permits: 2, permitsPerKey: 1 })
  const tool = writing({ credits: 2 }, turns)
  const inFlight = createInFlight()
  const deps = {
    database,
    quota: 10,
    log: createLog('silent'),
    inFlight,
    charges: new ChargeQueue(),
  }
  const once = requestKey({ scope: 'pat', surface: 'mcp', key: 'k', fingerprint: 'f' })
  const send = (signal: AbortSignal) =>
    runTool(deps, tool, { caller, now: world.clock.now(), signal, requestId: 'r', once }, {})
  await turns.acquire(caller.memberId)
  const leaving = new AbortController()
  const first = send(leaving.signal)
  const retry = send(new AbortController().signal)
  while (turns.waiting === 0) await new Promise(setImmediate)
  leaving.abort()
  turns.release(caller.memberId)
  assert.equal(codeOf(await first), 'cancelled')
  const done = await retry
  assert.ok(done.ok)
  assert.equal(done.meta.cost, 2)
})

function codeOf(outcome: ToolOutcome): string {
  return outcome.ok ? 'ok' : outcome.error.code
}

test('concurrent calls never spend a credit twice, and every ledger row adds up', async () => {
  const QUOTA = 9
  await using world = await createWorld(QUOTA)
  const calls = fc.record({
    write: fc.boolean(),
    credits: fc.integer({ min: 0, max: 5 }),
    ends: fc.constantFrom<NonNullable<Ending['ends']>[]>(
      'well',
      'well',
      'well',
      'refused',
      'broken',
    ),
    wrong: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(calls, { maxLength: 8 }), { maxLength: 3 }),
      async (waves) => {
        const member = await world.join()
        let spent = 0
        let notes = 0
        for (const wave of waves) {
          const outcomes = await Promise.all(
            wave.map(({ write, wrong, ...ending }) =>
              member.call((write ? writing : reading)(ending), wrong ? { other: 1 } : {}),
            ),
          )
          for (const [index, outcome] of outcomes.entries()) {
            const asked = wave[index]
            if (!outcome.ok) continue
            assert.ok(asked?.ends === 'well' && !asked.wrong)
            assert.equal(outcome.meta.cost, asked.credits)
            spent += asked.credits
            if (asked.write) notes += 1
          }
          const ledger = await ledgerOf(world.database, member)
          let balance = 0
          for (const [index, entry] of ledger.entries()) {
            balance += entry.delta
            assert.deepEqual([entry.entry_id, entry.balance_after], [index + 1, balance])
            assert.ok(balance >= 0 && balance <= QUOTA)
          }
          const charged = ledger.filter(({ kind }) => kind === 'charge')
          assert.equal(
            charged.reduce((sum, { delta }) => sum - delta, 0),
            spent,
          )
          if (ledger.length > 0) {
            const { remaining } = await creditBalance(member.db, QUOTA, world.clock.now())
            assert.equal(remaining, balance)
          }
          assert.equal((await changesOf(world.database, member)).notes, notes)
        }
      },
    ),
    { numRuns: 40 },
  )
})

test('a keyed read on several nodes at once is charged once', async () => {
  await using world = await createWorld(10)
  const member = await world.join()
  const once = requestKey({ scope: 'tok_1', surface: 'mcp/v1', key: 'k', fingerprint: 'f' })
  const outcomes = await Promise.all(
    Array.from({ length: 5 }, () => member.call(reading({ credits: 2 }), {}, once)),
  )
  const costs = outcomes.map((outcome) => (outcome.ok ? outcome.meta.cost : Number.NaN))
  assert.deepEqual(
    costs.toSorted((one, other) => one - other),
    [2, 2, 2, 2, 2],
  )
  assert.equal(outcomes.filter(({ replayed }) => replayed === undefined).length, 1)
  assert.deepEqual((await changesOf(world.database, member)).ledger, ['grant 10', 'charge -2'])
})

interface Entry {
  readonly entry_id: number
  readonly kind: string
  readonly delta: number
  readonly balance_after: number
}

async function ledgerOf(database: Database, { caller }: Acting): Promise<Entry[]> {
  return database.member(caller.memberId).all(LEDGER, {})
}

async function changesOf(database: Database, member: Acting) {
  const counts = await database.member(member.caller.memberId).get(COUNTS, {})
  const ledger = await ledgerOf(database, member)
  return { ...counts, ledger: ledger.map(({ kind, delta }) => `${kind} ${delta}`) }
}

const WRITE_NOTE = memberStatement<{ text: string }>()(`
  insert into notes (member_id, note_id, connection_id, text, origin, created_at, updated_at)
  values (:member_id, (select coalesce(max(note_id), 0) + 1 from notes where member_id = :member_id),
    1, :text, 'typed', 0, 0)`)

const LEDGER = memberStatement<object, Entry>()(`
  select entry_id, kind, delta, balance_after from credit_ledger where member_id = :member_id order by entry_id`)

const COUNTS = memberStatement<object, { notes: number; activity: number }>()(`
  select (select count(*) from notes where member_id = :member_id) as notes,
    (select count(*) from activity where member_id = :member_id) as activity`)
