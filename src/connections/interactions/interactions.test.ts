import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  createWorld,
  openSharedWorld,
  rowsOf,
  type Acting,
} from '../../../test/fixtures/network.ts'
import { dayAt, daysLater } from '../../dates/calendar-day.ts'
import { localTimeAt } from '../../dates/time-zone.ts'
import { DAY, HOUR } from '../../base/clock.ts'
import { undoTool } from '../../tools/undo/undo.tool.ts'
import { addConnectionTool, askOne } from '../../../test/fixtures/one-person.ts'
import { addConnectionsTool } from '../people/add-connections.tool.ts'
import { deleteConnectionsTool } from '../deletion/delete-connections.tool.ts'
import { saveNoteTool } from '../notes/save-note.tool.ts'
import { renewContacts } from '../../operate/sweep.ts'
import { contactTimesOf } from '../last-contact/read-contact-times.ts'
import { deleteInteractionTool } from './delete-interaction.tool.ts'
import { interactionUndoer, findInteractions, onDay } from './interaction-store.ts'
import { syncChangeOf, syncInteractions } from './sync-interactions.ts'
import { logInteractionTool } from './log-interaction.tool.ts'

const undo = undoTool({ undoers: [interactionUndoer] })

async function joinWith(world: { join(zone?: string): Promise<Acting> }, ...names: string[]) {
  const member = await world.join('Europe/Berlin')
  for (const name of names) await member.ask(addConnectionTool, { name })
  return member
}

async function lastContacts(member: Acting): Promise<(string | null)[]> {
  const times = await contactTimesOf(member.db, [1, 2, 3])
  return [1, 2, 3].map((id) => times.get(id)?.lastContactOn ?? null)
}

test('one call logs coffee with two people and a follow-up with the first, and one undo reverts it', async () => {
  await using world = await openSharedWorld()
  const member = await joinWith(world, 'Ann', 'Ben', 'Cy')
  const today = dayAt(world.clock.now())
  const logged = await member.ask<Record<string, unknown>>(logInteractionTool, {
    people: ['Ben', 'c_1'],
    kind: 'meeting',
    on: 'yesterday',
    text: ' Coffee ',
    follow_up: { due_on: 'in two weeks' },
  })
  assert.deepEqual(
    { ...logged, activity_id: '' },
    {
      interaction_id: 'i_1',
      people: [
        { connection_id: 'c_2', name: 'Ben' },
        { connection_id: 'c_1', name: 'Ann' },
      ],
      kind: 'meeting',
      on: daysLater(today, -1),
      text: 'Coffee',
      follow_up: {
        follow_up_id: 'f_1',
        connection_id: 'c_2',
        text: 'Get in touch again',
        due_on: daysLater(today, 14),
      },
      activity_id: '',
    },
  )
  const [followUp] = await rowsOf(world, member, 'follow_ups')
  assert.equal(followUp?.['connection_id'], 2)
  assert.equal(followUp['due_on'], daysLater(today, 14))
  const yesterday = daysLater(today, -1)
  assert.deepEqual(await lastContacts(member), [yesterday, yesterday, null])
  await member.ask(logInteractionTool, { interaction_id: 'i_1', people: ['c_1', 'c_3'] })
  assert.deepEqual(await lastContacts(member), [yesterday, null, yesterday])
  await member.ask(undo)
  assert.deepEqual(await lastContacts(member), [yesterday, yesterday, null])
  await member.ask(deleteInteractionTool, { interaction_id: 'i_1' })
  assert.deepEqual(await lastContacts(member), [null, null, null])
  await member.ask(undo)
  assert.deepEqual(await lastContacts(member), [yesterday, yesterday, null])
  await member.ask(undo, { activity_id: logged['activity_id'] })
  assert.deepEqual(await lastContacts(member), [null, null, null])
  const [undone] = await rowsOf(world, member, 'follow_ups')
  assert.notEqual(undone?.['deleted_at'], null)
})

test('a contact on a weekday is the latest one, and one in the future says that it does not count', async () => {
  await using world = await openSharedWorld()
  const member = await joinWith(world, 'Ann')
  const today = dayAt(world.clock.now())
  const nameOf = (day: string, locale: string) =>
    new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(Date.parse(day))
  const log = (on: string) =>
    member.ask<{ on: string; hint?: string }>(logInteractionTool, {
      people: ['Ann'],
      kind: 'call',
      on,
    })
  for (const ago of [1, 2, 3, 4, 5, 6])
    for (const locale of ['en', 'de']) {
      const day = daysLater(today, -ago)
      const { on, hint } = await log(nameOf(day, locale))
      assert.deepEqual({ on, hint }, { on: day, hint: undefined })
      const note = { people: ['Ann'], text: 'Hi', on: nameOf(day, locale) }
      assert.equal((await askOne<{ on: string }>(member, saveNoteTool, note)).on, day)
    }
  const planned = await log('in two days')
  assert.equal(planned.on, daysLater(today, 2))
  assert.match(planned.hint ?? '', /future/)
  assert.deepEqual((await lastContacts(member))[0], daysLater(today, -1))
})

