/** What is deprecated at present, and the notice that members are given before it goes. */

import { DAY } from '../base/clock.ts'
import type { Deprecation } from '../http/deprecation.ts'

/** `q` of `/ask`, an alias of `query`. It has no removal date. */
export const ASK_Q: Deprecation = {
  path: '/ask',
  parameter: 'q',
  since: Date.parse('2026-11-01'),
  successor: '/ask?query=',
}

/** A path that is deprecated as a whole says so in its route. */
export const DEPRECATED_PARAMETERS: readonly Deprecation[] = [ASK_Q]

/** Between the first answer with a `Sunset` and the removal. */
export const MIN_NOTICE_MS = 180 * DAY

/** Called at start. Throws with every mistake at once, so that no promise is broken by a record. */
export function checkDeprecations(records: readonly Deprecation[]): void {
  const mistakes = records.flatMap((record) =>
    mistakesOf(record).map((mistake) => `${nameOf(record)} ${mistake}`),
  )
  if (mistakes.length > 0)
    throw new Error(
      `deprecations that cannot stand:\n${mistakes.map((one) => `  - ${one}`).join('\n')}`,
    )
}

/** The comparisons are such that a date which is none, NaN, fails them. */
function mistakesOf({ since, successor, sunset }: Deprecation): string[] {
  const mistakes: string[] = []
  if (!Number.isFinite(since)) mistakes.push('is deprecated since no date')
  if (!ADDRESS.test(successor)) mistakes.push('has a successor that is no address')
  if (sunset && !(sunset.at >= since)) mistakes.push('goes before it is deprecated')
  if (sunset && !(sunset.at - sunset.announced >= MIN_NOTICE_MS))
    mistakes.push(`goes less than ${MIN_NOTICE_MS / DAY} days after that was announced`)
  return mistakes
}

/** Of RFC 3986 the characters, and a path or a whole address. */
const ADDRESS = /^(?:\/|https?:\/\/)[\w.~:/?#[\]@!$&'()*+,;=%-]*$/

function nameOf({ path, parameter }: Deprecation): string {
  return parameter === undefined ? path : `${parameter} of ${path}`
}
