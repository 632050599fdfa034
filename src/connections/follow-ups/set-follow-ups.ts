/** Plans the same follow-up with many people, as one change. */

import { RequestError } from '../../base/request-error.ts'
import { requireConnections } from '../editing/require-connection.ts'
import { createFollowUp, type FollowUp } from './follow-ups.ts'
import { creationsOf } from './follow-up-changes.ts'
import { readDueDay, readFollowUpText } from './set-follow-up.ts'
import { MAX_FOLLOW_UP_LENGTH } from '../../contact-files/contact/limits.ts'
import type { ListedFollowUp } from './follow-up-list.ts'
import type { WriteCall } from '../../tools/tool.ts'

interface PlannedWith {
  readonly text: string
  /** YYYY-MM-DD */
  readonly due_on: string
  readonly recurrence?: FollowUp['recurrence'] | undefined
}

interface PlannedFollowUps {
  readonly made: readonly ListedFollowUp[]
  /** ID of the change in the activity log. */
  readonly activityId: number
}

/**
 * @throws {RequestError} `invalid_request` when the text is missing or too long, or the date is invalid.
 * @throws {RequestError} `not_found` when a connection does not exist.
 */
export async function setFollowUps(
  { tx, now, record }: Pick<WriteCall, 'tx' | 'now' | 'record'>,
  people: readonly string[],
  { text, due_on, recurrence = 'none' }: PlannedWith,
): Promise<PlannedFollowUps> {
  const line = readFollowUpText(text)
  if (line === '' || line.length > MAX_FOLLOW_UP_LENGTH)
    throw new RequestError(
      'invalid_request',
      `Say what to do, in at most ${MAX_FOLLOW_UP_LENGTH} characters.`,
    )
  const dueOn = readDueDay(due_on)
  const made: ListedFollowUp[] = []
  for (const { connectionId, name } of await requireConnections(tx, people)) {
    const fields = { connectionId, text: line, dueOn, recurrence }
    made.push({ followUp: await createFollowUp(tx, fields, now), name })
  }
  const change = creationsOf(made.map(({ followUp }) => followUp))
  return { made, activityId: await record(change) }
}
