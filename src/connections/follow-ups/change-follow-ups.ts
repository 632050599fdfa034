/** Changes and completes follow-ups, and records it as one change, for the tool and the forms. */

import { dayInZone } from '../../base/calendar-day.ts'
import { t } from '../../languages/message.ts'
import { RequestError } from '../../base/request-error.ts'
import { followUpChangesOf, type ChangedFollowUp } from './follow-up-changes.ts'
import {
  changeFollowUp,
  completeFollowUp,
  publicFollowUpId,
  requireFollowUp,
  type FollowUp,
  type FollowUpFields,
} from './follow-ups.ts'
import type { WriteCall } from '../../tools/tool.ts'

type Call = Pick<WriteCall, 'tx' | 'now' | 'record'>

interface Wanted {
  readonly fields: Partial<FollowUpFields>
  /** Whether to complete them. A recurring one comes next after today in this time zone, an IANA name. */
  readonly completeIn?: string | undefined
}

interface ChangedFollowUps {
  readonly changed: readonly ChangedFollowUp[]
  /** ID of the change in the activity log; undefined when nothing changed. */
  readonly activityId: number | undefined
}

/**
 * Omitted fields are unchanged. Completing a follow-up again changes nothing.
 *
 * @throws {RequestError} `conflict` when one is already completed and fields are given.
 */
export async function changeFollowUps(
  call: Call,
  followUps: readonly FollowUp[],
  wanted: Wanted,
): Promise<ChangedFollowUps> {
  const changed: ChangedFollowUp[] = []
  for (const before of followUps) changed.push(await changeOne(call, before, wanted))
  const change = followUpChangesOf(changed)
  return { changed, activityId: change && (await call.record(change)) }
}

async function changeOne(
  { tx, now }: Call,
  before: FollowUp,
  { fields, completeIn }: Wanted,
): Promise<ChangedFollowUp> {
  const hasFields = Object.keys(fields).length > 0
  if (before.completedAt !== null && hasFields) throw isDone(before)
  if (before.completedAt !== null) return { before, after: before }
  const open = hasFields ? await changeFollowUp(tx, before, fields, now) : before
  if (completeIn === undefined) return { before, after: open }
  const { done, next } = await completeFollowUp(tx, open, {
    now,
    today: dayInZone(completeIn, now),
  })
  return { before, after: done, ...(next && { next }) }
}

/** @throws {RequestError} `not_found` when it does not exist or belongs to another member. */
export async function markFollowUpComplete(
  call: Call,
  publicId: string,
  timeZone: string,
): Promise<ChangedFollowUps> {
  const followUp = await requireFollowUp(call.tx, publicId)
  return changeFollowUps(call, [followUp], { fields: {}, completeIn: timeZone })
}

function isDone({ followUpId }: FollowUp): RequestError {
  const publicId = publicFollowUpId(followUpId)
  return new RequestError(
    'conflict',
    t('{publicId} is already completed and cannot be changed.', { publicId }),
    { hint: t('Set a new follow-up, or undo the completion.') },
  )
}
