/** Reads a request body: buffered up to a limit, or as a stream that fails beyond it. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { RequestError } from '../../base/request-error.ts'
import { BODY_PACE, BodyWatch, paced, type BodyPace } from './body-pace.ts'
import { LARGE_BODY_BYTES } from './large-bodies.ts'
import { openFileForm, type FileForm } from './multipart-form.ts'
import { isType, readBytes, readForm, readJson, unsupported } from './parse-request.ts'
import type { Body } from './body-types.ts'

interface ReadingOptions {
  readonly pace?: BodyPace | undefined
  /** Resolves when a large body may be read. Calls `onOverdue` if reading then takes too long. */
  readonly admitLarge: (onOverdue: (error: RequestError) => void) => Promise<void>
}

/** Reads the body, after authentication. */
export async function readBody(
  body: Body | undefined,
  request: IncomingMessage,
  response: ServerResponse,
  { pace = BODY_PACE, admitLarge }: ReadingOptions,
): Promise<unknown> {
  if (!body) return undefined
  assertNoEncoding(request.headers['content-encoding'])
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > body.maxBytes) throw tooLarge(body.maxBytes)
  askForBody(request, response)
  const startWatch = () => new BodyWatch(pace, response)
  if (body.kind === 'stream') return limited(request, body.maxBytes, startWatch())
  const type = request.headers['content-type']
  if (body.kind === 'file-form')
    return readFileForm(limited(request, body.maxBytes, startWatch()), type)
  const bytes = await collect(request, body.maxBytes, startWatch, admitLarge)
  if (body.kind === 'json') return readJson(body, bytes, type)
  return body.kind === 'form' ? readForm(bytes, type) : readBytes(body, bytes, type)
}

const FILE_FORM_TYPE = 'multipart/form-data'

async function readFileForm(
  bytes: AsyncIterable<Uint8Array>,
  type: string | undefined,
): Promise<FileForm> {
  if (type === undefined || !isType(type, [FILE_FORM_TYPE]))
    throw unsupported(type, [FILE_FORM_TYPE])
  return openFileForm(bytes, type)
}

/** True if the client waits for `100 Continue` (RFC 9110 section 10.1.1). */
export function expectsContinue(expect: string): boolean {
  return /^\s*100-continue\s*$/i.test(expect)
}

/** Not for HTTP/1.0 (RFC 9110 section 15.2). */
function askForBody({ headers, httpVersion }: IncomingMessage, response: ServerResponse): void {
  if (headers.expect !== undefined && httpVersion !== '1.0') response.writeContinue()
}

/** Rejects Content-Encoding; the response has an empty Accept-Encoding (RFC 9110 section 15.5.16). */
function assertNoEncoding(coding: string | undefined): void {
  if (coding === undefined || /^\s*(identity\s*)?$/i.test(coding)) return
  throw new RequestError(
    'unsupported_media_type',
    'Request bodies with a Content-Encoding are not supported. Send the body uncompressed.',
    { headers: { 'accept-encoding': 'identity' } },
  )
}

async function* limited(
  request: IncomingMessage,
  maxBytes: number,
  watch: BodyWatch,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  // Stopping early must not destroy the socket, which the response needs.
  const chunks: AsyncIterable<Uint8Array> = request.iterator({ destroyOnReturn: false })
  for await (const chunk of paced(chunks, watch)) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw tooLarge(maxBytes)
    yield chunk
  }
}

/** Uses events, which are faster than an async iterator for a typical body of one chunk. */
function collect(
  request: IncomingMessage,
  maxBytes: number,
  startWatch: () => BodyWatch,
  admitLarge: ReadingOptions['admitLarge'],
): Promise<Uint8Array> {
  // Without either header there is no body (RFC 9112 section 6.3) and no end event.
  const { headers } = request
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)
    return Promise.resolve(new Uint8Array())
  // The client left during authentication: no event follows.
  if (request.destroyed) return Promise.reject(connectionClosed())
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let bytes = 0
    let isAdmitted = false
    // Leaves the rest unread, because the response uses this socket.
    const fail = (error: Error) => {
      received(0)
      request.off('data', take).pause()
      reject(error)
    }
    const take = (chunk: Uint8Array) => {
      received(chunk.byteLength)
      bytes += chunk.byteLength
      chunks.push(chunk)
      if (bytes > maxBytes) fail(tooLarge(maxBytes))
      else if (bytes > LARGE_BODY_BYTES && !isAdmitted) admit()
      else received = expectMore()
    }
    // The rest stays in the socket, and the sender is not measured.
    const admit = () => {
      isAdmitted = true
      request.pause()
      const resume = () => {
        received = expectMore()
        request.resume()
      }
      void admitLarge(fail).then(resume, fail)
    }
    // Most bodies arrive with their headers.
    const length = Number(headers['content-length'])
    let watch: BodyWatch | undefined
    const expectMore = () => {
      if (bytes + request.readableLength >= length) return () => {}
      watch ??= startWatch()
      return watch.expect(fail)
    }
    let received = expectMore()
    request.on('data', take)
    request.once('end', () => {
      received(0)
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))
    })
    request.once('error', (error) => {
      received(0)
      reject(error)
    })
  })
}

/** Returns the error for a client that disconnected. No one reads it. */
export function connectionClosed(): RequestError {
  return new RequestError(
    'invalid_request',
    'The connection was closed before the whole body arrived.',
  )
}

function tooLarge(maxBytes: number): RequestError {
  return new RequestError(
    'payload_too_large',
    `The body is larger than the limit of ${maxBytes} bytes for this path.`,
    { members: { max_bytes: maxBytes } },
  )
}
