import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { addConnectionTool, getConnectionTool, askOne } from '../../../test/fixtures/one-person.ts'
import { DAY } from '../../base/clock.ts'
import { undoTool } from '../../tools/undo/undo.tool.ts'
import { saveFollowUpTool } from './save-follow-up.tool.ts'
import { followUpUndoer } from './follow-ups.ts'
import { listFollowUpsTool } from './list-follow-ups.tool.ts'
import { openSharedWorld, type Acting } from '../../../test/fixtures/network.ts'
import type { FollowUpDetails, NamedFollowUp } from './follow-up-schemas.ts'

const undo = undoTool({ undoers: [followUpUndoer] })

interface FollowUpsPage {
  readonly follow_ups: readonly NamedFollowUp[]
  readonly has_more: boolean
  readonly next_cursor?: string
}

interface SavedPage {
  readonly follow_ups: readonly NamedFollowUp[]
  readonly activity_id?: string
}

interface Saved extends NamedFollowUp {
  readonly activity_id?: string
  readonly next?: FollowUpDetails
}

/** Ada is c_1, Grace is c_2. Today is 2026-11-21. */
async function withTwo(member: Acting): Promise<void> {
  await member.ask(addConnectionTool, { name: 'Ada Lovelace' })
  await member.ask(addConnectionTool, { name: 'Grace Hopper' })
}

const CALL = { people: 'c_1', text: 'Call', due_on: '2026-12-31' }

async function listed(member: Acting, input: object = {}): Promise<string[]> {
  const { follow_ups } = await member.ask<FollowUpsPage>(listFollowUpsTool, input)
  return follow_ups.map(({ follow_up_id, due_on }) => `${follow_up_id} ${due_on}`)
}

test('creates a follow-up, updates given fields, and lists it with its connection', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await withTwo(member)
  const made = await askOne(member, saveFollowUpTool, { ...CALL, text: ' Call\nabout  engines ' })
  const shown = {
    follow_up_id: 'f_1',
    connection_id: 'c_1',
    text: 'Call about engines',
    name: 'Ada Lovelace',
  }
  assert.deepEqual(made, { ...shown, due_on: '2026-12-31', activity_id: 'a_3' })
  const changed = await askOne(member, saveFollowUpTool, {
    follow_up_id: 'f_1',
    due_on: '2026-11-20',
    recurrence: 'monthly',
  })
  const now = { due_on: '2026-11-20', recurrence: 'monthly', overdue: true }
  const hint = '2026-11-20 is in the past, so it is overdue. Give a later due_on to move it.'
  assert.deepEqual(changed, { ...shown, ...now, activity_id: 'a_4', hint })
  assert.deepEqual(await member.ask(listFollowUpsTool), {
    follow_ups: [{ ...shown, ...now }],
    has_more: false,
  })
  const { connection_id: _, name: _name, ...withoutConnectionId } = shown
  const whole = await member.ask<{ follow_ups?: object }>(getConnectionTool, CONNECTION)
  assert.deepEqual(whole.follow_ups, [{ ...withoutConnectionId, ...now }])
  await member.ask(saveFollowUpTool, { follow_up_id: 'f_1', people: 'c_2', text: 'Write' })
  const without = await member.ask<{ follow_ups?: object }>(getConnectionTool, CONNECTION)
  assert.equal(without.follow_ups, undefined)
})

const CONNECTION = { connection_id: 'c_1' }

test('a follow-up on a weekday begins on the first one, also without a date, and is moved alone', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  interface Planned {
    readonly follow_up_id: string
    readonly due_on: string
    readonly recurrence?: string
  }
  const save = (input: object) =>
    askOne<Planned & { readonly next?: Planned }>(member, saveFollowUpTool, input)
  const friday = await save({ text: 'Review', recurrence: 'jeden Freitag' })
  assert.deepEqual([friday.due_on, friday.recurrence], ['2026-11-27', 'every Friday'])
  const last = await save({
    text: 'Report',
    due_on: '2026-11-28',
    recurrence: 'last Friday of each month',
  })
  assert.equal(last.due_on, '2026-12-25')
  const moved = await save({ follow_up_ids: [friday.follow_up_id], due_on: '2026-11-30' })
  assert.equal(moved.due_on, '2026-11-30')
  const done = await save({ follow_up_ids: [friday.follow_up_id], done: true })
  assert.equal(done.next?.due_on, '2026-12-04')
  const other = await save({
    follow_up_ids: [last.follow_up_id],
    recurrence: 'first Monday of every month',
  })
  assert.deepEqual([other.due_on, other.recurrence], ['2027-01-04', 'first Monday of every month'])
})

