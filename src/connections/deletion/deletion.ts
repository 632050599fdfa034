/** Deletes connections and restores them until they are purged. */

import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { DAY, rfc3339 } from '../../base/clock.ts'
import { pageFrom, readCursor, type Page } from '../../base/cursor.ts'
import { asProperties, memberStatement } from '../../db/statement.ts'
import {
  idsOf,
  LISTED_COLUMNS,
  UNDONE,
  toListed,
  publicConnectionId,
  readConnectionId,
  type Connection,
  type Listed,
  type ListedRow,
} from '../model/connection.ts'
import { findDeletedPeople, MAX_CANDIDATES } from '../editing/find-person.ts'
import { resolvePeople, WHOLE_NAMES, type NamedPerson } from '../editing/require-connection.ts'
import { setDeleted } from '../model/record-deletion.ts'
import { peopleRefs } from '../person/people-argument.ts'
import type { ActivityAction } from '../../tools/activity-action.ts'
import type { MemberDatabase, MemberReader, MemberTransaction } from '../../db/database.ts'
import type { Change } from '../../tools/tool.ts'
import type { Snapshot } from '../person/snapshot.ts'

/** After this time `purge_deleted` removes them permanently. */
export const DELETED_RETENTION_MS = 30 * DAY

/** Connections that one call can delete or restore. */
const MAX_PER_CALL = 200

export const ManyPeople = {
  ...peopleRefs(MAX_PER_CALL),
  description: 'IDs, emails or full names',
}

export const SkippedConnections = Type.Optional(
  Type.Array(Type.Closed({ connection_id: Type.String(), reason: Type.String() })),
)
type SkippedConnections = NonNullable<Static<typeof SkippedConnections>>

/** The result of deleting or restoring connections. */
interface Deletion {
  readonly done: readonly Connection[]
  readonly skipped: SkippedConnections
  /** False when no one of the given people was found, not even as a deleted connection. */
  readonly isAnyKnown: boolean
  /** Undefined when nothing changed. */
  readonly change: Change | undefined
}

/** Keeps their tags, notes and follow-ups for a restore. */
export async function deleteConnections(
  tx: MemberTransaction,
  people: readonly string[],
  now: number,
): Promise<Deletion> {
  const named = await resolvePeople(tx, people, WHOLE_NAMES)
  const { done, skipped, isAnyKnown } = sortOut(named, deletionProblem, UNKNOWN)
  await setDeleted(tx, idsOf(done), { deletedAt: now }, now)
  return { done, skipped, isAnyKnown, change: changeOf('connections.delete', done, now) }
}

/** Restores deleted connections. The result lists those that cannot be restored, and why. */
export async function restoreConnections(
  tx: MemberTransaction,
  publicIds: readonly string[],
  now: number,
): Promise<Deletion> {
  const named = await resolvePeople(tx, publicIds, WHOLE_NAMES)
  const people = await Promise.all(named.map((one) => asDeleted(tx, one)))
  const { done, skipped, isAnyKnown } = sortOut(people, restoreProblem, NOT_DELETED)
  await setDeleted(tx, idsOf(done), { deletedAt: null }, now)
  return { done, skipped, isAnyKnown, change: changeOf('connections.restore', done, null) }
}

/** A deleted person with the name, a part of it or the email comes before a living one. */
async function asDeleted(tx: MemberTransaction, person: NamedPerson): Promise<NamedPerson> {
  const { given, candidates = [] } = person
  if (readConnectionId(given) !== undefined) return person
  const [deleted, ...others] = await findDeletedPeople(tx, given)
  if (!deleted) return candidates.length === 0 ? person : { given }
  return others.length === 0 ? { given, deleted } : { given, candidates: [deleted, ...others] }
}

export type DeletedConnection = Listed & { readonly deletedAt: number }

/** Connections that can be restored, last deleted first. */
export async function listDeleted(
  db: MemberReader & Pick<MemberDatabase, 'heavy'>,
  limit: number,
  cursor?: string,
): Promise<Page<DeletedConnection>> {
  const question = [db.memberId, 'deleted']
  const [at, id] = cursor === undefined ? FIRST : readCursor(question, cursor, ['number', 'number'])
  const rows = await db.heavy.all(DELETED, { at, id, limit: limit + 1 })
  const page = pageFrom(rows, limit, question, (row) => [row.deletedAt, row.connectionId])
  return { ...page, entries: page.entries.map(toListed) }
}

type DeletedRow = ListedRow & { readonly deletedAt: number }

/** Before the last deleted connection. */
const FIRST = [Number.MAX_SAFE_INTEGER, 0] as const

function sortOut(
  people: readonly NamedPerson[],
  whyNot: (connection: Connection) => string | undefined,
  unknown: string,
): Omit<Deletion, 'change'> {
  const [done, skipped]: [Connection[], SkippedConnections] = [[], []]
  for (const { given, connection, deleted, candidates = [] } of people) {
    const one = connection ?? deleted
    const reason = one ? whyNot(one) : reasonOf(given, candidates, unknown)
    if (one && reason === undefined) done.push(one)
    else skipped.push({ connection_id: given, reason: reason ?? '' })
  }
  return { done, skipped, isAnyKnown: people.some((one) => one.connection ?? one.deleted) }
}

const UNKNOWN = 'is no ID, email or whole name in this network'
const NOT_DELETED = 'is no ID, email or name of a deleted connection'

function reasonOf(given: string, candidates: readonly Connection[], unknown: string): string {
  if (candidates.length === 0)
    return readConnectionId(given) === undefined ? unknown : 'is not in this network'
  const isOneName = new Set(candidates.map(({ name }) => name)).size === 1
  const people = candidates.slice(0, MAX_CANDIDATES).map(({ name, connectionId }) => {
    const id = publicConnectionId(connectionId)
    return isOneName ? id : `${name} (${id})`
  })
  return `can be ${people.join(' or ')}; use the connection_id`
}

function deletionProblem({ deletedAt }: Connection): string | undefined {
  return deletedAt === null ? undefined : 'is already deleted'
}

function restoreProblem({ deletedAt, mergedInto }: Connection): string | undefined {
  if (deletedAt === null) return 'is not deleted'
  if (mergedInto === null) return undefined
  return mergedInto === UNDONE
    ? 'was removed by undo; undo that undo instead'
    : `was merged into ${publicConnectionId(mergedInto)}; undo that merge instead`
}

function changeOf(
  action: ActivityAction,
  done: readonly Connection[],
  deletedAt: number | null,
): Change | undefined {
  const [first] = done
  if (!first) return undefined
  const snapshot = (connection: Connection, at: number | null): Snapshot => ({
    connection_id: publicConnectionId(connection.connectionId),
    name: connection.name,
    deleted_at: rfc3339(at),
  })
  return {
    action,
    ...(done.length === 1
      ? { subjectKind: 'connection', subjectId: publicConnectionId(first.connectionId) }
      : { subjectKind: 'connections', subjectId: `${done.length}` }),
    before: { connections: done.map((one) => snapshot(one, one.deletedAt)) },
    after: { connections: done.map((one) => snapshot(one, deletedAt)) },
    connections: idsOf(done),
  }
}

/** Scans the whole network, so it runs off the main thread. */
const DELETED = memberStatement<{ at: number; id: number; limit: number }, DeletedRow>()(`
  select ${LISTED_COLUMNS}, ${asProperties('c.deleted_at')} from connections c
  where c.member_id = :member_id and c.deleted_at is not null and c.merged_into is null
    and (c.deleted_at < :at or (c.deleted_at = :at and c.connection_id > :id))
  order by c.deleted_at desc, c.connection_id limit :limit`)
