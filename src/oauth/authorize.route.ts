/** The authorization endpoint (RFC 6749 section 3.1): checks the request, has the member signed in, and asks them. */

import Type from 'typebox'
import { SCOPE } from '../access/bearer.ts'
import { createGrant } from './grant.ts'
import { issueCode } from './authorization-code.ts'
import { checkAuthorizationRequest, type AuthorizationRequest } from './authorization-request.ts'
import { consentPage } from './consent.page.ts'
import { isOldEnough, RENDERED_AT } from './consent-timestamp.ts'
import { isLoopbackUri, redirectHost } from './redirect-uri.ts'
import { isDocumentAddress, noteGranted, noteRequested, type ClientDirectory } from './client.ts'
import { LIMITS } from '../guards/rate-limit-policies.ts'
import { requireLiveSession } from '../access/browser-session.ts'
import { creditBalance } from '../credits/account.ts'
import { messagePage, errorPage } from '../html/message.page.ts'
import { seeOther, type Answer } from '../http/response.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { SIGN_IN_PATH } from '../http/run-route.ts'
import { recordSecurityEvent } from '../tools/security-events.ts'
import { RequestError } from '../base/request-error.ts'
import type { Clock } from '../base/clock.ts'
import type { Database } from '../db/database.ts'
import type { SignedIn } from '../http/browser-request.ts'
import type { CheckedRequest, ReturnAddress } from './authorization-request.ts'

export interface AuthorizeDeps {
  readonly database: Database
  readonly clock: Clock
  readonly clients: ClientDirectory
  /** `WEFT_PUBLIC_URL`, the issuer. */
  readonly publicUrl: string
  readonly quota: number
}

const AUTHORIZE_PATH = '/oauth/authorize'

/** A consent form holds the request, which came in an address, and little else. */
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
  resource: Type.Optional(
    Type.String({ description: 'The address of the tool endpoint (RFC 8707)' }),
  ),
})

export function authorizeRoutes(deps: AuthorizeDeps): Route[] {
  return [askRoute(deps), decideRoute(deps)]
}

function askRoute(deps: AuthorizeDeps): Route {
  const { publicUrl } = deps
  return defineRoute({
    method: 'GET',
    path: AUTHORIZE_PATH,
    operationId: 'authorize',
    summary: 'Ask a member to connect a client',
    description:
      'For a browser. A signed-out person signs in first, then sees what the client asks for. The code arrives at ' +
      'redirect_uri.',
    access: 'browser',
    described: true,
    uncheckedQuery: AuthorizationQuery,
    // Before anybody has signed in it may fetch a client's document.
    limit: LIMITS.authorize,
    answers: {
      200: { description: 'The consent page', type: 'text/html' },
      303: { description: 'To the sign-in page, or to redirect_uri with an error' },
      400: { description: 'The client or its redirect_uri is not known', type: 'text/html' },
    },
    refuse: errorPage,
    async handle({ search, browser: { member, formToken }, address }) {
      const given = new URLSearchParams(search)
      // A document is fetched for members alone: strangers must not choose what this server connects to.
      if (!member && given.getAll('client_id').some(isDocumentAddress))
        return seeOther(signInAndReturn(search))
      const checked = await checkAuthorizationRequest(given, deps, askersOf(member, address))
      if (!checked.ok) return returnError(checked, member, publicUrl)
      await noteRequested(deps.database, checked.request.client, deps.clock.now())
      if (!member) return seeOther(signInAndReturn(search))
      return ask(deps, checked.request, { member, formToken, search })
    },
  })
}

/** Whose fetches of documents are counted together. */
function askersOf(member: SignedIn | undefined, address: string): readonly string[] {
  return member ? [`member ${member.memberId}`, `address ${address}`] : [`address ${address}`]
}

interface Question {
  readonly member: SignedIn
  readonly formToken: string
  /** The authorization request as it came. */
  readonly search: string
  readonly isTooSoon?: boolean
}

async function ask(
  { database, clock, publicUrl, quota }: AuthorizeDeps,
  { client, redirectUri }: AuthorizationRequest,
  { search: request, ...question }: Question,
): Promise<Answer> {
  const now = clock.now()
  const credits = await creditBalance(database.member(question.member.memberId), quota, now)
  return consentPage({ client, redirectUri, credits, request, publicUrl, now, ...question })
}

