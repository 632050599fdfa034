/** Current deprecations of parameters, and the rules for all. Routes that are deprecated as a whole declare it themselves. */

import { DAY } from '../base/clock.ts'
import type { Deprecation } from '../http/deprecation.ts'

/** The `q` parameter of `/ask`, an alias of `query`. No removal is scheduled. */
export const ASK_Q: Deprecation = {
  path: '/ask',
  parameter: 'q',
  since: Date.parse('2026-11-01'),
  successor: '/ask?query=',
}

/** Checked at the start. */
export const DEPRECATED_PARAMETERS: readonly Deprecation[] = [ASK_Q]

/** Minimum time between the first response with a `Sunset` and the removal. */
export const MIN_NOTICE_MS = 180 * DAY

/** Throws one error that lists every mistake. */
export function checkDeprecations(records: readonly Deprecation[]): void {
  const mistakes = records.flatMap((record) =>
    mistakesOf(record).map((mistake) => `${nameOf(record)} ${mistake}`),
  )
  if (mistakes.length > 0)
    throw new Error(`Invalid deprecations:\n${mistakes.map((one) => `  - ${one}`).join('\n')}`)
}

/** The comparisons are written so that an invalid date (NaN) fails them. */
function mistakesOf({ since, successor, sunset }: Deprecation): string[] {
  const mistakes: string[] = []
  if (!Number.isFinite(since)) mistakes.push('has no valid deprecation date')
  if (!ADDRESS.test(successor)) mistakes.push('has a successor that is not a valid URL or path')
  if (sunset && !(sunset.at >= since)) mistakes.push('is removed before it is deprecated')
  if (sunset && !(sunset.at - sunset.announced >= MIN_NOTICE_MS))
    mistakes.push(`is removed less than ${MIN_NOTICE_MS / DAY} days after the announcement`)
  return mistakes
}

/** A path or an absolute URL, in the characters of RFC 3986. */
const ADDRESS = /^(?:\/|https?:\/\/)[\w.~:/?#[\]@!$&'()*+,;=%-]*$/

function nameOf({ path, parameter }: Deprecation): string {
  return parameter === undefined ? path : `${parameter} of ${path}`
}
