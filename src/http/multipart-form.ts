/** A form with a file in it (multipart/form-data, RFC 7578), read as it arrives: first its fields, then the file. */

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { RequestError } from '../base/request-error.ts'
import { assertValidText } from './parse-request.ts'
import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy'

/** A form with more fields than this is not one a person sent. */
const LIMITS = { files: 1, fields: 20, parts: 22, fieldSize: 4096, headerPairs: 50 }

/** The one file of a form. */
export interface FormFile {
  /** As it was sent; empty where a person chose none. */
  readonly filename: string
  readonly contentType: string
  /** Ends where the whole form does; throws a Refusal for one that is broken, or that holds another file. */
  readonly bytes: AsyncIterable<Uint8Array>
}

/** A form whose file, if it has one, is still arriving. Once disposed of, no more of it is read. */
export class FileForm implements Disposable {
  /** Those that stand before the file. */
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
 * Resolves where the file begins, or the form ends without one.
 *
 * @throws Refusal `invalid_request` for a form that cannot be read.
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
      // A part of the type application/octet-stream is taken for a file without a name, too.
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
    throw refusalOf(error)
  }
  return new FileForm(fields, file, leaving)
}

export function singleFileError(found: string): RequestError {
  const detail = `The form must hold exactly one file; it holds ${found}.`
  return new RequestError('invalid_request', detail, {
    hint: 'Send one part with a filename, or the bytes themselves as the body.',
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
    throw refusalOf(error)
  }
}

/**
 * The parser emits errors on its streams at any time, also before and after somebody reads them, and one that nobody
 * hears ends the process. What matters of them arrives through the pipeline.
 */
function ignore(): void {}

/** Few requests bring a file: the parser is loaded by the first that does. */
async function openParser(contentType: string): Promise<BusboyInstance> {
  const { Busboy } = await import('@fastify/busboy')
  try {
    const headers = { 'content-type': contentType }
    return new Busboy({ headers, limits: LIMITS, preservePath: true })
  } catch (error) {
    throw refusalOf(error)
  }
}

function refusalOf(error: unknown): RequestError {
  if (error instanceof RequestError) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new RequestError(
    'invalid_request',
    `The multipart/form-data body cannot be read: ${reason}.`,
  )
}
