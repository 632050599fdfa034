import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CalendarError } from './calendar-error.ts'
import { readCalendarInThread } from './read-in-thread.ts'

const window = { from: Date.parse('2026-08-26'), to: Date.parse('2026-12-24'), timeZone: 'UTC' }

function calendar(events: number, rule = ''): Uint8Array {
  const event = (uid: number) =>
    `BEGIN:VEVENT\nUID:${uid}\nDTSTART:20261101T090000Z\n${rule}SUMMARY:Review\nEND:VEVENT\n`
  const components = Array.from({ length: events }, (_, uid) => event(uid))
  return Buffer.from(`BEGIN:VCALENDAR\n${components.join('')}END:VCALENDAR`)
}

test('threads read the calendars of several members, and reject what is not a calendar', async () => {
  const read = (memberId: number, bytes = calendar(1)) =>
    readCalendarInThread({ bytes, window }, { memberId })
  for (const { meetings } of await Promise.all([read(1), read(1), read(2), read(3)]))
    assert.deepEqual(
      meetings.map(({ title }) => title),
      ['Review'],
    )
  await assert.rejects(read(1, Buffer.from('no')), CalendarError)
  assert.equal((await read(1)).meetings.length, 1)
})

test('a calendar that takes too much CPU time to read is given up, and the next one is read', async () => {
  const task = { bytes: calendar(400, 'RRULE:FREQ=DAILY;COUNT=1\n'), window }
  const hostile = { ...task, bytes: calendar(4000, 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31\n') }
  const reading = readCalendarInThread(hostile, { memberId: 1, cpuLimitMs: 1 })
  await assert.rejects(reading, /takes too long/)
  assert.equal((await readCalendarInThread(task, { memberId: 1 })).meetings.length, 400)
})