test('a time is kept with its zone, a day without one, and what is planned counts when it is over', async () => {
  await using world = await createWorld()
  const member = await joinWith(world, 'Ann', 'Ben')
  const tomorrow = daysLater(dayAt(world.clock.now()), 1)
  const timed = { people: ['c_1'], kind: 'call', on: '2026-03-29', time: '03:30' }
  const { at } = await member.ask<{ at: string }>(logInteractionTool, timed)
  assert.equal(at, '2026-03-29T03:30:00+02:00')
  await member.ask(logInteractionTool, { people: ['c_1', 'c_2'], kind: 'meeting', on: tomorrow })
  assert.deepEqual(await lastContacts(member), ['2026-03-29', null, null])
  const times = await contactTimesOf(member.db, [2])
  assert.equal(times.get(2)?.nextContactOn, tomorrow)
  const later = world.clock.now() + 2 * DAY
  assert.equal(await renewContacts(world.database, world.clock.now()), 0)
  assert.equal(await renewContacts(world.database, later), 2)
  assert.deepEqual(await lastContacts(member), [tomorrow, tomorrow, null])
})

test('wrong days, times and people are rejected, and nothing is written', async () => {
  await using world = await openSharedWorld()
  const member = await joinWith(world, 'Ann', 'Ben')
  await member.ask(deleteConnectionsTool, { people: ['c_2'] })
  const base = { people: ['c_1'], kind: 'call' }
  for (const [input, code] of [
    [{ ...base, on: '9999-01-01' }, 'invalid_request'],
    [{ ...base, on: '1899-12-31' }, 'invalid_request'],
    [{ ...base, time: '25:00' }, 'invalid_arguments'],
    [
      { ...base, people: Array.from({ length: 51 }, (_, at) => `c_${at + 1}`) },
      'invalid_arguments',
    ],
    [{ ...base, people: ['c_1', 'c_2'] }, 'not_found'],
    [{ ...base, people: [] }, 'invalid_arguments'],
    [{ kind: 'call' }, 'invalid_request'],
    [{ ...base, follow_up: { due_on: '9999-01-01' } }, 'invalid_request'],
    [{ interaction_id: 'i_9', text: 'x' }, 'not_found'],
  ] as const)
    assert.equal(
      (await member.refused(logInteractionTool, input)).code,
      code,
      JSON.stringify(input),
    )
  const others = Array.from({ length: 48 }, (_, at) => ({ name: `Person ${at}` }))
  await member.ask(addConnectionsTool, { connections: others })
  const fifty = { ...base, people: Array.from({ length: 50 }, (_, at) => `c_${at + 1}`) }
  const { code, message } = await member.refused(logInteractionTool, fifty)
  assert.equal(code, 'not_found')
  assert.match(message, /c_2\b/)
  assert.deepEqual(await rowsOf(world, member, 'interactions'), [])
  assert.deepEqual(await rowsOf(world, member, 'follow_ups'), [])
})

test('a text of combining marks is kept whole, and a longer one is rejected', async () => {
  await using world = await openSharedWorld()
  const member = await joinWith(world, 'Ann')
  const call = { people: ['Ann'], kind: 'call' }
  const text = `e${'\u0301'.repeat(19_999)}`
  await member.ask(logInteractionTool, { ...call, text })
  const [stored] = await rowsOf(world, member, 'interactions')
  assert.equal(stored?.['text'], text)
  const longer = await member.refused(logInteractionTool, { ...call, text: `${text}\u0301` })
  assert.equal(longer.code, 'invalid_arguments')
})

