/** How the activity log stores changes to follow-ups, and how they are undone. */

import { rfc3339 } from '../../base/clock.ts'
import { changedSince, type Undoer } from '../../tools/undo.ts'
import { publicConnectionId, readConnectionId } from '../model/connection.ts'
import {
  findFollowUp,
  followUpNumber,
  publicFollowUpId,
  storeFollowUp,
  type FollowUp,
} from './follow-ups.ts'
import { recordSearchChanges } from '../model/search-changes.ts'
import type { MemberTransaction } from '../../db/database.ts'
import type { Change } from '../../tools/tool.ts'

const SET = 'follow_up.set'
const SET_MANY = 'follow_ups.set'
const COMPLETE = 'follow_up.complete'
const DELETE = 'follow_up.delete'

export interface RecordedFields {
  readonly connection_id?: string
  readonly text?: string
  readonly due_on?: string
  readonly recurrence?: FollowUp['recurrence']
  readonly counts_from?: string
  readonly completed_at?: string | null
}

interface RecordedMany {
  readonly follow_ups: readonly ({ readonly follow_up_id: string } & RecordedFields)[]
}

/** Also has the next follow-up when a recurring one was completed. */
interface Recorded extends RecordedFields {
  readonly next?: { readonly follow_up_id: string } & RecordedFields
}

export function creationOf(made: FollowUp): Change {
  return {
    action: SET,
    ...subjectOf(made),
    connections: concernedBy(made),
    before: null,
    after: recordedOf(made),
  }
}

/** Records follow-ups with many people as one change. */
export function creationsOf(made: readonly FollowUp[]): Change {
  const [first] = made
  if (made.length === 1 && first) return creationOf(first)
  return {
    action: SET_MANY,
    subjectKind: 'follow_ups',
    subjectId: `${made.length}`,
    connections: concernedBy(...made),
    before: null,
    after: {
      follow_ups: made.map((one) => ({
        follow_up_id: publicFollowUpId(one.followUpId),
        ...recordedOf(one),
      })),
    },
  }
}

/** Undefined when nothing changed. */
export function changeOf(before: FollowUp, after: FollowUp): Change | undefined {
  const fields = differing(before, after)
  if (fields.length === 0) return undefined
  return {
    action: SET,
    ...subjectOf(after),
    before: only(recordedOf(before), fields),
    after: only(recordedOf(after), fields),
    connections: concernedBy(before, after),
  }
}

/** Records that a follow-up is done and, if it recurs, the next one. */
export function completionOf(before: FollowUp, done: FollowUp, next?: FollowUp): Change {
  const fields = differing(before, done)
  return {
    action: COMPLETE,
    ...subjectOf(done),
    connections: concernedBy(done),
    before: only(recordedOf(before), fields),
    after: {
      ...only(recordedOf(done), fields),
      ...(next && {
        next: { follow_up_id: publicFollowUpId(next.followUpId), ...recordedOf(next) },
      }),
    },
  }
}

export function deletionOf(deleted: FollowUp): Change {
  return {
    action: DELETE,
    ...subjectOf(deleted),
    connections: concernedBy(deleted),
    before: recordedOf(deleted),
    after: null,
  }
}

export const followUpUndoer: Undoer = {
  actions: [SET, SET_MANY, COMPLETE, DELETE],
  async undo({ tx, now }, { action, subjectKind, subjectId, before, after }) {
    const swapped = { action, subjectKind, subjectId, before: after, after: before }
    // Safe: one of them was recorded by `creationsOf`.
    const many = action === SET_MANY ? ((before ?? after) as RecordedMany) : undefined
    if (many) {
      const concerned = []
      for (const { follow_up_id, ...fields } of many.follow_ups) {
        const [was, is] = before === null ? [null, fields] : [fields, null]
        concerned.push(...(await restoreFollowUp(tx, { subjectId: follow_up_id, was, is, now })))
      }
      return { ...swapped, connections: concerned }
    }
    // Both were recorded by the functions above, or swapped by an undo.
    const was: Recorded | null = before
    const is: Recorded | null = after
    const connections = await restoreFollowUp(tx, { subjectId, was, is, now })
    const follower = was?.next ?? is?.next
    if (follower)
      await restoreFollowUp(tx, {
        subjectId: follower.follow_up_id,
        was: was?.next ?? null,
        is: is?.next ?? null,
        now,
      })
    return { ...swapped, connections }
  },
}

interface Swap {
  readonly subjectId: string
  readonly was: RecordedFields | null
  readonly is: RecordedFields | null
  readonly now: number
}

/** Restores one follow-up if it has not changed since. Returns the IDs of the connections concerned. */
export async function restoreFollowUp(
  tx: MemberTransaction,
  { subjectId, was, is, now }: Swap,
): Promise<readonly number[]> {
  const present = await findFollowUp(tx, followUpNumber(subjectId))
  if (!present || present.isDeleted !== (is === null)) throw changedSince(subjectId)
  const fields = recordedOf(present)
  const changed = FIELDS.filter((field) => is && field in is && is[field] !== fields[field])
  if (changed.length > 0) throw changedSince(`${subjectId}: ${changed.join(', ')}`)
  const restored = was === null ? present : { ...present, ...fieldsOf({ ...fields, ...was }) }
  await storeFollowUp(tx, restored, was === null ? now : null, now)
  if (restored.connectionId !== present.connectionId)
    await recordSearchChanges(tx, [present.connectionId])
  return concernedBy(present, restored)
}

const FIELDS = [
  'connection_id',
  'text',
  'due_on',
  'recurrence',
  'counts_from',
  'completed_at',
] as const

/** As the activity log stores a follow-up. */
export function recordedOf(followUp: FollowUp): Required<RecordedFields> {
  return {
    connection_id: publicConnectionId(followUp.connectionId),
    text: followUp.text,
    due_on: followUp.dueOn,
    recurrence: followUp.recurrence,
    counts_from: followUp.countsFrom,
    completed_at: rfc3339(followUp.completedAt),
  }
}

function fieldsOf(recorded: Required<RecordedFields>): Omit<FollowUp, 'followUpId'> {
  const { completed_at } = recorded
  return {
    connectionId: readConnectionId(recorded.connection_id) ?? 0,
    text: recorded.text,
    dueOn: recorded.due_on,
    recurrence: recorded.recurrence,
    countsFrom: recorded.counts_from,
    completedAt: completed_at === null ? null : Date.parse(completed_at),
  }
}

function differing(one: FollowUp, other: FollowUp): (typeof FIELDS)[number][] {
  const [some, others] = [recordedOf(one), recordedOf(other)]
  return FIELDS.filter((field) => some[field] !== others[field])
}

function only(recorded: RecordedFields, fields: readonly (keyof RecordedFields)[]): RecordedFields {
  return Object.fromEntries(fields.map((field) => [field, recorded[field]]))
}

/** A follow-up that was moved to another connection concerns both. */
function concernedBy(...followUps: readonly FollowUp[]): number[] {
  return followUps.map(({ connectionId }) => connectionId)
}

function subjectOf({ followUpId }: FollowUp) {
  return { subjectKind: 'follow_up', subjectId: publicFollowUpId(followUpId) }
}
