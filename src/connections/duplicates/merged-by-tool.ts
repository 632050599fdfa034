/** What a connection got from one that was merged into it. */

import { NO_CADENCE } from '../last-contact/contact-times.ts'
import { memberStatement } from '../../db/statement.ts'
import { cadencesOf, recordedCadence } from '../cadence/cadence-store.ts'
import {
  FIELD_NAMES,
  LIST_FIELDS,
  publicConnectionId,
  readConnectionId,
  TEXT_FIELDS,
  type Connection,
  type ListField,
  type TextField,
} from '../model/connection.ts'
import { findConnection } from '../model/connection-store.ts'
import {
  detailNamed,
  NO_DETAILS,
  withDetails,
  type Details,
  type DetailValue,
} from '../../contact-files/contact/details.ts'
import {
  cadenceIn,
  isSame,
  recordNumberIn,
  type Snapshot,
  type SnapshotPair,
} from '../person/snapshot.ts'
import { MERGE_ACTION } from '../undo/merges-since.ts'
import { without, withoutDetails, type Merged } from './without-merged.ts'
import type { MemberReader } from '../../db/database.ts'

/** The connection that was merged last, or the given one. */
export async function findMerged(
  reader: MemberReader,
  present: Connection,
  mergedId: string | undefined,
): Promise<Merged | undefined> {
  const wanted = mergedId === undefined ? undefined : (readConnectionId(mergedId) ?? 0)
  const rows = await reader.all(MERGES_INTO, {
    connection_id: present.connectionId,
    subject_id: publicConnectionId(present.connectionId),
    merge: MERGE_ACTION,
  })
  for (const { before, after } of rows) {
    if (before === null || after === null) continue
    // In the format of mergeConnections. If the merge had been undone, the connection would exist.
    const [was, is] = [JSON.parse(before) as SnapshotPair, JSON.parse(after) as SnapshotPair]
    for (const snapshot of was.connections.slice(1)) {
      const id = readConnectionId(snapshot.connection_id) ?? 0
      if (wanted !== undefined && id !== wanted) continue
      const other = await findConnection(reader, id)
      if (other?.mergedInto !== present.connectionId) continue
      const kept = [was.connections[0], is.connections[0]] as const
      const cadence = await unchangedCadence(reader, present.connectionId, kept)
      return { ...mergedOf(present, other, snapshot, kept), cadence }
    }
  }
  return undefined
}

/** The kept connection before and after the merge, with the fields that it changed. */
type KeptStates = readonly [was: Snapshot | undefined, is: Snapshot | undefined]

/** The cadence that the merge replaced; undefined if it replaced none, or it was changed since. */
async function unchangedCadence(
  reader: MemberReader,
  connectionId: number,
  [was, is]: KeptStates,
): Promise<Merged['cadence']> {
  const [before, after] = [cadenceIn(was), cadenceIn(is)]
  if (before === undefined || after === undefined) return undefined
  const own = (await cadencesOf(reader, [connectionId])).get(connectionId) ?? NO_CADENCE
  return isSame(recordedCadence(own), after) ? { before, after } : undefined
}

function mergedOf(
  present: Connection,
  other: Connection,
  snapshot: Snapshot,
  [was, is]: KeptStates,
): Omit<Merged, 'cadence'> {
  const values: Partial<Record<TextField, string | null>> = {}
  const lists: Partial<Record<ListField, readonly string[]>> = {}
  const respelled: string[] = []
  for (const field of TEXT_FIELDS) {
    const name = FIELD_NAMES[field]
    if (is?.[name] !== undefined && is[name] === present[field]) values[field] = was?.[name] ?? null
  }
  for (const field of LIST_FIELDS) {
    const name = FIELD_NAMES[field]
    const own = new Set(was?.[name])
    lists[field] = (is?.[name] ?? []).filter((value) => !own.has(value))
    if (field === 'phones') respelled.push(...own.difference(new Set(is?.[name] ?? own)))
  }
  const rest = without(present, values, lists, was?.sources ?? {})
  return {
    other,
    rest: withoutDetails(
      { ...rest, phones: [...respelled, ...rest.phones] },
      {
        before: detailsIn(was),
        after: detailsIn(is),
        sources: was?.sources ?? {},
      },
    ),
    rows: snapshot.moved_rows ?? {},
    interactions: (snapshot.interactions ?? []).map(recordNumberIn),
    sharedInteractions: (was?.interactions ?? []).map(recordNumberIn),
    tags: (is?.tags ?? []).filter((tag) => was?.tags?.includes(tag) !== true),
    otherTags: [],
    keys: [],
  }
}

/** The details in a snapshot. */
function detailsIn(snapshot: Snapshot | undefined): Details {
  const values = Object.entries(snapshot ?? {}).flatMap(([name, value]) => {
    const field = detailNamed(name)
    // In the format of `snapshotsOf`.
    return field ? [[field, value as DetailValue | null] as const] : []
  })
  return withDetails(NO_DETAILS, values)
}

/** By primary key, latest first. */
const MERGES_INTO = memberStatement<
  { connection_id: number; subject_id: string; merge: string },
  { before: string | null; after: string | null }
>()(`
  select a.before, a.after from activity_connections c
  join activity a on a.member_id = :member_id and a.activity_id = c.activity_id
  where c.member_id = :member_id and c.connection_id = :connection_id
    and a.action = :merge and a.subject_id = :subject_id
  order by c.activity_id desc`)
