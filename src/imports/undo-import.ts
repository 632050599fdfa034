/**
 * Undoes an import row by row, skipping connections that changed since, and redoes it. A large import is undone in
 * batches, each in its own transaction, so that it does not block other members' writes. Connections that are already
 * undone are skipped, so repeating an interrupted undo finishes it.
 */

import { phrase } from '../languages/message.ts'
import { setImmediate } from 'node:timers/promises'
import { RequestError } from '../base/request-error.ts'
import { memberStatement } from '../db/statement.ts'
import { DAY } from '../base/clock.ts'
import { isTerminal } from '../jobs/job-record.ts'
import { FINISHED_JOB_RETENTION_MS, MAX_JOBS_PER_KIND } from '../jobs/job-retention.ts'
import { findJob } from '../jobs/start-job.ts'
import { findConnections } from '../connections/model/connection-store.ts'
import { mergesSince } from '../connections/undo/merges-since.ts'
import { listUndos, rootsOf } from '../tools/activity-log/undone-changes.ts'
import {
  followUpsOf,
  removeUnchanged,
  restoreFollowUps,
  unchangedToDos,
} from '../connections/follow-ups/portable-follow-ups.ts'
import { withTypedInteractions } from '../connections/interactions/imported-interactions.ts'
import { markAwaitedMembers } from './merging/awaited-members.ts'
import { readImportedChange } from '../connections/imported-changes/import-changes.ts'
import {
  removeUnusedFields,
  restoreRemovedFields,
  type RecordedImport,
} from './undo-custom-fields.ts'
import { addRemovedSettings, removeSettings } from './undo-settings.ts'
import { redoSlice, undoSlice, type Effect } from './revert-slice.ts'
import { isLive } from '../records/undo-rows.ts'
import { followUpPeople } from '../connections/follow-ups/follow-ups.ts'
import type { ImportedChange } from '../connections/imported-changes/imported-change.ts'
import type { MemberReader, MemberTransaction } from '../db/database.ts'
import type { RecordedChange, Undoer } from '../tools/undo.ts'

/** Connections per batch: a few milliseconds of the main thread and the writer. */
const SLICE = 100

export const importUndoer: Undoer = {
  actions: ['connections.import'],
  async prepare({ reader, write, now, since }, change) {
    const jobId = jobIdOf(change)
    await requireFinished(reader, jobId)
    await requireKept(reader, jobId, now)
    const first = await reader.all(CHANGES, { job_id: jobId, after: 0, limit: SLICE + 1 })
    if (first.length <= SLICE) return undefined
    const skipped: string[] = []
    for (let position = 0; ;) {
      const after = position
      const slice = await write((tx) => revertSlice(tx, change, { after, now, since }))
      if (!slice) return { position, skipped }
      skipped.push(...slice.skipped)
      position = slice.last
    }
  },
  async undo({ tx, now, since, prepared }, change) {
    const jobId = jobIdOf(change)
    await requireFinished(tx, jobId)
    await requireKept(tx, jobId, now)
    const skipped = [...(prepared?.skipped ?? [])]
    for (let after = prepared?.position ?? 0; ;) {
      const slice = await revertSlice(tx, change, { after, now, since })
      if (!slice) break
      skipped.push(...slice.skipped)
      after = slice.last
      await setImmediate() // lets reads through
    }
    const { before, after } = change
    await markAwaitedMembers(tx, jobId, before === null)
    // The record of the import, which an undo has as `after` and a redo as `before`.
    if (before === null) {
      const imported: RecordedImport = after ?? {}
      const settings = await removeSettings(tx, imported)
      skipped.push(...settings.skipped)
      const rest = { ...imported, removed_settings: settings.removed }
      const undone = await removeToDos(tx, await removeUnusedFields(tx, rest), skipped)
      return { before: undone, skipped }
    }
    const { removed_settings: settings = {}, ...imported }: RecordedImport = before
    await addRemovedSettings(tx, settings, now)
    const redone = await restoreRemovedFields(tx, await restoreToDos(tx, imported))
    skipped.push(...redone.skipped)
    return { after: redone.imported, skipped }
  },
}

/** Returns the record of the import with the removed ones. */
async function removeToDos(
  tx: MemberTransaction,
  imported: RecordedImport,
  skipped: string[],
): Promise<RecordedImport> {
  if (!imported.to_dos) return imported
  const removed = await unchangedToDos(tx, imported.to_dos)
  const kept = imported.to_dos.count - removed.length
  if (kept > 0) skipped.push(kept === 1 ? 'a to-do was changed' : `${kept} to-dos were changed`)
  await removeUnchanged(tx, removed)
  return { ...imported, removed_to_dos: removed }
}

async function restoreToDos(
  tx: MemberTransaction,
  { removed_to_dos: removed = [], ...imported }: RecordedImport,
): Promise<RecordedImport> {
  await restoreFollowUps(tx, removed)
  return imported
}

function jobIdOf({ subjectId }: RecordedChange): number {
  return Number(subjectId)
}

