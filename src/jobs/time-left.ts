/** Estimates how long a running job still takes, from the progress since a first observation. */

import { t } from '../languages/message.ts'
import { HOUR, MINUTE, SECOND } from '../base/clock.ts'
import type { JobProgress } from './job.ts'

/** In milliseconds. Before that, the speed is not known well enough. */
const MIN_OBSERVED_MS = 2 * SECOND

export class TimeLeft {
  #first: { readonly done: number; readonly at: number } | undefined

  /** A text for people, such as `about 2 minutes left`; undefined while unknown. `now` is in milliseconds. */
  observe({ done, total }: Omit<JobProgress, 'message'>, now: number): string | undefined {
    if (total === null) return undefined
    // Less than before: another worker continues from an earlier checkpoint.
    if (this.#first === undefined || done < this.#first.done) this.#first = { done, at: now }
    const passed = now - this.#first.at
    const progress = done - this.#first.done
    if (passed < MIN_OBSERVED_MS || progress === 0 || done >= total) return undefined
    return timeLeftText(((total - done) * passed) / progress)
  }
}

function timeLeftText(ms: number): string {
  if (ms < 10 * SECOND) return t('a few seconds left')
  if (ms < MINUTE)
    return t('about {seconds} seconds left', { seconds: Math.ceil(ms / SECOND / 10) * 10 })
  if (ms < HOUR)
    return t('about {count, plural, one {# minute} other {# minutes}} left', {
      count: Math.ceil(ms / MINUTE),
    })
  return t('about {count, plural, one {# hour} other {# hours}} left', {
    count: Math.ceil(ms / HOUR),
  })
}
