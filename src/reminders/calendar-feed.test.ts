import assert from 'node:assert/strict'
import { test } from 'node:test'
import ICAL from 'ical.js'
import fc from 'fast-check'
import { addConnectionTool } from '../../test/fixtures/one-person.ts'
import { createWorld, type Acting } from '../../test/fixtures/network.ts'
import { unicodeText } from '../../test/support/unicode-text.ts'
import { DAY } from '../base/clock.ts'
import { dueAt } from '../connections/follow-ups/follow-up-list.ts'
import { dayAt } from '../dates/calendar-day.ts'
import { firstDay, nextDay, recurrenceRule } from '../dates/recurrence.ts'
import { readRecurrence } from '../dates/recurrence-text.ts'
import { occurrencesIn } from '../calendar/occurrences.ts'
import { localTimeAt } from '../dates/time-zone.ts'
import { writeCalendar, type CalendarEntry } from '../calendar/write-calendar.ts'
import { updateConnectionsTool } from '../connections/people/update-connections.tool.ts'
import { saveFollowUpTool } from '../connections/follow-ups/save-follow-up.tool.ts'
import {
  changeFeed,
  createFeed,
  FEED_PARTS,
  listFeedEntries,
  readFeedState,
} from './calendar-feed.ts'

const CONTEXT = {
  publicUrl: 'https://weft.example',
  timeZone: 'Europe/Berlin',
  initialsOnly: false,
}

async function feedOf(
  { db }: Acting,
  more: Partial<typeof CONTEXT> = {},
): Promise<CalendarEntry[]> {
  return listFeedEntries(db, FEED_PARTS, { ...CONTEXT, ...more })
}

/** Title and start of every event, as ical.js reads them. */
function read(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[])
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component)
    return {
      uid: event.uid,
      title: event.summary,
      start: event.startDate.toString(),
      rule: component.getFirstPropertyValue('rrule')?.toString(),
    }
  })
}

test('follow-ups, birthdays and anniversaries are in the calendar, and initials replace names', async () => {
  await using world = await createWorld()
  const member = await world.join('Europe/Berlin')
  await member.ask(addConnectionTool, { name: 'Ann Lee', birthday: '1990-05-04' })
  await member.ask(addConnectionTool, { name: 'Leap Year', birthday: '--02-29' })
  await member.ask(saveFollowUpTool, { people: ['c_1'], text: 'Send slides', due_on: '2026-12-01' })
  await member.ask(saveFollowUpTool, { text: 'Taxes', due_on: '2026-12-02', time: '15:30' })
  const events = read(writeCalendar({ name: 'Weft', entries: await feedOf(member) }))
  assert.deepEqual(
    events.map(({ title, start, rule }) => [title, start, rule]),
    [
      ['Ann Lee: Send slides', '2026-12-01', undefined],
      ['Taxes', '2026-12-02T14:30:00Z', undefined],
      ['Ann Lee’s birthday', '1990-05-04', 'FREQ=YEARLY'],
      ['Leap Year’s birthday', '1972-02-29', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1'],
    ],
  )
  const hidden = await feedOf(member, { initialsOnly: true })
  assert.deepEqual(
    hidden.map(({ title }) => title),
    ['AL: Send slides', 'Taxes', 'AL’s birthday', 'LY’s birthday'],
  )
})

test('what the calendar contains can be changed, and its address stays', async () => {
  await using world = await createWorld()
  const { db } = await world.join()
  await db.write((tx) => createFeed(tx, FEED_PARTS))
  const [part] = FEED_PARTS
  await db.write((tx) => changeFeed(tx, [part]))
  assert.deepEqual(await readFeedState(db), { isActive: true, parts: [part], readAt: null })
})

test('an entry keeps its UID, and its stamp changes only with it', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.ask(saveFollowUpTool, { text: 'One', due_on: '2026-12-01' })
  await member.ask(saveFollowUpTool, { text: 'Two', due_on: '2026-12-02' })
  const before = writeCalendar({ name: 'Weft', entries: await feedOf(member) })
  world.clock.advance(60_000)
  assert.equal(writeCalendar({ name: 'Weft', entries: await feedOf(member) }), before)
  await member.ask(saveFollowUpTool, { follow_up_ids: ['f_2'], text: 'Other' })
  const [first, second] = await feedOf(member)
  const [was, wasSecond] = read(before)
  assert.deepEqual([first?.uid, second?.uid], [was?.uid, wasSecond?.uid])
  assert.ok((second?.changedAt ?? 0) > (first?.changedAt ?? 0))
})

