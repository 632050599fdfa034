/** The examples in hints are texts that their fields accept, in every language. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourceMessages } from '../scripts/source-messages.ts'
import { readDateText, readYearlessDate } from '../src/dates/read-date.ts'
import { isPartialDate } from '../src/contact-files/contact/clean-details.ts'
import { readRecurrence } from '../src/dates/recurrence-text.ts'
import { inLanguage, LANGUAGES, type Language } from '../src/languages/language.ts'
import { t } from '../src/languages/message.ts'

const CONTEXT = { timeZone: 'Europe/Berlin', now: Date.parse('2026-11-26T12:00:00Z') }

function isDate(text: string): boolean {
  return readDateText(text, CONTEXT, 'next').ok
}

function isPartial(text: string): boolean {
  return isPartialDate(text) || isDate(text) || readYearlessDate(text, CONTEXT) !== undefined
}

function isRecurrence(text: string): boolean {
  return readRecurrence(text) !== undefined
}

/** Hints with examples of dates and recurrences, and how their fields read a text. */
const HINTS: Readonly<Record<string, (example: string) => boolean>> = {
  '{problem}. Write it as 5 Mar 2027 or next Friday': isDate,
  'was not understood: “{text}”. Try “next Friday” or “5 Mar 2027”': isDate,
  'Yesterday or 5 Mar 2026': isDate,
  'Next Friday or 5 Mar 2027': isDate,
  'Such as next Friday': isDate,
  'Such as 21 Nov 2026.': isDate,
  'Such as 10 Dec 1815, or 10 Dec without the year.': isPartial,
  'Such as 20 Jun 2015, 2015-06, 2015, or 20 Jun without the year.': isPartial,
  'Such as 2019-04 or 2019.': isPartial,
  'must be such as weekly, every 10 days, every Friday, last Friday of every month or none, and at most once in 10 years':
    isRecurrence,
}

const HAS_EXAMPLE =
  /(?:such as|write it as|try “|^yesterday or|^next friday or).*(?:\b(?:1\d|20)\d\d\b|yesterday|tomorrow|friday|weekly|monthly)/i

test('every hint with an example of a date or a recurrence is tested', () => {
  const found = [...sourceMessages().values()].flat().filter((message) => HAS_EXAMPLE.test(message))
  assert.deepEqual([...new Set(found)].toSorted(), Object.keys(HINTS).toSorted())
})

for (const language of Object.keys(LANGUAGES) as Language[])
  test(`examples in hints are accepted in ${LANGUAGES[language]}`, () => {
    for (const [hint, isAccepted] of Object.entries(HINTS)) {
      const text = inLanguage(language, () => t(hint))
      const examples = examplesIn(text)
      assert.ok(examples.length >= 1, text)
      for (const example of examples) assert.ok(isAccepted(example), `“${example}” in: ${text}`)
    }
  })

/** The examples after the words that introduce them, without quotation marks. */
function examplesIn(text: string): string[] {
  const [, listed = ''] =
    /(?:such as|write it as|try|zum Beispiel|schreib es als|versuch) (.*?)(?:, and at most.*| sein und mindestens.*|\.)?$/i.exec(
      text,
    ) ?? ['', text]
  return listed
    .replace(/ without the year| ohne Jahr/, '')
    .split(/, (?:or |oder )?| or | oder /)
    .map((example) => example.replaceAll(/[„“”"]/g, '').trim())
}
