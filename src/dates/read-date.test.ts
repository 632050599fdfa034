import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { readDataLines } from '../base/data-file.ts'
import { tokenize } from '../base/tokenize.ts'
import { inLanguage } from '../languages/language.ts'
import { dayAt, daysLater, isDay, monthsLater } from './calendar-day.ts'
import { findDates, findRecurringDates } from './find-dates.ts'
import { dateText, weekdayDateText } from './format-date.ts'
import { dayInZone } from './time-zone.ts'
import type { MeantDay } from './said-date.ts'
import { readDateText, readDaysText, readPeriodText, readYearlessDate } from './read-date.ts'

/** Sunday, 22 November 2026, 23:30 in London; already Monday in Berlin, still Sunday in New York. */
const NOW = Date.parse('2026-11-22T23:30:00Z')

function read(text: string, timeZone = 'Europe/London', meant?: MeantDay): string {
  const reading = readDateText(text, { timeZone, now: NOW }, meant)
  return reading.ok ? reading.day : `rejected: ${reading.problem}`
}

const ACCEPTED: Readonly<Record<string, string>> = {
  '2026-03-05': '2026-03-05',
  ' 2026-3-5 ': '2026-03-05',
  '2026/03/05': '2026-03-05',
  '2026.03.05': '2026-03-05',
  '20260305': '2026-03-05',
  '2026-03-05T00:00:00Z': '2026-03-05',
  '2026-03-05T10:15': '2026-03-05',
  '2026-03-05T10:15:00.000Z': '2026-03-05',
  '2026-03-05 10:15:00+01:00': '2026-03-05',
  '5 March 2026': '2026-03-05',
  'March 5, 2026': '2026-03-05',
  '5th of March 2026': '2026-03-05',
  'the 5th of March, 2026': '2026-03-05',
  '5 Mar. 2026': '2026-03-05',
  'Sept 3 2026': '2026-09-03',
  'Thursday, 5 March 2026': '2026-03-05',
  'Thu 5 Mar 2026': '2026-03-05',
  '25/03/2026': '2026-03-25',
  '03/25/2026': '2026-03-25',
  '25.3.2026': '2026-03-25',
  '05/05/2026': '2026-05-05',
  today: '2026-11-22',
  tonight: '2026-11-22',
  'heute Abend': '2026-11-22',
  'Friday next week': '2026-11-27',
  'Freitag nächste Woche': '2026-11-27',
  'next week on Friday': '2026-11-27',
  'Friday of this week': '2026-11-20',
  'mid-January': '2026-01-15',
  'Mitte nächster Woche': '2026-11-25',
  Tomorrow: '2026-11-23',
  yesterday: '2026-11-21',
  'the day after tomorrow': '2026-11-24',
  'in two weeks': '2026-12-06',
  'in 2 weeks': '2026-12-06',
  'in a week': '2026-11-29',
  '3 days from now': '2026-11-25',
  'in three months': '2027-02-22',
  'a month ago': '2026-10-22',
  'in a year': '2027-11-22',
  Friday: '2026-11-27',
  'next Friday': '2026-11-27',
  'this Fri': '2026-11-27',
  'on Tuesday': '2026-11-24',
  'last Friday': '2026-11-20',
  'next Sunday': '2026-11-29',
  'last Sunday': '2026-11-15',
  'by Friday': '2026-11-27',
  'end of month': '2026-11-30',
  'the end of the month': '2026-11-30',
  'end of next month': '2026-12-31',
  'end of the week': '2026-11-22',
  'start of next week': '2026-11-23',
  'end of the year': '2026-12-31',
  'end of February 2028': '2028-02-29',
  heute: '2026-11-22',
  Gestern: '2026-11-21',
  vorgestern: '2026-11-20',
  übermorgen: '2026-11-24',
  'am nächsten Freitag': '2026-11-27',
  'letzten Dienstag': '2026-11-17',
  'in zwei Wochen': '2026-12-06',
  'in einem Monat': '2026-12-22',
  'vor drei Tagen': '2026-11-19',
  'vor einem Jahr': '2025-11-22',
  '5. März 2026': '2026-03-05',
  'Donnerstag, den 5. März 2026': '2026-03-05',
  'Ende des Monats': '2026-11-30',
  Monatsende: '2026-11-30',
  'Ende nächster Woche': '2026-11-29',
  'Anfang Januar 2027': '2027-01-01',
}

test('reads the usual forms of a date', () => {
  for (const [text, day] of Object.entries(ACCEPTED)) assert.equal(read(text), day, text)
})

