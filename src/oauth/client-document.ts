/**
 * Client ID Metadata Documents (draft-ietf-oauth-client-id-metadata-document): a client whose client_id is the https
 * address of a document that describes it. It is read when a member is asked, and kept in memory for a while.
 */

import { isIPv4 } from 'node:net'
import Type, { type Static } from 'typebox'
import { HOUR, MINUTE, SECOND, type Clock } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { checkSchema } from '../base/schema.ts'
import { parseJson } from '../http/parse-request.ts'
import { ClientMetadata, describeClient, type ClientDescription } from './client-metadata.ts'
import { OAuthError } from './oauth-error.ts'
import { isPublicAddress } from './public-address.ts'
import { FetchFailure, fetchPublicJson, type FetchPolicy } from './public-fetch.ts'
import type { Client } from './client-metadata.ts'

export interface ClientDocuments {
  /**
   * The client at this https address. `askers` names who has it fetched, such as a member and a network address: each of
   * them has a limited number of fetches at a time. Throws a `Refusal` with a sentence for the person.
   */
  read(clientId: string, askers: readonly string[]): Promise<Client>
}

export interface ClientDocumentDeps extends Partial<FetchPolicy> {
  readonly clock: Clock
}

export function clientDocuments({
  clock,
  isAllowedAddress = isPublicAddress,
  certificateAuthority,
  nameServers = [],
  patience = PATIENCE,
}: ClientDocumentDeps): ClientDocuments {
  const reach = { isAllowedAddress, certificateAuthority, nameServers, patience }
  const kept = new Map<string, Kept>()
  const underWay = new Map<string, Promise<Kept>>()
  const slots = fetchSlots()

  async function fetchAndKeep(url: URL): Promise<Kept> {
    const { outcome, lifetime } = await readDocument(url, reach)
    const entry = { outcome, until: clock.now() + lifetime }
    if (lifetime > 0) keep(kept, url.href, entry)
    return entry
  }

  /** A request for a document that is being fetched waits for that fetch. */
  function fetchOnce(url: URL, askers: readonly string[]): Promise<Kept> {
    const other = underWay.get(url.href)
    if (other) return other
    if (!slots.acquire(askers)) throw busy()
    const fetching = fetchAndKeep(url).finally(() => {
      underWay.delete(url.href)
      slots.release(askers)
    })
    underWay.set(url.href, fetching)
    return fetching
  }

  return {
    async read(clientId, askers) {
      const url = requireDocumentAddress(clientId)
      const known = kept.get(clientId)
      const { outcome } = known && known.until > clock.now() ? known : await fetchOnce(url, askers)
      if (outcome instanceof RequestError) throw outcome
      return outcome
    },
  }
}

/** A person waits for it. */
const PATIENCE = 5 * SECOND
/** Most documents are smaller than one. */
const MAX_BYTES = 64 * 1024
/** Fetches at a time, of this process: each holds a connection or a name lookup for up to `PATIENCE`. */
const MAX_FETCHES = 32
/** Of these, for one member or one network address. */
const MAX_FETCHES_PER_ASKER = 4
const MAX_CACHED = 500

/** A document is kept as long as its `max-age` says, within these. */
const MIN_CACHE_LIFETIME_MS = 5 * MINUTE
const MAX_CACHE_LIFETIME_MS = 24 * HOUR
/** Whoever has names looked up that lead nowhere has to think of new ones. */
const FAILURE_CACHE_LIFETIME_MS = MINUTE

/** The client, or why there is none. */
type Outcome = Client | RequestError

interface Kept {
  readonly outcome: Outcome
  readonly until: number
}

/** Counts the fetches under way, in all and of each asker. */
function fetchSlots() {
  const counts = new Map<string, number>()
  let total = 0
  return {
    /** False when all slots are taken; nothing is counted then. */
    acquire(askers: readonly string[]): boolean {
      const isFull = (asker: string) => (counts.get(asker) ?? 0) >= MAX_FETCHES_PER_ASKER
      if (total >= MAX_FETCHES || askers.some(isFull)) return false
      total += 1
      for (const asker of askers) counts.set(asker, (counts.get(asker) ?? 0) + 1)
      return true
    },
    release(askers: readonly string[]): void {
      total -= 1
      for (const asker of askers) {
        const left = (counts.get(asker) ?? 0) - 1
        if (left > 0) counts.set(asker, left)
        else counts.delete(asker)
      }
    },
  }
}

