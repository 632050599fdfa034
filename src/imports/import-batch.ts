/** Plans and saves a batch of rows of a file. */

import { lastFieldNumber } from '../connections/model/custom-fields.ts'
import { storePhotos } from '../connections/model/photo-store.ts'
import { countRows, type ImportReport } from './import-report.ts'
import {
  incomingOf,
  planContacts,
  saveMerge,
  type KeyedContact,
  type PlannedMerge,
} from './merging/merge-contacts.ts'
import { restoreHistory } from './merging/restore-history.ts'
import { readNetworkState } from '../tools/call-state.ts'
import type { MergeContext } from './merging/matched-people.ts'
import type { ImportRow } from '../contact-files/contact/contact.ts'
import type { MemberReader, MemberTransaction } from '../db/database.ts'
import type { RunningJob } from '../jobs/job.ts'

/** What the batches of one import share. */
export interface ImportRun extends Pick<MergeContext, 'source'> {
  /** See `MergeContext.confirmed`; of the batches that are committed. */
  readonly confirmed: Set<number>
  readonly job: Pick<RunningJob, 'jobId' | 'now'>
}

interface Batch {
  readonly rows: readonly ImportRow[]
  /** Undefined if it could not be planned. */
  readonly planned: PlannedMerge | undefined
  /** Counts its rows. */
  readonly report: ImportReport
}

interface SavedBatch {
  /** See `Network.confirmed`. */
  readonly confirmed: ReadonlySet<number>
  /** Numbers of the custom fields that it defined. */
  readonly customFields: readonly number[]
}

/**
 * Plans a batch outside its transaction, so that other writes need not wait for the plan. Undefined for rows with photos or
 * custom fields, which depend on what the transaction can store.
 */
export async function planBatch(
  reader: MemberReader,
  run: ImportRun,
  rows: readonly ImportRow[],
): Promise<PlannedMerge | undefined> {
  const incoming = incomingOf(rows)
  if (photosOf(rows).length > 0 || incoming.contacts.some(hasCustomFields)) return undefined
  return planContacts(reader, incoming, contextOf(run))
}

/**
 * Saves the rows in the transaction, as planned if the network has not changed since. Can be called again with the same
 * plan, because a transaction may be retried.
 */
export async function saveBatch(
  tx: MemberTransaction,
  run: ImportRun,
  { rows, planned, report }: Batch,
): Promise<SavedBatch> {
  const { jobId, now } = run.job
  const kept = await storeBatchPhotos(tx, rows, now())
  const incoming = incomingOf(kept)
  const hasCustom = incoming.contacts.some(hasCustomFields)
  const lastField = hasCustom ? await lastFieldNumber(tx) : 0
  const { search_version: version } = await readNetworkState(tx)
  const merge =
    planned?.version === version ? planned : await planContacts(tx, incoming, contextOf(run))
  await saveMerge(tx, merge)
  const results = await restoreHistory(tx, kept, merge.results, { jobId, now: now() })
  countRows(report, kept, results, merge.context)
  const customFields = hasCustom ? numbersAfter(lastField, await lastFieldNumber(tx)) : []
  return { confirmed: merge.network.confirmed, customFields }
}

function contextOf({ job, source, confirmed }: ImportRun): MergeContext {
  const collected = { cuts: new Map(), found: new Map(), linked: [] }
  return { source, jobId: job.jobId, now: job.now(), confirmed, ...collected }
}

function photosOf(rows: readonly ImportRow[]) {
  return rows.flatMap((row) => ('contact' in row && row.photo ? [row.photo] : []))
}

function hasCustomFields({ contact }: KeyedContact): boolean {
  return contact.details?.custom !== undefined
}

async function storeBatchPhotos(
  tx: MemberTransaction,
  rows: readonly ImportRow[],
  now: number,
): Promise<readonly ImportRow[]> {
  const photos = photosOf(rows)
  const stored = await storePhotos(tx, photos, now)
  return photos.length === stored.size ? rows : rows.map((row) => withStored(row, stored))
}

/** Without a photo that exceeds the quota. */
function withStored(row: ImportRow, stored: ReadonlySet<string>): ImportRow {
  if (!('contact' in row) || !row.photo || stored.has(row.photo.photoId)) return row
  const { photo: _photo, ...details } = row.contact.details ?? {}
  const { keys: _keys, ...others } = row // its fingerprint changes
  return { ...others, contact: { ...row.contact, details }, cut: [...(row.cut ?? []), 'photo'] }
}

function numbersAfter(before: number, last: number): number[] {
  return Array.from({ length: last - before }, (_, index) => before + 1 + index)
}