const REJECTED: Readonly<Record<string, RegExp>> = {
  '03/04/2026': /can mean 2026-04-03 or 2026-03-04/,
  '3-4-2026': /can mean 2026-04-03 or 2026-03-04/,
  '25/03/26': /four-digit/,
  '5 March': /no year/,
  '5 March 26': /four-digit/,
  Sunday: /can mean 2026-11-22 or 2026-11-29/,
  '30 February 2026': /does not exist: 2026-02-30/,
  '2026-02-29': /does not exist/,
  '2026-13-01': /does not exist/,
  'Friday, 5 March 2026': /2026-03-05, which is not on that weekday/,
  '2026-03-05T23:30:00-10:00': /is 2026-03-06 in the time zone Europe\/London/,
  soon: /not a date/,
  'next week': /is the time from 2026-11-23 to 2026-11-29; give one day of it/,
  'letzten Monat': /is the time from 2026-10-01 to 2026-10-31; give one day of it/,
  January: /is the time from 2026-01-01 to 2026-01-31; give one day of it/,
  2025: /is the time from 2025-01-01 to 2025-12-31; give one day of it/,
  'in spring': /is a season/,
  'im Herbst': /is a season/,
  'next summer': /is a season/,
  'January 26': /no year/,
  '2026-13': /not a date/,
  week: /not a date/,
  'December 9999': /not a date/,
  'Friday week': /not a date/,
  '': /not a date/,
  constructor: /not a date/,
}

test('rejects ambiguous and impossible dates and says why', () => {
  for (const [text, problem] of Object.entries(REJECTED)) assert.match(read(text), problem, text)
})

/** Every date with a year of four digits. */
const days = fc
  .integer({
    min: Date.parse('1000-01-01T00:00:00Z') / 1000,
    max: Date.parse('9999-12-31T00:00:00Z') / 1000,
  })
  .map((seconds) => dayAt(seconds * 1000))

/** Latest first and last day, next first and last day. */
const PERIODS: Readonly<Record<string, string>> = {
  January: '2026-01-01 2026-01-31 2027-01-01 2027-01-31',
  'in January': '2026-01-01 2026-01-31 2027-01-01 2027-01-31',
  November: '2026-11-01 2026-11-30 2027-11-01 2026-11-30',
  Dez: '2025-12-01 2025-12-31 2026-12-01 2026-12-31',
  'last January': '2026-01-01 2026-01-31 2026-01-01 2026-01-31',
  'last November': '2025-11-01 2025-11-30 2025-11-01 2025-11-30',
  'nächsten Mai': '2027-05-01 2027-05-31 2027-05-01 2027-05-31',
  'last week': '2026-11-09 2026-11-15 2026-11-09 2026-11-15',
  'diese Woche': '2026-11-16 2026-11-22 2026-11-16 2026-11-22',
  'next month': '2026-12-01 2026-12-31 2026-12-01 2026-12-31',
  'last year': '2025-01-01 2025-12-31 2025-01-01 2025-12-31',
  '2024-02': '2024-02-01 2024-02-29 2024-02-01 2024-02-29',
  'May 2025': '2025-05-01 2025-05-31 2025-05-01 2025-05-31',
  2025: '2025-01-01 2025-12-31 2025-01-01 2025-12-31',
}

test('a period is the day that the argument means', () => {
  const meant = ['latest-first', 'latest-last', 'next-first', 'next-last'] as const
  for (const [text, expected] of Object.entries(PERIODS))
    assert.equal(meant.map((one) => read(text, 'Europe/London', one)).join(' '), expected, text)
})

/** Latest and next. */
const RECURRING: Readonly<Record<string, string>> = {
  Saturday: '2026-11-21 2026-11-28',
  'on Monday': '2026-11-16 2026-11-23',
  'this Tue': '2026-11-17 2026-11-24',
  'am Samstag': '2026-11-21 2026-11-28',
  'last Monday': '2026-11-16 2026-11-16',
  'nächsten Montag': '2026-11-23 2026-11-23',
  'next Sunday': '2026-11-29 2026-11-29',
  '5 March': '2026-03-05 2027-03-05',
  'on the 22nd of November': '2026-11-22 2026-11-22',
  '24. Dezember': '2025-12-24 2026-12-24',
  'February 29': '2024-02-29 2028-02-29',
  'Thu 5 Mar': '2026-03-05 rejected: names 2027-03-05, which is not on that weekday',
  Sunday: 'rejected: can mean 2026-11-22 or 2026-11-15 rejected: can mean 2026-11-22 or 2026-11-29',
  '30 February':
    'rejected: is a date that does not exist: 2026-02-30 rejected: is a date that does not exist: 2026-02-30',
  'end of March': '2026-03-31 2027-03-31',
}

