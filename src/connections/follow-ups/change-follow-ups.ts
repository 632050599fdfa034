/** Changes and completes follow-ups, and records it as one change, for the tool and the forms. */

import { dayInZone } from '../../dates/time-zone.ts'
import { t } from '../../languages/message.ts'
import { RequestError } from '../../base/request-error.ts'
import { identified } from '../../records/entry.ts'
import { recordChanged } from '../../records/record-rows.ts'
import { addRows, type DraftIn } from '../../records/recorded-table.ts'
import {
  FOLLOW_UPS,
  publicFollowUpId,
  requireFollowUp,
  successorOf,
  withFields,
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

interface ChangedFollowUp {
  readonly before: FollowUp
  readonly after: FollowUp
  /** The next one, if it recurs and was completed. */
  readonly next?: FollowUp | undefined
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
  const { tx, now } = call
  const planned = followUps.map((before) => planChange(before, wanted, now))
  const added = await addRows(
    FOLLOW_UPS,
    tx,
    planned.flatMap(({ successor }) => successor ?? []),
    now,
  )
  const next = added.values()
  const changed: ChangedFollowUp[] = planned.map(({ before, after, successor }) => ({
    before,
    after,
    next: successor && next.next().value,
  }))
  const { complete } = FOLLOW_UPS.actions
  const action = wanted.completeIn === undefined ? undefined : complete
  return {
    changed,
    activityId: await recordChanged(FOLLOW_UPS, call, changed.map(recorded), action),
  }
}

function recorded({ before, after, next }: ChangedFollowUp) {
  return { before, after, ...(next && { attached: { next: identified(FOLLOW_UPS, next) } }) }
}

interface Planned {
  readonly before: FollowUp
  readonly after: FollowUp
  readonly successor?: DraftIn<typeof FOLLOW_UPS> | undefined
}

function planChange(before: FollowUp, { fields, completeIn }: Wanted, now: number): Planned {
  const hasFields = Object.keys(fields).length > 0
  if (before.completedAt !== null && hasFields) throw isDone(before)
  if (before.completedAt !== null) return { before, after: before }
  const open = withFields(before, fields)
  if (completeIn === undefined) return { before, after: open }
  const successor = successorOf(open, { now, today: dayInZone(completeIn, now) })
  return { before, after: { ...open, completedAt: now }, successor }
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