test('a day before the birth of one of the people is rejected', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const people = [
    { name: 'Ann', birthday: '1990-05-04' },
    { name: 'Ben', birthday: '--12-31' },
  ]
  await member.ask(addConnectionsTool, { connections: people })
  const call = { people: ['Ben', 'Ann'], kind: 'call' }
  const refused = await member.refused(logInteractionTool, { ...call, on: '1990-05-03' })
  assert.equal(refused.code, 'invalid_request')
  assert.match(refused.message, /before the birth of Ann on 1990-05-04/)
  await member.ask(logInteractionTool, { ...call, on: '1990-05-04' })
  const moved = { interaction_id: 'i_1', on: '1980-01-01' }
  assert.equal((await member.refused(logInteractionTool, moved)).code, 'invalid_request')
  await member.ask(logInteractionTool, { people: ['Ben'], kind: 'call', on: '1980-01-01' })
})

test('a repeated sync changes nothing; moved and missing ones are corrected, and what the member deleted stays deleted', async () => {
  await using world = await openSharedWorld()
  const member = await joinWith(world, 'Ann', 'Ben')
  const meeting = (sourceKey: string, on: string, people: readonly number[]) => ({
    ...onDay(on),
    kind: 'meeting' as const,
    direction: null,
    subject: 'Review',
    attendees: people.map((id) => ({ email: `p${id}@example.org`, connectionId: id })),
    sourceKey,
  })
  const sync = (upsert: ReturnType<typeof meeting>[], remove: string[] = []) =>
    member.db.write((tx) =>
      syncInteractions(tx, { source: 'calendar:1', upsert, remove }, world.clock.now()),
    )
  const first = [meeting('a', '2026-05-01', [1, 2]), meeting('b', '2026-06-01', [1])]
  const changes = await sync(first)
  assert.equal(changes.length, 2)
  assert.equal(syncChangeOf('calendar:1', changes).connections?.length, 2)
  assert.deepEqual(await sync(first), [])
  assert.deepEqual(await lastContacts(member), ['2026-06-01', '2026-05-01', null])
  await sync([meeting('a', '2026-05-02', [2])], ['b'])
  assert.deepEqual(await lastContacts(member), [null, '2026-05-02', null])
  await sync(first)
  assert.deepEqual(await lastContacts(member), ['2026-06-01', '2026-05-01', null])
  await member.ask(deleteInteractionTool, { interaction_id: 'i_2' })
  assert.deepEqual(await sync(first), [])
  assert.deepEqual(await lastContacts(member), ['2026-05-01', '2026-05-01', null])
})

const PEOPLE = fc.uniqueArray(fc.constantFrom('c_1', 'c_2', 'c_3'), { minLength: 1 })
const OPERATION = fc.oneof(
  fc.record({ log: fc.integer({ min: -400, max: 30 }), people: PEOPLE }),
  fc.record({ change: fc.nat(8), by: fc.integer({ min: -60, max: 60 }), people: PEOPLE }),
  fc.record({ delete: fc.nat(8) }),
  fc.constant({ undo: true }),
)

test('after any sequence of changes, the last contact is the newest day that is not in the future', async () => {
  await using world = await openSharedWorld()
  const today = dayAt(world.clock.now())
  await fc.assert(
    fc.asyncProperty(fc.array(OPERATION, { maxLength: 12 }), async (operations) => {
      const member = await joinWith(world, 'Ann', 'Ben', 'Cy')
      for (const one of operations)
        if ('log' in one)
          await member.call(logInteractionTool, {
            people: one.people,
            kind: 'call',
            on: daysLater(today, one.log),
          })
        else if ('change' in one)
          await member.call(logInteractionTool, {
            interaction_id: `i_${one.change}`,
            people: one.people,
            on: daysLater(today, one.by),
          })
        else if ('delete' in one)
          await member.call(deleteInteractionTool, { interaction_id: `i_${one.delete}` })
        else await member.call(undo)
      const all = await findInteractions(
        member.db,
        Array.from({ length: 13 }, (_, at) => at + 1),
      )
      const days = [1, 2, 3].map((id) =>
        all
          .filter(({ people, deletedAt }) => deletedAt === null && people.includes(id))
          .map(({ localAt }) => dayAt(localAt))
          .filter((day) => day <= today)
          .toSorted()
          .at(-1),
      )
      assert.deepEqual(
        await lastContacts(member),
        days.map((day) => day ?? null),
      )
    }),
    { numRuns: 12 },
  )
})

test('local times follow the clock changes of their zone', () => {
  const [summer, winter] = [Date.parse('2026-03-29T01:00:00Z'), Date.parse('2026-10-25T01:00:00Z')]
  assert.equal(localTimeAt('Europe/Berlin', summer) - summer, 2 * HOUR)
  assert.equal(localTimeAt('Europe/Berlin', summer - 1) - (summer - 1), HOUR)
  assert.equal(localTimeAt('Europe/Berlin', winter) - winter, HOUR)
})
