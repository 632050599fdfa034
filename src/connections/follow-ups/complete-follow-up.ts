/** A follow-up marked as done, and recorded: what the tool does, and the button beside a follow-up. */

import { completionOf } from './follow-up-changes.ts'
import { completeFollowUp, requireFollowUp, type FollowUp } from './follow-ups.ts'
import type { WriteCall } from '../../tools/tool.ts'

export interface Finished {
  readonly done: FollowUp
  /** The one that follows it, where it recurs. */
  readonly next?: FollowUp
  /** The number of the change in the activity; undefined where it was done already, and nothing was changed. */
  readonly activityId?: number
}

/** Refuses `not_found` for a follow-up that is not there, or another member's. */
export async function markFollowUpComplete(
  { tx, now, record }: Pick<WriteCall, 'tx' | 'now' | 'record'>,
  publicId: string,
): Promise<Finished> {
  const before = await requireFollowUp(tx, publicId)
  if (before.completedAt !== null) return { done: before }
  const { done, next } = await completeFollowUp(tx, before, now)
  const activityId = await record(completionOf(before, done, next))
  return { done, ...(next && { next }), activityId }
}
