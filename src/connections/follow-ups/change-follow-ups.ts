/** Plans, changes and completes follow-ups, each call as one change, for the tools and the forms. */

import { MAX_FOLLOW_UP_LENGTH } from '../../base/limits.ts'
import { RequestError } from '../../base/request-error.ts'
import { nextDay } from '../../dates/recurrence.ts'
import { dayInZone } from '../../dates/time-zone.ts'
import { memberStatement } from '../../db/statement.ts'
import { t } from '../../languages/message.ts'
import { identified } from '../../records/activity-entry.ts'
import { recordChanged, recordNew } from '../../records/record-rows.ts'
import { addRows, storeRows, type DraftIn } from '../../records/recorded-table.ts'
import { requireConnections } from '../editing/require-connection.ts'
import {
  FOLLOW_UP_COLUMNS,
  FOLLOW_UPS,
  newFollowUp,
  publicFollowUpId,
  requireFollowUp,
  withFields,
  type FollowUp,
  type FollowUpFields,
  type FollowUpPlan,
} from './follow-ups.ts'
import { type ListedFollowUp } from './follow-up-list.ts'
import { readPlan, type PlannedText } from './follow-up-schemas.ts'
import type { State } from '../../records/logged-state.ts'
import type { Along } from '../../records/undo-rows.ts'
import type { MemberReader } from '../../db/database.ts'
import type { Changing } from '../../tools/tool.ts'

interface PlannedFollowUps {
  readonly made: readonly ListedFollowUp[]
  /** How many of them were planned already. */
  readonly known: number
  /** ID of the change in the activity log; undefined when all were planned already. */
  readonly activityId: number | undefined
}

const NO_ONE = { connectionId: null, name: null } as const

/**
 * Plans the same follow-up with many people, or with none. Skips people who have it already.
 *
 * @throws {RequestError} `invalid_request` when the text is missing or too long, or the date is invalid.
 * @throws {RequestError} `not_found` when a connection does not exist.
 */
