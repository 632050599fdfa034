/** What a request that a client sends while it connects says about the attempt. */

import type { AnsweredRequest } from '../../http/handle-request.ts'
import type { AttemptCause, ConnectionStep, SeenSteps } from './connection-attempt.ts'

/** The routes that a client uses to connect, and the step of each. */
export const OBSERVED: Readonly<Record<string, ConnectionStep>> = {
  '/mcp': 'first_call',
  '/mcp/v1': 'first_call',
  '/.well-known/oauth-protected-resource': 'resource_metadata',
  '/.well-known/oauth-protected-resource/mcp': 'resource_metadata',
  '/.well-known/oauth-protected-resource/mcp/v1': 'resource_metadata',
  '/.well-known/oauth-authorization-server': 'server_metadata',
  '/oauth/register': 'registration',
  '/oauth/token': 'token',
}

/** Their endpoints know more and record their requests themselves. */
const RECORDED_BY_ENDPOINT: ReadonlySet<ConnectionStep> = new Set(['registration', 'token'])

/** A path that a client derives from a tool endpoint below a prefix. Longer paths are ignored. */
const PREFIXED =
  /^\/.{1,100}(?:\/mcp(?:\/v1)?\/?|\/\.well-known\/oauth-[a-z-]{1,30}(?:\/mcp)?)(?:\?|$)/

/** Whether the request may be one with which a client connects. */
export function isObserved({ route, request: { url = '' } }: AnsweredRequest): boolean {
  return route === undefined ? PREFIXED.test(url) : route in OBSERVED
}

/** What a request shows about the attempt of its client. */
interface Observation {
  /** See `ClientTraces.of`. */
  readonly trace: 'same' | 'open' | 'new'
  /** Undefined if only the headers say something. */
  readonly step?: ConnectionStep
  readonly cause?: AttemptCause
}

/** A request, with the step of its route and the steps that the client has made before. */
interface Seen {
  readonly answered: AnsweredRequest
  readonly step: ConnectionStep | undefined
  readonly steps: SeenSteps | undefined
}

type Rule = readonly [
  applies: (seen: Seen) => boolean | undefined,
  observation: (seen: Seen & { readonly step: ConnectionStep }) => Observation | undefined,
]

/** The first rule that applies counts. */
const RULES: readonly Rule[] = [
  [({ step }) => !step, () => ({ trace: 'same', step: 'challenge', cause: 'path_prefix' })],
  // A client that has a token sends its first call without one, or with one that is not valid.
  [
    (seen) => isUnauthorized(seen) && hasUnusedToken(seen),
    ({ answered }) => ({
      trace: 'same',
      step: 'first_call',
      cause: answered.request.headers.authorization ? 'token_rejected' : 'authorization_stripped',
    }),
  ],
  [
    (seen) => isUnauthorized(seen),
    ({ steps }) => ({
      trace: steps && !steps.first_call && !steps.token ? 'same' : 'new',
      step: 'challenge',
    }),
  ],
  [
    (seen) => isRedirectedPost(seen),
    ({ steps }) => ({
      trace: 'same',
      step: steps?.token ? 'first_call' : 'challenge',
      cause: 'post_redirected',
    }),
  ],
  [({ step }) => step === 'first_call', () => undefined],
  // Without a trace, this is a crawler or a person reading the document.
  [({ steps }) => !steps, () => undefined],
  [
    ({ answered }) => answered.status === 405,
    ({ step }) => ({ trace: 'open', step, cause: 'post_redirected' }),
  ],
  [
    ({ answered }) => answered.status === 413,
    ({ step }) => ({ trace: 'open', step, cause: 'body_too_large' }),
  ],
  [
    ({ answered, step }) => answered.status < 400 && step && !RECORDED_BY_ENDPOINT.has(step),
    ({ step }) => ({ trace: 'open', step }),
  ],
  [() => true, () => ({ trace: 'open' })],
]

/** `steps` are those of the client's trace, if there is one. Undefined if the request says nothing. */
export function observationOf(
  answered: AnsweredRequest,
  steps: SeenSteps | undefined,
): Observation | undefined {
  const step = OBSERVED[answered.route ?? '']
  const seen = { answered, step, steps }
  const rule = RULES.find(([applies]) => applies(seen))
  // The first rule is about requests without a step.
  return rule?.[1]({ ...seen, step: step ?? 'challenge' })
}

function isUnauthorized({ answered, step }: Seen): boolean {
  return step === 'first_call' && answered.request.method === 'POST' && answered.status === 401
}

function hasUnusedToken({ steps }: Seen): boolean {
  return steps?.token !== undefined && !steps.token.cause && !steps.first_call
}

/** A client that opens an event stream accepts nothing else; a redirected POST accepts JSON too. */
function isRedirectedPost({ answered: { request }, step }: Seen): boolean {
  const { accept = '' } = request.headers
  const isBoth = /\bjson\b/.test(accept) && accept.includes('event-stream')
  return step === 'first_call' && request.method === 'GET' && isBoth
}

/** The token of a call that was not rejected for it. */
export function tokenOfCall({ request, route, status }: AnsweredRequest): string | undefined {
  const isCall = OBSERVED[route ?? ''] === 'first_call' && request.method === 'POST'
  return isCall && status !== 401
    ? request.headers.authorization?.replace(/^bearer +/i, '')
    : undefined
}

/** Why a call with a token failed. */
export function callCause({ status, isCut }: AnsweredRequest): AttemptCause | undefined {
  if (status === 413) return 'body_too_large'
  if (status === 403) return 'host_rewritten'
  return isCut ? 'stream_cut' : undefined
}

const LOCAL_HOST =
  /^(?:localhost|\[::1\]|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|[^.:]+(?::|$))/

export function suspicionsOf(
  headers: AnsweredRequest['request']['headers'],
  publicUrl: string,
): AttemptCause[] {
  const { host: publicHost, protocol } = new URL(publicUrl)
  const { host = publicHost } = headers
  const found: AttemptCause[] = []
  if (headers['x-forwarded-prefix'] !== undefined) found.push('path_prefix')
  if (headers['x-forwarded-proto'] === 'https' && protocol === 'http:')
    found.push('https_with_http_url')
  if (host !== publicHost) {
    const isRewritten = headers['x-forwarded-host'] === publicHost || LOCAL_HOST.test(host)
    found.push(isRewritten ? 'host_rewritten' : 'wrong_public_url')
  }
  return found
}
