import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSharedWorld, type Acting } from '../../../test/fixtures/network.ts'
import { dayAt, daysLater, startOfDay } from '../../dates/calendar-day.ts'
import { HOUR } from '../../base/clock.ts'
import { keepInTouchTool } from '../cadence/keep-in-touch.tool.ts'
import { addCalendar } from '../calendars/calendar-store.ts'
import { storeMeetings } from '../meetings/meeting-store.ts'
import { addConnectionTool } from '../../../test/fixtures/one-person.ts'
import { saveFollowUpTool } from '../follow-ups/save-follow-up.tool.ts'
import { listTimelineTool } from '../interactions/list-timeline.tool.ts'
import { logInteractionTool } from '../interactions/log-interaction.tool.ts'
import { saveNoteTool } from '../notes/save-note.tool.ts'
import { updateConnectionsTool } from '../people/update-connections.tool.ts'
import { getBriefingTool, MAX_BRIEFING_CHARACTERS } from './get-briefing.tool.ts'

interface Day {
  readonly day: string
  readonly until?: string
  readonly meetings: readonly {
    readonly title?: string
    readonly starts_at?: string
    readonly on?: string
    readonly people: readonly {
      readonly name: string
      readonly last_contact_on?: string
      readonly note?: string
    }[]
  }[]
  readonly follow_ups: readonly { readonly text: string; readonly overdue?: boolean }[]
  readonly reconnects: readonly { readonly name: string; readonly reason: string }[]
  readonly birthdays: readonly { readonly name: string; readonly on: string }[]
  readonly agent_changes: readonly { readonly action: string; readonly names?: string[] }[]
  readonly truncated?: boolean
}

/** Stores a meeting at 9 o'clock in Berlin. */
async function meet(member: Acting, day: string, people: readonly string[], title = 'Review') {
  const startsAt = startOfDay(day) + 8 * HOUR
  await member.db.write(async (tx) => {
    const calendar = { name: 'Work', address: 'sealed', addressHint: 'example.org/….ics' }
    const id = await addCalendar(tx, calendar, { now: 0, isSame: () => false })
    const invited = people.map((one) => ({ email: `${one}@example.org`, name: one }))
    const meeting = {
      key: 'a',
      title,
      startsAt,
      endsAt: startsAt + HOUR,
      timeZone: 'UTC',
      people: invited,
    }
    await storeMeetings(tx, id, [meeting])
  })
}

test('a day has its meetings, due follow-ups, birthdays and what agents changed', async () => {
  await using world = await openSharedWorld()
  const member = await world.join('Europe/Berlin')
  const today = dayAt(world.clock.now())
  const birthday = `1990-${daysLater(today, 2).slice(5)}`
  await member.ask(addConnectionTool, { name: 'Ann', emails: ['ann@example.org'], birthday })
  const ask = (input: object = {}) => member.ask<Day>(getBriefingTool, input)
  await member.ask(logInteractionTool, { people: ['c_1'], kind: 'call', on: daysLater(today, -9) })
  await member.ask(saveFollowUpTool, {
    people: 'c_1',
    text: 'Send slides',
    due_on: daysLater(today, -1),
  })
  await member.ask(saveFollowUpTool, {
    people: 'c_1',
    text: 'Later',
    due_on: daysLater(today, 1),
  })
  await member.ask(keepInTouchTool, { people: ['Ann'], every: 7 })
  await member.ask(saveNoteTool, { people: ['Ann'], text: 'Likes tea' })
  await meet(member, daysLater(today, 1), ['ann', 'cy'])
  const now = await ask()
  assert.equal(now.day, today)
  assert.deepEqual(now.meetings, [])
  assert.deepEqual(
    now.follow_ups.map(({ text, overdue }) => [text, overdue]),
    [['Send slides', true]],
  )
  assert.deepEqual(
    now.birthdays.map(({ name, on }) => [name, on]),
    [['Ann', daysLater(today, 2)]],
  )
  assert.deepEqual(
    now.reconnects.map(({ name, reason }) => [name, reason.split(',')[0]]),
    [['Ann', 'Every 7 days']],
  )
  assert.deepEqual(now.agent_changes, [], 'all changes are of this agent')
  const tomorrow = await ask({ day: 'tomorrow' })
  const [meeting, ...others] = tomorrow.meetings
  assert.equal(others.length, 0)
  assert.deepEqual(
    meeting?.people.map(({ name, last_contact_on: last, note }) => [name, last, note]),
    [
      ['Ann', daysLater(today, -9), 'Likes tea'],
      ['cy', undefined, undefined],
    ],
  )
  assert.equal(tomorrow.follow_ups.length, 2)
  assert.deepEqual((await ask({ day: daysLater(today, 2) })).meetings, [])
})