test('rejects invalid follow-ups with an error that names the argument', async () => {
  await using world = await openSharedWorld()
  const [member, stranger] = [await world.join(), await world.join()]
  await withTwo(member)
  await member.ask(saveFollowUpTool, CALL)
  await member.ask(saveFollowUpTool, { ...CALL, text: 'Done' })
  await member.ask(saveFollowUpTool, { follow_up_id: 'f_2', done: true })
  const cases = [
    [{ people: 'c_1', due_on: '2026-12-01' }, 'invalid_request', /text: is required/],
    [{ people: 'c_1', text: 'x' }, 'invalid_request', /due_on: is required/],
    [
      { ...CALL, due_on: '2026-02-30' },
      'invalid_arguments',
      /due_on is a date that does not exist/,
    ],
    [{ ...CALL, due_on: '0101-01-01' }, 'invalid_request', /due_on: must be between 1900/],
    [{ ...CALL, text: 'a\u0007' }, 'invalid_request', /text: must not contain control/],
    [{ ...CALL, people: 'c_9' }, 'not_found', /c_9/],
    [{ follow_up_id: 'f_9', text: 'x' }, 'not_found', /f_9/],
    [{ follow_up_id: 'f_1' }, 'invalid_request', /No fields to update/],
    [{ follow_up_id: 'f_2', text: 'x' }, 'conflict', /f_2 is already completed/],
    [{ ...CALL, recurrence: 'sometimes' }, 'invalid_request', /recurrence: must be such as weekly/],
    [{ ...CALL, recurrence: 'every 5000 days' }, 'invalid_request', /at most once in 10 years/],
    [{ ...CALL, time: '24:00' }, 'invalid_arguments', /time/],
  ] as const
  for (const [input, code, message] of cases) {
    const error = await member.refused(saveFollowUpTool, input)
    assert.equal(error.code, code)
    assert.match(error.message, message)
  }
  for (const change of [{ text: 'x' }, { done: true }]) {
    const error = await stranger.refused(saveFollowUpTool, { follow_up_id: 'f_1', ...change })
    assert.notEqual(error.code, 'internal')
  }
  assert.deepEqual(await listed(stranger, { status: 'all' }), [])
  assert.deepEqual(await listed(member), ['f_1 2026-12-31'])
})

test('completing is idempotent; a recurring follow-up moves to its next future date', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await withTwo(member)
  const save = async (input: object) => {
    const {
      activity_id: _,
      hint: _past,
      next,
      ...follow_up
    } = await askOne<Saved & { hint?: string }>(member, saveFollowUpTool, input)
    return { follow_up, ...(next && { next }) }
  }
  const set = async (due_on: string, recurrence?: string) =>
    (await save({ ...CALL, due_on, ...(recurrence && { recurrence }) })).follow_up
  const complete = ({ follow_up_id }: FollowUpDetails) => save({ follow_up_id, done: true })
  const completed_at = new Date(world.clock.now()).toISOString()

  const once = await set('2026-11-20')
  const done = await complete(once)
  const { overdue, ...whatItWas } = once
  assert.equal(overdue, true)
  assert.deepEqual(done.follow_up, { ...whatItWas, completed_at })
  assert.equal(done.next, undefined)

  const early = await complete(await set('2027-01-31', 'monthly'))
  assert.equal(early.next?.due_on, '2027-02-28')
  world.clock.advance(130 * DAY) // to 2027-03-31
  assert.ok(early.next)
  const late = await complete(early.next)
  assert.equal(late.next?.due_on, '2027-04-30')
  assert.deepEqual(await complete(early.next), { follow_up: late.follow_up })
  const weekly = await complete(await set('2027-03-03', 'weekly'))
  assert.equal(weekly.next?.due_on, '2027-04-07')
  assert.deepEqual(await listed(member), ['f_6 2027-04-07', 'f_4 2027-04-30'])
})

