/** Imports a batch of rows of a file in a transaction. */

import { storePhotos } from '../connections/model/photo-store.ts'
import { countRows, type ImportReport } from './import-report.ts'
import { emptyNetwork, type MergeContext } from './merging/matched-people.ts'
import { mergeRows } from './merging/merge-contacts.ts'
import { savePeople } from './merging/save-people.ts'
import type { ImportRow } from '../contact-files/contact/contact.ts'
import type { MemberTransaction } from '../db/database.ts'

interface SavedBatch {
  /** See `MergeContext.confirmed`. */
  readonly confirmed: ReadonlySet<number>
  readonly customFields: readonly number[]
}

/** Merges rows into the network and counts them in `report`. */
export async function importRows(
  tx: MemberTransaction,
  rows: readonly ImportRow[],
  report: ImportReport,
  context: MergeContext,
): Promise<SavedBatch> {
  const kept = await storeBatchPhotos(tx, rows, context.now)
  const network = emptyNetwork(context)
  const results = await mergeRows(network, tx, kept)
  await savePeople(tx, network)
  countRows(report, kept, results, network)
  const { confirmed, fields } = network
  return { confirmed, customFields: (fields?.added ?? []).map(({ fieldId }) => fieldId) }
}

async function storeBatchPhotos(
  tx: MemberTransaction,
  rows: readonly ImportRow[],
  now: number,
): Promise<readonly ImportRow[]> {
  const photos = rows.flatMap((row) => ('contact' in row && row.photo ? [row.photo] : []))
  const stored = await storePhotos(tx, photos, now)
  return photos.length === stored.size ? rows : rows.map((row) => withStored(row, stored))
}

/** Without a photo that exceeds the quota. */
function withStored(row: ImportRow, stored: ReadonlySet<string>): ImportRow {
  if (!('contact' in row) || !row.photo || stored.has(row.photo.photoId)) return row
  const { photo: _photo, ...details } = row.contact.details ?? {}
  return { ...row, contact: { ...row.contact, details }, cut: [...(row.cut ?? []), 'photo'] }
}
