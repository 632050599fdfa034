/**
 * Client ID Metadata Documents (draft-ietf-oauth-client-id-metadata-document): the client_id is the https URL of a
 * document that describes the client. It is fetched when a member is asked for consent, and cached in memory.
 */

import * as Type from '../base/type.ts'
import type { Static } from 'typebox'
import { BoundedMap } from '../base/memoize.ts'
import { HOUR, MINUTE, SECOND, type Clock } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { checkSchema } from '../base/schema.ts'
import { parseJson } from '../http/body/parse-request.ts'
import {
  ClientMetadata,
  describeClient,
  type ClientDescription,
  type Client,
} from './client-metadata.ts'
import { OAuthError } from './oauth-error.ts'
import { isPublicAddress } from '../http/public-fetch/public-address.ts'
import {
  FetchFailure,
  fetchPublicJson,
  isFetchable,
  type FetchPolicy,
} from '../http/public-fetch/public-fetch.ts'

export interface ClientDocuments {
  /**
   * Returns the client described at this https URL. Each of `requesters`, such as a member and an IP address, has a
   * limited number of concurrent fetches.
   *
   * @throws {RequestError} `invalid_request`, with a message for the person, when the document cannot be used.
   * @throws {RequestError} `unavailable` when too many fetches are running.
   */
  read(clientId: string, requesters: readonly string[]): Promise<Client>
}

interface ClientDocumentDeps extends Partial<FetchPolicy> {
  readonly clock: Clock
  readonly timeoutMs?: number
}

export function clientDocuments({
  clock,
  isAllowedAddress = isPublicAddress,
  certificateAuthority,
  nameServers = [],
  timeoutMs = FETCH_TIMEOUT_MS,
}: ClientDocumentDeps): ClientDocuments {
  const policy = { isAllowedAddress, certificateAuthority, nameServers }
  const kept = new BoundedMap<string, Kept>(MAX_CACHED)
  const underWay = new Map<string, Promise<Kept>>()
  const slots = fetchSlots()

  async function fetchAndKeep(url: URL): Promise<Kept> {
    const { outcome, lifetime } = await readDocument(url, policy, timeoutMs)
    const entry = { outcome, until: clock.now() + lifetime }
    if (lifetime > 0) kept.set(url.href, entry)
    return entry
  }

  /** Concurrent requests for one document share one fetch. */
  function fetchOnce(url: URL, requesters: readonly string[]): Promise<Kept> {
    const other = underWay.get(url.href)
    if (other) return other
    if (!slots.acquire(requesters)) throw busy()
    const fetching = fetchAndKeep(url).finally(() => {
      underWay.delete(url.href)
      slots.release(requesters)
    })
    underWay.set(url.href, fetching)
    return fetching
  }

  return {
    async read(clientId, requesters) {
      const url = requireDocumentAddress(clientId)
      const known = kept.get(clientId)
      const { outcome } =
        known && known.until > clock.now() ? known : await fetchOnce(url, requesters)
      if (outcome instanceof RequestError) throw outcome
      return outcome
    },
  }
}

/** Short, because a person is waiting. */
const FETCH_TIMEOUT_MS = 5 * SECOND
/** Most documents are below 1 KiB. */
const MAX_BYTES = 64 * 1024
/** Concurrent fetches of this process. Each holds a connection or a name lookup for up to `FETCH_TIMEOUT_MS`. */
const MAX_FETCHES = 32
/** Concurrent fetches for one member or one IP address. */
const MAX_FETCHES_PER_REQUESTER = 4
const MAX_CACHED = 500

/** Documents are cached for their `max-age`, within these limits. */
const MIN_CACHE_LIFETIME_MS = 5 * MINUTE
const MAX_CACHE_LIFETIME_MS = 24 * HOUR
/** Caches failures, so that one unreachable name does not cause repeated lookups. */
const FAILURE_CACHE_LIFETIME_MS = MINUTE

/** The client, or the reason that its document cannot be used. */
type Outcome = Client | RequestError

interface Kept {
  readonly outcome: Outcome
  readonly until: number
}

/** Counts the running fetches, in total and per requester. */
function fetchSlots() {
  const counts = new Map<string, number>()
  let total = 0
  return {
    /** False, without counting, if no slot is free. */
    acquire(requesters: readonly string[]): boolean {
      const isFull = (requester: string) =>
        (counts.get(requester) ?? 0) >= MAX_FETCHES_PER_REQUESTER
      if (total >= MAX_FETCHES || requesters.some(isFull)) return false
      total += 1
      for (const requester of requesters) counts.set(requester, (counts.get(requester) ?? 0) + 1)
      return true
    },
    release(requesters: readonly string[]): void {
      total -= 1
      for (const requester of requesters) {
        const left = (counts.get(requester) ?? 0) - 1
        if (left > 0) counts.set(requester, left)
        else counts.delete(requester)
      }
    },
  }
}

const MAX_CLIENT_ID_LENGTH = 500