interface SliceCall {
  /** Number of the last connection of the previous batch. */
  readonly after: number
  readonly now: number
  readonly since: number
}

interface RevertedSlice {
  readonly last: number
  readonly skipped: readonly string[]
}

/** Undoes or redoes the next connections. Undefined after the last one. */
async function revertSlice(
  tx: MemberTransaction,
  change: RecordedChange,
  { after, now, since }: SliceCall,
): Promise<RevertedSlice | undefined> {
  const jobId = jobIdOf(change)
  const rows = await tx.all(CHANGES, { job_id: jobId, after, limit: SLICE })
  const last = rows.at(-1)
  if (!last) return undefined
  const isUndo = change.before === null
  // Also those before a redo that is undone.
  const merged = await mergesSince(tx, isUndo ? rootsOf(await listUndos(tx))(since) : since)
  const startedAt = (await findJob(tx, jobId))?.created_at ?? now
  const slice = { jobId, effects: await effectsOf(tx, rows), merged, now, startedAt }
  const skipped = await (isUndo ? undoSlice : redoSlice)(tx, slice)
  return { last: last.connection_id, skipped }
}

async function effectsOf(reader: MemberReader, rows: readonly ChangeRow[]): Promise<Effect[]> {
  const ids = rows.map(({ connection_id }) => connection_id)
  const connections = await findConnections(reader, ids)
  const byId = new Map(connections.map((one) => [one.connectionId, one]))
  const changes = new Map(rows.map((row) => [row.connection_id, readImportedChange(row.before)]))
  const typed = await withTypedContent(reader, ids, [...changes.values()])
  return [...changes].flatMap(([id, change]) => {
    const connection = byId.get(id)
    return connection ? [{ connection, change, hasTypedContent: typed.has(id) }] : []
  })
}

/** Returns the people with a typed interaction, a typed note that the import did not add, or a follow-up that it did not add or that was changed since. */
async function withTypedContent(
  reader: MemberReader,
  ids: readonly number[],
  imported: readonly ImportedChange[],
): Promise<ReadonlySet<number>> {
  const own = new Set(imported.flatMap(({ added_notes }) => added_notes))
  const typed = await reader.all(TYPED_NOTES_OF, { ids })
  const notes = typed.filter(({ note_id }) => !own.has(note_id))
  const unchanged = new Map(
    imported
      .flatMap(({ added_follow_ups = [] }) => added_follow_ups)
      .map(({ followUpId, updatedAt }) => [followUpId, updatedAt]),
  )
  const followUps = (await followUpsOf(reader, ids)).filter(
    (one) => isLive(one) && unchanged.get(one.followUpId) !== one.updatedAt,
  )
  const interactions = await withTypedInteractions(reader, ids)
  return new Set([
    ...notes.map(({ connection_id }) => connection_id),
    ...followUps.flatMap(followUpPeople),
    ...interactions,
  ])
}

/** @throws {RequestError} `conflict` when the import is running. */
async function requireFinished(reader: MemberReader, jobId: number): Promise<void> {
  const job = await findJob(reader, jobId)
  if (job && !isTerminal(job.state))
    throw new RequestError('conflict', phrase('The import is still running.'), {
      hint: phrase('Wait until it finishes or cancel it, then undo it.'),
    })
}

/**
 * The changes of an import are deleted with its job, in batches, so an expired import could only be undone in part.
 *
 * @throws {RequestError} `conflict` when the job has expired.
 */
async function requireKept(reader: MemberReader, jobId: number, now: number): Promise<void> {
  const kept = await reader.get(KEPT, { job_id: jobId, now })
  if (kept?.is_kept === 1) return
  throw new RequestError(
    'conflict',
    phrase('This import can no longer be undone because its details were deleted.'),
    {
      hint:
        `Imports can be undone for ${FINISHED_JOB_RETENTION_MS / DAY} days, up to the latest ${MAX_JOBS_PER_KIND} per account. ` +
        'Delete or edit the imported connections instead.',
    },
  )
}

interface ChangeRow {
  readonly connection_id: number
  /** Null when the import created the connection. */
  readonly before: string | null
}

/** By primary key. */
const CHANGES = memberStatement<{ job_id: number; after: number; limit: number }, ChangeRow>()(`
  select connection_id, before from import_changes
  where member_id = :member_id and job_id = :job_id and connection_id > :after
  order by connection_id limit :limit`)

const KEPT = memberStatement<{ job_id: number; now: number }, { is_kept: number }>()(`
  select 1 as is_kept from jobs
  where member_id = :member_id and job_id = :job_id and (expires_at is null or expires_at > :now)`)

/** By index notes_by_connection. */
const TYPED_NOTES_OF = memberStatement<
  { ids: readonly number[] },
  { connection_id: number; note_id: number }
>()(`
  select n.connection_id, n.note_id from notes n each (connection_id = :ids...bigint)
  where n.member_id = :member_id and n.origin = 'typed' and n.deleted_at is null`)
