/** A request's body as its route takes it: whole and within a limit, or as a stream that fails past the limit. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { RequestError } from '../base/request-error.ts'
import { BODY_PACE, BodyWatch, paced, type BodyPace } from './body-pace.ts'
import { openFileForm, type FileForm } from './multipart-form.ts'
import { isType, readBytes, readForm, readJson, unsupported } from './parse-request.ts'
import type { Body } from './route.ts'

/** The body is read here and nowhere else, once the caller is known: nobody uploads only to be refused. */
export async function readBody(
  body: Body | undefined,
  request: IncomingMessage,
  response: ServerResponse,
  pace: BodyPace = BODY_PACE,
): Promise<unknown> {
  if (!body) return undefined
  refuseCoding(request.headers['content-encoding'])
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > body.maxBytes) throw tooLarge(body.maxBytes)
  askForBody(request, response)
  const watch = new BodyWatch(pace, response)
  if (body.kind === 'stream') return limited(request, body.maxBytes, watch)
  const type = request.headers['content-type']
  if (body.kind === 'file-form') return readFileForm(limited(request, body.maxBytes, watch), type)
  const bytes = await collect(request, body.maxBytes, watch)
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

/** Whether an `Expect` header says that its sender waits to be asked for the body (RFC 9110 section 10.1.1). */
export function expectsContinue(expect: string): boolean {
  return /^\s*100-continue\s*$/i.test(expect)
}

/** To HTTP/1.0 no 100 is sent (RFC 9110 section 15.2). */
function askForBody({ headers, httpVersion }: IncomingMessage, response: ServerResponse): void {
  if (headers.expect !== undefined && httpVersion !== '1.0') response.writeContinue()
}

/** RFC 9110 section 15.5.16: the answer names the codings that are understood, which is none. */
function refuseCoding(coding: string | undefined): void {
  if (coding === undefined || /^\s*(identity\s*)?$/i.test(coding)) return
  throw new RequestError(
    'unsupported_media_type',
    'The body has a Content-Encoding. Send it without one.',
    { headers: { 'accept-encoding': 'identity' } },
  )
}

async function* limited(
  request: IncomingMessage,
  maxBytes: number,
  watch: BodyWatch,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  // Whoever stops half way must not destroy the socket that the answer goes through.
  const chunks: AsyncIterable<Uint8Array> = request.iterator({ destroyOnReturn: false })
  for await (const chunk of paced(chunks, watch)) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw tooLarge(maxBytes)
    yield chunk
  }
}

/** By events: an iterator takes several times longer for the one chunk that most bodies are. */
function collect(
  request: IncomingMessage,
  maxBytes: number,
  watch: BodyWatch,
): Promise<Uint8Array> {
  // Without either header there is no body (RFC 9112 section 6.3), and node:http then emits no end.
  const { headers } = request
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)
    return Promise.resolve(new Uint8Array())
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let bytes = 0
    // What else is sent is left where it is: the answer still goes through this socket.
    const refuse = (refusal: RequestError) => {
      arrived(0)
      request.off('data', take).pause()
      reject(refusal)
    }
    const take = (chunk: Uint8Array) => {
      arrived(chunk.byteLength)
      bytes += chunk.byteLength
      chunks.push(chunk)
      arrived = watch.expect(refuse)
      if (bytes > maxBytes) refuse(tooLarge(maxBytes))
    }
    let arrived = watch.expect(refuse)
    request.on('data', take)
    request.once('end', () => {
      arrived(0)
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))
    })
    request.once('error', (error) => {
      arrived(0)
      reject(error)
    })
  })
}

function tooLarge(maxBytes: number): RequestError {
  return new RequestError(
    'payload_too_large',
    `The body is larger than ${maxBytes} bytes, the most this path takes.`,
    { members: { max_bytes: maxBytes } },
  )
}
