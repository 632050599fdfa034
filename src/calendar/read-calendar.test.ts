import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { DAY } from '../base/clock.ts'
import { CalendarError } from './calendar-error.ts'
import { MAX_MEETINGS, readCalendar } from './read-calendar.ts'
import { MAX_ATTENDEES, type CalendarReading } from './meeting.ts'

const WINDOW = {
  from: Date.parse('2026-08-26T00:00:00Z'),
  to: Date.parse('2026-12-24T00:00:00Z'),
  timeZone: 'Europe/Berlin',
}

function read(text: string): CalendarReading {
  return readCalendar(Buffer.from(text), WINDOW)
}

/** A calendar of events with these lines; others become part of the calendar itself. */
function calendar(events: readonly string[], ...others: string[]): string {
  const components = events.map((lines, index) => {
    const uid = /^UID:/m.test(lines) ? '' : `UID:e${index}\n`
    return `BEGIN:VEVENT\n${uid}${lines}\nEND:VEVENT`
  })
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...others, ...components, 'END:VCALENDAR', ''].join(
    '\n',
  )
}

function starts(text: string): string[] {
  return read(text).meetings.map(({ startsAt }) => new Date(startsAt).toISOString().slice(0, 16))
}

test('times are read in IANA and Windows zones, in zones that the file describes, and without one in that of the calendar', () => {
  const rules = `BEGIN:STANDARD
DTSTART:16010101T020000
TZOFFSETFROM:-0400
TZOFFSETTO:-0500
RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T020000
TZOFFSETFROM:-0500
TZOFFSETTO:-0400
RRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3
END:DAYLIGHT
END:VTIMEZONE`
  const described = (tzid: string, ...more: string[]) =>
    ['BEGIN:VTIMEZONE', `TZID:${tzid}`, ...more, rules].join('\n')
  const broken = [
    'BEGIN:VTIMEZONE',
    'TZID:Broken',
    'BEGIN:STANDARD',
    'no property',
    'END:VTIMEZONE',
  ]
  const at = (tzid: string, day = '20261124') => `DTSTART;TZID=${tzid}:${day}T100000`
  for (const [line, expected] of [
    [at('Europe/Berlin'), '2026-11-24T09:00'],
    [at('W. Europe Standard Time'), '2026-11-24T09:00'],
    [at('"Tokyo Standard Time"'), '2026-11-24T01:00'],
    [at('/freeassociation.sourceforge.net/America/New_York'), '2026-11-24T15:00'],
    [at('Customized Time Zone'), '2026-11-24T15:00'],
    [at('Customized Time Zone', '20261024'), '2026-10-24T14:00'],
    [at('Zone with a location'), '2026-11-24T04:30'],
    [at('Broken'), '2026-11-24T18:00'],
    [at('Nowhere'), '2026-11-24T18:00'],
    ['DTSTART:20261124T100000', '2026-11-24T18:00'],
    ['DTSTART:20261124T100000Z', '2026-11-24T10:00'],
  ] as const) {
    const zones = [
      described('Customized Time Zone'),
      described('Zone with a location', 'X-LIC-LOCATION:Asia/Kolkata'),
      ...broken,
    ]
    assert.deepEqual(
      starts(calendar([line], 'X-WR-TIMEZONE:America/Los_Angeles', ...zones)),
      [expected],
      line,
    )
  }
  assert.deepEqual(starts(calendar(['DTSTART:20261124T100000'])), ['2026-11-24T09:00'])
  const only = calendar(['DTSTART:20261124T100000'], described('Eastern Standard Time'))
  assert.deepEqual(starts(only), ['2026-11-24T15:00'])
})

test('a time that a clock change skips or repeats is read as RFC 5545 says', () => {
  const at = (tzid: string, time: string) => calendar([`DTSTART;TZID=${tzid}:${time}`])
  assert.deepEqual(starts(at('Europe/Berlin', '20261025T023000')), ['2026-10-25T00:30'])
  assert.deepEqual(starts(at('America/New_York', '20261101T013000')), ['2026-11-01T05:30'])
  assert.deepEqual(starts(at('Australia/Sydney', '20261004T023000')), ['2026-10-03T16:30'])
})

