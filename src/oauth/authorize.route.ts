/** The authorization endpoint (RFC 6749 section 3.1): validates the request and asks the signed-in member to consent. */

import { t } from '../languages/message.ts'
import * as Type from '../base/type.ts'
import { SCOPE } from '../access/scope.ts'
import {
  checkAuthorizationRequest,
  InvalidAppError,
  type AuthorizationRequest,
  type CheckedRequest,
} from './authorization-request.ts'
import { allowClient, previousLimits } from './allow-client.ts'
import {
  CONNECT_CONFIRMATION,
  needsConfirmation,
  splitConfirmation,
} from './consent/connect-confirmation.ts'
import { consentPage } from './consent.page.ts'
import { isOldEnough, RENDERED_AT } from './consent/consent-timestamp.ts'
import { redirectHost } from './redirect-uri.ts'
import { isDocumentAddress, recordRequested } from './client.ts'
import { submissionOf } from '../forms/submission.ts'
import { LIMITS } from '../guards/rate-limit-policies.ts'
import { creditBalance } from '../credits/account.ts'
import { readLimits, shownLimits, type ReadLimits } from './consent/limits-form.ts'
import { errorPage } from '../html/message.page.ts'
import { seeOther, type Answer } from '../http/response.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { AUTHORIZE_PATH, SIGN_IN_PATH } from '../html/site-map.ts'
import { RequestError } from '../base/request-error.ts'
import { returnCode, returnError, returnTo } from './authorization-response.ts'
import type { SignedIn, SignedInRequest } from '../http/browser-request.ts'
import type { ClientDeps } from './oauth-deps.ts'
import type { AttemptCause } from './attempts/connection-attempt.ts'

/** Enough for the authorization request, the largest field of the consent form. */
const MAX_FORM_BYTES = 64 * 1024

/** RFC 6749 section 4.1.1, RFC 7636 section 4.3 and RFC 8707. */
const AuthorizationQuery = Type.Object({
  response_type: Type.Literal('code'),
  client_id: Type.String({ description: 'From registration, or the URL of a metadata document' }),
  redirect_uri: Type.String({ description: 'One of the client’s registered URIs' }),
  code_challenge: Type.String({ description: 'The SHA-256 of the code_verifier, in base64url' }),
  code_challenge_method: Type.Literal('S256'),
  scope: Type.Optional(Type.Literal(SCOPE, { description: 'The only scope; also the default' })),
  state: Type.Optional(Type.String({ description: 'Returned unchanged with the code' })),
  resource: Type.Optional(Type.String({ description: 'The URL of the tool endpoint (RFC 8707)' })),
})

export function authorizeRoutes(deps: ClientDeps): Route[] {
  return [consentRoute(deps), decideRoute(deps)]
}

function consentRoute(deps: ClientDeps): Route {
  const { publicUrl } = deps
  return defineRoute({
    method: 'GET',
    path: AUTHORIZE_PATH,
    operationId: 'authorize',
    summary: 'Ask a member to connect a client',
    description:
      'For a browser. A signed-out person signs in first, then sees the consent page. The code is sent to redirect_uri.',
    access: 'browser',
    described: true,
    uncheckedQuery: AuthorizationQuery,
    // A request can make this server fetch a client's document.
    limit: LIMITS.authorize,
    answers: {
      200: { description: 'The consent page', type: 'text/html' },
      303: { description: 'Redirects to the sign-in page, or to redirect_uri with an error' },
      400: { description: 'Unknown client, or redirect_uri not registered', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ search: received, browser: { member, formToken, timeZone }, address }) {
      const { request: search, confirmation } = splitConfirmation(received)
      const given = new URLSearchParams(search)
      // Documents are fetched only for members: strangers must not choose what this server connects to.
      if (!member && given.getAll('client_id').some(isDocumentAddress))
        return seeOther(signInAndReturn(search))
      const checked = await checkAndRecord(deps, given, { member, address })
      if (!checked.ok) return returnError(checked, member, publicUrl)
      await recordRequested(deps.database, checked.request.client, deps.clock.now())
      if (!member) return seeOther(signInAndReturn(search))
      return showConsent(deps, checked.request, {
        member,
        formToken,
        timeZone,
        search,
        confirmation,
      })
    },
  })
}

/** Checks the request, and records it for a signed-in member, so that they can see why it failed. */
async function checkAndRecord(
  deps: ClientDeps,
  given: URLSearchParams,
  { member, address }: { readonly member: SignedIn | undefined; readonly address: string },
): Promise<CheckedRequest> {
  const clientId = given.get('client_id') ?? ''
  const unknown = { clientId, name: null, redirectHost: null }
  try {
    const checked = await checkAuthorizationRequest(given, deps, requestersOf(member, address))
    const { client, redirectUri } = checked.ok ? checked.request : checked.returnTo
    const known = { clientId, name: client.name, redirectHost: redirectHost(redirectUri) }
    const cause = checked.ok ? undefined : 'invalid_request'
    if (member) await deps.attempts.authorized(member.memberId, known, cause)
    return checked
  } catch (error) {
    if (member && error instanceof RequestError && !error.isFailure)
      await deps.attempts.authorized(member.memberId, unknown, invalidCause(error))
    throw error
  }
}