/** The form carries the request back, and it is checked as if it were new: nothing of it is believed. */
function decideRoute(deps: AuthorizeDeps): Route {
  const { clock, publicUrl } = deps
  return defineRoute({
    method: 'POST',
    path: AUTHORIZE_PATH,
    operationId: 'decideAuthorization',
    summary: "A member's decision on the consent page",
    access: 'browser',
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    limit: LIMITS.authorize,
    answers: {
      303: { description: 'To redirect_uri, with a code or with access_denied' },
      403: { description: 'The form was not sent by the page it belongs to', type: 'text/html' },
      422: {
        description: 'Allowed too soon after the page was rendered: the page again',
        type: 'text/html',
      },
    },
    refuse: errorPage,
    async handle({ body, browser: { member, formToken }, address }) {
      const search = body.get('request') ?? ''
      if (!member) return seeOther(signInAndReturn(search))
      const given = new URLSearchParams(search)
      const checked = await checkAuthorizationRequest(given, deps, askersOf(member, address))
      if (!checked.ok) return returnError(checked, member, publicUrl)
      switch (body.get('decision')) {
        case 'allow': {
          const form = { formToken, request: search }
          if (!isOldEnough(form, body.get(RENDERED_AT) ?? '', clock.now()))
            return ask(deps, checked.request, { member, formToken, search, isTooSoon: true })
          return returnCode(checked.request, await allow(deps, checked.request, member), publicUrl)
        }
        case 'deny':
          return returnTo(checked.request, publicUrl, {
            error: 'access_denied',
            error_description: 'The member did not allow it',
          })
        case null:
        default:
          throw new RequestError(
            'invalid_request',
            'Choose whether to allow the app, or to cancel.',
          )
      }
    },
  })
}

/** The grant and its code, in one transaction. */
async function allow(
  { database, clock }: AuthorizeDeps,
  request: AuthorizationRequest,
  { memberId, sessionId }: SignedIn,
): Promise<string> {
  const { client, redirectUri, scope, resource, codeChallenge } = request
  const { clientId, name: clientName } = client
  const now = clock.now()
  return database.write(async (tx) => {
    const member = tx.member(memberId)
    await requireLiveSession(member, sessionId, now)
    const redirect = redirectHost(redirectUri)
    const grant = { clientId, clientName, redirectHost: redirect, scope, resource }
    const grantId = await createGrant(member, grant, now)
    await noteGranted(tx, clientId, now)
    const details = { name: clientName, redirect_host: redirect }
    await recordSecurityEvent(member, { event: 'agent_connected', details }, now)
    return issueCode(member, { grantId, clientId, redirectUri, codeChallenge }, now)
  })
}

function returnCode(request: ReturnAddress, code: string, publicUrl: string): Answer {
  return returnTo(request, publicUrl, { code })
}

/**
 * Tells the client of its mistake by way of the browser. Anyone can register a client, so before the person has signed
 * in the browser is not sent to a web site that they did not choose to visit: RFC 9700 section 4.11.2.
 */
function returnError(
  { error, returnTo: address }: Extract<CheckedRequest, { ok: false }>,
  member: SignedIn | undefined,
  publicUrl: string,
): Answer {
  const answer = { error: error.code, error_description: error.message }
  if (member || isLoopbackUri(address.redirectUri)) return returnTo(address, publicUrl, answer)
  return messagePage({
    status: 400,
    title: 'The app asked in a way that cannot be answered',
    text: `${error.code}: ${error.message}.`,
    hint: 'Its makers have to correct that. Nothing was connected.',
    action: {
      href: locationOf(address, publicUrl, answer),
      label: `Back to ${redirectHost(address.redirectUri)}`,
    },
  })
}

function returnTo(
  address: ReturnAddress,
  publicUrl: string,
  answer: Readonly<Record<string, string>>,
): Answer {
  return seeOther(locationOf(address, publicUrl, answer))
}

/** `iss` tells a client which server answered (RFC 9207): always, on errors too. */
function locationOf(
  { redirectUri, state }: ReturnAddress,
  publicUrl: string,
  answer: Readonly<Record<string, string>>,
): string {
  const added = new URLSearchParams(answer)
  if (state !== undefined) added.set('state', state)
  added.set('iss', publicUrl)
  // The URI itself stays as it was registered, to the letter.
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${added.toString()}`
}

function signInAndReturn(search: string): string {
  return `${SIGN_IN_PATH}?return_to=${encodeURIComponent(`${AUTHORIZE_PATH}?${search}`)}`
}
