import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendarDate, weekdayDate } from './calendar-date.ts'
import { dateText } from '../dates/format-date.ts'

test('a date is written out as far as it is known, and stays exact in datetime', () => {
  for (const [date, text] of [
    ['2019-03-14', '14 Mar 2019'],
    ['0980-01-02', '2 Jan 980'],
    ['2021-09-05', '5 Sep 2021'],
    ['2021-09', 'Sep 2021'],
    ['--09-05', '5 Sep'],
    ['2019-03', 'Mar 2019'],
    ['2019', '2019'],
    ['--02-29', '29 Feb'],
  ] as const) {
    assert.equal(dateText(date), text)
    const exact = date.replace(/^--/, '')
    assert.equal(calendarDate(date).toString(), `<time datetime="${exact}">${text}</time>`)
  }
})

test('what is not a date stays as it is', () => {
  for (const text of [
    '',
    'soon',
    '2019-13',
    '2019-13-40',
    '--04',
    '14 Mar 2019',
    '2019-03-14T10:00Z',
  ])
    assert.equal(calendarDate(text).toString(), `<bdi>${text}</bdi>`)
  assert.equal(calendarDate('<b>').toString(), '<bdi>&#60;b&#62;</bdi>')
})

test('a date to do something on has its weekday', () => {
  const date = '<time datetime="2026-11-23">Mon 23 Nov 2026</time>'
  assert.equal(weekdayDate('2026-11-23').toString(), date)
})
