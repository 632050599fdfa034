/**
 * Imports batches of rows. The first batch of a transaction is planned before it, so that no one waits meanwhile, and saved
 * in it if the plan still holds. Further batches share the transaction while no one waits for it: each changes random
 * pages of the indexes, so the more batches share a commit, the fewer pages are written per row.
 */

import { lastFieldNumber } from '../model/custom-fields.ts'
import { storePhotos } from '../model/photo-store.ts'
import { countRows, type ImportReport } from './import-report.ts'
import {
  isCurrent,
  incomingOf,
  planContacts,
  saveMerge,
  type KeyedContact,
  type PlannedMerge,
} from './merge-contacts.ts'
import { restoreHistory } from './restore-history.ts'
import type { KnownKeys } from './known-keys.ts'
import type { MergeContext } from './matched-people.ts'
import type { ImportRow } from '../model/contact.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'
import type { RunningJob } from '../../jobs/job.ts'

/** What the batches of one import share. */
export interface ImportRun extends Pick<MergeContext, 'source'> {
  /** See `MergeContext.confirmed`; of the batches that are committed. */
  readonly confirmed: Set<number>
  readonly job: Pick<RunningJob, 'jobId' | 'now'>
  /** As of the last commit; undefined if they are not loaded, or someone else has changed the network. */
  knownKeys?: KnownKeys | undefined
}

/** What one batch needs of it. */
type BatchRun = Pick<ImportRun, 'job' | 'source' | 'knownKeys'> &
  Required<Pick<MergeContext, 'confirmed'>>

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
  /** Of the network with this batch. */
  readonly knownKeys: KnownKeys | undefined
}

interface Batches {
  /** Not empty. A batch is taken only when the transaction is ready to save it. */
  readonly batches: Iterable<readonly ImportRow[]>
  /** The plan of the first. */
  readonly planned: PlannedMerge | undefined
  /** Counts their rows. */
  readonly report: ImportReport
}

interface SavedBatches extends SavedBatch {
  /** How many of the batches were saved; at least one. */
  readonly count: number
  /** The last row that was saved. */
  readonly row: number | undefined
  /** The plan of the next batch, if it was made in the transaction. */
  readonly next: PlannedMerge | undefined
}

/** Saves batches until others wait for the transaction. Can be called again with the same plan, like `saveBatch`. */
export async function saveBatches(
  tx: MemberTransaction,
  run: ImportRun,
  { batches, planned, report }: Batches,
): Promise<SavedBatches> {
  const confirmed = new Set<number>()
  const customFields: number[] = []
  const later = {
    ...run,
    confirmed: { has: (id: number) => confirmed.has(id) || run.confirmed.has(id) },
  }
  let [count, next] = [0, planned]
  let row: number | undefined
  for (const rows of batches) {
    if (count > 0 && !tx.isAwaited) next = await planBatch(tx, later, rows)
    if (count > 0 && tx.isAwaited) break
    const saved = await saveBatch(tx, later, { rows, planned: next, report })
    for (const id of saved.confirmed) confirmed.add(id)
    customFields.push(...saved.customFields)
    later.knownKeys = saved.knownKeys
    next = undefined
    count += 1
    row = rows.at(-1)?.row
  }
  return { count, row, next, confirmed, customFields, knownKeys: later.knownKeys }
}

/** Undefined for rows with photos or custom fields: what becomes of them depends on what their transaction can store. */
export async function planBatch(
  reader: MemberReader,
  run: BatchRun,
  rows: readonly ImportRow[],
): Promise<PlannedMerge | undefined> {
  const incoming = incomingOf(rows)
  if (photosOf(rows).length > 0 || incoming.contacts.some(hasCustomFields)) return undefined
  return planContacts(reader, incoming, contextOf(run), run.knownKeys)
}

/** Saves the rows in the transaction. Can be called again with the same plan, because a transaction may be retried. */
export async function saveBatch(
  tx: MemberTransaction,
  run: BatchRun,
  { rows, planned, report }: Batch,
): Promise<SavedBatch> {
  const { jobId, now } = run.job
  const kept = await storeBatchPhotos(tx, rows, now())
  const incoming = incomingOf(kept)
  const hasCustom = incoming.contacts.some(hasCustomFields)
  const lastField = hasCustom ? await lastFieldNumber(tx) : 0
  const merge =
    planned && (await isCurrent(tx, planned))
      ? planned
      : await planContacts(tx, incoming, contextOf(run), run.knownKeys)
  const version = await saveMerge(tx, merge)
  const results = await restoreHistory(tx, kept, merge.results, { jobId, now: now() })
  countRows(report, kept, results, merge.context)
  const customFields = hasCustom ? numbersAfter(lastField, await lastFieldNumber(tx)) : []
  // Restoring a history writes keys that are not in the plan.
  const knownKeys = kept.some(hasHistory) ? undefined : withKeysOf(merge, version)
  return { confirmed: merge.network.confirmed, customFields, knownKeys }
}

/** The keys of the network after a merge that was planned with a filter of them. */
function withKeysOf({ network }: PlannedMerge, version: number): KnownKeys | undefined {
  const { filter, people } = network
  if (filter === undefined) return undefined
  for (const { keys, otherKeys } of people) {
    for (const key of keys) filter.add(key)
    for (const key of otherKeys) filter.add(key)
  }
  return { filter, version }
}

function hasHistory(row: ImportRow): boolean {
  return 'contact' in row && row.history !== undefined
}

function contextOf({ job, source, confirmed }: BatchRun): MergeContext {
  return { source, jobId: job.jobId, now: job.now(), confirmed, cuts: new Map(), found: new Map() }
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
