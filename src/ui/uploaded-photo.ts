/** The photo of a form that uploads one. */

import { t } from '../languages/message.ts'
import { tooLarge, type RefusedPhoto } from '../contact-files/contact/photo.ts'
import type { FileForm } from '../http/body/multipart-form.ts'

/** The bytes of the file, or why there are none to use. */
export async function readUploadedPhoto(
  { file }: FileForm,
  maxBytes: number,
): Promise<Uint8Array | RefusedPhoto> {
  const chunks: Uint8Array[] = []
  let size = 0
  // A larger file is read to its end, because the browser shows an answer only then, but not kept.
  for await (const chunk of file?.bytes ?? []) {
    size += chunk.byteLength
    if (size <= maxBytes) chunks.push(chunk)
  }
  if (size === 0) return { refused: t('is required') }
  return size > maxBytes ? tooLarge(maxBytes) : Buffer.concat(chunks)
}
