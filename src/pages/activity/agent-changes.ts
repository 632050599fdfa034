/** What agents changed since a time, such as the member's last visit: by agent, and by what they did. */

import { t } from '../../languages/message.ts'
import { findConnections } from '../../connections/model/connection-store.ts'
import { readConnectionId, type Connection } from '../../connections/model/connection.ts'
import { readActivityPage } from '../../tools/activity-log/activity-page.ts'
import { ACCOUNT_KIND, UNDO_ACTION, type ActivityAction } from '../../tools/activity-action.ts'
import { countOwnChangesSince, type ListedChange } from '../../tools/activity-log/read-activity.ts'
import { MAX_UNDONE } from '../../tools/undo/undo-change.ts'
import { allSubjects, readSubjects } from './change-subjects.ts'
import type { MemberReader } from '../../db/database.ts'

export interface AgentChanges {
  readonly actor: string
  /** What most changes did first. */
  readonly work: readonly AgentWork[]
  /** The time of the latest change. */
  readonly at: number
  readonly since: number
  /** How many changes an undo of all would undo; undefined if it cannot. */
  readonly undoCount: number | undefined
}

/** Changes of one kind. */
export interface AgentWork {
  /** As `tagged 12 people`. */
  readonly text: string
  /** The first of the people who are not deleted. */
  readonly people: readonly Connection[]
  readonly more: number
}

/** Changes that are looked at. */
const MAX_READ = 100
const MAX_PEOPLE = 6

/** Newest first, without undone ones. */
export async function readAgentChanges(
  reader: MemberReader,
  from: number,
): Promise<AgentChanges[]> {
  const { changes } = await readActivityPage(reader, MAX_READ)
  const recent = changes.filter(
    ({ isByAgent, at, undoneBy, action, subjectKind }) =>
      isByAgent &&
      at > from &&
      undoneBy === undefined &&
      action !== UNDO_ACTION &&
      subjectKind !== ACCOUNT_KIND,
  )
  const oldest = recent.at(-1)
  if (!oldest) return []
  const [counts, { connectionOf }] = await Promise.all([
    countOwnChangesSince(reader, oldest.activityId),
    readSubjects(reader, recent),
  ])
  const peopleOf = (change: ListedChange) =>
    allSubjects(change).flatMap((id) => readConnectionId(connectionOf(id) ?? '') ?? [])
  return Promise.all(
    [...Map.groupBy(recent, ({ actor }) => actor)].map(async ([actor, own]) => {
      const since = own.at(-1)?.activityId ?? 0
      const count = counts.get(since)
      const kinds = [...Map.groupBy(own, ({ action }) => kindOf(action))]
      const work = await Promise.all(
        kinds.map(async ([kind, all]) => {
          const ids = [...new Set(all.flatMap(peopleOf))]
          const known = await findConnections(reader, ids.slice(0, 2 * MAX_PEOPLE))
          const people = known.filter(({ deletedAt }) => deletedAt === null).slice(0, MAX_PEOPLE)
          const isOfPeople = COUNTED_BY_PEOPLE.has(kind)
          const number = isOfPeople ? Math.max(ids.length, 1) : all.length
          return { text: TEXTS[kind](number), people, more: ids.length - people.length, number }
        }),
      )
      return {
        actor,
        work: work.toSorted((one, other) => other.number - one.number),
        at: own[0]?.at ?? 0,
        since,
        undoCount: count !== undefined && count <= MAX_UNDONE ? count : undefined,
      }
    }),
  )
}

type Kind =
  | 'added'
  | 'changed'
  | 'tagged'
  | 'notes'
  | 'follow-ups'
  | 'completed'
  | 'contacts'
  | 'cadences'
  | 'other'

const COUNTED_BY_PEOPLE: ReadonlySet<Kind> = new Set(['added', 'changed', 'tagged', 'cadences'])

const KINDS: Readonly<Partial<Record<ActivityAction, Kind>>> = {
  'connection.add': 'added',
  'connections.add': 'added',
  'connection.update': 'changed',
  'connections.update': 'changed',
  'connections.tag': 'tagged',
  'note.add': 'notes',
  'notes.add': 'notes',
  'note.update': 'notes',
  'follow_up.set': 'follow-ups',
  'follow_ups.set': 'follow-ups',
  'follow_up.complete': 'completed',
  'interaction.set': 'contacts',
  'cadence.set': 'cadences',
}

function kindOf(action: string): Kind {
  return Object.entries(KINDS).find(([name]) => name === action)?.[1] ?? 'other'
}

const TEXTS: Readonly<Record<Kind, (count: number) => string>> = {
  added: (count) => t('{count, plural, one {added # person} other {added # people}}', { count }),
  changed: (count) =>
    t('{count, plural, one {changed # person} other {changed # people}}', { count }),
  tagged: (count) => t('{count, plural, one {tagged # person} other {tagged # people}}', { count }),
  notes: (count) => t('{count, plural, one {wrote # note} other {wrote # notes}}', { count }),
  'follow-ups': (count) =>
    t('{count, plural, one {added # follow-up} other {added # follow-ups}}', { count }),
  completed: (count) =>
    t('{count, plural, one {completed # follow-up} other {completed # follow-ups}}', {
      count,
    }),
  contacts: (count) =>
    t('{count, plural, one {logged # contact} other {logged # contacts}}', { count }),
  cadences: (count) => t('{count, plural, one {set # cadence} other {set # cadences}}', { count }),
  other: (count) =>
    t('{count, plural, one {made # other change} other {made # other changes}}', { count }),
}