test('ical.js reads back every entry, whatever its title', () => {
  fc.assert(
    fc.property(fc.array(unicodeText({ maxLength: 300 }), { maxLength: 8 }), (titles) => {
      const entries = titles.map((title, index) => ({
        uid: `f_${index}@weft.example`,
        changedAt: 1_790_000_000_000,
        start: '2026-12-01',
        title,
        url: 'https://weft.example/user',
      }))
      const text = writeCalendar({ name: 'Weft', entries })
      for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line)
      const shown = read(text).map(({ title }) => title)
      // eslint-disable-next-line no-control-regex
      assert.deepEqual(
        shown,
        titles.map((title) => title.replaceAll(/(?![\t\n])\p{Cc}/gu, ' ')),
      )
    }),
  )
})

test('an anniversary is in the calendar', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.ask(addConnectionTool, { name: 'Ann Lee' })
  const details = ['dates=[{"label":"anniversary","date":"2019-06-15"}]']
  await member.ask(updateConnectionsTool, { connection_ids: ['c_1'], details })
  const [event] = read(writeCalendar({ name: 'Weft', entries: await feedOf(member) }))
  assert.deepEqual([event?.title, event?.start], ['Ann Lee’s anniversary', '2019-06-15'])
})

test('a recurring follow-up repeats in the calendar, also on weekdays and at a time of day', async () => {
  await using world = await createWorld()
  const member = await world.join('Europe/Berlin')
  for (const [text, recurrence, due_on, time] of [
    ['Rent', 'monthly', '2027-01-31', undefined],
    ['Review', 'last Friday of each month', '2026-11-23', '15:30'],
    ['Call', 'alle 2 Wochen am Dienstag', '2026-11-24', undefined],
  ] as const)
    await member.ask(saveFollowUpTool, { text, recurrence, due_on, time })
  const text = writeCalendar({ name: 'Weft', entries: await feedOf(member) })
  assert.deepEqual(
    read(text).map(({ title, start, rule }) => [title, start, rule]),
    [
      ['Call', '2026-11-24', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU'],
      ['Review', '2026-11-27T15:30:00', 'FREQ=MONTHLY;BYDAY=-1FR'],
      ['Rent', '2027-01-31', 'FREQ=MONTHLY;BYMONTHDAY=-1'],
    ],
  )
  assert.match(text, /DTSTART;TZID=Europe\/Berlin:20261127T153000/)
})

const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Pacific/Auckland', 'UTC')
const recurrences = fc.constantFrom(
  'daily',
  'every 10 days',
  'every 2 weeks on Tuesday',
  'every Friday',
  'monthly',
  'quarterly',
  'first Monday of every month',
  'last Friday of every 2 months',
  'yearly',
)
const startDays = fc
  .integer({ min: Date.parse('2026-01-01') / DAY, max: Date.parse('2028-12-31') / DAY })
  .map((count) => dayAt(count * DAY))

test('other programs see every occurrence on its day and at its local time, across months and clock changes', () => {
  fc.assert(
    fc.property(startDays, recurrences, zones, (day, text, timeZone) => {
      const recurrence = readRecurrence(text) ?? assert.fail()
      const expected = [firstDay(day, recurrence)]
      while (expected.length < 12)
        expected.push(
          nextDay(expected[0] ?? '', recurrence, expected.at(-1) ?? '') ?? assert.fail(),
        )
      const start = dueAt({ dueOn: expected[0] ?? '', dueTime: '09:30' }, timeZone)
      const entry = {
        uid: 'f_1@weft.example',
        changedAt: 0,
        start,
        rule: recurrenceRule(expected[0] ?? '', recurrence),
        timeZone,
        title: 'Call',
        url: 'https://weft.example/user',
      }
      const due = expected.map((dueOn) => dueAt({ dueOn, dueTime: '09:30' }, timeZone))
      const series = { rules: [entry.rule ?? ''], start: localTimeAt(timeZone, start), timeZone }
      assert.deepEqual(occurrencesIn(series, start, (due.at(-1) ?? 0) + 1), due)
      // ical.js ignores BYSETPOS with days of the month.
      if (entry.rule?.includes('BYSETPOS') === true) return
      const calendar = writeCalendar({ name: 'Weft', entries: [entry] })
      assert.deepEqual(occurrences(calendar, due.length), due)
    }),
    { numRuns: 100 },
  )
})

/** The moments at which ical.js sees the first event, with the time zone that the calendar describes. */
function occurrences(text: string, count: number): number[] {
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[])
  for (const zone of calendar.getAllSubcomponents('vtimezone'))
    ICAL.TimezoneService.register(new ICAL.Timezone(zone))
  const [component = assert.fail()] = calendar.getAllSubcomponents('vevent')
  const iterator = new ICAL.Event(component).iterator()
  const found = Array.from({ length: count }, () => iterator.next().toJSDate().getTime())
  ICAL.TimezoneService.reset()
  return found
}