test('a day that recurs is the latest one where dates lie in the past, and else the next one', () => {
  for (const [text, expected] of Object.entries(RECURRING)) {
    const meant = ['latest', 'next'] as const
    assert.equal(meant.map((one) => read(text, 'Europe/London', one)).join(' '), expected, text)
    for (const one of meant)
      assert.equal(read(text, 'Europe/London', `${one}-first`), read(text, 'Europe/London', one))
  }
  assert.match(read('March', 'Europe/London', 'latest'), /is the time from/)
})

const someDay = days.filter((day) => day < '9990' && day > '1001')

test('a period begins before it ends, on every day of the year, in both languages', () => {
  const units = fc.constantFrom(['week', 'Woche'], ['month', 'Monat'], ['year', 'Jahr'])
  const names = fc.constantFrom(['march', 'März'], ['may', 'Mai'], ['october', 'Oktober'])
  const which = fc.constantFrom(['last', 'letzte'], ['this', 'dieses'], ['next', 'nächsten'])
  fc.assert(
    fc.property(someDay, which, fc.oneof(units, names), (day, [order], [english, german]) => {
      const context = { timeZone: 'UTC', now: Date.parse(day) }
      const readings = [`${order} ${english}`, `${order} ${german}`].map((text) =>
        (['latest-first', 'latest-last'] as const).map((meant) =>
          readDateText(text, context, meant),
        ),
      )
      assert.deepEqual(readings[0], readings[1])
      const [from, to] = (readings[0] ?? []).map((one) => (one.ok ? one.day : ''))
      if (from === undefined || to === undefined || from === '' || to === '') return
      assert.ok(isDay(from) && isDay(to) && from < to)
      if (order === 'last') assert.ok(to < day)
      if (order === 'next') assert.ok(from > day)
    }),
    { numRuns: 300 },
  )
})

test('relative dates count from the current date in the member’s time zone', () => {
  assert.equal(read('tomorrow', 'Europe/Berlin'), '2026-11-24')
  assert.equal(read('tomorrow', 'America/New_York'), '2026-11-23')
  assert.equal(read('next Monday', 'Europe/Berlin'), '2026-11-30')
  assert.equal(read('next Monday', 'America/New_York'), '2026-11-23')
  assert.equal(dayInZone('Pacific/Kiritimati', NOW), '2026-11-23')
})

test('every date is parsed correctly in every format that names the month', () => {
  fc.assert(
    fc.property(days, (day) => {
      const [year = '', month = '', date = ''] = day.split('-')
      const name = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(
        Date.parse(day),
      )
      for (const text of [
        day,
        `${Number(date)} ${name} ${year}`,
        `${name} ${Number(date)}, ${year}`,
        `${year}/${month}/${date}`,
      ])
        assert.equal(read(text), day, text)
    }),
    { numRuns: 50 },
  )
})

test('any text is parsed as an existing date or rejected', () => {
  const words = fc.constantFrom(
    'in',
    'next',
    'two',
    '5',
    '31',
    'march',
    'friday',
    '2026',
    'weeks',
    'of',
    '999',
    'years',
    'end',
    'last',
    'vor',
    'Januar',
    '/',
  )
  const texts = fc.oneof(
    fc.string(),
    fc.array(words, { maxLength: 5 }).map((some) => some.join(' ')),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const reading = readDateText(text, { timeZone: 'UTC', now: NOW })
      assert.ok(reading.ok ? isDay(reading.day) : reading.problem.length > 5)
    }),
    { numRuns: 300 },
  )
})

/** Latest and next, as `first`. */
const EVERYWHERE: Readonly<Record<string, string>> = {
  'last Friday': '2026-11-20 2026-11-20',
  'letzten Freitag': '2026-11-20 2026-11-20',
  'vendredi dernier': '2026-11-20 2026-11-20',
  'in drei Wochen': '2026-12-13 2026-12-13',
  '3 weeks': '2026-11-01 2026-12-13',
  'seit März': '2026-03-01 2027-03-01',
  'since March': '2026-03-01 2027-03-01',
  'ab nächster Woche': '2026-11-23 2026-11-23',
  'next week': '2026-11-23 2026-11-23',
  'in the last 3 months': '2026-08-22 2026-08-22',
  'this quarter': '2026-10-01 2026-10-01',
  'hace 3 semanas': '2026-11-01 2026-11-01',
  послезавтра: '2026-11-24 2026-11-24',
}

test('words are read in every language, with prepositions, in the direction that the caller names', () => {
  for (const [text, expected] of Object.entries(EVERYWHERE)) {
    const meant = ['latest-first', 'next-first'] as const
    assert.equal(meant.map((one) => read(text, 'Europe/London', one)).join(' '), expected, text)
  }
})

