/** Dates that people type into forms: `9 Dec 1906`, `next Friday` or what the browser's picker writes. */

import { t } from '../languages/message.ts'
import { readDateText, type DateContext } from '../dates/read-date.ts'
import type { MeantDay } from '../dates/date-grammar.ts'
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
    throw fieldError(
      field,
      t('{problem}. Write it as 5 Mar 2027 or next Friday', { problem: reading.problem }),
    )
  }
}
