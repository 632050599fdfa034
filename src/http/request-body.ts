/** A request's body as its route takes it: whole and within a limit, or as a stream that fails past the limit. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Refusal } from '../base/refusal.ts'
import { readBytes, readJson } from './read-request.ts'
import type { Body } from './route.ts'

/** The body is read here and nowhere else, once the caller is known: nobody uploads only to be refused. */
export async function readBody(
  body: Body | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<unknown> {
  if (!body) return undefined
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > body.maxBytes) throw tooLarge(body.maxBytes)
  askForBody(request, response)
  const chunks = limited(request, body.maxBytes)
  if (body.kind === 'stream') return chunks
  const type = request.headers['content-type']
  const bytes = await collect(chunks)
  return body.kind === 'json' ? readJson(body, bytes, type) : readBytes(body, bytes, type)
}

/** Whether an `Expect` header says that its sender waits to be asked for the body (RFC 9110 section 10.1.1). */
export function expectsContinue(expect: string): boolean {
  return /^\s*100-continue\s*$/i.test(expect)
}

/** To HTTP/1.0 no 100 is sent (RFC 9110 section 15.2). */
function askForBody({ headers, httpVersion }: IncomingMessage, response: ServerResponse): void {
  if (headers.expect !== undefined && httpVersion !== '1.0') response.writeContinue()
}

async function* limited(request: IncomingMessage, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  // Whoever stops half way must not destroy the socket that the answer goes through.
  const chunks: AsyncIterable<Uint8Array> = request.iterator({ destroyOnReturn: false })
  for await (const chunk of chunks) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw tooLarge(maxBytes)
    yield chunk
  }
}

async function collect(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
}

function tooLarge(maxBytes: number): Refusal {
  return new Refusal(
    'payload_too_large',
    `The body is larger than ${maxBytes} bytes, the most this path takes.`,
    { members: { max_bytes: maxBytes } },
  )
}
