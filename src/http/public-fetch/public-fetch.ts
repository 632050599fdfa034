/** Fetches documents from untrusted URLs, but never from this server's internal network (SSRF protection). */

import { isIPv4, type LookupFunction } from 'node:net'
import { SECOND } from '../../base/clock.ts'
import { isJsonType } from '../body/parse-request.ts'
import { findHostAddresses } from './host-addresses.ts'
import type { LookupAddress } from 'node:dns'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { OutgoingPermit } from '../../base/concurrency/outgoing-pool.ts'

export interface FetchPolicy {
  /** Must hold for every IP address of the host: a single disallowed one prevents the connection. */
  readonly isAllowedAddress: (address: string) => boolean
  /** In PEM. If undefined, Node's default certificate authorities. */
  readonly certificateAuthority: string | undefined
  /** Name servers as `address:port`. If empty, those of the system. */
  readonly nameServers: readonly string[]
}

interface FetchedDocument {
  readonly bytes: Uint8Array
  readonly cacheControl: string | undefined
}

/** All failures of names, addresses, ports, certificates and timeouts are `unreachable`, so that no one can scan a network. */
export class FetchFailure extends Error {
  readonly reason: 'unreachable' | 'not_json' | 'too_large'

  constructor(reason: FetchFailure['reason'], cause?: unknown) {
    super(reason, { cause })
    this.name = 'FetchFailure'
    this.reason = reason
  }
}

/** Lower ports belong to other services, which this server must not be made to probe. */
const FIRST_FREE_PORT = 1024

/** True for https URLs with a host name. An IP address would skip the lookup and its check. */
export function isFetchable(url: URL): boolean {
  return (
    url.protocol === 'https:' &&
    url.username + url.password === '' &&
    !isIPv4(url.hostname) &&
    !url.hostname.startsWith('[') &&
    (url.port === '' || Number(url.port) >= FIRST_FREE_PORT)
  )
}

interface FetchRequest {
  readonly headers: Readonly<Record<string, string>>
  /** Without it, the answer's content is not read. */
  readonly maxBytes?: number
  /** Bytes of an error that are read; the rest is left out. Default 0. */
  readonly maxErrorBytes?: number
  /** Default: POST with a body, and otherwise GET. */
  readonly method?: string
  readonly body?: string | Uint8Array
}

interface FetchedResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Empty unless the status is 200 or 207 and `maxBytes` was given, or `maxErrorBytes` was. */
  readonly bytes: Uint8Array
}

/**
 * `url` must be fetchable, or an http address that the policy allows. Follows no redirects, sends no cookies, and uses
 * no proxy. Ends when the time limit of the permit has passed.
 *
 * @throws {FetchFailure} when the address is not public, or no response arrives in time.
 */
export async function fetchPublic(
  { signal }: OutgoingPermit,
  url: URL,
  policy: FetchPolicy,
  request: FetchRequest,
): Promise<FetchedResponse> {
  const { maxBytes = 0, maxErrorBytes = 0 } = request
  const response = await open(url, policy, { ...request, signal }).catch(unreachable)
  try {
    const { statusCode: status = 0 } = response
    const isRead = (status === 200 || status === 207) && maxBytes > 0
    const bytes = isRead
      ? await collect(response, maxBytes)
      : await collect(response, maxErrorBytes, { isCut: true })
    return { status, headers: response.headers, bytes }
  } finally {
    response.destroy()
  }
}

/**
 * Like `fetchPublic`, for a JSON document with status 200, and for callers who limit their requests themselves. `timeoutMs`
 * is for the whole fetch, from the name lookup to the last byte.
 *
 * @throws {FetchFailure} when the address is not public, or no JSON document arrives in time.
 */
export async function fetchPublicJson(
  url: URL,
  policy: FetchPolicy,
  { maxBytes, timeoutMs }: { readonly maxBytes: number; readonly timeoutMs: number },
): Promise<FetchedDocument> {
  const signal = AbortSignal.timeout(timeoutMs)
  const response = await open(url, policy, { headers: JSON_HEADERS, signal }).catch(unreachable)
  try {
    if (response.statusCode !== 200 || !isJsonType(response.headers['content-type']))
      throw new FetchFailure('not_json')
    const bytes = await collect(response, maxBytes)
    return { bytes, cacheControl: response.headers['cache-control'] }
  } finally {
    response.destroy()
  }
}

const JSON_HEADERS = { accept: 'application/json', 'user-agent': 'Weft (OAuth client metadata)' }

/**
 * An address that does not answer takes at most this time, so that the next one can be tried. Node's default of 250 ms passes
 * on a busy server without any fault of the site.
 */
const ADDRESS_TIMEOUT_MS = SECOND

async function open(
  url: URL,
  { isAllowedAddress, certificateAuthority, nameServers }: FetchPolicy,
  {
    headers,
    body,
    method = body === undefined ? 'GET' : 'POST',
    signal,
  }: Pick<FetchRequest, 'headers' | 'body' | 'method'> & { readonly signal: AbortSignal },
): Promise<IncomingMessage> {
  // Imported on first use, because TLS is slow to load.
  const { Agent, request } = await import(url.protocol === 'http:' ? 'node:http' : 'node:https')
  const find = (hostname: string) => findHostAddresses(hostname, { nameServers, signal })
  // A separate agent, so that no connection, TLS session or proxy is shared.
  const agent = new Agent({
    lookup: lookupAllowed(isAllowedAddress, find),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
    rejectUnauthorized: true,
    ...(certificateAuthority !== undefined && { ca: certificateAuthority }),
  })
  return new Promise((resolve, reject) => {
    request(url, { agent, headers, method, signal })
      .once('response', resolve)
      .on('error', reject)
      // After an answer that Node reports as neither, such as a change of protocol (101).
      .once('close', () => reject(new Error('the connection was closed without a response')))
      .end(body)
  })
}

/**
 * Connects to exactly the addresses that were checked, with one lookup, so a name server cannot return a different
 * address the second time (DNS rebinding).
 */
export function lookupAllowed(
  isAllowedAddress: FetchPolicy['isAllowedAddress'],
  find: (hostname: string) => Promise<LookupAddress[]>,
): LookupFunction {
  const findAllowed = async (hostname: string) => {
    const addresses = await find(hostname)
    if (addresses.every(({ address }) => isAllowedAddress(address))) return addresses
    throw new Error('an address of this name is not public')
  }
  return (hostname, _options, callback) => {
    findAllowed(hostname).then(
      (addresses) => callback(null, addresses),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), []),
    )
  }
}

/** `isCut`: more bytes are left out instead of an error. */
async function collect(
  response: IncomingMessage,
  maxBytes: number,
  { isCut = false } = {},
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  const body: AsyncIterable<Uint8Array> = response
  if (isCut && maxBytes === 0) return new Uint8Array()
  try {
    for await (const chunk of body) {
      bytes += chunk.byteLength
      if (bytes > maxBytes && !isCut) throw new FetchFailure('too_large')
      chunks.push(chunk)
      if (bytes >= maxBytes && isCut) break
    }
  } catch (error) {
    throw error instanceof FetchFailure ? error : new FetchFailure('unreachable', error)
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}

function unreachable(error: unknown): never {
  throw new FetchFailure('unreachable', error)
}
