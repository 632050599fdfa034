/** Stores uploaded files: while they arrive, within the quota of the member, or from inside a request. */

import { t } from '../languages/message.ts'
import { formatBytes, MEGABYTE } from '../base/format-bytes.ts'
import { rfc3339, SECOND } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import { RequestError } from '../base/request-error.ts'
import { deleteRow } from '../db/change-row.ts'
import { insertRow } from '../db/insert-row.ts'
import { memberStatement } from '../db/statement.ts'
import type { MemberDatabase, MemberTransaction } from '../db/database.ts'
import {
  UPLOAD_LIFETIME_MS,
  MAX_UPLOAD_BYTES,
  CHUNK_BYTES,
  CHUNKS_PER_WRITE,
  type StoredUpload,
  removeUpload,
  inChunks,
  UPLOAD_COLUMNS,
} from './uploads.ts'

/** The limit for all unexpired uploads of a member. */
export interface UploadQuota {
  readonly maxBytes: number
  readonly maxUploads: number
}

/** `mebibytes` is `WEFT_UPLOAD_QUOTA_MB`. */
export function uploadQuota(mebibytes: number): UploadQuota {
  return { maxBytes: mebibytes * MEGABYTE, maxUploads: 100 }
}

export const DEFAULT_UPLOAD_QUOTA_MB = 250

/** For the command line, which only the operator uses. */
export const NO_UPLOAD_QUOTA: UploadQuota = {
  maxBytes: Number.MAX_SAFE_INTEGER,
  maxUploads: Number.MAX_SAFE_INTEGER,
}

interface UploadDescription {
  /** Sanitized by `cleanFilename`. */
  readonly filename: string | null
  readonly contentType: string | null
  readonly now: number
}

/**
 * Stores a file while it arrives. The upload can be used once this resolves. After an error nothing is left.
 *
 * @throws {RequestError} `payload_too_large` when the file exceeds `maxBytes`.
 * @throws {RequestError} `upload_quota_exceeded` when the member's quota does not cover it.
 * @throws {RequestError} `invalid_request` when the file is empty.
 * @throws {Error} any error of the stream.
 */
export async function storeUpload(
  db: MemberDatabase,
  upload: UploadDescription & {
    readonly bytes: AsyncIterable<Uint8Array>
    readonly maxBytes?: number
    /** Default: `DEFAULT_UPLOAD_QUOTA_MB`. */
    readonly quota?: UploadQuota
  },
): Promise<StoredUpload> {
  const { now, maxBytes = MAX_UPLOAD_BYTES } = upload
  const { quota = uploadQuota(DEFAULT_UPLOAD_QUOTA_MB) } = upload
  const uploadId = await db.write(async (tx) => {
    const id = await insertUpload(tx, upload)
    await checkQuota(tx, quota, now)
    return id
  })
  const limits = { maxBytes, checkQuota: (tx: MemberTransaction) => checkQuota(tx, quota, now) }
  try {
    const bytes = await storeChunks(db, uploadId, upload.bytes, limits)
    return await db.write((tx) => completeUpload(tx, uploadId, bytes, upload.now))
  } catch (error) {
    // If this fails too, the sweep removes the upload. The first error is the one to report.
    await removeUpload(db, uploadId).catch(() => {})
    throw error
  }
}

/**
 * Stores content that was sent inside a request, in the transaction that uses it. Inline content replaces the earlier one:
 * a member has one import at a time, so the earlier one has ended. The content of a file is kept for a day.
 */
export async function storeText(
  tx: MemberTransaction,
  {
    origin = 'inline',
    ...upload
  }: UploadDescription & { readonly text: string; readonly origin?: 'file' | 'inline' },
): Promise<StoredUpload> {
  const bytes = Buffer.from(upload.text)
  if (bytes.byteLength > MAX_UPLOAD_BYTES) throw tooLarge(MAX_UPLOAD_BYTES)
  if (bytes.byteLength === 0) throw withoutContent()
  if (origin === 'inline') await deleteRow(tx, 'uploads', { isInline: 1 })
  const uploadId = await insertUpload(tx, upload, origin)
  const chunks: Uint8Array[] = []
  for (let from = 0; from < bytes.byteLength; from += CHUNK_BYTES)
    chunks.push(bytes.subarray(from, from + CHUNK_BYTES))
  await insertChunks(tx, uploadId, 0, chunks)
  return completeUpload(tx, uploadId, bytes.byteLength, upload.now)
}

/**
 * @throws {RequestError} `upload_quota_exceeded` when the member's uploads, including unfinished ones, exceed the
 *   quota.
 */
