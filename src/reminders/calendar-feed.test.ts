import assert from 'node:assert/strict'
import { test } from 'node:test'
import ICAL from 'ical.js'
import fc from 'fast-check'
import { addConnectionTool } from '../../test/fixtures/one-person.ts'
import { createWorld, type Acting } from '../../test/fixtures/network.ts'
import { unicodeText } from '../../test/support/unicode-text.ts'
import { writeCalendar, type CalendarEntry } from '../calendar/write-calendar.ts'
import { updateConnectionsTool } from '../connections/people/update-connections.tool.ts'
import { saveFollowUpTool } from '../connections/follow-ups/save-follow-up.tool.ts'
import { FEED_PARTS, listFeedEntries } from './calendar-feed.ts'

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
