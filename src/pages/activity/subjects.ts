/** Whom changes are about, by the names that people have now. */

import { publicConnectionId, readConnectionId } from '../../connections/model/connection.ts'
import { findFollowUp, followUpNumber } from '../../connections/follow-ups/follow-ups.ts'
import { findConnections } from '../../connections/model/connection-store.ts'
import type { MemberReader } from '../../db/database.ts'
import type { ListedChange } from '../../tools/activity.ts'

/** What features record of a change, as far as a page reads it. */
export interface Recorded {
  readonly connection_id?: string
  readonly merged_into?: string | null
  /** Of a change to many. */
  readonly connections?: readonly Recorded[]
  readonly [field: string]: unknown
}

/** Written by the features as JSON objects; a field that is not as expected says nothing. */
export function recordedIn(part: object | null): Recorded {
  return (part ?? {}) as Recorded
}

/** More of a change to many are told by their number. */
const MAX_NAMED = 3

export interface Subjects {
  /** Of the first few that a change is about; none where it is about no connection. */
  readonly ids: readonly string[]
  /** How many others it is about. */
  readonly others: number
}

/** The names that these changes need, by the public id of the connection. */
export async function readNames(
  reader: MemberReader,
  changes: readonly ListedChange[],
): Promise<ReadonlyMap<string, string>> {
  const followed = new Map<string, string>()
  for (const { subjectKind, subjectId } of changes) {
    if (subjectKind !== 'follow_up' || followed.has(subjectId)) continue
    const followUp = await findFollowUp(reader, followUpNumber(subjectId))
    if (followUp) followed.set(subjectId, publicConnectionId(followUp.connectionId))
  }
  const wanted = new Set([...changes.flatMap(mentionedIn), ...followed.values()])
  const ids = [...wanted].flatMap((id) => readConnectionId(id) ?? [])
  const connections = await findConnections(reader, ids)
  const names = new Map(
    connections.map(({ connectionId, name }) => [publicConnectionId(connectionId), name]),
  )
  for (const [followUpId, connectionId] of followed) {
    const name = names.get(connectionId)
    if (name !== undefined) names.set(followUpId, name)
  }
  return names
}

/** A follow-up stands for whom it is about. */
export function subjectsOf(change: ListedChange): Subjects {
  const { subjectKind, subjectId } = change
  if (subjectKind === 'connection' || subjectKind === 'follow_up')
    return { ids: [subjectId], others: 0 }
  const [before, after] = [recordedIn(change.before), recordedIn(change.after)]
  const several = after.connections ?? before.connections
  const all = several ?? [after.connection_id === undefined ? before : after]
  const ids = all.flatMap(({ connection_id }) => connection_id ?? [])
  return { ids: ids.slice(0, MAX_NAMED), others: Math.max(ids.length - MAX_NAMED, 0) }
}

function mentionedIn(change: ListedChange): string[] {
  const parts = [change.before, change.after].map(recordedIn)
  const several = parts.flatMap(({ connections = [] }) => connections.slice(0, MAX_MENTIONED))
  const ids = [...parts, ...several].flatMap(({ connection_id, merged_into }) => [
    connection_id,
    merged_into,
  ])
  return [change.subjectId, ...ids].filter((id) => typeof id === 'string')
}

/** As many connections of one change as a page tells the fields of. */
const MAX_MENTIONED = 20