test('a series has its added, excluded, moved and cancelled occurrences', () => {
  const berlin = 'TZID=Europe/Berlin'
  const text = calendar([
    `UID:s\nDTSTART;${berlin}:20261019T100000\nDURATION:PT45M\nRRULE:FREQ=WEEKLY;COUNT=5\n` +
      `EXDATE;VALUE=DATE:20261026\nEXDATE:20261102T090000Z\nRDATE;${berlin}:20261020T100000`,
    `UID:s\nRECURRENCE-ID;${berlin}:20261109T100000\nDTSTART;${berlin}:20261110T120000\nSUMMARY:Old\nSEQUENCE:1`,
    `UID:s\nRECURRENCE-ID;${berlin}:20261109T100000\nDTSTART;${berlin}:20261111T120000\nSUMMARY:Moved\nSEQUENCE:2`,
    `UID:s\nRECURRENCE-ID:20261116T090000Z\nDTSTART:20261116T090000Z\nSTATUS:CANCELLED`,
  ])
  const { meetings } = read(text)
  assert.deepEqual(
    meetings.map(({ key, startsAt, title, isCancelled }) => [
      key,
      new Date(startsAt).toISOString().slice(0, 16),
      title,
      isCancelled,
    ]),
    [
      ['s 2026-10-19T08:00:00.000Z', '2026-10-19T08:00', null, false],
      ['s 2026-10-20T08:00:00.000Z', '2026-10-20T08:00', null, false],
      ['s 2026-11-09T09:00:00.000Z', '2026-11-11T11:00', 'Moved', false],
      ['s 2026-11-16T09:00:00.000Z', '2026-11-16T09:00', null, true],
    ],
  )
  assert.equal((meetings[0]?.endsAt ?? 0) - (meetings[0]?.startsAt ?? 0), 45 * 60_000)
  const single = read(calendar(['UID:one\nDTSTART:20261101T090000Z']))
  assert.deepEqual(
    single.meetings.map(({ key }) => key),
    ['one'],
  )
})

test('a change of this and future occurrences moves the later ones, across a clock change, until the next such change', () => {
  const berlin = 'TZID=Europe/Berlin'
  const text = calendar([
    `UID:s\nDTSTART;${berlin}:20261012T100000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;COUNT=7\nEXDATE;${berlin}:20261026T100000\nSUMMARY:Old`,
    `UID:s\nRECURRENCE-ID;RANGE=THISANDFUTURE;${berlin}:20261019T100000\nDTSTART;${berlin}:20261020T140000\nDURATION:PT30M\nSUMMARY:New`,
    `UID:s\nRECURRENCE-ID;${berlin}:20261109T100000\nDTSTART;${berlin}:20261109T080000\nSUMMARY:Once`,
    `UID:s\nRECURRENCE-ID;RANGE=THISANDFUTURE;${berlin}:20261116T100000\nDTSTART;${berlin}:20261116T100000\nSTATUS:CANCELLED`,
  ])
  const { meetings } = read(text)
  assert.deepEqual(
    meetings
      .map(
        ({ startsAt, endsAt, title, isCancelled }) =>
          `${new Date(startsAt).toISOString().slice(0, 16)} ${(endsAt - startsAt) / 60_000} ${isCancelled ? 'cancelled' : title}`,
      )
      .toSorted((one, other) => (one < other ? -1 : 1)),
    [
      '2026-10-12T08:00 60 Old',
      '2026-10-20T12:00 30 New',
      '2026-11-03T13:00 30 New',
      '2026-11-09T07:00 0 Once',
      '2026-11-16T09:00 0 cancelled',
      '2026-11-23T09:00 0 cancelled',
    ],
  )
})

