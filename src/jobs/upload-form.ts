/** Stores the file of a multipart form while it arrives. */

import { singleFileError, openFileForm, type FileForm } from '../http/body/multipart-form.ts'
import { cleanFilename } from './filename.ts'
import { type StoredUpload } from './uploads.ts'
import { storeUpload, type UploadQuota } from './store-upload.ts'
import type { MemberDatabase } from '../db/database.ts'

/** The upload time and the member's quota. */
export interface UploadTerms {
  readonly now: number
  readonly quota: UploadQuota
}

/** Reads the form from the body. Ignores fields other than the file. */
export async function storeForm(
  db: MemberDatabase,
  contentType: string,
  body: AsyncIterable<Uint8Array>,
  terms: UploadTerms,
): Promise<StoredUpload> {
  using form = await openFileForm(body, contentType)
  return await storeFormFile(db, form, terms)
}

/** Stores nothing if the form is malformed or has a second file. */
export async function storeFormFile(
  db: MemberDatabase,
  { file }: FileForm,
  terms: UploadTerms,
): Promise<StoredUpload> {
  if (!file) throw singleFileError('none')
  const { filename, contentType, bytes } = file
  return storeUpload(db, { filename: cleanFilename(filename), contentType, bytes, ...terms })
}
