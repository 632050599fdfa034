/** Files that members upload for jobs, kept in the database in chunks for a day. store-upload.ts stores them. */

import { MEGABYTE } from '../base/format-bytes.ts'
import { DAY } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { deleteRow } from '../db/change-row.ts'
import { memberStatement, serviceStatement } from '../db/statement.ts'
import type { Database, MemberDatabase, MemberReader } from '../db/database.ts'

export const UPLOAD_LIFETIME_MS = DAY

/** 50 MB. LinkedIn's largest exports have a few megabytes. */
export const MAX_UPLOAD_BYTES = 50 * MEGABYTE

/** The size of every chunk but the last. */
export const CHUNK_BYTES = 256 * 1024

/** One mebibyte per transaction, to let other writers in between and to limit memory. */
export const CHUNKS_PER_WRITE = 4

/** Expired uploads per query. */
const MAX_FOUND = 100

/** A row of `uploads`. Times are milliseconds. */
export interface StoredUpload {
  readonly upload_id: string
  readonly filename: string | null
  readonly content_type: string | null
  readonly bytes: number
  readonly created_at: number
  readonly expires_at: number
}

/** @throws {RequestError} `invalid_request` when the member has no such upload or it has expired. */
export async function requireUpload(
  reader: MemberReader,
  uploadId: string,
  now: number,
): Promise<StoredUpload> {
  const upload = await reader.get(UPLOAD_BY_ID, { upload_id: uploadId })
  if (!upload || upload.expires_at <= now) throw noSuchUpload()
  return upload
}

/**
 * Yields the file chunk by chunk. Never ends early.
 *
 * @throws {RequestError} `invalid_request` when the upload does not exist, or was swept while it is read.
 */
export async function* readUpload(
  reader: MemberReader,
  uploadId: string,
): AsyncGenerator<Uint8Array, void> {
  const upload = await reader.get(UPLOAD_BY_ID, { upload_id: uploadId })
  if (!upload) throw noSuchUpload()
  let left = upload.bytes
  for (let chunk = 0; left > 0; chunk += 1) {
    const row = await reader.get(CHUNK, { upload_id: uploadId, chunk })
    if (!row) throw noSuchUpload()
    left -= row.data.byteLength
    yield row.data
  }
}

/** Whether the stored file still exists and is identical. */
export async function isSameFile(
  reader: MemberReader,
  uploadId: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<boolean> {
  const stored = await reader.get(UPLOAD_BY_ID, { upload_id: uploadId })
  if (!stored) return false
  let compared = 0
  let chunk = 0
  for await (const data of inChunks(bytes)) {
    const row = await reader.get(CHUNK, { upload_id: uploadId, chunk })
    if (!row || Buffer.compare(row.data, data) !== 0) return false
    compared += data.byteLength
    chunk += 1
  }
  return compared === stored.bytes
}

/** Undefined while the file is still arriving. */
export async function findUpload(
  reader: MemberReader,
  uploadId: string,
): Promise<StoredUpload | undefined> {
  return reader.get(UPLOAD_BY_ID, { upload_id: uploadId })
}

/** Its chunks are deleted with it (on delete cascade). Has no effect if the upload does not exist. */
export async function removeUpload(db: MemberDatabase, uploadId: string): Promise<void> {
  await db.write((tx) => deleteRow(tx, 'uploads', { uploadId }))
}

/** Deletes expired uploads, a few chunks per transaction. Returns the number of uploads. */
export async function sweepUploads(database: Database, now: number): Promise<number> {
  let swept = 0
  for (;;) {
    const expired = await database.all(EXPIRED_UPLOADS, { now, limit: MAX_FOUND })
    for (const { member_id, upload_id } of expired)
      await deleteInSteps(database.member(member_id), upload_id)
    swept += expired.length
    if (expired.length < MAX_FOUND) return swept
  }
}

async function deleteInSteps(db: MemberDatabase, uploadId: string): Promise<void> {
  const step = { upload_id: uploadId, limit: CHUNKS_PER_WRITE }
  for (;;) {
    const deleted = await db.write((tx) => tx.run(DELETE_CHUNKS, step), { bulk: true })
    if (deleted < CHUNKS_PER_WRITE) break
  }
  await removeUpload(db, uploadId)
}

/** Splits the bytes into chunks of `CHUNK_BYTES`; the last one may be shorter. */
export async function* inChunks(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  let filled = 0
  for await (const part of bytes) {
    for (let from = 0; from < part.byteLength;) {
      const until = Math.min(part.byteLength, from + CHUNK_BYTES - filled)
      chunk.set(part.subarray(from, until), filled)
      filled += until - from
      from = until
      if (filled < CHUNK_BYTES) continue
      yield chunk
      chunk = Buffer.allocUnsafe(CHUNK_BYTES)
      filled = 0
    }
  }
  if (filled > 0) yield chunk.subarray(0, filled)
}

function noSuchUpload(): RequestError {
  return new RequestError('invalid_request', 'You have no upload with this upload_id.', {
    hint: 'Uploads are kept for 24 hours. Send the file again with POST /api/uploads.',
    errors: [{ pointer: '/upload_id', detail: 'must be the upload_id of an unexpired upload' }],
  })
}

export const UPLOAD_COLUMNS = 'upload_id, filename, content_type, bytes, created_at, expires_at'

/** Uses the primary key. */
const DELETE_CHUNKS = memberStatement<{ upload_id: string; limit: number }>()(`
  delete from upload_chunks where member_id = :member_id and upload_id = :upload_id and chunk in (
    select chunk from upload_chunks where member_id = :member_id and upload_id = :upload_id
    order by chunk limit :limit)`)

const UPLOAD_BY_ID = memberStatement<{ upload_id: string }, StoredUpload>()(`
  select ${UPLOAD_COLUMNS} from uploads
  where member_id = :member_id and upload_id = :upload_id and completed_at is not null`)

const CHUNK = memberStatement<{ upload_id: string; chunk: number }, { data: Uint8Array }>()(
  'select data from upload_chunks where member_id = :member_id and upload_id = :upload_id and chunk = :chunk',
)

const EXPIRED_UPLOADS = serviceStatement<
  { now: number; limit: number },
  { member_id: number; upload_id: string }
>(
  'select member_id, upload_id from uploads where expires_at <= :now order by expires_at limit :limit', // uploads_by_expiry
)