test('a person comes with the notes of a probable duplicate', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const emails = ['ann@example.org']
  for (const name of ['Ann Lee', 'Ann M. Lee'])
    await member.ask(addConnectionTool, { name, emails, note: name, allow_duplicate: true })
  const { people } = await member.ask<{ people: Record<string, unknown>[] }>(getBriefingTool, {
    people: 'c_1',
  })
  assert.deepEqual(people[0]?.['possible_duplicate'], {
    connection_id: 'c_2',
    name: 'Ann M. Lee',
    notes: ['Ann M. Lee'],
  })
})

test('a person is known by people whose notes name them, unless others have the name', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const notes = { 'Ursula Beck': '', 'Ed Poe': 'Friend of Ursula', 'Al Kay': 'Met Ursulina' }
  for (const [name, note] of Object.entries(notes))
    await member.ask(addConnectionTool, { name, ...(note !== '' && { note }) })
  const known = async () => {
    const { people } = await member.ask<{ people: Record<string, unknown>[] }>(getBriefingTool, {
      people: ['Ursula Beck'],
    })
    return people[0]?.['known_in_common']
  }
  const ed = { connection_id: 'c_2', name: 'Ed Poe', how: 'named in their notes' }
  assert.deepEqual(await known(), [ed])
  await member.ask(addConnectionTool, { name: 'Ursula Marsh' })
  assert.deepEqual(await known(), [])
})

test('people have their history, follow-ups, and others who met them too; a long briefing is shortened', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  for (const name of ['Ann', 'Ben', 'Cy', 'Di'])
    await member.ask(addConnectionTool, { name, company: 'Acme' })
  const details = ['relations=[{"name":"Ann","relation":"partner"}]']
  await member.ask(updateConnectionsTool, { connection_ids: ['c_4'], details })
  await member.ask(saveNoteTool, { people: 'c_1', text: 'Likes tea' })
  await member.ask(logInteractionTool, { people: ['c_1', 'c_2'], kind: 'meeting', text: 'Coffee' })
  await member.ask(saveFollowUpTool, {
    people: 'c_1',
    text: 'Send slides',
    due_on: '2027-01-01',
  })
  const brief = async (...people: string[]) =>
    member.ask<{ people: Record<string, unknown>[]; truncated?: boolean }>(getBriefingTool, {
      people,
    })
  const {
    people: [ann = {}],
  } = await brief('Ann')
  const texts = ann['history'] as { text: string; on?: string; added_on?: string }[]
  assert.deepEqual(texts.map(({ text }) => text).toSorted(), ['Coffee', 'Likes tea'])
  const note = texts.find(({ text }) => text === 'Likes tea')
  assert.deepEqual([note?.on, note?.added_on], [undefined, dayAt(world.clock.now())])
  assert.deepEqual(ann['known_in_common'], [
    { connection_id: 'c_2', name: 'Ben', how: 'met together' },
    { connection_id: 'c_3', name: 'Cy', how: 'same company' },
    { connection_id: 'c_4', name: 'Di', how: 'same company' },
  ])
  assert.deepEqual(ann['relations'], ['partner: Di (c_4)'])
  assert.equal(ann['possible_duplicate'], undefined)
  assert.equal((ann['follow_ups'] as object[]).length, 1)
  for (let count = 0; count < 5; count += 1)
    for (const connection_id of ['c_1', 'c_2', 'c_3', 'c_4'])
      await member.ask(saveNoteTool, { people: connection_id, text: `"\n`.repeat(1000) })
  const long = await brief('c_1', 'c_2', 'c_3', 'c_4')
  assert.equal(long.truncated, true)
  assert.equal(long.people.length, 4)
  assert.ok(JSON.stringify(long).length <= MAX_BRIEFING_CHARACTERS + 20)
  const both = await member.refused(getBriefingTool, { people: ['c_1'], day: 'today' })
  assert.equal(both.code, 'invalid_request')
  assert.equal((await member.refused(getBriefingTool, { people: ['Nobody'] })).code, 'not_found')
})