test('rules end at a local UNTIL, and all-day events are marked', () => {
  const until = 'DTSTART:20261101T090000\nRRULE:FREQ=DAILY;UNTIL=20261103T090000'
  assert.equal(starts(calendar([until])).length, 3)
  const [holiday] = read(
    calendar(['DTSTART;VALUE=DATE:20261101\nDTEND;VALUE=DATE:20261103']),
  ).meetings
  assert.equal(holiday?.isAllDay, true)
  assert.equal((holiday?.endsAt ?? 0) - (holiday?.startsAt ?? 0), 2 * DAY)
})

test('organizers, attendees and their responses are read; rooms and copies are not people', () => {
  const lines = [
    'DTSTART:20261101T090000Z',
    'ORGANIZER;CN="Lovelace, Ada":MAILTO:Ada@Example.org',
    'ATTENDEE;CN=Ben;PARTSTAT=ACCEPTED:mailto:ben@example.org',
    'ATTENDEE;PARTSTAT=DECLINED:mailto:cy@example.org',
    'ATTENDEE;PARTSTAT=TENTATIVE;EMAIL=di@example.org:/aMTU2/principal/',
    'ATTENDEE;CUTYPE=ROOM:mailto:room@example.org',
    'ATTENDEE;ROLE=NON-PARTICIPANT:mailto:copy@example.org',
    'ATTENDEE:mailto:not an address',
    'CLASS:CONFIDENTIAL',
  ]
  const [meeting] = read(calendar([lines.join('\n')])).meetings
  assert.deepEqual(meeting?.organizer, { email: 'ada@example.org', name: 'Lovelace, Ada' })
  assert.deepEqual(
    meeting?.attendees.map(({ email, response }) => `${email} ${response}`),
    ['ben@example.org accepted', 'cy@example.org declined', 'di@example.org tentative'],
  )
  assert.equal(meeting?.isPrivate, true)
  const crowd = Array.from({ length: 2000 }, (_, at) => `ATTENDEE:mailto:p${at}@example.org`)
  const [party] = read(calendar([['DTSTART:20261101T090000Z', ...crowd].join('\n')])).meetings
  assert.equal(party?.attendees.length, MAX_ATTENDEES)
})

test('a broken event, an endless or impossible rule costs only itself', () => {
  const good = 'DTSTART:20261101T090000Z'
  for (const bad of [
    'DTSTART:yesterday\nRRULE:FREQ=DAILY',
    'DTSTART:20261101T090000Z\nthis is no property',
    'DTSTART:20261101T090000Z\nRRULE:FREQ=OFTEN',
    'DTSTART:19700101T000000Z\nRRULE:FREQ=SECONDLY',
    'DTSTART:20261101T090000Z\nRRULE:FREQ=MINUTELY;COUNT=999999999',
    'DTSTART:00010101T000000Z\nRRULE:FREQ=HOURLY;COUNT=999999999',
  ]) {
    const { meetings, skipped } = read(calendar([bad, good]))
    assert.deepEqual([meetings.length, skipped], [1, 1], bad)
  }
  const never = 'DTSTART:20200131T090000Z\nRRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31'
  assert.equal(read(calendar([never, good])).meetings.length, 1)
  const open = calendar([good]).replace('END:VEVENT\n', '')
  assert.deepEqual([read(open).meetings, read(open).skipped], [[], 0])
})

test('what is not a calendar, or has too many meetings, is rejected', () => {
  for (const text of ['', '<html>', 'BEGIN:VCARD\nEND:VCARD'])
    assert.throws(() => read(text), CalendarError)
  const hourly = 'DTSTART:20260826T000000Z\nRRULE:FREQ=HOURLY'
  const many = Array.from({ length: Math.ceil(MAX_MEETINGS / 2880) + 1 }, () => hourly)
  assert.throws(() => read(calendar(many)), /more than 20000 meetings/)
})