test('one call plans follow-ups with several people; completing is free unless it changes fields', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await withTwo(member)
  const cost = async (input: object) => {
    const outcome = await member.call(saveFollowUpTool, input)
    assert.ok(outcome.ok)
    return outcome.meta.cost
  }
  const people = ['Ada Lovelace', 'c_2']
  const planned = () =>
    member.ask<SavedPage & { hint?: string }>(saveFollowUpTool, { ...CALL, people })
  const { follow_ups, activity_id } = await planned()
  assert.deepEqual(
    follow_ups.map(({ connection_id, name, follow_up_id }) => [connection_id, name, follow_up_id]),
    [
      ['c_1', 'Ada Lovelace', 'f_1'],
      ['c_2', 'Grace Hopper', 'f_2'],
    ],
  )
  assert.equal(activity_id, 'a_3')
  assert.equal((await listed(member)).length, 2)
  const again = await planned()
  assert.match(again.hint ?? '', /2 of 2 was planned already/)
  assert.equal(again.activity_id, undefined)
  await member.ask(saveFollowUpTool, { ...CALL, text: 'Another', people })
  await member.ask(undo)
  assert.equal((await listed(member)).length, 2, 'one undo reverts all of a call')
  assert.equal(await cost({ follow_up_id: 'f_1', done: true }), 0)
  assert.equal(await cost({ follow_up_id: 'f_2', text: 'Called', done: true }), 1)
  assert.deepEqual(await listed(member), [])
  const missing = { ...CALL, people: ['c_1', 'c_9'] }
  assert.equal((await member.refused(saveFollowUpTool, missing)).code, 'not_found')
  assert.deepEqual(await listed(member), [], 'nothing is planned for anyone')
})

test('one call moves or completes several follow-ups, by their IDs, their people, or all overdue ones', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await withTwo(member)
  const due = ['2026-11-01', '2026-11-20', '2026-11-21', '2026-12-01']
  for (const [index, due_on] of due.entries())
    await member.ask(saveFollowUpTool, { ...CALL, people: `c_${1 + (index % 2)}`, due_on })
  const open = async () => (await listed(member)).map((one) => one.replace(/^(\S+) 2026-/, '$1 '))
  const before = ['f_1 11-01', 'f_2 11-20', 'f_3 11-21', 'f_4 12-01']
  assert.deepEqual(await open(), before)
  const changes: readonly (readonly [object, readonly string[]])[] = [
    [
      { follow_up_ids: 'overdue', due_on: '2026-12-24' },
      ['f_3 11-21', 'f_4 12-01', 'f_1 12-24', 'f_2 12-24'],
    ],
    [
      { follow_up_ids: ['f_2', 'f_3'], due_on: '2026-12-24' },
      ['f_1 11-01', 'f_4 12-01', 'f_2 12-24', 'f_3 12-24'],
    ],
    [{ follow_up_ids: ['open'], people: ['Ada Lovelace'], done: true }, ['f_2 11-20', 'f_4 12-01']],
    [
      { follow_up_ids: ['f_1', 'f_2'], recurrence: 'yearly', done: true },
      ['f_3 11-21', 'f_4 12-01', 'f_5 2027-11-01', 'f_6 2027-11-20'],
    ],
  ]
  for (const [input, after] of changes) {
    const { activity_id } = await member.ask<SavedPage>(saveFollowUpTool, input)
    assert.deepEqual(await open(), after)
    await member.ask(undo, { activity_id })
    assert.deepEqual(await open(), before, 'one undo reverts all of a call')
  }
  const none = { follow_up_ids: 'overdue', people: ['c_1'], due_on: '2026-12-24' }
  await member.ask(saveFollowUpTool, none)
  assert.equal((await member.refused(saveFollowUpTool, none)).code, 'not_found')
  for (const follow_up_ids of [['open', 'f_1'], ['later']])
    assert.match(
      (await member.refused(saveFollowUpTool, { follow_up_ids, done: true })).code,
      /^invalid_/,
    )
})

test('today is the day in the time zone of the member', async () => {
  await using world = await openSharedWorld()
  // It is 22 November in one time zone and still 21 November in the other.
  for (const [timeZone, overdue, next] of [
    ['Pacific/Kiritimati', true, '2026-11-29'],
    ['Pacific/Honolulu', undefined, '2026-11-22'],
  ] as const) {
    const member = await world.join(timeZone)
    await withTwo(member)
    const due = { ...CALL, due_on: '2026-11-21' }
    assert.equal((await askOne<FollowUpDetails>(member, saveFollowUpTool, due)).overdue, overdue)
    await member.ask(saveFollowUpTool, { ...CALL, due_on: '2026-11-15', recurrence: 'weekly' })
    const done = await askOne<Saved>(member, saveFollowUpTool, { follow_up_id: 'f_2', done: true })
    assert.equal(done.next?.due_on, next)
  }
})

