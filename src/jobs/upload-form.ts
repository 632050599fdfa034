/** An upload sent as a form (multipart/form-data, RFC 7578): its one file, stored as it arrives. */

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { Refusal } from '../base/refusal.ts'
import { cleanFilename } from './filename.ts'
import { removeUpload, storeUpload, type StoredUpload } from './uploads.ts'
import type { MemberDatabase } from '../db/database.ts'

/** Fields beside the file are read over; a form with more than this is not one a person sent. */
const LIMITS = { files: 1, fields: 20, parts: 22, fieldSize: 4096, headerPairs: 50 }

export async function storeForm(
  db: MemberDatabase,
  contentType: string,
  body: AsyncIterable<Uint8Array>,
  now: number,
): Promise<StoredUpload> {
  const form = openForm(contentType)
  let file: BusboyFileStream | undefined
  let storing: Promise<StoredUpload> | undefined
  form.once('file', (_field, stream, filename, _encoding, mimeType) => {
    file = stream
    stream.on('error', ignore)
    const name = cleanFilename(filename ?? '')
    storing = storeUpload(db, { filename: name, contentType: mimeType, bytes: stream, now })
    // The form need not be read to its end for a file that is refused; awaited below all the same.
    storing.catch((error: Error) => form.destroy(error))
  })
  form.on('error', ignore)
  form.once('filesLimit', () => form.destroy(notOneFile('more than one')))
  try {
    await pipeline(Readable.from(body), form)
    if (storing) return await storing
  } catch (error) {
    const reason = error instanceof Refusal ? error : unreadableForm(error)
    file?.destroy(reason)
    const stored = await storing?.catch(() => undefined)
    if (stored) await removeUpload(db, stored.upload_id)
    throw reason
  }
  throw notOneFile('none')
}

/**
 * The parser emits errors on its streams at any time, also before and after somebody reads them, and one that nobody
 * hears ends the process. What matters of them arrives through the pipeline.
 */
function ignore(): void {}

function openForm(contentType: string): BusboyInstance {
  try {
    const headers = { 'content-type': contentType }
    return new Busboy({ headers, limits: LIMITS, preservePath: true })
  } catch (error) {
    throw unreadableForm(error)
  }
}

function notOneFile(found: string): Refusal {
  const detail = `The form must hold exactly one file; it holds ${found}.`
  return new Refusal('invalid_request', detail, {
    hint: 'Send one part with a filename, or the bytes themselves as the body.',
  })
}

function unreadableForm(error: unknown): Refusal {
  const reason = error instanceof Error ? error.message : String(error)
  return new Refusal('invalid_request', `The multipart/form-data body cannot be read: ${reason}.`)
}
