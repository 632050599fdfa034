/** Streaming parser for a form with one file (multipart/form-data, RFC 7578): fields first, then the file. */

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { RequestError } from '../../base/request-error.ts'
import { assertValidText } from './parse-request.ts'
import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy'

/** None of our forms has more fields. */
const LIMITS = { files: 1, fields: 20, parts: 22, fieldSize: 4096, headerPairs: 50 }

interface FormFile {
  /** As sent; empty if no file was chosen. */
  readonly filename: string
  readonly contentType: string
  /**
   * Ends with the form.
   *
   * @throws {RequestError} `invalid_request` when the form is malformed or has a second file.
   */
  readonly bytes: AsyncIterable<Uint8Array>
}

/** A form whose file, if any, may still be arriving. Disposing it stops the upload. */
export class FileForm implements Disposable {
  readonly fields: URLSearchParams
  readonly file: FormFile | undefined
  readonly #leaving: AbortController

  constructor(fields: URLSearchParams, file: FormFile | undefined, leaving: AbortController) {
    this.fields = fields
    this.file = file
    this.#leaving = leaving
  }

  [Symbol.dispose](): void {
    this.#leaving.abort()
  }
}

/**
 * Resolves when the file begins, or when the form ends without a file.
 *
 * @throws {RequestError} `invalid_request` when the form is malformed.
 */
export async function openFileForm(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
): Promise<FileForm> {
  const parser = await openParser(contentType)
  const leaving = new AbortController()
  const ended = pipeline(Readable.from(body), parser, { signal: leaving.signal })
  const fields = new URLSearchParams()
  let file: FormFile | undefined
  const begun = new Promise<void>((resolve) => {
    parser.once('file', (_field, stream, filename, _encoding, type) => {
      stream.on('error', ignore)
      ended.catch((error: Error) => stream.destroy(error))
      // busboy treats a part of type application/octet-stream as a file even without a filename.
      file = { filename: filename ?? '', contentType: type, bytes: bytesOf(stream, ended) }
      resolve()
    })
  })
  parser.on('field', (name, value) => {
    if (!file) fields.append(name, value)
  })
  parser.once('filesLimit', () => parser.destroy(singleFileError('more than one')))
  parser.on('error', ignore)
  try {
    await Promise.race([begun, ended])
    assertValidText(fields)
  } catch (error) {
    leaving.abort()
    throw toRequestError(error)
  }
  return new FileForm(fields, file, leaving)
}

/** `actual` completes the sentence "contains …". */
export function singleFileError(actual: string): RequestError {
  const detail = `The form must contain exactly one file, but contains ${actual}.`
  return new RequestError('invalid_request', detail, {
    hint: 'Send one part with a filename, or send the file contents as the request body.',
  })
}

async function* bytesOf(
  stream: BusboyFileStream,
  ended: Promise<void>,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* stream
    await ended
  } catch (error) {
    throw toRequestError(error)
  }
}

/**
 * The parser emits errors on its streams at any time, even with no reader, and an unhandled error event ends the
 * process. The pipeline reports the errors that matter.
 */
function ignore(): void {}

/** Loaded on first use, because few requests upload a file. */
async function openParser(contentType: string): Promise<BusboyInstance> {
  const { Busboy } = await import('@fastify/busboy')
  try {
    const headers = { 'content-type': contentType }
    return new Busboy({ headers, limits: LIMITS, preservePath: true })
  } catch (error) {
    throw toRequestError(error)
  }
}

function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new RequestError(
    'invalid_request',
    `The multipart/form-data body is malformed: ${reason}.`,
  )
}
