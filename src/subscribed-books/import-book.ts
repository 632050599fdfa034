/** Imports of the cards of a book. The first one waits until the member has seen its preview. */

import { RequestError } from '../base/request-error.ts'
import { fileImportJob } from '../imports/file-import.job.ts'
import { cleanFilename } from '../jobs/filename.ts'
import { startJob, type StartedJob } from '../jobs/start-job.ts'
import { storeText } from '../jobs/store-upload.ts'
import { findUpload, type StoredUpload } from '../jobs/uploads.ts'
import { t } from '../languages/message.ts'
import { recordFirstImport, type SubscribedBook } from './book-store.ts'
import type { MemberTransaction } from '../db/database.ts'

/** How imports and their previews read the cards. */
export const CARDS = { format: 'vcard', encoding: 'utf-8' } as const

/** Stores the cards of an import. Those of the first one are kept for a day. */
export function uploadCards(
  tx: MemberTransaction,
  { name, host, jobId }: Pick<SubscribedBook, 'name' | 'host' | 'jobId'>,
  text: string,
  now: number,
): Promise<StoredUpload> {
  const filename = cleanFilename(`${name} (${host}).vcf`)
  const origin = jobId === null ? 'file' : 'inline'
  return storeText(tx, { filename, contentType: 'text/vcard', text, now, origin })
}

/** Free, like the sync of a calendar. */
export function startImport(
  tx: MemberTransaction,
  uploadId: string,
  now: number,
): Promise<StartedJob> {
  return startJob(tx, {
    definition: fileImportJob,
    input: { upload_id: uploadId, ...CARDS },
    credentialId: null,
    charge: false,
    quota: 0,
    now,
  })
}

/**
 * Starts the first import of a book, unless another import runs. Later ones start by themselves. Wake the worker after the
 * commit.
 *
 * @throws {RequestError} `conflict` when no import of the book waits.
 */
export async function startFirstImport(
  tx: MemberTransaction,
  { bookId, previewId }: SubscribedBook,
  now: number,
): Promise<StartedJob> {
  const upload = previewId === null ? undefined : await findUpload(tx, previewId)
  if (!upload || upload.expires_at <= now)
    throw new RequestError('conflict', t('No import of this address book waits for you.'), {
      hint: t(
        'Its cards are read first; this takes about a minute. Imports after the first one start by themselves.',
      ),
    })
  const result = await startImport(tx, upload.upload_id, now)
  if (result.started) await recordFirstImport(tx, bookId, result.job.job_id)
  return result
}