test('moving a recurring follow-up restarts its series at the new date', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await withTwo(member)
  await member.ask(saveFollowUpTool, { ...CALL, recurrence: 'quarterly' })
  await member.ask(saveFollowUpTool, { follow_up_id: 'f_1', due_on: '2026-12-30' })
  await member.ask(saveFollowUpTool, { follow_up_id: 'f_1', text: 'Visit' })
  const { next } = await askOne<Saved>(member, saveFollowUpTool, {
    follow_up_id: 'f_1',
    done: true,
  })
  assert.equal(next?.due_on, '2027-03-30')
  assert.equal(next?.text, 'Visit')
})

test('lists by date, status, due_before and connection, page by page', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await withTwo(member)
  const days = ['2026-12-24', '2026-11-20', '2027-01-01', '2026-12-24', '2026-11-21']
  for (const [index, due_on] of days.entries())
    await member.ask(saveFollowUpTool, { ...CALL, people: `c_${1 + (index % 2)}`, due_on })
  await member.ask(saveFollowUpTool, { follow_up_id: 'f_2', done: true })
  await member.ask(saveFollowUpTool, { follow_up_id: 'f_3', done: true })
  assert.deepEqual(await listed(member), ['f_5 2026-11-21', 'f_1 2026-12-24', 'f_4 2026-12-24'])
  assert.deepEqual(await listed(member, { status: 'done' }), ['f_3 2027-01-01', 'f_2 2026-11-20'])
  assert.deepEqual(await listed(member, { due_before: '2026-12-24' }), ['f_5 2026-11-21'])
  assert.deepEqual(await listed(member, { status: 'all', connection_id: 'c_2' }), [
    'f_2 2026-11-20',
    'f_4 2026-12-24',
  ])
  for (const status of ['open', 'done', 'all']) {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const input = { status, limit: 1, ...(cursor && { cursor }) }
      const page = await member.ask<FollowUpsPage>(listFollowUpsTool, input)
      seen.push(...page.follow_ups.map((each) => `${each.follow_up_id} ${each.due_on}`))
      cursor = page.next_cursor
    } while (cursor !== undefined)
    assert.deepEqual(seen, await listed(member, { status }))
  }
  const unreadable = await member.refused(listFollowUpsTool, { due_before: 'soon' })
  assert.equal(unreadable.code, 'invalid_arguments')
})

test('a to-do needs no person, has a time in the zone of the member, and recurs in any interval', async () => {
  await using world = await openSharedWorld()
  const member = await world.join('Europe/Berlin')
  await withTwo(member)
  // It is 13:00 in Berlin.
  const pills = { text: 'Take pills', due_on: 'today', time: '09:30', recurrence: 'every 3 days' }
  const { activity_id, ...made } = await askOne<Saved>(member, saveFollowUpTool, pills)
  const shown = {
    follow_up_id: 'f_1',
    text: 'Take pills',
    due_on: '2026-11-21',
    time: '09:30',
    recurrence: 'every 3 days',
    overdue: true,
  }
  assert.deepEqual(made, shown)
  await member.ask(saveFollowUpTool, {
    people: [],
    text: 'Taxes',
    due_on: '2026-11-21',
    time: '13:30',
  })
  const all = { follow_up_ids: ['open'], people: [], done: true }
  assert.equal((await member.refused(saveFollowUpTool, all)).code, 'invalid_request')
  await member.ask(saveFollowUpTool, { ...CALL, due_on: '2026-11-21' })
  const { follow_ups } = await member.ask<FollowUpsPage>(listFollowUpsTool)
  assert.deepEqual(
    follow_ups.map(({ text, name, time, overdue }) => [text, name, time, overdue]),
    [
      ['Call', 'Ada Lovelace', undefined, undefined],
      ['Take pills', undefined, '09:30', true],
      ['Taxes', undefined, '13:30', undefined],
    ],
  )
  const again = await askOne<{ hint?: string }>(member, saveFollowUpTool, pills)
  assert.match(again.hint ?? '', /1 of 1 was planned already/)
  const done = await askOne<Saved>(member, saveFollowUpTool, {
    follow_up_ids: 'overdue',
    done: true,
  })
  assert.deepEqual(
    [done.follow_up_id, done.next?.due_on, done.next?.time],
    ['f_1', '2026-11-24', '09:30'],
  )
  await member.ask(undo, { activity_id: done.activity_id })
  await member.ask(saveFollowUpTool, { follow_up_id: 'f_1', time: 'none', people: 'c_2' })
  assert.deepEqual(await listed(member, { people: 'c_2' }), ['f_1 2026-11-21'])
  await member.ask(undo)
  await member.ask(undo, { activity_id })
  assert.deepEqual(await listed(member), ['f_3 2026-11-21', 'f_2 2026-11-21'])
})