test('a question and a typed date read the same words as the same days', () => {
  const today = dayInZone('Europe/London', NOW)
  const context = { timeZone: 'Europe/London', now: NOW }
  const words = ['last Friday', 'last week', 'letzten Monat', 'seit März', 'this year', 'gestern']
  for (const text of [
    ...words,
    'in the last 3 months',
    'in 2024',
    'since May 2025',
    'last summer',
  ]) {
    const [found] = findDates(tokenize(text), () => today)
    const typed = readPeriodText(text, context, 'latest')
    assert.deepEqual([found?.from, found?.to], [typed?.from, typed?.to], text)
  }
})

test('a period of two dates is read from the start of one to the end of the other', () => {
  const context = { timeZone: 'Europe/London', now: NOW }
  const cases = {
    'Monday to Friday': '2026-11-23/2026-11-27',
    '2026-11-23 bis 2026-11-29': '2026-11-23/2026-11-29',
    'between 3 December and 5 December': '2026-12-03/2026-12-05',
    'this weekend': '2026-11-22/2026-11-22',
    'next 3 days': '2026-11-22/2026-11-24',
  }
  for (const [text, day] of Object.entries(cases))
    assert.deepEqual(readDaysText(text, context), { ok: true, day }, text)
})

test('a rejected date says what was understood', () => {
  assert.match(read('Friday xyz'), /begins with Fri,? 27 Nov 2026, but “xyz” is not a date/)
  for (const text of ['-5 days', '2.5 weeks ago', 'x'.repeat(100_000), '5 '.repeat(50_000)])
    assert.match(read(text), /not a date/)
})

const WORDS = new URL('words/', import.meta.url)
const everyWord = readdirSync(WORDS).flatMap((file) =>
  readDataLines(new URL(file, WORDS)).flatMap((line) => line.split(' = ')[1]?.split(', ') ?? []),
)

test('no words of any language make a reader throw or name a day that does not exist', () => {
  const word = fc.oneof(
    fc.constantFrom(...everyWord),
    fc.constantFrom('1', '29', '31', '999', '2026', '9999', 'q1', '2024-02-30', '-', '/'),
  )
  const texts = fc.array(word, { minLength: 1, maxLength: 6 }).map((some) => some.join(' '))
  fc.assert(
    fc.property(texts, someDay, fc.constantFrom('latest', 'next-first'), (text, day, meant) => {
      const context = { timeZone: 'UTC', now: Date.parse(day) }
      const readings = [readDateText(text, context, meant), readDaysText(text, context)]
      for (const one of readings) assert.ok(!one.ok || one.day.split('/').every(isDay), text)
      const tokens = tokenize(text)
      const periods = [
        readPeriodText(text, context, meant),
        ...findDates(tokens, () => day),
        ...findRecurringDates(tokens, () => day),
      ]
      for (const one of periods) assert.ok(!one || (isDay(one.from) && isDay(one.to)), text)
    }),
    { numRuns: 2000 },
  )
})

test('what is shown of a date is read back, in both languages', () => {
  fc.assert(
    fc.property(days, fc.constantFrom('en', 'de'), (day, language) => {
      for (const format of [dateText, weekdayDateText]) {
        const text = inLanguage(language, () => format(day))
        assert.equal(read(text), day, text)
      }
    }),
  )
})

test('a month later is the same day, or the last day of a shorter month', () => {
  assert.equal(monthsLater('2026-01-31', 1), '2026-02-28')
  assert.equal(monthsLater('2024-03-31', -1), '2024-02-29')
  assert.equal(monthsLater('2026-12-05', 1), '2027-01-05')
  assert.equal(daysLater('2026-12-31', 1), '2027-01-01')
})

test('a day and a month with dots are a date, of the year that is meant', () => {
  for (const [text, next, latest] of [
    ['30.11.', '2026-11-30', '2025-11-30'],
    ['am 3. 12.', '2026-12-03', '2025-12-03'],
    ['Mitte Januar', '2027-01-15', '2026-01-15'],
  ] as const) {
    assert.equal(read(text, 'UTC', 'next'), next, text)
    assert.equal(read(text, 'UTC', 'latest'), latest, text)
  }
  assert.match(read('30.11.'), /^rejected: has no year/)
  for (const text of ['30.13.', '30.11', '1.2.3.', 'Mitte'])
    assert.match(read(text, 'UTC', 'next'), /^rejected: is not a date/, text)
  const context = { timeZone: 'UTC', now: NOW }
  assert.equal(readYearlessDate('30.11.', context), '--11-30')
  const period = readPeriodText('1.12. bis 5.12.', context, 'next')
  assert.deepEqual([period?.from, period?.to], ['2026-12-01', '2026-12-06'])
})

test('a question about the middle of a month is about all of it', () => {
  const [found] = findDates(['met', 'in', 'mid', 'january'], () => '2026-11-22')
  assert.notEqual(found?.from, '2026-01-15')
})