async function checkQuota(
  tx: MemberTransaction,
  { maxBytes, maxUploads }: UploadQuota,
  now: number,
): Promise<void> {
  const stored = await tx.get(STORED, { now })
  if (!stored || (stored.bytes <= maxBytes && stored.uploads <= maxUploads)) return
  const limit = `${formatBytes(maxBytes)} in ${maxUploads} files`
  throw new RequestError(
    'upload_quota_exceeded',
    `Upload quota exceeded. An account can store up to ${limit} at a time.`,
    {
      retryAfter: Math.max(1, Math.ceil((stored.first_expiry - now) / SECOND)),
      hint:
        'Import the files that you have already uploaded, or wait. Uploads are deleted after 24 hours, the next one ' +
        `at ${rfc3339(stored.first_expiry)}.`,
      members: { max_bytes: maxBytes, max_uploads: maxUploads },
    },
  )
}

interface StoringLimits {
  readonly maxBytes: number
  /** Runs after every write, because other uploads of the member may arrive concurrently. */
  readonly checkQuota: (tx: MemberTransaction) => Promise<void>
}

/** Returns the number of bytes. */
async function storeChunks(
  db: MemberDatabase,
  uploadId: string,
  bytes: AsyncIterable<Uint8Array>,
  { maxBytes, checkQuota: check }: StoringLimits,
): Promise<number> {
  let stored = 0
  let first = 0
  let waiting: Uint8Array[] = []
  const flush = async () => {
    const chunks = waiting
    const added = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)
    const write = async (tx: MemberTransaction) => {
      await insertChunks(tx, uploadId, first, chunks)
      await tx.run(ADD_BYTES, { upload_id: uploadId, added })
      await check(tx)
    }
    await db.write(write, { bulk: true })
    // Now, because few objects are allocated while a file arrives, so it would stay in memory as garbage.
    for (const { buffer } of chunks) if (buffer instanceof ArrayBuffer) buffer.transfer(0)
    first += chunks.length
    waiting = []
  }
  for await (const chunk of inChunks(bytes)) {
    stored += chunk.byteLength
    if (stored > maxBytes) throw tooLarge(maxBytes)
    waiting.push(chunk)
    if (waiting.length === CHUNKS_PER_WRITE) await flush()
  }
  if (stored === 0) throw withoutContent()
  if (waiting.length > 0) await flush()
  return stored
}

async function insertUpload(
  tx: MemberTransaction,
  upload: UploadDescription,
  origin: 'file' | 'inline' = 'file',
): Promise<string> {
  const upload_id = newId('upl')
  await insertRow(tx, 'uploads', {
    upload_id,
    filename: upload.filename,
    content_type: upload.contentType,
    created_at: upload.now,
    expires_at: upload.now + UPLOAD_LIFETIME_MS,
    is_inline: origin === 'inline' ? 1 : 0,
  })
  return upload_id
}

async function insertChunks(
  tx: MemberTransaction,
  uploadId: string,
  first: number,
  chunks: readonly Uint8Array[],
): Promise<void> {
  await tx.insertMany({
    table: 'upload_chunks',
    columns: ['upload_id', 'chunk', 'data'],
    rows: chunks.map((data, index) => [uploadId, first + index, data]),
  })
}

async function completeUpload(
  tx: MemberTransaction,
  uploadId: string,
  bytes: number,
  now: number,
): Promise<StoredUpload> {
  const upload = await tx.get(COMPLETE_UPLOAD, { upload_id: uploadId, bytes, now })
  // Only the sweep can have removed it, after a day.
  if (!upload)
    throw new RequestError('invalid_request', t('The upload took too long. Send it again.'))
  return upload
}

function tooLarge(maxBytes: number): RequestError {
  const detail = `The file is too large. An upload can have up to ${maxBytes} bytes.`
  return new RequestError('payload_too_large', detail, { members: { max_bytes: maxBytes } })
}

function withoutContent(): RequestError {
  return new RequestError('invalid_request', t('The file is empty.'))
}

/** Counts bytes while they arrive. `COMPLETE_UPLOAD` sets the total. */
const ADD_BYTES = memberStatement<{ upload_id: string; added: number }>()(`
  update uploads set bytes = bytes + :added where member_id = :member_id and upload_id = :upload_id`)

/** Uses the primary key. The quota limits the number of rows, apart from expired uploads that await the sweep. */
const STORED = memberStatement<
  { now: number },
  { bytes: number; uploads: number; first_expiry: number }
>()(`
  select cast(coalesce(sum(bytes), 0) as bigint) as bytes, count(*) as uploads,
    coalesce(min(expires_at), 0) as first_expiry
  from uploads where member_id = :member_id and expires_at > :now`)

const COMPLETE_UPLOAD = memberStatement<
  { upload_id: string; bytes: number; now: number },
  StoredUpload
>()(`
  update uploads set bytes = :bytes, completed_at = :now
  where member_id = :member_id and upload_id = :upload_id
  returning ${UPLOAD_COLUMNS}`)
