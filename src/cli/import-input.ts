/** The file that `weft import` reads: one with a name, or standard input. */

import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { formatBytes } from '../base/format-bytes.ts'
import { RequestError } from '../base/request-error.ts'
import { MAX_UPLOAD_BYTES } from '../jobs/uploads.ts'
import type { Terminal } from './terminal/terminal.ts'

export const STANDARD_INPUT = '-'

interface InputCopy extends AsyncDisposable {
  readonly path: string
}

/**
 * A file can be read again to continue an interrupted import, a pipe cannot.
 *
 * @throws {RequestError} `payload_too_large` when the input exceeds `MAX_UPLOAD_BYTES`.
 */
export async function copyInput({ stdin }: Terminal): Promise<InputCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'weft-import-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  const path = join(folder, 'standard-input')
  try {
    await pipeline(stdin, limitSize, createWriteStream(path, { mode: 0o600 }))
  } catch (error) {
    await remove()
    throw error
  }
  return { path, [Symbol.asyncDispose]: remove }
}

async function* limitSize(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of input) {
    bytes += chunk.byteLength
    if (bytes > MAX_UPLOAD_BYTES) throw tooLarge('Standard input')
    yield chunk
  }
}

/** @throws {RequestError} when the file is not found or too large. */
export async function checkFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new RequestError('not_found', `${path} does not exist. Check the path.`)
  if (!found.isFile())
    throw new RequestError(
      'invalid_request',
      `${path} is not a file. Use the path of a contact file.`,
    )
  if (found.size > MAX_UPLOAD_BYTES) throw tooLarge(path)
}

function tooLarge(input: string): RequestError {
  const limit = formatBytes(MAX_UPLOAD_BYTES)
  return new RequestError('payload_too_large', `${input} is larger than ${limit}.`, {
    hint: 'Split it into several files and import them one at a time. The result is the same.',
  })
}

/** From the start. */
export function readFrom(file: FileHandle, signal?: AbortSignal): AsyncIterable<Uint8Array> {
  return file.createReadStream({ autoClose: false, start: 0, ...(signal && { signal }) })
}
