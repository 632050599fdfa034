/** Dates that people type into forms: `9 Dec 1906`, `next Friday` or what the browser's picker writes. */

import { t } from '../languages/message.ts'
import { isDay } from '../dates/calendar-day.ts'
import { dateText } from '../dates/format-date.ts'
import { readDateText, type DateContext } from '../dates/read-date.ts'
import type { MeantDay } from '../dates/said-date.ts'
import { fieldError } from './field-errors.ts'

/** The date as YYYY-MM-DD. Other text stays as it is and fails `checkDay`. */
export function readDay(text: string, context: DateContext, meant?: MeantDay): string {
  const reading = readDateText(text, context, meant)
  return reading.ok ? reading.day : text
}

/** A check for `checkAll`: fails with the reason if a text that is not empty is no date. */
export function checkDay(
  field: string,
  text: string,
  context: DateContext,
  meant?: MeantDay,
): () => void {
  return () => {
    const reading = readDateText(text, context, meant)
    if (reading.ok || text.trim() === '') return
    const { problem, isUnknown = false } = reading
    throw fieldError(field, isUnknown ? unknownText(text) : problemText(problem, text))
  }
}

/** Characters of a text that is no date. */
const MAX_QUOTED_LENGTH = 40

function unknownText(text: string): string {
  const typed = text.trim()
  const quoted =
    typed.length > MAX_QUOTED_LENGTH
      ? `${typed.slice(0, MAX_QUOTED_LENGTH).toWellFormed()}…`
      : typed
  return t('was not understood: “{text}”. Try “next Friday” or “5 Mar 2027”', { text: quoted })
}

/** With dates as people write them; a day that does not exist is as typed. */
function problemText(problem: string, typed: string): string {
  const plain = problem.replaceAll(/\d{4}-\d{2}-\d{2}/g, (day) =>
    isDay(day) ? dateText(day) : typed.trim(),
  )
  return t('{problem}. Write it as 5 Mar 2027 or next Friday', { problem: plain })
}
