/** How the activity log stores a change to several people with their follow-ups. */

import { identified } from '../../records/activity-entry.ts'
import { FOLLOW_UPS, type FollowUp } from '../follow-ups/follow-ups.ts'
import { changeOfOne, fullSnapshot, snapshotsOf, type Snapshot } from '../person/snapshot.ts'
import type { WholeConnection } from '../person/whole-connection.ts'
import type { State } from '../../records/logged-state.ts'
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
  if (others.length === 0 && !hasFollowUps) return changeOfOne(first.after, first.before)
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
