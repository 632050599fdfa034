/** Plans the same follow-up with many people, or with none, as one change. */

import { RequestError } from '../../base/request-error.ts'
import { requireConnections } from '../editing/require-connection.ts'
import { FOLLOW_UPS, findSameFollowUps, newFollowUp } from './follow-ups.ts'
import { recordNew } from '../../records/record-rows.ts'
import { readPlan, type PlannedText } from './set-follow-up.ts'
import { MAX_FOLLOW_UP_LENGTH } from '../../base/limits.ts'
import type { ListedFollowUp } from './follow-up-list.ts'
import type { WriteCall } from '../../tools/tool.ts'

interface PlannedFollowUps {
  readonly made: readonly ListedFollowUp[]
  /** How many of them were planned already. */
  readonly known: number
  /** ID of the change in the activity log; undefined when all were planned already. */
  readonly activityId: number | undefined
}

const NO_ONE = { connectionId: null, name: null } as const

/**
 * @throws {RequestError} `invalid_request` when the text is missing or too long, or the date is invalid.
 * @throws {RequestError} `not_found` when a connection does not exist.
 */
export async function setFollowUps(
  call: Pick<WriteCall, 'tx' | 'now' | 'record'>,
  people: readonly string[],
  argument: PlannedText,
): Promise<PlannedFollowUps> {
  const { tx, now } = call
  const planned = readPlan(argument)
  if (planned.text === '' || planned.text.length > MAX_FOLLOW_UP_LENGTH)
    throw new RequestError(
      'invalid_request',
      `Say what to do, in at most ${MAX_FOLLOW_UP_LENGTH} characters.`,
    )
  const connections = people.length === 0 ? [NO_ONE] : await requireConnections(tx, people)
  const ids = connections.map(({ connectionId }) => connectionId)
  const same = await findSameFollowUps(tx, ids, planned)
  const drafts = ids
    .filter((id) => !same.has(id))
    .map((connectionId) => newFollowUp({ ...planned, connectionId }, now))
  const { added, activityId } =
    drafts.length > 0 ? await recordNew(FOLLOW_UPS, call, drafts) : NOTHING_NEW
  const all = new Map([...same, ...added.map((one) => [one.connectionId, one] as const)])
  const made = connections.flatMap(({ connectionId, name }) => {
    const followUp = all.get(connectionId)
    return followUp ? [{ followUp, name }] : []
  })
  return { made, known: made.length - added.length, activityId }
}

const NOTHING_NEW = { added: [], activityId: undefined }
