/** Dates as tool arguments. */

import { t } from '../../languages/message.ts'
import { dayAt, isDay } from '../../base/calendar-day.ts'
import { invalidArgument } from '../../base/request-error.ts'

export { dayAt, isDay }

/**
 * Returns the date of the named argument.
 *
 * @throws {RequestError} `invalid_request` when it is not an existing date.
 */
export function requireDay(text: string, argument: string): string {
  if (isDay(text)) return text
  throw invalidArgument(argument, t('must be a valid date (YYYY-MM-DD)'))
}

/** Whether a birthday is the other one, which has no year (--MM-DD), with its year. */
export function addsYear(birthday: string, other: string | null): boolean {
  return other?.startsWith('--') === true && birthday !== other && birthday.endsWith(other.slice(1))
}
