/** Deleting connections, so that they can be restored until they are swept, and restoring them. */

import Type, { type Static } from 'typebox'
import { DAY, rfc3339 } from '../base/clock.ts'
import { memberStatement } from '../db/statement.ts'
import { UNMADE, publicConnectionId, readConnectionId, type Connection } from './connection.ts'
import { findConnections, indexConnections } from './store.ts'
import { ConnectionId } from './shapes.ts'
import type { MemberReader, MemberTransaction } from '../db/database.ts'
import type { Change } from '../tools/tool.ts'
import type { Picture } from './picture.ts'

/** From then on `purge_deleted` sweeps them. */
export const KEPT_DELETED = 30 * DAY

/** As many as one call deletes or restores. */
const MOST_AT_ONCE = 200

export const ConnectionIds = Type.Array(ConnectionId, {
  minItems: 1,
  maxItems: MOST_AT_ONCE,
  description: 'Which connections',
})

export const LeftAlone = Type.Optional(
  Type.Array(
    Type.Object(
      { connection_id: Type.String(), reason: Type.String() },
      { additionalProperties: false },
    ),
  ),
)
type LeftAlone = NonNullable<Static<typeof LeftAlone>>

/** What became of the connections that a call named. */
export interface Deletion {
  readonly done: readonly Connection[]
  readonly leftAlone: LeftAlone
  /** Undefined where nothing was changed. */
  readonly change: Change | undefined
}

/** The tags, notes and follow-ups stay with them. */
export async function deleteConnections(
  tx: MemberTransaction,
  publicIds: readonly string[],
  now: number,
): Promise<Deletion> {
  const { done, leftAlone } = await sortOut(tx, publicIds, whyNotDeleted)
  const ids = done.map(({ connectionId }) => connectionId)
  if (ids.length > 0) await tx.run(SET_DELETED, { ids, deleted_at: now, now })
  await tx.fullText.removeConnections(tx, ids)
  return { done, leftAlone, change: changeOf('connections.delete', done, now) }
}

export async function restoreConnections(
  tx: MemberTransaction,
  publicIds: readonly string[],
  now: number,
): Promise<Deletion> {
  const { done, leftAlone } = await sortOut(tx, publicIds, whyNotRestored)
  const ids = done.map(({ connectionId }) => connectionId)
  if (ids.length > 0) await tx.run(SET_DELETED, { ids, deleted_at: null, now })
  await indexConnections(tx, done)
  return { done, leftAlone, change: changeOf('connections.restore', done, null) }
}

async function sortOut(
  reader: MemberReader,
  publicIds: readonly string[],
  whyNot: (connection: Connection) => string | undefined,
): Promise<Pick<Deletion, 'done' | 'leftAlone'>> {
  const wanted = [...new Set(publicIds)]
  const connections = await findConnections(
    reader,
    wanted.flatMap((id) => readConnectionId(id) ?? []),
  )
  const byId = new Map(connections.map((one) => [publicConnectionId(one.connectionId), one]))
  const [done, leftAlone]: [Connection[], LeftAlone] = [[], []]
  for (const connection_id of wanted) {
    const connection = byId.get(connection_id)
    const reason = connection ? whyNot(connection) : 'is not in this network'
    if (connection && reason === undefined) done.push(connection)
    else leftAlone.push({ connection_id, reason: reason ?? '' })
  }
  return { done, leftAlone }
}

function whyNotDeleted({ deletedAt }: Connection): string | undefined {
  return deletedAt === null ? undefined : 'is deleted already'
}

function whyNotRestored({ deletedAt, mergedInto }: Connection): string | undefined {
  if (deletedAt === null) return 'is not deleted'
  if (mergedInto === null) return undefined
  return mergedInto === UNMADE
    ? 'was taken back by undo: undo that'
    : `was merged into ${publicConnectionId(mergedInto)}: undo that merge`
}

function changeOf(
  action: string,
  done: readonly Connection[],
  deletedAt: number | null,
): Change | undefined {
  const [first] = done
  if (!first) return undefined
  const picture = (connection: Connection, at: number | null): Picture => ({
    connection_id: publicConnectionId(connection.connectionId),
    name: connection.name,
    deleted_at: rfc3339(at),
  })
  return {
    action,
    ...(done.length === 1
      ? { subjectKind: 'connection', subjectId: publicConnectionId(first.connectionId) }
      : { subjectKind: 'connections', subjectId: `${done.length}` }),
    before: { connections: done.map((one) => picture(one, one.deletedAt)) },
    after: { connections: done.map((one) => picture(one, deletedAt)) },
  }
}

const SET_DELETED = memberStatement<{
  ids: readonly number[]
  deleted_at: number | null
  now: number
}>()(`
  update connections set deleted_at = :deleted_at, version = version + 1, updated_at = :now
  where member_id = :member_id and connection_id in (:ids...bigint)`)
