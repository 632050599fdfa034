/** How the activity log stores changes to follow-ups, and how they are undone. */

import { rfc3339 } from '../../base/clock.ts'
import { changedSince, type Undoer } from '../../tools/undo.ts'
import { publicConnectionId, readConnectionId } from '../model/connection.ts'
import {
  findFollowUp,
  followUpNumber,
  followUpPeople,
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

/** The changed fields; all fields for a new follow-up. */
interface RecordedFields {
  readonly connection_id?: string | null
  readonly text?: string
  readonly due_on?: string
  readonly due_time?: string
  readonly recurrence?: FollowUp['recurrence']
  readonly counts_from?: string
  readonly completed_at?: string | null
}

/** With its ID, where a change is about several things. */
export type RecordedFollowUp = RecordedFields & { readonly follow_up_id: string }

/** Also has the next follow-up when a recurring one was completed. */
type RecordedOne = RecordedFollowUp & { readonly next?: RecordedFollowUp }

interface RecordedMany {
  readonly follow_ups: readonly RecordedOne[]
}

export interface ChangedFollowUp {
  readonly before: FollowUp
  readonly after: FollowUp
  /** The next one, if it recurs and was completed. */
  readonly next?: FollowUp
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
      follow_ups: made.map(identified),
    },
  }
}

/** Records changes to follow-ups as one change; undefined when nothing changed. */
export function followUpChangesOf(all: readonly ChangedFollowUp[]): Change | undefined {
  const changed = all.filter(({ before, after }) => differing(before, after).length > 0)
  const [first, ...others] = changed
  if (!first) return undefined
  const concerned = changed.flatMap(({ before, after }) => concernedBy(before, after))
  if (others.length === 0) return { ...changeOfOne(first), connections: concerned }
  const changes = changed.map((one) => {
    const { subjectId: follow_up_id, before, after } = changeOfOne(one)
    // The person of each is in the title of the change.
    const { connection_id } = recordedOf(one.after)
    return [
      { follow_up_id, connection_id, ...before },
      { follow_up_id, connection_id, ...after },
    ] as const
  })
  return {
    action: SET_MANY,
    subjectKind: 'follow_ups',
    subjectId: `${changed.length}`,
    connections: concerned,
    before: { follow_ups: changes.map(([before]) => before) },
    after: { follow_ups: changes.map(([, after]) => after) },
  }
}

/** Records of a completed one also the next, if it recurs. */
function changeOfOne({ before, after, next }: ChangedFollowUp) {
  const fields = differing(before, after)
  return {
    action: fields.includes('completed_at') ? COMPLETE : SET,
    ...subjectOf(after),
    before: only(recordedOf(before), fields),
    after: {
      ...only(recordedOf(after), fields),
      ...(next && { next: identified(next) }),
    },
  } as const
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
    const [was, is] = [before, after].map((state) => followUpsIn(subjectId, state))
    return { ...swapped, connections: await swapFollowUps(tx, { was, is, now }) }
  },
}

/** The changed follow-ups, and the next follow-up of each recurring one. */
function followUpsIn(subjectId: string, state: object | null): RecordedFollowUp[] {
  if (!state) return []
  // Safe: recorded by the functions above, or swapped by an undo.
  const one = { follow_up_id: subjectId, ...state } as RecordedOne
  const all = 'follow_ups' in state ? (state as RecordedMany).follow_ups : [one]
  return all.flatMap(({ next, ...fields }) => (next ? [fields, next] : [fields]))
}

interface Swaps {
  readonly was: readonly RecordedFollowUp[] | undefined
  readonly is: readonly RecordedFollowUp[] | undefined
  readonly now: number
}

/** Restores follow-ups that have not changed since. Returns the IDs of the connections concerned. */
export async function swapFollowUps(
  tx: MemberTransaction,
  { was = [], is = [], now }: Swaps,
): Promise<number[]> {
  const concerned: number[] = []
  for (const id of new Set([...is, ...was].map(({ follow_up_id }) => follow_up_id))) {
    const fields = (some: readonly RecordedFollowUp[]) =>
      some.find(({ follow_up_id }) => follow_up_id === id) ?? null
    const swap = { subjectId: id, was: fields(was), is: fields(is), now }
    concerned.push(...(await restoreFollowUp(tx, swap)))
  }
  return concerned
}

interface Swap {
  readonly subjectId: string
  readonly was: RecordedFields | null
  readonly is: RecordedFields | null
  readonly now: number
}

async function restoreFollowUp(
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
    await recordSearchChanges(tx, followUpPeople(present))
  return concernedBy(present, restored)
}

const FIELDS = [
  'connection_id',
  'text',
  'due_on',
  'due_time',
  'recurrence',
  'counts_from',
  'completed_at',
] as const

/** A follow-up as a change to several things stores it. */
export function identified(followUp: FollowUp): RecordedFollowUp {
  return { follow_up_id: publicFollowUpId(followUp.followUpId), ...recordedOf(followUp) }
}

/** As the activity log stores a follow-up. */
function recordedOf(followUp: FollowUp): Required<RecordedFields> {
  return {
    connection_id:
      followUp.connectionId === null ? null : publicConnectionId(followUp.connectionId),
    text: followUp.text,
    due_on: followUp.dueOn,
    due_time: followUp.dueTime,
    recurrence: followUp.recurrence,
    counts_from: followUp.countsFrom,
    completed_at: rfc3339(followUp.completedAt),
  }
}

function fieldsOf(recorded: Required<RecordedFields>): Omit<FollowUp, 'followUpId'> {
  const { completed_at } = recorded
  return {
    connectionId:
      recorded.connection_id === null ? null : (readConnectionId(recorded.connection_id) ?? 0),
    text: recorded.text,
    dueOn: recorded.due_on,
    dueTime: recorded.due_time,
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
  return followUps.flatMap(followUpPeople)
}

function subjectOf({ followUpId }: FollowUp) {
  return { subjectKind: 'follow_up', subjectId: publicFollowUpId(followUpId) }
}
