/** Undoes an import row by row, skipping connections that changed since, and redoes it. */

import { setImmediate } from 'node:timers/promises'
import { RequestError } from '../../base/request-error.ts'
import { memberStatement } from '../../db/statement.ts'
import { DAY } from '../../base/clock.ts'
import { FINISHED_JOB_KEPT, isTerminal, MAX_JOBS_PER_KIND } from '../../jobs/job-record.ts'
import { findJob } from '../../jobs/start-job.ts'
import {
  LIST_FIELDS,
  TEXT_FIELDS,
  UNDONE,
  publicConnectionId,
  type Connection,
  type ListField,
  type TextField,
} from '../model/connection.ts'
import { detailFieldsOf, detailOf, withDetails, type DetailField } from '../model/details.ts'
import { keysOf } from '../model/match-keys.ts'
import { isSame } from '../model/snapshot.ts'
import {
  addKeys,
  addTags,
  dropKeys,
  findConnections,
  removeTags,
  tagOf,
  updateConnection,
} from '../model/connection-store.ts'
import {
  FOLLOW_UP_OF,
  findSuccessors,
  mergesSince,
  restoreNotes,
  clearUndone,
  markUndone,
  removeNotes,
} from '../model/undo-connections.ts'
import { withStoredPhoto } from '../model/photo-store.ts'
import { recordSearchChanges } from '../model/search-changes.ts'
import { readImportedChange, UPDATE_CHANGE, type ImportedChange } from './import-changes.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'
import type { Undoer } from '../../tools/undo.ts'

export const importUndoer: Undoer = {
  actions: ['connections.import'],
  async undo({ tx, now, since }, { action, subjectKind, subjectId, before, after }) {
    const jobId = Number(subjectId)
    await requireFinished(tx, jobId)
    await requireKept(tx, jobId, now)
    const merged = await mergesSince(tx, since)
    const skipped: string[] = []
    for await (const effects of pagesOf(tx, jobId)) {
      const page = { jobId, effects, merged, now }
      skipped.push(...(await (before === null ? undoPage : redoPage)(tx, page)))
    }
    return { action, subjectKind, subjectId, before: after, after: before, skipped }
  },
}

