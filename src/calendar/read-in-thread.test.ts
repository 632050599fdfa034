import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CalendarError } from './calendar-error.ts'
import { readCalendarInThread } from './read-in-thread.ts'

const window = { from: Date.parse('2026-08-26'), to: Date.parse('2026-12-24'), timeZone: 'UTC' }

test('a thread reads a calendar, rejects what is none, and is ended at its time limit', async () => {
  const text = `BEGIN:VCALENDAR
BEGIN:VEVENT
UID:1
DTSTART:20261101T090000Z
SUMMARY:Review
END:VEVENT
END:VCALENDAR`
  const { meetings } = await readCalendarInThread({ bytes: Buffer.from(text), window })
  assert.deepEqual(
    meetings.map(({ title }) => title),
    ['Review'],
  )
  await assert.rejects(readCalendarInThread({ bytes: Buffer.from('no'), window }), CalendarError)
  const task = { bytes: Buffer.from(text), window }
  await assert.rejects(readCalendarInThread(task, { timeLimitMs: 1 }), /took longer than/)
})
