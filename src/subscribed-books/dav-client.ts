/** Requests to the CardDAV server of a member: signed in, limited in time and size, never to this server's own network. */

import { formatBytes, MEGABYTE } from '../base/format-bytes.ts'
import { DAY, SECOND } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import {
  policyOfHosts,
  readEndpointAddress,
  type AllowedHosts,
} from '../deliveries/endpoint-hosts.ts'
import { document, XML_TYPE } from '../dav/xml.ts'
import { FetchFailure, fetchPublic, type FetchPolicy } from '../http/public-fetch/public-fetch.ts'
import { phrase } from '../languages/message.ts'
import { BookError, UNREACHABLE } from './book-error.ts'
import { readResponses, type RemoteResource } from './read-multistatus.ts'
import type { BookAccount } from './book-store.ts'
import type { OutgoingPool } from '../base/concurrency/outgoing-pool.ts'

export interface DavDeps {
  readonly outgoing: OutgoingPool
  /** `WEFT_WEBHOOK_HOSTS`. */
  readonly webhookHosts: AllowedHosts
  /** By default only public addresses. */
  readonly fetchPolicy?: Partial<FetchPolicy>
}

/** A listing of 40,000 cards. */
const MAX_RESPONSE_BYTES = 20 * MEGABYTE
const MAX_ERROR_BYTES = 4096
const MAX_REDIRECTS = 5

interface DavRequest {
  readonly method: 'PROPFIND' | 'REPORT' | 'GET'
  readonly depth?: '0' | '1'
  /** The name and content of the root element. */
  readonly body?: string
}

interface DavAnswer {
  /** After redirects. */
  readonly url: URL
  readonly bytes: Uint8Array
}

export interface DavClient {
  /** @throws {BookError} when the server answers with an error or not at all. */
  get(url: URL): Promise<Uint8Array>
  /** Resources of a multistatus response, and its sync token. Throws as `get` does. */
  query(
    url: URL,
    request: DavRequest,
  ): Promise<{
    readonly url: URL
    readonly resources: readonly RemoteResource[]
    readonly token: string | null
  }>
}

/** Every request has a permit of its own, so members take turns. */
export function createDavClient(
  deps: DavDeps,
  { username, password }: Pick<BookAccount, 'username' | 'password'>,
  { memberId, signal }: { readonly memberId: number; readonly signal?: AbortSignal | undefined },
): DavClient {
  const credentials = Buffer.from(`${username}:${password}`).toString('base64')
  const secrets = [credentials, password].filter((secret) => secret !== '')
  const policyOf = policyOfHosts(deps.webhookHosts, deps.fetchPolicy)

  async function send(address: URL, { method, depth, body }: DavRequest): Promise<DavAnswer> {
    const headers = {
      authorization: `Basic ${credentials}`,
      'user-agent': 'Weft (CardDAV)',
      accept: method === 'GET' ? 'text/vcard' : 'application/xml, text/xml',
      ...(depth !== undefined && { depth }),
      ...(body !== undefined && { 'content-type': XML_TYPE }),
    }
    const limits = { maxBytes: MAX_RESPONSE_BYTES, maxErrorBytes: MAX_ERROR_BYTES }
    const request = { method, headers, ...limits, ...(body !== undefined && { body }) }
    const turn = { memberId, host: address.host, ...(signal && { signal }) }
    return deps.outgoing.run(turn, async (permit) => {
      let url = address
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
        const response = await fetchPublic(permit, url, policyOf(url), request).catch(explained)
        const { status, headers: answered, bytes } = response
        if (status === 200 || status === 207) return { url, bytes }
        const next = status >= 300 && status < 400 ? URL.parse(answered.location ?? '', url) : null
        if (!next) throw failureOf(response, secrets)
        url = trusted(next, url, deps.webhookHosts)
      }
      throw new BookError({ source: phrase('redirects too often') })
    })
  }

  return {
    get: async (url) => (await send(url, { method: 'GET' })).bytes,
    async query(address, request) {
      const { url, bytes } = await send(address, request)
      try {
        return { url, ...(await readResponses(bytes)) }
      } catch (error) {
        if (!(error instanceof RequestError)) throw error
        const values = { problem: error.message.slice(0, -1) }
        throw new BookError(
          { source: phrase('is not on a CardDAV server ({problem})'), values },
          { status: 200 },
        )
      }
    },
  }
}

export function propfindBody(properties: string): string {
  return document('propfind', `<D:prop>${properties}</D:prop>`)
}

/**
 * A URL to which the password may be sent next: of the same site, and no less secure.
 *
 * @throws {BookError} when it is another one.
 */
export function trusted(next: URL, from: URL, hosts: AllowedHosts): URL {
  const isKept = next.protocol === from.protocol || next.protocol === 'https:'
  const elsewhere = phrase('redirects to another server, {host}. Enter that one if you trust it')
  const status = 300
  if (!isKept || siteOf(next) !== siteOf(from))
    throw new BookError({ source: elsewhere, values: { host: next.host } }, { status })
  if (readEndpointAddress(next.href, hosts)) return next
  throw new BookError({ source: phrase('redirects to an address that is not public') }, { status })
}

/** The last two labels of the host: iCloud and others have many hosts. */
function siteOf({ hostname }: URL): string {
  return /^[\d.]+$|[:\]]/.test(hostname) ? hostname : hostname.split('.').slice(-2).join('.')
}

function explained(error: unknown): never {
  if (!(error instanceof FetchFailure)) throw error
  if (error.reason === 'too_large')
    throw new BookError(
      {
        source: phrase('sends more than {size} at once'),
        values: { size: formatBytes(MAX_RESPONSE_BYTES) },
      },
      { status: 200 },
    )
  throw new BookError(UNREACHABLE)
}

interface FailedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Uint8Array
}

function failureOf({ status, headers, bytes }: FailedResponse, secrets: readonly string[]) {
  const words = wordsIn(bytes, secrets)
  const values = { status, words }
  if (status === 401)
    return new BookError(
      { source: phrase('does not accept the user name and password: {words}'), values },
      { status, isFinal: true },
    )
  const isBusy = status === 429 || status === 503
  return new BookError(
    { source: phrase('could not be read: its server answered {status}: {words}'), values },
    { status, ...(isBusy && { retryAfterMs: retryAfterOf(headers['retry-after']) }) },
  )
}

const DEFAULT_RETRY_AFTER_MS = 60 * SECOND

/** RFC 9110 section 10.2.3, seconds or a date; at most a day. */
function retryAfterOf(header: string | string[] | undefined): number {
  const text = String(header ?? '')
  const wanted = /^\d+$/.test(text) ? Number(text) * SECOND : Date.parse(text) - Date.now()
  return Number.isNaN(wanted)
    ? DEFAULT_RETRY_AFTER_MS
    : Math.min(Math.max(wanted, DEFAULT_RETRY_AFTER_MS), DAY)
}

const MAX_WORDS_LENGTH = 200

/** What the server says about an error, on one line, without the secrets that it may repeat. */
function wordsIn(bytes: Uint8Array, secrets: readonly string[]): string {
  let text = Buffer.from(bytes).toString('utf8')
  const said = /[:<](?:message|responsedescription)(?:\s[^<>]{0,100})?>([^<]{1,400})/.exec(
    text,
  )?.[1]
  text = said ?? text.replaceAll(/<[^<>]*>/g, ' ')
  for (const secret of secrets) text = text.replaceAll(secret, '…')
  const line = text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
  return line === '' ? '—' : Array.from(line).slice(0, MAX_WORDS_LENGTH).join('')
}
