/**
 * Imports batches of rows. The first batch of a transaction is planned before it, so that no one waits meanwhile, and saved
 * in it if the plan still holds. Further batches share the transaction while no one waits for it: each changes random
 * pages of the indexes, so the more batches share a commit, the fewer pages are written per row.
 */

import { lastFieldNumber } from '../model/custom-fields.ts'
import { storePhotos } from '../model/photo-store.ts'
import { countRows, type ImportReport } from './import-report.ts'
import { KeyChanges } from './key-changes.ts'
import { queueReviews } from '../matching/match-reviews.ts'
import {
  incomingOf,
  planAhead,
  planContacts,
  saveMerge,
  type KeyedContact,
  type PlannedMerge,
} from './merge-contacts.ts'
import { restoreHistory } from './restore-history.ts'
import { takePeople } from './save-people.ts'
import { readNetworkState } from '../../tools/call-state.ts'
import { Uncommitted } from './uncommitted.ts'
import type { ChangedKeys, KnownKeys } from './known-keys.ts'
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

/** What every batch needs of it. */
type BatchContext = Pick<ImportRun, 'job' | 'source'> & Required<Pick<MergeContext, 'confirmed'>>

/** What a batch needs in a transaction. */
type BatchRun = BatchContext & { knownKeys?: ChangedKeys | undefined }

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
  readonly knownKeys: ChangedKeys | undefined
}

interface Batches {
  /** Not empty. A batch is taken only when the transaction is ready to save it. */
  readonly batches: Iterable<readonly ImportRow[]>
  /** The plan of the first. */
  readonly planned: PlannedMerge | undefined
  /** Counts their rows. */
  readonly report: ImportReport
}

interface SavedBatches extends Omit<SavedBatch, 'knownKeys'> {
  /** Of the network with them, once the transaction is committed. */
  readonly knownKeys: KnownKeys | undefined
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
  batches: Batches,
): Promise<SavedBatches> {
  return (await savePlannedAhead(tx, run, batches)) ?? saveInTurn(tx, run, batches)
}

/**
 * Saves batches that need nothing but the people of the network, and plans each while the one before it is saved. Undefined
 * if the first is not one of them, if its plan is not current, or if the engine cannot do both at once.
 */
async function savePlannedAhead(
  tx: MemberTransaction,
  run: ImportRun,
  { batches, planned, report }: Batches,
): Promise<SavedBatches | undefined> {
  if (!planned || !tx.outside || planned.network.hasArrived) return undefined
  const queue = batches[Symbol.iterator]()
  const first = nextOf(queue)
  if (!first?.every(isPlain)) return undefined
  const uncommitted = await Uncommitted.begin(tx, tx.outside)
  if (uncommitted.counters.version !== planned.version) return undefined
  const confirmed = new Set<number>()
  const context = contextWith(run, confirmed)
  const index = run.knownKeys?.version === planned.version ? run.knownKeys.index : undefined
  const unsaved = { uncommitted, keys: index && uncommitted.keys }
  let [count, rows, plan] = [0, first, planned]
  for (;;) {
    takePeople(plan.network, plan.context, uncommitted)
    for (const id of plan.network.confirmed) confirmed.add(id)
    countRows(report, rows, plan.results, plan.context)
    count += 1
    const after = tx.isAwaited ? undefined : nextOf(queue)
    const [next] = await Promise.all([
      after?.every(isPlain) === true
        ? planAhead(uncommitted, incomingOf(after), contextOf(context), index)
        : undefined,
      saveMerge(tx, plan, unsaved),
    ])
    if (!after || !next || next.network.hasArrived || tx.isAwaited) {
      await queueReviews(tx, uncommitted.reviews)
      const saved = await index?.save(tx, uncommitted.keys)
      const knownKeys = saved && { index: saved, version: uncommitted.counters.version }
      return { count, row: rows.at(-1)?.row, next, confirmed, customFields: [], knownKeys }
    }
    ;[rows, plan] = [after, next]
  }
}

function nextOf<T>(values: Iterator<T>): T | undefined {
  const { done, value } = values.next()
  return done === true ? undefined : value
}

/** Plans each batch when the one before it is saved. */
async function saveInTurn(
  tx: MemberTransaction,
  run: ImportRun,
  { batches, planned, report }: Batches,
): Promise<SavedBatches> {
  const confirmed = new Set<number>()
  const customFields: number[] = []
  const later: BatchRun = {
    ...contextWith(run, confirmed),
    knownKeys: run.knownKeys && { ...run.knownKeys, changes: new KeyChanges() },
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
  const knownKeys = await saveKeysOf(tx, later.knownKeys)
  return { count, row, next, confirmed, customFields, knownKeys }
}

async function saveKeysOf(
  tx: MemberTransaction,
  known: ChangedKeys | undefined,
): Promise<KnownKeys | undefined> {
  return known && { index: await known.index.save(tx, known.changes), version: known.version }
}

/** The run with what its transaction has confirmed so far. */
function contextWith(run: ImportRun, confirmed: ReadonlySet<number>) {
  const has = (id: number) => confirmed.has(id) || run.confirmed.has(id)
  return { ...run, confirmed: { has } }
}

/** Undefined for rows with photos or custom fields: what becomes of them depends on what their transaction can store. */
export async function planBatch(
  reader: MemberReader,
  run: BatchContext & Pick<ImportRun, 'knownKeys'>,
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
  const { search_version: before } = await readNetworkState(tx)
  const known = run.knownKeys?.version === before ? run.knownKeys : undefined
  const merge =
    planned?.version === before ? planned : await planContacts(tx, incoming, contextOf(run), known)
  const version = await saveMerge(tx, merge, { keys: known?.changes })
  // Restoring a history looks up keys and writes others, which are not in the index.
  const isPlanned = !kept.some(hasHistory)
  if (!isPlanned) await saveKeysOf(tx, known)
  const results = await restoreHistory(tx, kept, merge.results, { jobId, now: now() })
  countRows(report, kept, results, merge.context)
  const customFields = hasCustom ? numbersAfter(lastField, await lastFieldNumber(tx)) : []
  const knownKeys = isPlanned && known ? { ...known, version } : undefined
  return { confirmed: merge.network.confirmed, customFields, knownKeys }
}

/** Whether all that its row adds is a person, with fields and keys. */
function isPlain(row: ImportRow): boolean {
  if (!('contact' in row)) return !('group' in row)
  const { note, labels, details } = row.contact
  return (
    note === null &&
    labels.length === 0 &&
    details?.custom === undefined &&
    row.photo === undefined &&
    !hasHistory(row)
  )
}

function hasHistory(row: ImportRow): boolean {
  return 'contact' in row && row.history !== undefined
}

function contextOf({ job, source, confirmed }: BatchContext): MergeContext {
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