/** @throws {RequestError} `conflict` when the import is running. */
async function requireFinished(reader: MemberReader, jobId: number): Promise<void> {
  const job = await findJob(reader, jobId)
  if (job && !isTerminal(job.state))
    throw new RequestError('conflict', 'The import is still running.', {
      hint: 'Wait until it finishes or cancel it, then undo it.',
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
    'This import can no longer be undone because its details were deleted.',
    {
      hint:
        `Imports can be undone for ${FINISHED_JOB_KEPT / DAY} days, up to the latest ${MAX_JOBS_PER_KIND} per account. ` +
        'Delete or edit the imported connections instead.',
    },
  )
}

/** A batch of changes of an import. */
interface Page {
  readonly jobId: number
  readonly effects: readonly Effect[]
  /** IDs of connections that others were merged into since. */
  readonly merged: ReadonlySet<number>
  readonly now: number
}

/** What an import did to one connection that still exists or can be restored. */
interface Effect {
  readonly connection: Connection
  /** Undefined when the import created the connection. */
  readonly change: ImportedChange | undefined
  /** Whether it has a typed note or a follow-up. */
  readonly hasTypedContent: boolean
}

/** Connections per batch: a few milliseconds of the main thread, which serves other requests in between. */
const PAGE = 100

async function* pagesOf(reader: MemberReader, jobId: number): AsyncGenerator<Effect[]> {
  for (let after = 0; ;) {
    const rows = await reader.all(CHANGES, { job_id: jobId, after, limit: PAGE })
    const last = rows.at(-1)
    if (!last) return
    after = last.connection_id
    await setImmediate()
    const ids = rows.map(({ connection_id }) => connection_id)
    const connections = await findConnections(reader, ids)
    const byId = new Map(connections.map((one) => [one.connectionId, one]))
    const typed = new Set(await withTypedContent(reader, ids))
    yield rows.flatMap(({ connection_id, before }) => {
      const connection = byId.get(connection_id)
      const change = before === null ? undefined : readImportedChange(before)
      return connection ? [{ connection, change, hasTypedContent: typed.has(connection_id) }] : []
    })
  }
}

async function withTypedContent(reader: MemberReader, ids: readonly number[]): Promise<number[]> {
  const notes = await reader.all(TYPED_NOTE_OF, { ids })
  const followUps = await reader.all(FOLLOW_UP_OF, { ids })
  return [...notes, ...followUps].map(({ connection_id }) => connection_id)
}

/** Returns the skipped connections with reasons. */
async function undoPage(tx: MemberTransaction, page: Page): Promise<string[]> {
  const [created, changed]: [number[], Connection[]] = [[], []]
  const skipped: string[] = []
  for (const effect of page.effects) {
    const { connection, change } = effect
    if (change && !change.connection) {
      await dropKeys(tx, connection.connectionId, change.added_keys)
      continue
    }
    // A connection that the member deleted stays deleted, so that later imports skip it.
    if (!change && connection.deletedAt !== null) continue
    const since = changeSince(connection, page.jobId) ?? useSince(page, effect)
    if (since !== undefined) skipped.push(`${publicConnectionId(connection.connectionId)} ${since}`)
    else if (change?.connection)
      changed.push(
        await undoOne(tx, page, connection, { ...change, connection: change.connection }),
      )
    else created.push(connection.connectionId)
  }
  await markUndone(tx, created, page.now)
  await recordSearchChanges(
    tx,
    changed.map(({ connectionId }) => connectionId),
  )
  return skipped
}

function changeSince(
  { deletedAt, importJobId }: Connection,
  expectedJobId: number | null,
): string | undefined {
  if (deletedAt !== null) return 'was deleted'
  return importJobId === expectedJobId ? undefined : 'was changed by a later import'
}

/** How a connection was used since the import, if that prevents the undo. Edits only count for created connections. */
function useSince({ merged }: Page, effect: Effect): string | undefined {
  const { connection, change, hasTypedContent } = effect
  if (merged.has(connection.connectionId)) return 'has had other connections merged into it'
  if (change) return undefined
  if (Object.values(connection.fieldSources).includes('typed')) return 'was edited manually'
  return hasTypedContent ? 'has a new note or follow-up' : undefined
}

/** The fields that an import may have changed. */
function fieldsOf(one: Connection, other: Connection): UndoneField[] {
  return [...TEXT_FIELDS, ...LIST_FIELDS, ...detailFieldsOf(one.details, other.details)]
}

type UndoneField = TextField | ListField | DetailField

function valueOf(connection: Connection, field: UndoneField): unknown {
  return isMainField(field) ? connection[field] : detailOf(connection.details, field)
}

function isMainField(field: UndoneField): field is TextField | ListField {
  return MAIN_FIELDS.has(field)
}

const MAIN_FIELDS: ReadonlySet<string> = new Set([...TEXT_FIELDS, ...LIST_FIELDS])

/** Typed fields are kept: imports never change them, so they were typed before the import or after it. */
async function undoOne(
  tx: MemberTransaction,
  { jobId, now }: Page,
  present: Connection,
  change: ImportedChange & { readonly connection: Connection },
): Promise<Connection> {
  const fields = fieldsOf(present, change.connection).filter(
    (field) => present.fieldSources[field] !== 'typed',
  )
  const after = await withStoredPhoto(
    tx,
    withFieldsOf(present, change.connection, fields, now),
    present,
  )
  const { connectionId } = after
  await updateConnection(tx, present, after)
  const kept = new Set(keysOf(after))
  const lost = change.added_keys.filter((key) => !kept.has(key))
  await dropKeys(tx, connectionId, lost)
  if (present.fieldSources.tags !== 'typed') {
    const tags = change.added_tags.map((tag) => tagOf(tag).key)
    await removeTags(tx, connectionId, tags)
  }
  await removeNotes(tx, change.added_notes, now)
  await saveChange(tx, jobId, connectionId, { ...change, undone: present })
  return after
}

function withFieldsOf(
  present: Connection,
  other: Connection,
  fields: readonly UndoneField[],
  now: number,
): Connection {
  const values: Record<string, unknown> = {}
  const fieldSources = { ...present.fieldSources }
  for (const field of fields) {
    if (isMainField(field)) values[field] = other[field]
    const source = other.fieldSources[field]
    if (source) fieldSources[field] = source
    else delete fieldSources[field]
  }
  const { importJobId } = other
  const version = present.version + 1
  const details = withDetails(
    present.details,
    fields.flatMap((field) =>
      isMainField(field) ? [] : [[field, detailOf(other.details, field)] as const],
    ),
  )
  return { ...present, ...values, details, fieldSources, importJobId, version, updatedAt: now }
}

/** Returns the skipped connections with reasons. */
async function redoPage(tx: MemberTransaction, page: Page): Promise<string[]> {
  const skipped = await recreate(tx, page)
  const changed: Connection[] = []
  for (const { connection, change } of page.effects) {
    if (!change) continue
    const { connectionId } = connection
    const { connection: before, undone, ...added } = change
    if (before && !undone) continue // skipped by the undo
    const since = before && changeSince(connection, before.importJobId)
    if (since !== undefined) {
      skipped.push(`${publicConnectionId(connectionId)} ${since}`)
      continue
    }
    const keys = added.added_keys.map((key) => ({ key, connectionId }))
    await addKeys(tx, keys)
    if (before && undone)
      changed.push(await redoOne(tx, page, connection, { ...added, connection: before }, undone))
  }
  await recordSearchChanges(
    tx,
    changed.map(({ connectionId }) => connectionId),
  )
  return skipped
}

/** Restores connections that the import created, unless the same people were added again in the meantime. */
async function recreate(tx: MemberTransaction, { effects, now }: Page): Promise<string[]> {
  const undone = effects.flatMap(({ connection, change }) =>
    !change && connection.mergedInto === UNDONE ? [connection] : [],
  )
  const successors = await findSuccessors(tx, undone)
  const wanted = undone.filter(({ connectionId }) => !successors.has(connectionId))
  await clearUndone(tx, wanted, now)
  return [...successors].map(
    ([id, successor]) =>
      `${publicConnectionId(id)} was added again as ${publicConnectionId(successor)}`,
  )
}

async function redoOne(
  tx: MemberTransaction,
  { jobId, now }: Page,
  present: Connection,
  change: ImportedChange & { readonly connection: Connection },
  undone: Connection,
): Promise<Connection> {
  const fields = fieldsOf(present, undone).filter(
    (field) =>
      present.fieldSources[field] !== 'typed' &&
      isSame(valueOf(present, field), valueOf(change.connection, field)),
  )
  const after = await withStoredPhoto(tx, withFieldsOf(present, undone, fields, now), present)
  await updateConnection(tx, present, after)
  if (present.fieldSources.tags !== 'typed')
    await addTags(tx, after.connectionId, change.added_tags.map(tagOf))
  await restoreNotes(tx, after.connectionId, change.added_notes)
  await saveChange(tx, jobId, after.connectionId, change)
  return after
}

async function saveChange(
  tx: MemberTransaction,
  jobId: number,
  connectionId: number,
  change: ImportedChange,
): Promise<void> {
  const before = JSON.stringify(change)
  await tx.run(UPDATE_CHANGE, { job_id: jobId, connection_id: connectionId, before })
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
const TYPED_NOTE_OF = memberStatement<{ ids: readonly number[] }, { connection_id: number }>()(`
  select distinct connection_id from notes
  where member_id = :member_id and connection_id in (:ids...bigint) and origin = 'typed' and deleted_at is null`)
