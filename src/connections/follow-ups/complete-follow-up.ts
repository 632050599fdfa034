/** Completes a follow-up and records the change, for the tool and the button. */

import { dayInZone } from '../../base/calendar-day.ts'
import { completionOf } from './follow-up-changes.ts'
import { completeFollowUp, requireFollowUp, type FollowUp } from './follow-ups.ts'
import type { WriteCall } from '../../tools/tool.ts'

interface Finished {
  readonly done: FollowUp
  /** The next one, if it recurs. */
  readonly next?: FollowUp
  /** ID of the change in the activity log; undefined when it was already done and nothing changed. */
  readonly activityId?: number
}

/**
 * A recurring follow-up comes next after today in `timeZone`, an IANA name.
 *
 * @throws {RequestError} `not_found` when it does not exist or belongs to another member.
 */
export async function markFollowUpComplete(
  { tx, now, record }: Pick<WriteCall, 'tx' | 'now' | 'record'>,
  publicId: string,
  timeZone: string,
): Promise<Finished> {
  const before = await requireFollowUp(tx, publicId)
  if (before.completedAt !== null) return { done: before }
  const { done, next } = await completeFollowUp(tx, before, {
    now,
    today: dayInZone(timeZone, now),
  })
  const activityId = await record(completionOf(before, done, next))
  return { done, ...(next && { next }), activityId }
}
