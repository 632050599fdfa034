/** An agent's attempt to connect: the steps that this server saw, and the probable cause of a failure. */

import { phrase } from '../../languages/message.ts'
import { MINUTE } from '../../base/clock.ts'

/** In the order of a connection. A client with a metadata document skips `registration`. */
export const CONNECTION_STEPS = [
  'challenge',
  'resource_metadata',
  'server_metadata',
  'registration',
  'authorize',
  'consent',
  'token',
  'first_call',
] as const
export type ConnectionStep = (typeof CONNECTION_STEPS)[number]

/** Why a step failed, or a property of its request that often makes a later step fail. */
export type AttemptCause =
  | 'authorization_stripped'
  | 'post_redirected'
  | 'host_rewritten'
  | 'wrong_public_url'
  | 'https_with_http_url'
  | 'path_prefix'
  | 'stream_cut'
  | 'body_too_large'
  | 'client_unknown'
  | 'client_document'
  | 'redirect_mismatch'
  | 'invalid_request'
  | 'invalid_registration'
  | 'denied'
  | 'code_expired'
  | 'code_reused'
  | 'code_rejected'
  | 'token_rejected'
  | 'clock_skew'

interface SeenStep {
  readonly at: number
  /** Present if the step failed. */
  readonly cause?: AttemptCause
}

export type SeenSteps = Readonly<Partial<Record<ConnectionStep, SeenStep>>>

export interface ConnectionAttempt {
  readonly clientName: string | null
  readonly redirectHost: string | null
  readonly steps: SeenSteps
  /** Unusual properties of the requests, in the order seen. */
  readonly suspicions: readonly AttemptCause[]
  readonly startedAt: number
  readonly updatedAt: number
}

export interface Diagnosis {
  /** `waiting`: the next step may still come. */
  readonly state: 'connected' | 'failed' | 'waiting'
  /** The step that failed or is missing; undefined if connected. */
  readonly step: ConnectionStep | undefined
  /** A sentence about the likely cause and what to do; undefined if there is none. */
  readonly cause: string | undefined
}

/** Clients take seconds between steps; people take longer to sign in and decide. */
const STEP_TIMEOUT_MS = MINUTE
const DECISION_TIMEOUT_MS = 10 * MINUTE

export function diagnoseAttempt(attempt: ConnectionAttempt, now: number): Diagnosis {
  const { steps, suspicions, updatedAt } = attempt
  const failed = CONNECTION_STEPS.findLast((step) => steps[step]?.cause !== undefined)
  const reached = CONNECTION_STEPS.findLast((step) => steps[step] !== undefined)
  const cause = failed && steps[failed]?.cause
  if (failed && cause && failed === reached)
    return { state: 'failed', step: failed, cause: causeText(cause) }
  if (reached === 'first_call') return { state: 'connected', step: undefined, cause: undefined }
  const next = nextStep(reached)
  const patience = next === 'consent' ? DECISION_TIMEOUT_MS : STEP_TIMEOUT_MS
  const [suspicion] = suspicions
  if (now - updatedAt < patience) return { state: 'waiting', step: next, cause: undefined }
  return { state: 'failed', step: next, cause: suspicion ? causeText(suspicion) : MISSING[next] }
}

function nextStep(reached: ConnectionStep | undefined): ConnectionStep {
  const index = reached === undefined ? -1 : CONNECTION_STEPS.indexOf(reached)
  return CONNECTION_STEPS[index + 1] ?? 'first_call'
}

export const STEP_LABELS: Readonly<Record<ConnectionStep, string>> = {
  challenge: phrase('First request without a token (401)'),
  resource_metadata: phrase('Resource metadata'),
  server_metadata: phrase('Server metadata'),
  registration: phrase('Registration'),
  authorize: phrase('Authorization page'),
  consent: phrase('Your approval'),
  token: phrase('Token'),
  first_call: phrase('First call with the token'),
}

function causeText(cause: AttemptCause): string {
  return CAUSES[cause]
}

const CAUSES: Readonly<Record<AttemptCause, string>> = {
  authorization_stripped: phrase(
    'The app got a token, but its next request arrived without one. A proxy removes the Authorization header. Configure it to pass the header to Weft.',
  ),
  post_redirected: phrase(
    'A POST arrived as a GET. A proxy redirects it, for example from http to https or to another host name. Use the final URL in the app and as the public URL of Weft.',
  ),
  host_rewritten: phrase(
    'The request arrived for another host name. The proxy replaces the Host header. Configure it to pass Host unchanged.',
  ),
  wrong_public_url: phrase(
    'The app uses a different host name than the public URL of Weft, so it rejects the metadata. Use the public URL in the app, or set WEFT_PUBLIC_URL to the name that the app uses.',
  ),
  https_with_http_url: phrase(
    'The app uses https, but the public URL of Weft starts with http, so the app rejects the metadata. Set WEFT_PUBLIC_URL to the https URL.',
  ),
  path_prefix: phrase(
    'The app uses a URL with a path in front of /mcp. Weft works only at the root of a host. Give it a separate host name.',
  ),
  stream_cut: phrase(
    'The connection was closed while Weft sent an event stream. A proxy may buffer it or have a short timeout. Turn off response buffering for /mcp.',
  ),
  body_too_large: phrase('The request was larger than Weft accepts. Upload large files instead.'),
  client_unknown: phrase(
    'The app used a registration that no longer exists. Remove the connection in the app and add it again.',
  ),
  client_document: phrase(
    'The metadata document of the app could not be read or is no longer valid. Try again later, or contact its developer.',
  ),
  redirect_mismatch: phrase(
    'The app requested a redirect URI that it did not register. Remove the connection in the app and add it again, or contact its developer.',
  ),
  invalid_request: phrase('The app sent an invalid authorization request. Contact its developer.'),
  invalid_registration: phrase('The registration of the app was not valid. Contact its developer.'),
  denied: phrase('You chose Cancel.'),
  code_expired: phrase(
    'The app sent the code too late. Try again. If it happens again, compare the clocks of your servers.',
  ),
  code_reused: phrase('The app sent the code twice, so access was revoked. Try again.'),
  code_rejected: phrase(
    'The app sent the code with a different redirect URI or verifier than in its authorization request. Try again, or contact its developer.',
  ),
  token_rejected: phrase('The app sent a token that is not valid. Connect it again.'),
  clock_skew: phrase(
    'The app refreshed a new token at once instead of using it. Its clock is probably wrong. Synchronize it.',
  ),
}

/** What usually stops a client that sends no further requests. */
const MISSING: Readonly<Record<ConnectionStep, string>> = {
  challenge: phrase('No request arrived.'),
  resource_metadata: phrase(
    'The app did not read the metadata. A bot filter or firewall in front of Weft may block it, or the app does not support OAuth.',
  ),
  server_metadata: phrase(
    'The app did not read the server metadata. It may have rejected the resource metadata: check that it uses exactly the public URL of Weft.',
  ),
  registration: phrase(
    'The app neither registered nor opened the authorization page. A bot filter or body size limit in front of Weft may block POST requests.',
  ),
  authorize: phrase('The app registered, but no browser opened the authorization page.'),
  consent: phrase('The authorization page was opened, but you neither allowed nor canceled.'),
  token: phrase(
    'You approved, but the app did not exchange the code. The browser may not have reached the app, or a bot filter in front of Weft blocks its requests.',
  ),
  first_call: phrase(
    'The app got a token, but did not use it. A bot filter or body size limit in front of Weft may block its requests.',
  ),
}