/** Section 3 of the draft. A client_id is compared as a string, so it must be in the normalized form of a URL parser. */
function requireDocumentAddress(clientId: string): URL {
  const url = clientId.length <= MAX_CLIENT_ID_LENGTH ? URL.parse(clientId) : null
  if (url && isFetchable(url) && url.href === clientId && !clientId.includes('#')) return url
  throw new RequestError(
    'invalid_request',
    'The client_id of the app is not a valid URL for a metadata document.',
    { hint: ADDRESS_RULES },
  )
}

const ADDRESS_RULES =
  `The URL must be https, have at most ${MAX_CLIENT_ID_LENGTH} characters, and consist of a lowercase host name and a path. ` +
  'It must not have an IP address, a user name, a fragment, dot segments, or a port below 1024.'

/**
 * A lifetime of 0 means not cached. Section 5.2 of the draft forbids caching errors and invalid documents, so a fixed
 * document works at once.
 */
async function readDocument(
  url: URL,
  policy: FetchPolicy,
  timeoutMs: number,
): Promise<{ readonly outcome: Outcome; readonly lifetime: number }> {
  try {
    const { bytes, cacheControl } = await fetchPublicJson(url, policy, {
      maxBytes: MAX_BYTES,
      timeoutMs,
    })
    const description = readDescription(bytes, url.href)
    const outcome = { clientId: url.href, ...description, registered: false }
    return { outcome, lifetime: lifetimeOf(cacheControl) }
  } catch (error) {
    const unreachable = error instanceof FetchFailure && error.reason === 'unreachable'
    const lifetime = unreachable ? FAILURE_CACHE_LIFETIME_MS : 0
    return { outcome: unusable(url, reasonOf(error)), lifetime }
  }
}

const ClientDocument = Type.Object({
  ...ClientMetadata.properties,
  client_id: Type.String(),
  token_endpoint_auth_method: Type.Optional(Type.String()),
  token_endpoint_auth_methods_supported: Type.Optional(Type.Array(Type.String())),
})

/**
 * Section 4 of the draft.
 *
 * @throws {OAuthError} `invalid_client_metadata` when the document is not valid.
 */
function readDescription(bytes: Uint8Array, clientId: string): ClientDescription {
  const checked = checkSchema(ClientDocument, parseJson(bytes))
  if (!checked.ok) {
    const [problem] = checked.problems
    throw invalid(`${problem?.pointer.slice(1) || 'it'} ${problem?.detail ?? 'is not valid'}.`)
  }
  const document = checked.value
  if (document.client_id !== clientId) throw invalid('client_id must be the URL of the document.')
  if ('client_secret' in document || 'client_secret_expires_at' in document)
    throw invalid('a client_secret must not be published.')
  if (!canBePublic(document)) throw invalid('token_endpoint_auth_method must be none.')
  return describeClient(document)
}

/**
 * Unlike in RFC 7591, a client without any method is a public client. Some clients prefer to sign requests, but list
 * `none` among their methods (OpenID RP Metadata Choices) and choose by this server's metadata. A secret in a public
 * document is never valid.
 */
function canBePublic({
  token_endpoint_auth_method: preferred,
  token_endpoint_auth_methods_supported: others,
}: Static<typeof ClientDocument>): boolean {
  if (preferred === 'none') return true
  if (preferred?.startsWith('client_secret')) return false
  return others === undefined ? preferred === undefined : others.includes('none')
}

function invalid(description: string): OAuthError {
  return new OAuthError('invalid_client_metadata', description)
}

function lifetimeOf(cacheControl = ''): number {
  const [, seconds = '0'] = /(?:^|[\s,])max-age="?(\d+)/i.exec(cacheControl) ?? []
  const maxAge = /\bno-(?:store|cache)\b/i.test(cacheControl) ? 0 : Number(seconds) * SECOND
  return Math.min(Math.max(maxAge, MIN_CACHE_LIFETIME_MS), MAX_CACHE_LIFETIME_MS)
}

/** Describes errors that the developer can fix, and reveals nothing about networks that only this server can reach. */
function reasonOf(error: unknown): string {
  if (error instanceof FetchFailure) return FAILURES[error.reason]
  if (error instanceof OAuthError) return `cannot be used: ${error.message}`
  if (error instanceof RequestError) return FAILURES.not_json
  throw error
}

const FAILURES = {
  unreachable: 'could not be read.',
  not_json: 'is not a JSON response (status 200, application/json, UTF-8).',
  too_large: `is larger than ${MAX_BYTES} bytes.`,
} as const satisfies Record<FetchFailure['reason'], string>

function unusable({ host }: URL, reason: string): RequestError {
  return new RequestError('invalid_request', `The app’s description at ${host} ${reason}`, {
    hint: 'Try again in a minute. If the problem continues, contact the developer of the app.',
  })
}

function busy(): RequestError {
  return new RequestError('unavailable', 'Too many app descriptions are being fetched right now.', {
    hint: 'Try again in a few seconds.',
    retryAfter: FETCH_TIMEOUT_MS / SECOND,
  })
}
