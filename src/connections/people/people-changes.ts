/** How the activity log stores a change to several people with their follow-ups, and how it is undone. */

import { identified } from '../../records/entry.ts'
import { statesIn } from '../../records/restore.ts'
import { FOLLOW_UPS, type FollowUp } from '../follow-ups/follow-ups.ts'
import { fullSnapshot, connectionIdOf, snapshotsOf, type Snapshot } from '../model/snapshot.ts'
import { restoreSnapshot } from '../undo/undo-connections.ts'
import { redoCreation, undoCreation } from '../undo/undo-creation.ts'
import { subjectOf } from '../editing/edit.ts'
import type { WholeConnection } from '../model/whole-connection.ts'
import type { State } from '../../records/logged-state.ts'
import type { Undoer } from '../../tools/undo.ts'
import type { Change } from '../../tools/tool.ts'

/** A person who was changed, or created if there is no state before. */
export interface ChangedPerson {
  readonly before?: WholeConnection
  readonly after: WholeConnection
  readonly followUp?: FollowUp
}

/** The people with a state on one side only were created; they come last. */
interface RecordedPeople {
  readonly connections: readonly Snapshot[]
  readonly follow_ups?: readonly State[]
}

/** One entry for all people of a call, so that one undo reverts it. */
export function peopleChangeOf(people: readonly ChangedPerson[]): Change {
  const [first, ...others] = people
  if (!first) throw new Error('no one was changed')
  const hasFollowUps = people.some(({ followUp }) => followUp)
  if (others.length === 0 && !hasFollowUps) return changeOfOne(first)
  const ordered = [...people.filter(({ before }) => before), ...people.filter((one) => !one.before)]
  const states = ordered.map(statesOf)
  const was = states.flatMap(({ before }) => before ?? [])
  const followUps = people.flatMap(({ followUp }) =>
    followUp ? [identified(FOLLOW_UPS, followUp)] : [],
  )
  const before: RecordedPeople | null = was.length > 0 ? { connections: was } : null
  const after: RecordedPeople = {
    connections: states.map((one) => one.after),
    ...(hasFollowUps && { follow_ups: followUps }),
  }
  return {
    action: before === null && !hasFollowUps ? 'connections.add' : 'connections.update',
    subjectKind: 'connections',
    subjectId: String(people.length),
    before,
    after,
    connections: people.map((one) => one.after.connection.connectionId),
  }
}

function changeOfOne({ before, after }: ChangedPerson): Change {
  const subject = subjectOf(after.connection)
  if (before) return { action: 'connection.update', ...subject, ...snapshotsOf(before, after) }
  return { action: 'connection.add', ...subject, before: null, after: fullSnapshot(after) }
}

interface States {
  readonly before?: Snapshot
  readonly after: Snapshot
}

function statesOf({ before, after, followUp }: ChangedPerson): States {
  const states: States = before ? snapshotsOf(before, after) : { after: fullSnapshot(after) }
  if (!followUp) return states
  const planned = `${followUp.text} (${followUp.dueOn})`
  return { ...states, after: { ...states.after, follow_up: planned } }
}

/** Undoes a change to several people: all of it, or nothing if one of them has changed. */
export const peopleUndoer: Undoer = {
  actions: ['connections.add', 'connections.update'],
  async undo({ tx, now, since }, { action, subjectKind, subjectId, before, after }) {
    // Both were recorded by peopleChangeOf, or swapped by an undo.
    const [is, was] = [after as RecordedPeople | null, before as RecordedPeople | null]
    const [from, to] = [is?.connections ?? [], was?.connections ?? []]
    // Someone with a follow-up counts as used, so that their creation cannot be undone.
    await FOLLOW_UPS.swap(tx, { was: NONE, is: statesIn(FOLLOW_UPS, is), now })
    const both = Math.min(from.length, to.length)
    if (both > 0) await restoreSnapshot(tx, from.slice(0, both), to.slice(0, both), now)
    for (const snapshot of from.slice(both)) await undoCreation(tx, snapshot, since, now)
    for (const snapshot of to.slice(both)) await redoCreation(tx, snapshot, now)
    await FOLLOW_UPS.swap(tx, { was: statesIn(FOLLOW_UPS, was), is: NONE, now })
    const connections = (from.length > to.length ? from : to).map(connectionIdOf)
    return { action, subjectKind, subjectId, before: after, after: before, connections }
  },
}

const NONE: ReadonlyMap<string, State> = new Map()