/** Whichever was fetched first makes room. */
function keep(kept: Map<string, Kept>, clientId: string, entry: Kept): void {
  kept.delete(clientId)
  kept.set(clientId, entry)
  const [oldest] = kept.keys()
  if (kept.size > MAX_CACHED && oldest !== undefined) kept.delete(oldest)
}

const MAX_EMAIL_LENGTH = 500
/** Below it are other services' ports, and nobody is to knock there by way of this server. */
const FIRST_FREE_PORT = 1024

/** Section 3 of the draft. As a client_id is compared to the letter, it has the one spelling that a browser gives it. */
function requireDocumentAddress(clientId: string): URL {
  const url = clientId.length <= MAX_EMAIL_LENGTH ? URL.parse(clientId) : null
  if (
    url?.protocol === 'https:' &&
    url.href === clientId &&
    !clientId.includes('#') &&
    url.username + url.password === '' &&
    !isIPv4(url.hostname) &&
    !url.hostname.startsWith('[') &&
    (url.port === '' || Number(url.port) >= FIRST_FREE_PORT)
  )
    return url
  throw new RequestError(
    'invalid_request',
    'The app says that it describes itself at an address where no description can be: client_id.',
    { hint: ADDRESS_RULES },
  )
}

const ADDRESS_RULES =
  `Such a client_id is an https URL of at most ${MAX_EMAIL_LENGTH} characters with the name of a host and a path: no IP ` +
  'address, no user name, no fragment, no dot segments, no capitals in the host, no port below 1024.'

/**
 * A lifetime of 0 is not kept at all. Section 5.2 of the draft has it so for an answer that is an error or no valid
 * document: whoever corrects it can try at once.
 */
async function readDocument(
  url: URL,
  reach: FetchPolicy,
): Promise<{ readonly outcome: Outcome; readonly lifetime: number }> {
  try {
    const { bytes, cacheControl } = await fetchPublicJson(url, reach, MAX_BYTES)
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

/** Section 4 of the draft. Throws an `OAuthError`. */
function readDescription(bytes: Uint8Array, clientId: string): ClientDescription {
  const checked = checkSchema(ClientDocument, parseJson(bytes))
  if (!checked.ok) {
    const [problem] = checked.problems
    throw invalid(`${problem?.pointer.slice(1) || 'it'} ${problem?.detail ?? 'is wrong'}.`)
  }
  const document = checked.value
  if (document.client_id !== clientId) throw invalid('client_id must be its own address.')
  if ('client_secret' in document || 'client_secret_expires_at' in document)
    throw invalid('a published client_secret is none.')
  if (!canBePublic(document)) throw invalid('token_endpoint_auth_method must be none.')
  return describeClient(document)
}

/**
 * One who names no method at all is a public client here, other than in RFC 7591. Some would rather sign than send
 * nothing, and tell in OpenID's list of methods (RP Metadata Choices) that `none` will do too: they then choose by what
 * this server's metadata offers. A secret in a public document is never right.
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
  const asked = /\bno-(?:store|cache)\b/i.test(cacheControl) ? 0 : Number(seconds) * SECOND
  return Math.min(Math.max(asked, MIN_CACHE_LIFETIME_MS), MAX_CACHE_LIFETIME_MS)
}

/** In words that are the app's makers' business, and tell nothing of a network that this server can see and they cannot. */
function reasonOf(error: unknown): string {
  if (error instanceof FetchFailure) return FAILURES[error.reason]
  if (error instanceof OAuthError) return `cannot be used: ${error.message}`
  if (error instanceof RequestError) return FAILURES.not_json
  throw error
}

const FAILURES = {
  unreachable: 'could not be read.',
  not_json: 'is not there as JSON (status 200, application/json, UTF-8).',
  too_large: `is larger than ${MAX_BYTES} bytes.`,
} as const satisfies Record<FetchFailure['reason'], string>

function unusable({ host }: URL, reason: string): RequestError {
  return new RequestError('invalid_request', `The app’s description at ${host} ${reason}`, {
    hint: 'Try again in a minute. If that does not help, the app’s makers have to.',
  })
}

function busy(): RequestError {
  return new RequestError('unavailable', 'Too many apps are being looked up right now.', {
    hint: 'Try again in a few seconds.',
    retryAfter: PATIENCE / SECOND,
  })
}
