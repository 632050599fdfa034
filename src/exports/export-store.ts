/** Export archives, stored in the database in chunks: one per member, for a week. */

import { DAY } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import { RequestError } from '../base/request-error.ts'
import { deleteRow } from '../db/change-row.ts'
import { insertRow } from '../db/insert-row.ts'
import { asProperties, memberStatement, serviceStatement } from '../db/statement.ts'
import type { Database, MemberDatabase, MemberReader, MemberTransaction } from '../db/database.ts'

const LIFETIME = 7 * DAY

/** A complete archive. Times are in milliseconds. */
export interface StoredExport {
  readonly exportId: string
  readonly filename: string
  readonly bytes: number
  readonly completedAt: number
  readonly expiresAt: number
}

interface NewExport {
  readonly jobId: number
  readonly filename: string
  readonly now: number
}

/** Creates an archive, and deletes one that an interrupted job left. It is not available until it is complete. */
export async function beginExport(
  tx: MemberTransaction,
  { jobId, filename, now }: NewExport,
): Promise<string> {
  await tx.run(DELETE_UNFINISHED, {})
  const exportId = newId('exp')
  await insertRow(tx, 'exports', {
    export_id: exportId,
    job_id: jobId,
    filename,
    created_at: now,
    expires_at: now + LIFETIME,
  })
  return exportId
}

/** Adds consecutive chunks. `first` is the number of the first one, counted from 0. */
export async function addExportChunks(
  tx: MemberTransaction,
  exportId: string,
  first: number,
  chunks: readonly Uint8Array[],
): Promise<void> {
  await tx.insertMany({
    table: 'export_chunks',
    columns: ['export_id', 'chunk', 'data'],
    rows: chunks.map((data, index) => [exportId, first + index, data]),
  })
}

/** Makes the archive available and deletes earlier ones. */
export async function completeExport(
  tx: MemberTransaction,
  exportId: string,
  bytes: number,
  now: number,
): Promise<StoredExport> {
  const row = await tx.get(COMPLETE, {
    export_id: exportId,
    bytes,
    now,
    expires_at: now + LIFETIME,
  })
  if (!row) throw new Error('the archive was removed while it was written')
  await tx.run(DELETE_OTHERS, { export_id: exportId })
  return row
}

/** Undefined if the archive belongs to another member, is incomplete, or has expired. */
export async function findExport(
  reader: MemberReader,
  exportId: string,
  now: number,
): Promise<StoredExport | undefined> {
  return reader.get(BY_ID, { export_id: exportId, now })
}

/** The archive that is currently available. */
export async function findLatestExport(
  reader: MemberReader,
  now: number,
): Promise<StoredExport | undefined> {
  return reader.get(LATEST, { now })
}

/**
 * Yields the file chunk by chunk, and never ends early.
 *
 * @throws {RequestError} `not_found` when the archive is replaced or the member deleted meanwhile.
 */
export async function* readExport(
  reader: MemberReader,
  { exportId, bytes }: StoredExport,
): AsyncGenerator<Uint8Array, void> {
  let left = bytes
  for (let chunk = 0; left > 0; chunk += 1) {
    const row = await reader.get(CHUNK, { export_id: exportId, chunk })
    if (!row) throw new RequestError('not_found', 'The export was removed during the download.')
    left -= row.data.byteLength
    yield row.data
  }
}

export async function removeExport(tx: MemberTransaction, exportId: string): Promise<void> {
  await deleteRow(tx, 'exports', { exportId })
}

/** Deletes expired archives, a few chunks per transaction. Returns the number of archives. */
export async function sweepExports(database: Database, now: number): Promise<number> {
  let swept = 0
  for (;;) {
    const expired = await database.all(EXPIRED, { now, limit: MAX_FOUND })
    for (const { member_id, export_id } of expired)
      await deleteInSteps(database.member(member_id), export_id)
    swept += expired.length
    if (expired.length < MAX_FOUND) return swept
  }
}

/** Expired archives per query. */
const MAX_FOUND = 100

/** 256 KB each. */
const CHUNKS_PER_STEP = 4

async function deleteInSteps(db: MemberDatabase, export_id: string): Promise<void> {
  for (;;) {
    const deleted = await db.write((tx) => tx.run(DELETE_CHUNKS, { export_id }), { bulk: true })
    if (deleted < CHUNKS_PER_STEP) break
  }
  await db.write((tx) => removeExport(tx, export_id), { bulk: true })
}

// By primary key: a member has one archive, or two while the next is written. Chunks are deleted by cascade.

const COLUMNS = asProperties('export_id, filename, bytes, completed_at, expires_at')

const COMPLETE = memberStatement<
  { export_id: string; bytes: number; now: number; expires_at: number },
  StoredExport
>()(`
  update exports set bytes = :bytes, completed_at = :now, expires_at = :expires_at
  where member_id = :member_id and export_id = :export_id
  returning ${COLUMNS}`)

const BY_ID = memberStatement<{ export_id: string; now: number }, StoredExport>()(`
  select ${COLUMNS} from exports
  where member_id = :member_id and export_id = :export_id and completed_at is not null and expires_at > :now`)

const LATEST = memberStatement<{ now: number }, StoredExport>()(`
  select ${COLUMNS} from exports
  where member_id = :member_id and completed_at is not null and expires_at > :now
  order by completed_at desc limit 1`)

const CHUNK = memberStatement<{ export_id: string; chunk: number }, { data: Uint8Array }>()(
  'select data from export_chunks where member_id = :member_id and export_id = :export_id and chunk = :chunk',
)

const DELETE_UNFINISHED = memberStatement()(
  'delete from exports where member_id = :member_id and completed_at is null',
)

const DELETE_OTHERS = memberStatement<{ export_id: string }>()(
  'delete from exports where member_id = :member_id and export_id <> :export_id',
)

/** By index exports_by_expiry. */
const EXPIRED = serviceStatement<
  { now: number; limit: number },
  { member_id: number; export_id: string }
>(
  'select member_id, export_id from exports where expires_at <= :now order by expires_at limit :limit',
)

const DELETE_CHUNKS = memberStatement<{ export_id: string }>()(`
  delete from export_chunks where member_id = :member_id and export_id = :export_id and chunk in (
    select chunk from export_chunks where member_id = :member_id and export_id = :export_id
    order by chunk limit ${CHUNKS_PER_STEP})`)
