/** When the member last visited their home. */

import { DAY, HOUR } from '../../base/clock.ts'

/** The last visit and the current one, in milliseconds, as a cookie keeps them. */
interface Visits {
  readonly last: number
  readonly current: number
}

/** Opening the page again soon is the same visit. */
const VISIT_MS = 4 * HOUR

/** Without a cookie, a visit a week ago is assumed. */
export function readVisits(cookie: string | undefined, now: number): Visits {
  const [last = NaN, current = NaN] = (cookie ?? '').split('-').map(Number)
  if (!(last <= current && current <= now)) return { last: now - 7 * DAY, current: now }
  return now - current < VISIT_MS ? { last, current: now } : { last: current, current: now }
}

export function visitsText({ last, current }: Visits): string {
  return `${last}-${current}`
}
