import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseItem } from 'structured-headers'
import { DAY } from '../base/clock.ts'
import { deprecationHeaders, type Deprecation } from '../http/deprecation.ts'
import { ASK_Q, checkDeprecations, MIN_NOTICE_MS } from './deprecations.ts'

const SINCE = Date.parse('2026-11-01')
const PATH: Deprecation = { path: '/old', since: SINCE, successor: '/new' }

test('says since when, and names the replacement', () => {
  const headers = deprecationHeaders(PATH)
  assert.deepEqual(headers, {
    deprecation: '@1793491200',
    link: '</new>; rel="successor-version"',
  })
  assert.deepEqual(parseItem(headers['deprecation'] ?? '')[0], new Date('2026-11-01T00:00:00Z'))
})

test('says when it will be removed, once that is decided, as an HTTP-date', () => {
  const at = Date.parse('2027-12-31T23:59:59Z')
  const { sunset } = deprecationHeaders({ ...PATH, sunset: { at, announced: SINCE } })
  assert.equal(sunset, 'Fri, 31 Dec 2027 23:59:59 GMT')
})

test('q of /ask is deprecated since November 2026 and has no removal date', () => {
  assert.equal(ASK_Q.parameter, 'q')
  assert.deepEqual(deprecationHeaders(ASK_Q), {
    deprecation: '@1793491200',
    link: '</ask?query=>; rel="successor-version"',
  })
})

test('a removal is valid from 180 days after its announcement', () => {
  const announced = SINCE + 7 * DAY
  const going = (at: number) => [{ ...PATH, sunset: { at, announced } }]
  checkDeprecations(going(announced + MIN_NOTICE_MS))
  assert.equal(MIN_NOTICE_MS, 180 * DAY)
  assert.throws(
    () => checkDeprecations(going(announced + MIN_NOTICE_MS - 1)),
    /\/old is removed less than 180 days after the announcement/,
  )
})

test('nothing is removed before it is deprecated', () => {
  const sunset = { at: SINCE - 1, announced: SINCE - 1 - MIN_NOTICE_MS }
  assert.throws(
    () => checkDeprecations([{ ...PATH, sunset }]),
    /\/old is removed before it is deprecated/,
  )
})

test('all invalid dates and successors are reported at once', () => {
  const none = Date.parse('next spring')
  const records = [
    { ...PATH, since: none },
    { ...PATH, path: '/older', sunset: { at: none, announced: SINCE } },
    { ...PATH, path: '/ask', parameter: 'q', successor: '/ask?query=…' },
    { ...PATH, path: '/oldest', successor: '/new>; rel="next"' },
  ]
  assert.throws(
    () => checkDeprecations(records),
    (error: Error) =>
      error.message.includes('/old has no valid deprecation date') &&
      error.message.includes('/older is removed less than 180 days') &&
      error.message.includes('q of /ask has a successor that is not a valid URL or path') &&
      error.message.includes('/oldest has a successor that is not a valid URL or path'),
  )
})
