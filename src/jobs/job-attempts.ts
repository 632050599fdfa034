/** The attempts of a job: how they count, how long it waits for the next one, and when it is given up. */

import { phrase, type Message } from '../languages/message.ts'
import { SECOND } from '../base/clock.ts'

/** Consecutive attempts without progress. A job that advances in every attempt is never given up. */
export const MAX_STALLED_ATTEMPTS = 3
/** A shorter attempt may have ended because its process was restarted, so it counts as a tenth. */
export const WHOLE_ATTEMPT_MS = 3 * SECOND
/** A whole attempt, in tenths. */
export const WHOLE_ATTEMPT = 10
export const MAX_STALLED_TENTHS = MAX_STALLED_ATTEMPTS * WHOLE_ATTEMPT
/** Pause between the first failure and the second attempt: longer than a database restart. Milliseconds. */
export const RETRY_PAUSE_MS = 5 * SECOND
/** The factor by which each further pause is longer. */
export const RETRY_FACTOR = 6

/**
 * Why a job returns to the queue: its worker stops, its run failed, what it needs does not respond, such as a locked
 * database, or the disk is full.
 */
export type ReleaseCause = 'stopped' | 'failed' | 'unavailable' | 'disk_full'

export interface ReleasedAttempt {
  readonly retryPauseMs: number
  /** Whether a renewal has counted the attempt as one. */
  readonly isWhole: boolean
}

/**
 * How the attempts of a released job count, and how long it waits for the next one; undefined if it is given up. A graceful
 * stop does not count as an attempt. A failed attempt counts unless it made progress, and the job fails after the last one.
 * Before a retry it waits for `retryPauseMs`, and longer after each further failure, so that the cause can pass. A lock has
 * passed when the release can be recorded, so the pause after one stays short.
 */
export function nextAttempt(
  before: number,
  cause: ReleaseCause,
  { isWhole, retryPauseMs }: ReleasedAttempt,
): { readonly stalled_tenths: number; readonly pauseMs: number } | undefined {
  const own = isWhole ? WHOLE_ATTEMPT : 1
  const stalled = cause === 'stopped' ? before : before + WHOLE_ATTEMPT - own
  if (cause !== 'stopped' && stalled >= MAX_STALLED_TENTHS) return undefined
  const counted = cause === 'stopped' ? Math.max(0, stalled - own) : stalled
  const failures = Math.floor(stalled / WHOLE_ATTEMPT)
  const factor = cause === 'unavailable' ? 1 : RETRY_FACTOR ** Math.max(0, failures - 1)
  const pause = cause === 'stopped' ? 0 : retryPauseMs * factor
  return { stalled_tenths: counted, pauseMs: pause }
}

const FAILED = phrase(
  'The job failed {count} times in a row without progress. Its credits were refunded.',
)

/** What happened to a job that is given up, and what to do. */
export const GIVEN_UP: Readonly<Record<ReleaseCause, Message>> = {
  stopped: givenUp(FAILED),
  failed: givenUp(FAILED),
  unavailable: givenUp(
    phrase(
      'The database could not be reached {count} times in a row. The credits of the job were refunded. Changes made so far are kept, and can be undone in the activity log. Start the job again later.',
    ),
  ),
  disk_full: givenUp(
    phrase(
      'The disk of the server is full. The credits of the job were refunded. Changes made so far are kept, and can be undone in the activity log. Ask an administrator to free some space, then start the job again.',
    ),
  ),
}

function givenUp(source: string): Message {
  return { source, values: { count: MAX_STALLED_ATTEMPTS } }
}