test('a period has its meetings of both kinds in order, its birthdays, and fits', async () => {
  await using world = await openSharedWorld()
  const member = await world.join('Europe/Berlin')
  // Saturday, so that the next week is from 23 to 29 November.
  const birthdays = ['1990-11-29', '1990-11-23', '1990-12-03', '--11-26']
  for (const [index, birthday] of birthdays.entries())
    await member.ask(addConnectionTool, {
      name: `P${index}`,
      birthday,
      emails: [`p${index}@example.org`],
    })
  const log = (input: object) =>
    member.ask(logInteractionTool, { people: ['P0'], kind: 'meeting', ...input })
  await log({ on: '2026-11-25', subject: 'All day' })
  await log({ on: '2026-11-24', time: '15:00', subject: 'Coffee' })
  await log({ on: '2026-11-24', time: '09:05', subject: 'The same review' })
  await log({ on: '2026-11-20', subject: 'Past' })
  await log({ on: '2026-12-01', subject: 'Later' })
  await meet(member, '2026-11-24', ['p0', 'cy'])
  const week = await member.ask<Day>(getBriefingTool, { day: 'next week' })
  assert.deepEqual([week.day, week.until], ['2026-11-23', '2026-11-29'])
  assert.deepEqual(
    week.meetings.map(({ title, starts_at, on, people }) => [
      title,
      starts_at ?? on,
      people.length,
    ]),
    [
      ['Review', '2026-11-24T09:00:00+01:00', 2],
      ['Coffee', '2026-11-24T15:00:00+01:00', 1],
      ['All day', '2026-11-25', 1],
    ],
  )
  assert.deepEqual(
    week.birthdays.map(({ name, on }) => `${name} ${on}`),
    ['P1 2026-11-23', 'P3 2026-11-26', 'P0 2026-11-29'],
  )
  const day = await member.ask<Day>(getBriefingTool, { day: '2026-11-25' })
  assert.deepEqual(
    day.meetings.map(({ title }) => title),
    ['All day'],
  )
  for (const period of ['nächste Woche', '2026-11-23 to 2026-11-29', '2026-11-23/2026-11-29'])
    assert.deepEqual(await member.ask<Day>(getBriefingTool, { day: period }), week, period)
  const { people } = await member.ask<{ people: Record<string, unknown>[] }>(getBriefingTool, {
    people: 'P0',
  })
  const next = people[0]?.['next_meeting'] as { title: string } | undefined
  assert.equal(next?.title, 'Review')
  const timeline = await member.ask<{ next_meeting?: { title: string } }>(listTimelineTool, {
    people: 'P0',
  })
  assert.equal(timeline.next_meeting?.title, 'Review')
  for (const wrong of ['2026-11-29/2026-11-23', 'this year', '2026-01-01 to 2026-12-31'])
    assert.match((await member.refused(getBriefingTool, { day: wrong })).message, /day/)
})

test('all birthdays of a week are shown in order, and a shortened list says so', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  for (let count = 0; count < 30; count += 1)
    await member.ask(addConnectionTool, {
      name: `Person ${count}`,
      birthday: `1980-11-${21 + (count % 8)}`,
    })
  const { birthdays, truncated } = await member.ask<Day>(getBriefingTool)
  assert.equal(birthdays.length, 30)
  assert.equal(truncated, undefined)
  const days = birthdays.map(({ on }) => on)
  assert.deepEqual(days, days.toSorted())
  for (let count = 0; count < 90; count += 1)
    await member.ask(addConnectionTool, { name: `Other ${count}`, birthday: '1980-11-22' })
  assert.equal((await member.ask<Day>(getBriefingTool)).truncated, true)
})

test('people known in common come with their open follow-ups, and changes of the same agent are left out', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  for (const name of ['Ann', 'Ben']) await member.ask(addConnectionTool, { name })
  await member.ask(logInteractionTool, { people: ['Ann', 'Ben'], kind: 'call', on: '2026-11-01' })
  await member.ask(updateConnectionsTool, { connection_ids: ['c_1'], title: 'CEO' })
  await member.ask(saveFollowUpTool, {
    people: 'Ben',
    text: 'Send the deck',
    due_on: '2026-12-01',
  })
  const { people } = await member.ask<{ people: Record<string, unknown>[] }>(getBriefingTool, {
    people: 'Ann',
  })
  assert.deepEqual(people[0]?.['known_in_common'], [
    {
      connection_id: 'c_2',
      name: 'Ben',
      how: 'met together',
      follow_ups: ['Send the deck (2026-12-01)'],
    },
  ])
  assert.deepEqual(people[0]['changes_since_last_contact'], [])
  assert.equal(people[0]['last_contact_on'], '2026-11-01')
})

test('a period has the follow-ups that are due in it, and overdue ones if it contains today', async () => {
  await using world = await openSharedWorld()
  const member = await world.join('Europe/Berlin')
  await member.ask(addConnectionTool, { name: 'Ann' })
  const today = dayAt(world.clock.now())
  const days = { overdue: daysLater(today, -9), soon: daysLater(today, 3), june: '2027-06-30' }
  for (const [text, due_on] of Object.entries(days))
    await member.ask(saveFollowUpTool, { people: 'c_1', text, due_on })
  const dueIn = async (day: string) =>
    (await member.ask<Day>(getBriefingTool, { day })).follow_ups.map(({ text }) => text)
  assert.deepEqual(await dueIn('in june'), ['june'])
  assert.deepEqual(await dueIn('2027-07-01/2027-07-02'), [])
  assert.deepEqual(await dueIn(`${today}/${daysLater(today, 7)}`), ['overdue', 'soon'])
  assert.deepEqual(await dueIn(`${daysLater(today, 1)}/${daysLater(today, 7)}`), ['soon'])
  assert.deepEqual(await dueIn('tomorrow'), ['overdue'])
})