function invalidCause(error: RequestError): AttemptCause {
  if (!(error instanceof InvalidAppError)) return 'client_document'
  return error.reason === 'no_client' ? 'invalid_request' : error.reason
}

/** The keys that limit document fetches: the member and the IP address. */
function requestersOf(member: SignedIn | undefined, address: string): readonly string[] {
  return member ? [`member ${member.memberId}`, `address ${address}`] : [`address ${address}`]
}

interface ConsentContext {
  readonly member: SignedIn
  readonly formToken: string
  /** The authorization request as received (a query string). */
  readonly search: string
  readonly timeZone: string
  /** Proof that the member has just signed in; empty without one. */
  readonly confirmation: string
  readonly isExpired?: boolean
  readonly isTooSoon?: boolean
  /** As submitted; what the member chose for this app before, if nothing was. */
  readonly limits?: ReadLimits | undefined
}

async function showConsent(
  deps: ClientDeps,
  { client, redirectUri }: AuthorizationRequest,
  { search: request, limits: given, timeZone, ...context }: ConsentContext,
): Promise<Answer> {
  const { database, clock, publicUrl, quota } = deps
  const now = clock.now()
  const db = database.member(context.member.memberId)
  const credits = await creditBalance(db, quota, now)
  const limits = given ?? { ok: true, limits: await previousLimits(db, client.clientId, now) }
  const shown = shownLimits(limits, timeZone)
  const isConfirmed = context.confirmation !== '' || !needsConfirmation(publicUrl)
  const page = { client, redirectUri, credits, request, publicUrl, now, limits: shown, isConfirmed }
  return consentPage({ ...page, ...context, legal: deps })
}

/** The form contains the request, which is validated again as untrusted input. */
function decideRoute(deps: ClientDeps): Route {
  const { publicUrl, attempts } = deps
  return defineRoute({
    method: 'POST',
    path: AUTHORIZE_PATH,
    operationId: 'decideAuthorization',
    summary: "A member's decision on the consent page",
    access: 'browser',
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    limit: LIMITS.authorize,
    answers: {
      303: { description: 'Redirects to redirect_uri with a code or with access_denied' },
      403: { description: 'The form was submitted from another site', type: 'text/html' },
      422: {
        description:
          'Allowed too soon after the page was rendered, or too long after signing in; the page again',
        type: 'text/html',
      },
    },
    onError: errorPage,
    whenSignedInSince: async ({ body }) =>
      seeOther(`${AUTHORIZE_PATH}?${new URLSearchParams(body.get('request') ?? '').toString()}`),
    whenSignedOutSince: async ({ body }) => seeOther(signInAndReturn(body.get('request') ?? '')),
    async handle({ body, browser, address }) {
      const { member } = browser
      const search = body.get('request') ?? ''
      if (!member) return seeOther(signInAndReturn(search))
      const given = new URLSearchParams(search)
      const checked = await checkAuthorizationRequest(given, deps, requestersOf(member, address))
      if (!checked.ok) return returnError(checked, member, publicUrl)
      const { request } = checked
      const decision = body.get('decision')
      if (decision === 'allow')
        return allow(deps, request, { body, browser: { ...browser, member } })
      if (decision !== 'deny')
        throw new RequestError(
          'invalid_request',
          t('No decision was submitted. Choose Allow or Cancel.'),
        )
      await attempts.decided(member.memberId, request.client.clientId, false)
      return returnTo(request, publicUrl, {
        error: 'access_denied',
        error_description: 'The member denied the request',
      })
    },
  })
}

async function allow(
  deps: ClientDeps,
  request: AuthorizationRequest,
  { body, browser }: { readonly body: URLSearchParams; readonly browser: SignedInRequest },
): Promise<Answer> {
  const { clock, publicUrl, attempts } = deps
  const { member, formToken, timeZone } = browser
  const search = body.get('request') ?? ''
  const now = clock.now()
  const limits = readLimits(body, { timeZone, now })
  const isTooSoon = !isOldEnough({ formToken, request: search }, body.get(RENDERED_AT) ?? '', now)
  const confirmation = body.get(CONNECT_CONFIRMATION) ?? ''
  const page = { member, formToken, timeZone, search, confirmation, limits }
  if (isTooSoon || limits?.ok === false) return showConsent(deps, request, { ...page, isTooSoon })
  const submission = submissionOf({ browser, body, form: AUTHORIZE_PATH, now })
  const proof = needsConfirmation(publicUrl) ? { confirmation, formToken } : undefined
  const consent = { request, limits: limits?.limits, submission, proof }
  const code = await allowClient(deps, member, consent)
  if (code === undefined)
    return showConsent(deps, request, { ...page, confirmation: '', isExpired: true })
  await attempts.decided(member.memberId, request.client.clientId, true)
  return returnCode(request, code, publicUrl)
}

function signInAndReturn(search: string): string {
  return `${SIGN_IN_PATH}?return_to=${encodeURIComponent(`${AUTHORIZE_PATH}?${search}`)}`
}