export async function planFollowUps(
  call: Changing,
  people: readonly string[],
  argument: PlannedText,
): Promise<PlannedFollowUps> {
  const { tx, now } = call
  const plan = readPlan(argument)
  if (plan.text === '' || plan.text.length > MAX_FOLLOW_UP_LENGTH)
    throw new RequestError(
      'invalid_request',
      `Say what to do, in at most ${MAX_FOLLOW_UP_LENGTH} characters.`,
    )
  const connections = people.length === 0 ? [NO_ONE] : await requireConnections(tx, people)
  const ids = connections.map(({ connectionId }) => connectionId)
  const same = await findSameFollowUps(tx, ids, plan)
  const drafts = ids
    .filter((id) => !same.has(id))
    .map((connectionId) => newFollowUp({ ...plan, connectionId }, now))
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

/** Open follow-ups that are the same, by the number of the connection; null is one without a person. */
async function findSameFollowUps(
  reader: MemberReader,
  ids: readonly (number | null)[],
  { text, dueOn, dueTime, recurrence }: FollowUpPlan,
): Promise<ReadonlyMap<number | null, FollowUp>> {
  const planned = { text, due_on: dueOn, due_time: dueTime, recurrence }
  const people = ids.filter((id) => id !== null)
  const rows = [
    ...(people.length > 0 ? await reader.all(SAME, { ids: people, ...planned }) : []),
    ...(people.length < ids.length ? await reader.all(SAME_ALONE, planned) : []),
  ]
  return new Map(rows.map((row) => [row.connectionId, row]))
}

type Planned = Readonly<Record<'text' | 'due_on' | 'due_time' | 'recurrence', string>>

const SAME_PLAN =
  `f.text = :text and f.due_on = :due_on and f.due_time = :due_time and f.recurrence = :recurrence
    and f.completed_at is null and f.deleted_at is null` as const

/** By follow_ups_by_connection. */
const SAME = memberStatement<Planned & { readonly ids: readonly number[] }, FollowUp>()(`
  select ${FOLLOW_UP_COLUMNS} from follow_ups f each (connection_id = :ids...bigint)
  where f.member_id = :member_id and ${SAME_PLAN}`)

/** By follow_ups_by_day. */
const SAME_ALONE = memberStatement<Planned, FollowUp>()(`
  select ${FOLLOW_UP_COLUMNS} from follow_ups f
  where f.member_id = :member_id and f.connection_id is null and ${SAME_PLAN}`)

interface Wanted {
  readonly fields?: Partial<FollowUpFields>
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
 * Changes or completes follow-ups. Omitted fields are unchanged. Completing a follow-up again changes nothing.
 *
 * @throws {RequestError} `conflict` when one is already completed and fields are given.
 */
export async function changeFollowUps(
  call: Changing,
  followUps: readonly FollowUp[],
  wanted: Wanted,
): Promise<ChangedFollowUps> {
  const { tx, now } = call
  const planned = followUps.map((before) => planChange(before, wanted, now))
  const successors = planned.flatMap(({ successor }) => successor ?? [])
  const next = (await addRows(FOLLOW_UPS, tx, successors, now)).values()
  const changed: ChangedFollowUp[] = planned.map(({ before, after, successor }) => ({
    before,
    after,
    next: successor && next.next().value,
  }))
  const action = wanted.completeIn === undefined ? undefined : FOLLOW_UPS.actions.complete
  const activityId = await recordChanged(FOLLOW_UPS, call, changed.map(recorded), action)
  return { changed, activityId }
}

function recorded({ before, after, next }: ChangedFollowUp) {
  return { before, after, attached: nextOf(next) }
}

function nextOf(next: FollowUp | undefined): State | undefined {
  return next && { next: identified(FOLLOW_UPS, next) }
}

interface PlannedChange {
  readonly before: FollowUp
  readonly after: FollowUp
  readonly successor?: DraftIn<typeof FOLLOW_UPS> | undefined
}

function planChange(
  before: FollowUp,
  { fields = {}, completeIn }: Wanted,
  now: number,
): PlannedChange {
  const hasFields = Object.keys(fields).length > 0
  if (before.completedAt !== null && hasFields) throw isDone(before)
  if (before.completedAt !== null) return { before, after: before }
  const open = withFields(before, fields)
  if (completeIn === undefined) return { before, after: open }
  const successor = successorOf(open, { now, today: dayInZone(completeIn, now) })
  return { before, after: { ...open, completedAt: now }, successor }
}

/** The successor of a completed recurring follow-up, on the next future date of its series; undefined if there is none. */
function successorOf(
  { countsFrom, recurrence, dueOn, ...fields }: FollowUp,
  { now, today }: { readonly now: number; readonly today: string },
): DraftIn<typeof FOLLOW_UPS> | undefined {
  const next = nextDay(countsFrom, recurrence, dueOn > today ? dueOn : today)
  if (next === undefined) return undefined
  return { ...newFollowUp({ ...fields, recurrence, dueOn: next }, now), countsFrom }
}

/**
 * Completes a follow-up as part of another change. Returns what the entry of that change has to contain; undefined if the
 * follow-up was already completed.
 *
 * @throws {RequestError} `not_found` when it does not exist or belongs to another member.
 */
export async function completeAlong(
  { tx, now }: Pick<Changing, 'tx' | 'now'>,
  publicId: string,
  timeZone: string,
): Promise<Along | undefined> {
  const followUp = await requireFollowUp(tx, publicId)
  const { before, after, successor } = planChange(
    followUp,
    { fields: {}, completeIn: timeZone },
    now,
  )
  if (before === after) return undefined
  const [next] = await addRows(FOLLOW_UPS, tx, successor ? [successor] : [], now)
  await storeRows(FOLLOW_UPS, tx, [{ before, after }], now)
  const listed = (state: State) => ({ [FOLLOW_UPS.plural]: [state] })
  return {
    along: {
      before: listed(identified(FOLLOW_UPS, before)),
      after: listed({ ...identified(FOLLOW_UPS, after), ...nextOf(next) }),
    },
  }
}

function isDone({ followUpId }: FollowUp): RequestError {
  const publicId = publicFollowUpId(followUpId)
  return new RequestError(
    'conflict',
    t('{publicId} is already completed and cannot be changed.', { publicId }),
    { hint: t('Set a new follow-up, or undo the completion.') },
  )
}

/**
 * Completes one follow-up. Returns the activity ID; undefined if it was already completed.
 *
 * @throws {RequestError} `not_found` when it does not exist or belongs to another member.
 */
export async function completeFollowUp(
  call: Changing,
  publicId: string,
  completeIn: string,
): Promise<number | undefined> {
  const followUp = await requireFollowUp(call.tx, publicId)
  return (await changeFollowUps(call, [followUp], { completeIn })).activityId
}
