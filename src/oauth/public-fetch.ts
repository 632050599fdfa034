/** Fetches a JSON document from an address that a stranger gave, and never from inside the network this server is in. */

import { findHostAddresses } from './host-addresses.ts'
import type { LookupAddress } from 'node:dns'
import type { IncomingMessage } from 'node:http'
import type { LookupFunction } from 'node:net'

export interface FetchPolicy {
  /** Of every address that the host's name has: one that is not allowed is enough to connect to none. */
  readonly isAllowedAddress: (address: string) => boolean
  /** In PEM; the usual ones where there is none. */
  readonly certificateAuthority: string | undefined
  /** Name servers as `address:port`; those of the system where there are none. */
  readonly nameServers: readonly string[]
  /** For all of it, from the name's lookup to the last byte. Milliseconds. */
  readonly patience: number
}

export interface FetchedDocument {
  readonly bytes: Uint8Array
  readonly cacheControl: string | undefined
}

/** `unreachable` is all that is told of names, addresses, ports, certificates and silence: nobody maps a network by it. */
export class FetchFailure extends Error {
  readonly reason: 'unreachable' | 'not_json' | 'too_large'

  constructor(reason: FetchFailure['reason'], cause?: unknown) {
    super(reason, { cause })
    this.name = 'FetchFailure'
    this.reason = reason
  }
}

/**
 * `url` is https and its host a name: an IP address would be connected to without a look. Follows no redirect, sends no
 * cookie, uses no proxy. Throws a `FetchFailure`.
 */
export async function fetchPublicJson(
  url: URL,
  reach: FetchPolicy,
  mostBytes: number,
): Promise<FetchedDocument> {
  const response = await open(url, reach).catch(unreachable)
  try {
    if (response.statusCode !== 200 || !isJson(response.headers['content-type']))
      throw new FetchFailure('not_json')
    const bytes = await collect(response, mostBytes)
    return { bytes, cacheControl: response.headers['cache-control'] }
  } finally {
    response.destroy()
  }
}

async function open(
  url: URL,
  { isAllowedAddress, certificateAuthority, nameServers, patience }: FetchPolicy,
): Promise<IncomingMessage> {
  // Only when a document is first fetched: TLS takes a while to load.
  const { Agent, request } = await import('node:https')
  const signal = AbortSignal.timeout(patience)
  const find = (hostname: string) => findHostAddresses(hostname, { nameServers, signal })
  // Of its own: no connection, session or proxy is shared with anything else.
  const agent = new Agent({
    lookup: lookupAllowed(isAllowedAddress, find),
    autoSelectFamily: true,
    rejectUnauthorized: true,
    ...(certificateAuthority !== undefined && { ca: certificateAuthority }),
  })
  const headers = { accept: 'application/json', 'user-agent': 'Weft (OAuth client metadata)' }
  return new Promise((resolve, reject) => {
    request(url, { agent, headers, signal }).once('response', resolve).on('error', reject).end()
  })
}

/**
 * The connection goes to the very addresses that were looked at: a name server is not asked twice, and cannot give
 * another answer the second time.
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

async function collect(response: IncomingMessage, mostBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  const body: AsyncIterable<Uint8Array> = response
  try {
    for await (const chunk of body) {
      bytes += chunk.byteLength
      if (bytes > mostBytes) throw new FetchFailure('too_large')
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof FetchFailure ? error : new FetchFailure('unreachable', error)
  }
  return Buffer.concat(chunks)
}

function unreachable(error: unknown): never {
  throw new FetchFailure('unreachable', error)
}

/** `application/json`, or a more specific type that is JSON too (RFC 6839 section 3.1). */
function isJson(contentType: string | undefined): boolean {
  return /^application\/(?:[\w.!#$&^+-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '')
}