test('a calendar that was cut off is rejected, wherever it ends', () => {
  const whole = calendar(['DTSTART:20261101T090000Z\nSUMMARY:Review', 'DTSTART:20261102T090000Z'])
  assert.equal(read(whole.trimEnd()).meetings.length, 2)
  const end = whole.lastIndexOf('END:VCALENDAR')
  for (let length = 'BEGIN:VCALENDAR\n'.length; length < end + 'END:VCALENDA'.length; length += 1)
    assert.throws(() => read(whole.slice(0, length)), /was cut off: its end/)
})

test('lines may be folded anywhere, also inside a character, with any kind of line break', () => {
  const title = 'Grüße 王芳 😀'
  const fold = (lineBreak: string) => {
    const bytes = [...Buffer.from(title)]
    const folded = bytes.flatMap((byte) => [Buffer.of(byte), Buffer.from(lineBreak)])
    const [start = '', end = ''] = calendar([
      'DTSTART:20261101T0\n 90000Z\nSUMMARY:@\nUID:1',
    ]).split('@')
    return Buffer.concat([Buffer.from(start), ...folded, Buffer.from(end)])
  }
  for (const lineBreak of ['\r\n ', '\r\n\t', '\n '])
    assert.deepEqual(
      readCalendar(fold(lineBreak), WINDOW).meetings.map((meeting) => meeting.title),
      [title],
    )
})

test('titles, names and the name of the calendar are one line of visible text', () => {
  const lines = [
    'DTSTART:20261101T090000Z',
    'SUMMARY:Lunch\\nwith\u0000 Ann\nand Ben',
    'in the park',
    'ATTENDEE;CN="Ann\u0007 \tB":mailto:ann@example.org',
    'ATTENDEE:mailto:a\u0000b@example.org',
  ]
  const reading = read(calendar([lines.join('\n')], 'X-WR-CALNAME:Work\\, private\u0000'))
  const [meeting] = reading.meetings
  assert.equal(reading.name, 'Work, private')
  assert.equal(meeting?.title, 'Lunch with Ann and Ben in the park')
  assert.deepEqual(meeting.attendees, [
    { email: 'ann@example.org', name: 'Ann B', response: 'none' },
  ])
})

test('a title of 100,000 lines is read in linear time', () => {
  const { title } = read(
    calendar([`DTSTART:20261101T090000Z\nSUMMARY:a\n${'more text\n'.repeat(100_000)}LOCATION:x`]),
  ).meetings[0] ?? { title: null }
  assert.ok(title?.startsWith('a more text more text'))
})

test('the reading says how far back the calendar reaches, by its single events', () => {
  const back = (...events: string[]) => read(calendar(events)).reachesBackTo
  assert.equal(back(), null)
  assert.equal(back('DTSTART:20200101T090000Z\nRRULE:FREQ=DAILY'), null)
  const start = Date.parse('2026-11-01T09:00:00Z')
  assert.equal(back('DTSTART:20261101T090000Z', 'DTSTART:20261102T090000Z'), start)
  const years = back('DTSTART:20261101T090000Z', 'DTSTART;VALUE=DATE:20200101') ?? 0
  assert.ok(years >= Date.parse('2020-01-01') && years < Date.parse('2020-01-05'))
})

test('property: no text makes reading fail in another way', () => {
  const line = fc.oneof(
    fc.constantFrom(
      'BEGIN:VCALENDAR',
      'BEGIN:VEVENT',
      'END:VEVENT',
      'BEGIN:VTIMEZONE',
      'END:VTIMEZONE',
    ),
    fc.constantFrom(
      'UID:1',
      'DTSTART:20261101T090000',
      'RRULE:FREQ=DAILY',
      'TZID:X',
      'BEGIN:VALARM',
    ),
    fc.constantFrom(
      'DTSTART;TZID=X:20261101T090000',
      'RECURRENCE-ID:20261102T090000',
      'END:VCALENDAR',
    ),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      try {
        read(lines.join('\r\n'))
      } catch (error) {
        assert.ok(error instanceof CalendarError, String(error))
      }
    }),
    { numRuns: 300 },
  )
})
