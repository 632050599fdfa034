/** How the activity log stores changes to interactions, and how they are undone. */

import { rfc3339 } from '../../base/clock.ts'
import { localTimeAt } from '../../base/calendar-day.ts'
import { changedSince, type Undoer } from '../../tools/undo.ts'
import { publicConnectionId, readConnectionId } from '../model/connection.ts'
import {
  dayOfInteraction,
  findInteractions,
  interactionNumber,
  isSameInteraction,
  onDay,
  publicInteractionId,
  storeInteractions,
  type Interaction,
  type InteractionDraft,
} from './interaction-store.ts'
import {
  identified,
  swapFollowUps,
  type RecordedFollowUp,
} from '../follow-ups/follow-up-changes.ts'
import type { FollowUp } from '../follow-ups/follow-ups.ts'
import type { MemberTransaction } from '../../db/database.ts'
import type { Change } from '../../tools/tool.ts'

const SET = 'interaction.set'
const DELETE = 'interaction.delete'
const SYNC = 'interactions.sync'

/** `at` and `zone` are absent if only the day is known. */
interface Recorded extends Pick<InteractionDraft, 'kind' | 'direction' | 'subject' | 'text'> {
  readonly people: readonly string[]
  readonly on: string
  readonly at?: string
  readonly zone?: string
  /** That were planned with it. */
  readonly follow_ups?: readonly RecordedFollowUp[]
}

/** One of many; only with its ID if it does not exist in this state. */
type RecordedOne = { readonly interaction_id: string } & Partial<Recorded>

interface RecordedMany {
  readonly interactions: readonly RecordedOne[]
}

/** Before and after a change; undefined for one that did not exist or no longer does. */
export interface InteractionChange {
  readonly before: Interaction | undefined
  readonly after: Interaction | undefined
}

/** The change of one interaction and the follow-up that was planned with it, for the activity log. */
export function interactionChange(
  { before, after }: InteractionChange,
  followUp?: FollowUp,
): Change {
  const one = after ?? before
  if (!one) throw new TypeError('an interaction that neither was nor is')
  return {
    action: after ? SET : DELETE,
    subjectKind: 'interaction',
    subjectId: publicInteractionId(one.interactionId),
    before: before ? recordedOf(before) : null,
    after: after
      ? { ...recordedOf(after), ...(followUp && { follow_ups: [identified(followUp)] }) }
      : null,
    connections: peopleOf([{ before, after }]),
  }
}

/** Many changes as one entry of the activity log, such as those of one sync. `source` names where they came from. */
export function syncChangeOf(source: string, changes: readonly InteractionChange[]): Change {
  const states = changes.map(({ before, after }) => {
    const interaction_id = publicInteractionId((after ?? before)?.interactionId ?? 0)
    return {
      before: { interaction_id, ...(before && recordedOf(before)) },
      after: { interaction_id, ...(after && recordedOf(after)) },
    }
  })
  return {
    action: SYNC,
    subjectKind: 'interactions',
    subjectId: source,
    before: { interactions: states.map(({ before }) => before) },
    after: { interactions: states.map(({ after }) => after) },
    connections: peopleOf(changes),
  }
}

export const interactionUndoer: Undoer = {
  actions: [SET, DELETE, SYNC],
  async undo({ tx, now }, { action, subjectKind, subjectId, before, after }) {
    // Both were recorded by the functions above, or swapped by an undo.
    const [was, is] = [statesIn(subjectId, before), statesIn(subjectId, after)]
    const connections = await restore(tx, was, is, now)
    const planned = [was, is].map((states) =>
      [...states.values()].flatMap((one) => one?.follow_ups ?? []),
    )
    await swapFollowUps(tx, { was: planned[0], is: planned[1], now })
    return { action, subjectKind, subjectId, before: after, after: before, connections }
  },
}

/** The recorded states by the number of the interaction; undefined for one that did not exist. */
function statesIn(subjectId: string, state: object | null): Map<number, Recorded | undefined> {
  if (state && 'interactions' in state)
    return new Map(
      (state as RecordedMany).interactions.map(({ interaction_id, ...recorded }) => [
        interactionNumber(interaction_id),
        'kind' in recorded ? (recorded as Recorded) : undefined,
      ]),
    )
  return new Map([[interactionNumber(subjectId), (state ?? undefined) as Recorded | undefined]])
}

/** Restores interactions that have not changed since. Returns the numbers of their people. */
async function restore(
  tx: MemberTransaction,
  was: ReadonlyMap<number, Recorded | undefined>,
  is: ReadonlyMap<number, Recorded | undefined>,
  now: number,
): Promise<number[]> {
  const present = new Map(
    (await findInteractions(tx, [...is.keys()])).map((one) => [one.interactionId, one]),
  )
  const updates = [...is].map(([id, recorded]) => {
    const before = present.get(id)
    const isUnchanged =
      before &&
      (recorded
        ? before.deletedAt === null &&
          isSameInteraction(before, { ...before, ...draftOf(recorded) })
        : before.deletedAt !== null)
    if (!before || isUnchanged !== true) throw changedSince(publicInteractionId(id))
    const target = was.get(id)
    const state = { deletedAt: target ? null : now, isGone: 0 }
    return { before, after: { ...before, ...(target && draftOf(target)), ...state } }
  })
  await storeInteractions(tx, updates, now)
  return peopleOf(updates)
}

function peopleOf(changes: readonly InteractionChange[]): number[] {
  return [
    ...new Set(
      changes.flatMap(({ before, after }) => [...(before?.people ?? []), ...(after?.people ?? [])]),
    ),
  ]
}

function recordedOf(one: Interaction): Recorded {
  return {
    people: one.people.map(publicConnectionId),
    kind: one.kind,
    direction: one.direction,
    on: dayOfInteraction(one),
    ...(one.happenedAt !== null &&
      one.zone !== null && { at: rfc3339(one.happenedAt), zone: one.zone }),
    subject: one.subject,
    text: one.text,
  }
}

function draftOf({ people, on, at, zone, follow_ups: _planned, ...fields }: Recorded) {
  const happenedAt = at === undefined ? null : Date.parse(at)
  const time =
    happenedAt === null || zone === undefined
      ? onDay(on)
      : { localAt: localTimeAt(zone, happenedAt), happenedAt, zone }
  return { ...fields, ...time, people: people.map((id) => readConnectionId(id) ?? 0) }
}
