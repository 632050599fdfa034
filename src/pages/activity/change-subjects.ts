/** The connections that changes are about, by their current names. */

import { publicConnectionId, readConnectionId } from '../../connections/model/connection.ts'
import { FOLLOW_UPS, followUpPeople } from '../../connections/follow-ups/follow-ups.ts'
import { findRows, numberIn } from '../../records/recorded-table.ts'
import { alongIn } from '../../records/undo-rows.ts'
import { findConnections } from '../../connections/model/connection-store.ts'
import type { MemberReader } from '../../db/database.ts'
import type { ActivityAction } from '../../tools/activity-action.ts'
import type { ListedChange } from '../../tools/activity-log/read-activity.ts'

/** The parts of a recorded change that pages read. */
export interface Recorded {
  readonly connection_id?: string
  readonly merged_into?: string | null
  /** Set for a change to several connections. */
  readonly connections?: readonly Recorded[]
  /** Set for a decision that connections are different people: their IDs, two by two. */
  readonly pairs?: readonly (readonly string[])[]
  readonly people?: readonly string[]
  /** Set for the interactions of a sync. */
  readonly interactions?: readonly Recorded[]
  readonly [field: string]: unknown
}

/** Features record changes as JSON objects; fields with unexpected values are ignored. */
export function recordedIn(part: object | null): Recorded {
  return (part ?? {}) as Recorded
}

/** The rest are shown as a count. */
const MAX_NAMED = 3

interface Subjects {
  /** The IDs of the first few connections; empty if the change is about none. */
  readonly ids: readonly string[]
  /** How many more connections it is about. */
  readonly others: number
}

/** The people of changes, keyed by the public ID of the connection or follow-up. */
export interface KnownPeople {
  readonly names: ReadonlyMap<string, string>
  /** The public ID of a connection that is not deleted; undefined for others. */
  readonly pageOf: (id: string) => string | undefined
  /** The public ID of the connection; undefined for a follow-up without a person. */
  readonly connectionOf: (id: string) => string | undefined
  /** What is to be done, by the public ID of the follow-up. */
  readonly tasks: ReadonlyMap<string, string>
}

export async function readSubjects(
  reader: MemberReader,
  changes: readonly ListedChange[],
): Promise<KnownPeople> {
  const mentioned = changes.filter(({ subjectKind }) => subjectKind === FOLLOW_UPS.noun)
  const numbers = mentioned.map(({ subjectId }) => numberIn(FOLLOW_UPS, subjectId))
  const followUps = await findRows(FOLLOW_UPS, reader, numbers)
  const tasks = new Map(followUps.map((one) => [FOLLOW_UPS.idOf(one), one.text]))
  const followed = new Map(
    followUps.flatMap((one) =>
      followUpPeople(one).map((id) => [FOLLOW_UPS.idOf(one), publicConnectionId(id)] as const),
    ),
  )
  const wanted = new Set([...changes.flatMap(mentionedIn), ...followed.values()])
  const ids = [...wanted].flatMap((id) => readConnectionId(id) ?? [])
  const connections = await findConnections(reader, ids)
  const names = new Map<string, string>(
    connections.map(({ connectionId, name }) => [publicConnectionId(connectionId), name]),
  )
  for (const [followUpId, connectionId] of followed) {
    const name = names.get(connectionId)
    if (name !== undefined) names.set(followUpId, name)
  }
  const live = new Set<string>(
    connections
      .filter(({ deletedAt }) => deletedAt === null)
      .map(({ connectionId }) => publicConnectionId(connectionId)),
  )
  const connectionOf = (id: string) => (id.startsWith('f_') ? followed.get(id) : id)
  const pageOf = (id: string) => {
    const connectionId = connectionOf(id)
    return connectionId !== undefined && live.has(connectionId) ? connectionId : undefined
  }
  return { names, pageOf, connectionOf, tasks }
}

/** Changes that record each of their connections alike, without what one has to do with another. */
const ALIKE: ReadonlySet<string> = new Set<ActivityAction>([
  'cadence.set',
  'connections.add',
  'connections.tag',
  'connections.update',
])

/** The change as far as it is about this connection. */
export function narrowedTo<Listed extends ListedChange>(id: string, change: Listed): Listed {
  if (!ALIKE.has(change.action)) return change
  const part = (whole: object | null) => {
    const { connections, ...rest } = recordedIn(whole)
    const own = connections?.filter((one) => one.connection_id === id)
    return own === undefined ? whole : { ...rest, connections: own }
  }
  return { ...change, before: part(change.before), after: part(change.after) }
}

/** A follow-up counts as its connection. */
export function subjectsOf(change: ListedChange): Subjects {
  const ids = allSubjects(change)
  return { ids: ids.slice(0, MAX_NAMED), others: Math.max(ids.length - MAX_NAMED, 0) }
}

/** The IDs of all connections and follow-ups that a change is about. */
export function allSubjects(change: ListedChange): readonly string[] {
  const { subjectKind, subjectId } = change
  if (subjectKind === 'connection' || subjectKind === 'follow_up') return [subjectId]
  const [before, after] = [recordedIn(change.before), recordedIn(change.after)]
  const several =
    after.connections ?? before.connections ?? after.interactions ?? before.interactions
  const all = several ?? [idsIn(after).length === 0 ? before : after]
  return [...new Set(all.flatMap(idsIn))]
}

function idsIn({ connection_id, pairs = [], people = [] }: Recorded): string[] {
  return [...(connection_id === undefined ? [] : [connection_id]), ...pairs.flat(), ...people]
}

function mentionedIn(change: ListedChange): string[] {
  const { before, after } = change
  const parts = [before, after, alongIn(after, 'after'), alongIn(before, 'after')].map(recordedIn)
  const several = parts.flatMap(({ connections = [], interactions = [] }) =>
    [...connections, ...interactions].slice(0, MAX_MENTIONED),
  )
  const mentioned = [...parts, ...several]
  const ids = [...mentioned.flatMap(idsIn), ...mentioned.map((part) => part.merged_into)]
  return [change.subjectId, ...ids].filter((id) => typeof id === 'string')
}

/** The connections of one change whose fields a page shows. */
const MAX_MENTIONED = 20
