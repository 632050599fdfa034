/** `POST /sign-out`: deletes the session from the database and its cookie from the browser. */

import { endSession, sessionCookies } from '../../access/browser-session.ts'
import { recordSecurityEvent } from '../../tools/security-events.ts'
import { messagePage, errorPage } from '../../html/message.page.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { FORCE_LOGIN, PROMPT } from './begin.route.ts'
import { RETURN_TO, returnPath } from '../session/return-path.ts'
import { SIGN_IN_PATH, SIGN_OUT_PATH } from '../../html/site-map.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../db/database.ts'

interface SignOutDeps {
  readonly database: Database
  readonly clock: Clock
  readonly publicUrl: string
  /** The name of the identity provider, if one is configured. */
  readonly provider: string | undefined
}

const MAX_FORM_BYTES = 64 * 1024

export function signOutRoutes(deps: SignOutDeps): Route[] {
  const { provider, publicUrl } = deps
  const out = signOutRoute(deps)
  return provider === undefined ? [out] : [out, signedOutRoute(provider, publicUrl)]
}

function signOutRoute({ database, clock, publicUrl, provider }: SignOutDeps): Route {
  const nextPath = (body: URLSearchParams) => {
    const returnTo = returnPath(body.get(RETURN_TO), publicUrl, '/')
    const again = new URLSearchParams({ [RETURN_TO]: returnTo })
    return provider === undefined ? returnTo : `${SIGN_OUT_PATH}?${again.toString()}`
  }
  return defineRoute({
    method: 'POST',
    path: SIGN_OUT_PATH,
    operationId: 'signOut',
    summary: 'Sign out',
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: {
      303: {
        description: 'Signed out; redirects to return_to, or to the page that names the provider',
      },
    },
    onError: errorPage,
    whenSignedOutSince: async ({ body }) => seeOther(nextPath(body)),
    async handle({ body, browser: { member } }) {
      const now = clock.now()
      await database.member(member.memberId).write(async (tx) => {
        if (await endSession(tx, member.sessionId))
          await recordSecurityEvent(tx, { event: 'session_ended' }, now)
      })
      return seeOther(nextPath(body), sessionCookies(publicUrl).signOut())
    },
  })
}

/** With a provider, a redirect to return_to could lead there, and it would sign the same person in again at once. */
function signedOutRoute(provider: string, publicUrl: string): Route {
  return defineRoute({
    method: 'GET',
    path: SIGN_OUT_PATH,
    operationId: 'showSignedOut',
    summary: 'The page that confirms the sign-out and mentions the session at the provider',
    access: 'browser',
    answers: {
      200: { description: 'The page', type: 'text/html' },
      303: { description: 'Signed in; redirects to return_to' },
    },
    onError: errorPage,
    async handle({ search, browser: { member } }) {
      const returnTo = returnPath(new URLSearchParams(search).get(RETURN_TO), publicUrl, '/')
      return member ? seeOther(returnTo) : signedOutPage(provider, returnTo)
    },
  })
}

function signedOutPage(provider: string, returnTo: string): Answer {
  const again = new URLSearchParams({ [RETURN_TO]: returnTo, [PROMPT]: FORCE_LOGIN })
  return messagePage({
    status: 200,
    title: 'You are signed out',
    text: `You may still be signed in at ${provider}.`,
    action: { href: `${SIGN_IN_PATH}?${again.toString()}`, label: 'Sign in again' },
  })
}
