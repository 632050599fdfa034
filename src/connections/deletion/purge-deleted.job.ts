/** purge_deleted: permanently removes connections deleted 30 or more days ago and their activity log content. */

import { updateRow } from '../../db/change-row.ts'
import * as Type from '../../base/type.ts'
import { pagesOf, type PageParams } from '../../db/paged-rows.ts'
import { memberStatement, serviceStatement } from '../../db/statement.ts'
import { ERASED } from '../../tools/activity.ts'
import { defineJob, type RunningJob } from '../../jobs/job.ts'
import { idsOf, UNDONE, publicConnectionId } from '../model/connection.ts'
import { DELETED_RETENTION_MS } from './deletion.ts'
import { publicInteractionId } from '../interactions/interaction-store.ts'
import { purgeAbandoned, purgeInteractions } from '../interactions/purge-interactions.ts'
import { FOLLOW_UPS } from '../follow-ups/follow-ups.ts'
import { NOTES, publicNoteId } from '../notes/notes.ts'
import { forgetCards } from '../cards/card-store.ts'
import { purgeCustomFields } from '../custom-fields/purge-custom-fields.ts'
import { addKeys } from '../model/key-store.ts'
import { findConnections, findPresent } from '../model/connection-store.ts'
import { photosOf, purgePhotos } from '../model/photo-store.ts'
import { dropSearchSnapshots, recordSearchChanges } from '../model/search-changes.ts'
import { purgeRows } from '../undo/person-rows.ts'
import { copyDecisions } from '../matching/match-reviews.ts'
import type { MemberTransaction, Reader } from '../../db/database.ts'

const PurgeReport = Type.Object({
  connections: Type.Integer(),
  notes: Type.Integer(),
  follow_ups: Type.Integer(),
})
type PurgeReport = Type.Static<typeof PurgeReport>

type PurgeJob = RunningJob<object, PurgeReport>

export const purgeDeletedJob = defineJob({
  kind: 'purge_deleted',
  tool: 'delete_connections',
  title: 'Permanently remove deleted people',
  description:
    'Removes connections deleted 30 or more days ago, with their notes, tags, interactions and follow-ups. They can no longer be ' +
    'restored.',
  input: Type.Closed({}),
  credits: 0,
  run: purgeDeleted,
})

/** Members with something to purge, longest overdue first. */
export async function findDuePurges(database: Reader, now: number): Promise<number[]> {
  const due = await database.all(DUE_MEMBERS, {
    before: now - DELETED_RETENTION_MS,
    limit: MAX_DUE,
  })
  return due.map(({ member_id }) => member_id)
}

/** Members per check; more are handled by the next check. */
const MAX_DUE = 1000

/** Connections per transaction. */
const BATCH = 500

async function purgeDeleted(job: PurgeJob): Promise<PurgeReport> {
  let report = job.checkpoint ?? { connections: 0, notes: 0, follow_ups: 0 }
  for (let isMore = true; isMore;) {
    const before = report
    const step = await job.db.write(
      async (tx) => {
        const purged = await purgeSome(tx, job.now())
        const sofar = {
          connections: before.connections + purged.connections,
          notes: before.notes + purged.notes,
          follow_ups: before.follow_ups + purged.follow_ups,
        }
        const isLast = purged.connections < BATCH
        if (isLast) {
          await purgeCustomFields(tx, job.now() - DELETED_RETENTION_MS)
          await purgeAbandoned(tx, job.now() - DELETED_RETENTION_MS)
          await tx.run(SET_OLDEST, { undone: UNDONE })
        }
        const message = `${sofar.connections} connections removed`
        await job.save(tx, sofar, { done: sofar.connections, total: null, message })
        return { sofar, isMore: !isLast }
      },
      { bulk: true },
    )
    report = step.sofar
    isMore = step.isMore
  }
  return report
}

/** Removes rows and their content in the activity log in one transaction, while the IDs of both are known. */
async function purgeSome(tx: MemberTransaction, now: number): Promise<PurgeReport> {
  const before = now - DELETED_RETENTION_MS
  const due = await tx.all(DUE, { before, limit: BATCH })
  const ids = due.map(({ connection_id }) => connection_id)
  const undone = await tx.all(DELETE_UNDONE_NOTES, { undone: UNDONE, before })
  const rows = await purgeRows(tx, ids)
  const interactions = await purgeInteractions(tx, ids)
  const released = await photosOf(tx, ids)
  await transferMerged(tx, ids)
  for (const remove of DELETES) await tx.run(remove, { ids })
  await forgetCards(tx, ids)
  await purgePhotos(tx, { before, now, released })
  await recordSearchChanges(tx, ids)
  if (ids.length + undone.length > 0) await dropSearchSnapshots(tx)
  await eraseHistory(tx, [
    ...ids.map(publicConnectionId),
    ...undone.map(({ note_id }) => publicNoteId(note_id)),
    ...Object.values(rows).flat(),
    ...interactions.map(publicInteractionId),
  ])
  return {
    connections: ids.length,
    notes: undone.length + (rows[NOTES.plural]?.length ?? 0),
    follow_ups: rows[FOLLOW_UPS.plural]?.length ?? 0,
  }
}

/**
 * Copies the keys of merged connections to the kept one, so that imports still match it, and the decisions that they are
 * someone else.
 */
