/** The file of a form, stored as it arrives. */

import { singleFileError, openFileForm, type FileForm } from '../http/multipart-form.ts'
import { cleanFilename } from './filename.ts'
import { storeUpload, type StoredUpload, type UploadQuota } from './uploads.ts'
import type { MemberDatabase } from '../db/database.ts'

/** When a file arrives, and how much the member may have stored. */
export interface UploadTerms {
  readonly now: number
  readonly quota: UploadQuota
}

/** A form that is still to be read; fields beside its file are read over. */
export async function storeForm(
  db: MemberDatabase,
  contentType: string,
  body: AsyncIterable<Uint8Array>,
  terms: UploadTerms,
): Promise<StoredUpload> {
  using form = await openFileForm(body, contentType)
  return await storeFormFile(db, form, terms)
}

/** Leaves nothing of a form that proves broken, or holds another file. */
export async function storeFormFile(
  db: MemberDatabase,
  { file }: FileForm,
  terms: UploadTerms,
): Promise<StoredUpload> {
  if (!file) throw singleFileError('none')
  const { filename, contentType, bytes } = file
  return storeUpload(db, { filename: cleanFilename(filename), contentType, bytes, ...terms })
}