test('many long follow-ups leave room for the other fields of a connection and are marked truncated', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const links = Array.from({ length: 20 }, (_, one) => `https://x.org/${one}${'x'.repeat(1_900)}`)
  await member.ask(addConnectionTool, { name: 'Ada', note: '“'.repeat(20_000), links })
  for (let count = 0; count < 25; count += 1)
    await member.ask(saveFollowUpTool, { ...CALL, text: '\\'.repeat(500) })
  const whole = await member.ask<{ follow_ups: object[]; truncated?: boolean }>(
    getConnectionTool,
    CONNECTION,
  )
  assert.ok(whole.follow_ups.length > 0 && whole.follow_ups.length < 25)
  assert.equal(whole.truncated, true)
})

test('an undo does not overwrite later changes and names them', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await withTwo(member)
  await member.ask(saveFollowUpTool, CALL) // a_3
  await member.ask(saveFollowUpTool, { follow_up_id: 'f_1', due_on: '2026-12-01' })
  await member.ask(saveFollowUpTool, { follow_up_id: 'f_1', text: 'Write' })
  await member.ask(saveFollowUpTool, { follow_up_id: 'f_1', due_on: '2026-12-02' })
  const made = await member.refused(undo, { activity_id: 'a_3' })
  assert.deepEqual([made.code, /f_1: text, due_on/.test(made.message)], ['conflict', true])
  const moved = await member.refused(undo, { activity_id: 'a_4' })
  assert.deepEqual([moved.code, /f_1: due_on/.test(moved.message)], ['conflict', true])
  // This changed a different field than the later changes.
  await member.ask(undo, { activity_id: 'a_5' })
  const { follow_ups } = await member.ask<FollowUpsPage>(listFollowUpsTool)
  assert.deepEqual([follow_ups[0]?.text, follow_ups[0]?.due_on], ['Call', '2026-12-02'])
  // The follow-up has its initial state again and its creation is undone, so no change remains to undo.
  await member.ask(saveFollowUpTool, { follow_up_id: 'f_1', due_on: CALL.due_on })
  await member.ask(undo, { activity_id: 'a_3' })
  const gone = await member.refused(undo, { activity_id: 'a_6' })
  assert.deepEqual([gone.code, /f_1\./.test(gone.message)], ['conflict', true])
})

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('make', 'change', 'complete'),
    which: fc.nat(7),
    day: fc.integer({ min: 1, max: 28 }),
    recurrence: fc.constantFrom('none', 'every 10 days', 'monthly'),
    time: fc.constantFrom('none', '00:00', '15:30'),
  }),
  { minLength: 1, maxLength: 8 },
)

test('undoing any changes in reverse order leaves nothing; undoing the undos restores everything', async () => {
  await using world = await openSharedWorld()
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const member = await world.join()
      await withTwo(member)
      const everything = () => member.ask(listFollowUpsTool, { status: 'all', limit: 50 })
      const states = [await everything()]
      for (const { kind, which, day, recurrence, time } of taken) {
        const follow_up_id = `f_${which + 1}`
        const due_on = `2026-12-${String(day).padStart(2, '0')}`
        const person = which % 3 === 0 ? {} : { people: `c_${which % 3}` }
        const fields = { due_on, recurrence, time, ...person }
        const outcome = await (kind === 'complete'
          ? member.call(saveFollowUpTool, { follow_up_id, done: true })
          : member.call(saveFollowUpTool, {
              ...fields,
              text: `on ${day}`,
              ...(kind === 'change' && { follow_up_id }),
            }))
        const state = await everything()
        // A call that changed nothing is not recorded and cannot be undone.
        if (outcome.ok && JSON.stringify(state) !== JSON.stringify(states.at(-1)))
          states.push(state)
      }
      const undos: string[] = []
      for (const state of states.slice(0, -1).toReversed()) {
        undos.push((await member.ask<{ activity_id: string }>(undo)).activity_id)
        assert.deepEqual(await everything(), state)
      }
      for (const [index, activity_id] of undos.toReversed().entries()) {
        await member.ask(undo, { activity_id })
        assert.deepEqual(await everything(), states[index + 1])
      }
    }),
    { numRuns: 30 },
  )
})