async function transferMerged(tx: MemberTransaction, ids: readonly number[]): Promise<void> {
  const merged = (await findConnections(tx, ids)).filter(
    ({ mergedInto }) => mergedInto !== null && mergedInto !== UNDONE,
  )
  if (merged.length === 0) return
  const keptFor = new Map<number, number>()
  const present = await findPresent(tx, idsOf(merged))
  for (const [id, { connectionId }] of present)
    if (!ids.includes(connectionId)) keptFor.set(id, connectionId)
  const keys = await tx.all(KEYS_OF, { ids: [...keptFor.keys()] })
  await addKeys(
    tx,
    keys.flatMap(({ key, connection_id }) => {
      const connectionId = keptFor.get(connection_id)
      return connectionId === undefined ? [] : [{ key, connectionId }]
    }),
  )
  await copyDecisions(tx, new Map([...present].map(([id, { connectionId }]) => [id, connectionId])))
  // Redirect connections that were merged into one that is purged now but are purged later themselves.
  for (const { connection_id, merged_into } of await tx.all(MERGED_INTO, {
    ids: [...present.keys()],
  })) {
    const kept_id = present.get(merged_into)?.connectionId ?? UNDONE
    await updateRow(tx, 'connections', { connection_id }, { mergedInto: kept_id })
  }
}

/** Keeps activity entries with their subject, actor and time, but erases their content. */
async function eraseHistory(tx: MemberTransaction, publicIds: readonly string[]): Promise<void> {
  if (publicIds.length === 0) return
  const purged = new Set(publicIds)
  for await (const entries of pagesOf(tx, ENTRIES, { first: 0 }))
    for (const entry of entries) {
      const isSubject = purged.has(entry.subject_id)
      const [before = null, after = null] = [entry.before, entry.after].map((json) =>
        erased(json, purged, isSubject),
      )
      if (before !== entry.before || after !== entry.after)
        await updateRow(tx, 'activity', { activityId: entry.key }, { before, after })
    }
}

/** Returns the JSON unchanged when it does not mention a purged object. */
function erased(
  json: string | null,
  purged: ReadonlySet<string>,
  isSubject: boolean,
): string | null {
  if (json === null) return null
  const isAbout = json.match(PUBLIC_IDS)?.some((id) => purged.has(id.slice(1, -1))) === true
  if (!isSubject && !isAbout) return json
  // Only entries about many connections mention others; entries about one subject are erased completely.
  const left = json.includes('"connections":[') ? withoutPurged(JSON.parse(json), purged) : {}
  return JSON.stringify({ [ERASED]: true, ...(left as object) })
}

const PUBLIC_IDS = /"[a-z]_\d+"/g

/** Reduces every object about a purged connection to its ID. */
function withoutPurged(value: unknown, purged: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutPurged(item, purged))
  if (typeof value !== 'object' || value === null) return value
  const id = 'connection_id' in value ? value.connection_id : undefined
  if (typeof id === 'string' && purged.has(id)) return { connection_id: id }
  return Object.fromEntries(
    Object.entries(value).map(([field, part]) => [field, withoutPurged(part, purged)]),
  )
}

/** By index networks_by_deletion. */
const DUE_MEMBERS = serviceStatement<{ before: number; limit: number }, { member_id: number }>(`
  select member_id from networks
  where oldest_deletion <= :before order by oldest_deletion limit :limit`)

/** Scans the member's connections and notes. */
const SET_OLDEST = memberStatement<{ undone: number }>()(`
  update networks set oldest_deletion = (
    select min(deleted_at) from (
      select deleted_at from connections where member_id = :member_id and deleted_at is not null
      union all
      select deleted_at from custom_fields where member_id = :member_id and deleted_at is not null
      union all
      select unused_since from photos where member_id = :member_id and unused_since is not null
      union all
      select deleted_at from notes where member_id = :member_id and connection_id = :undone) left_over)
  where member_id = :member_id`)

/** Scans the member's connections. */
const DUE = memberStatement<{ before: number; limit: number }, { connection_id: number }>()(`
  select connection_id from connections
  where member_id = :member_id and deleted_at <= :before order by connection_id limit :limit`)

/** Notes whose creation was undone. */
const DELETE_UNDONE_NOTES = memberStatement<
  { undone: number; before: number },
  { note_id: number }
>()(`
  delete from notes where member_id = :member_id and connection_id = :undone and deleted_at <= :before
  returning note_id`)

/** Scans the member's keys, because the index starts with the key. */
const KEYS_OF = memberStatement<
  { ids: readonly number[] },
  { key: string; connection_id: number }
>()(`
  select key, connection_id from connection_keys
  where member_id = :member_id and connection_id in (:ids...bigint)`)

/** Scans the member's connections. */
const MERGED_INTO = memberStatement<
  { ids: readonly number[] },
  { connection_id: number; merged_into: number }
>()(`
  select connection_id, merged_into from connections
  where member_id = :member_id and merged_into in (:ids...bigint)`)

/** The tables with data of connections, and the column with the number of the connection. */
const TABLES = [
  ['connection_keys', 'connection_id'],
  ['connection_tags', 'connection_id'],
  ['activity_connections', 'connection_id'],
  ['import_changes', 'connection_id'],
  ['device_changes', 'connection_id'],
  ['match_reviews', 'first_id'],
  ['match_reviews', 'second_id'],
  ['connections', 'connection_id'],
] as const

const DELETES = TABLES.map(([table, column]) =>
  memberStatement<{ ids: readonly number[] }>()(
    `delete from ${table} where member_id = :member_id and ${column} in (:ids...bigint)`,
  ),
)

interface Entry {
  readonly key: number
  readonly subject_id: string
  readonly before: string | null
  readonly after: string | null
}

/** By primary key. */
const ENTRIES = memberStatement<PageParams, Entry>()(`
  select activity_id as key, subject_id, before, after from activity
  where member_id = :member_id and activity_id > :after order by activity_id limit :limit`)
