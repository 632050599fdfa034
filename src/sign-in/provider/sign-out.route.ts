/** `POST /sign-out`: deletes the session from the database and its cookie from the browser. */

import { t } from '../../languages/message.ts'
import { endSession } from '../../access/browser-session.ts'
import { endedTourCookie } from '../../access/demo-tour.ts'
import { recordSecurityEvent } from '../../tools/security-events.ts'
import { messagePage } from '../../html/message.page.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { FORCE_LOGIN, PROMPT } from './begin.route.ts'
import { leaveAnswer } from '../session/sign-out-response.ts'
import { RETURN_TO, returnPath } from '../session/return-path.ts'
import { SIGN_IN_PATH, SIGN_OUT_PATH, USER_PATH } from '../../html/site-map.ts'
import { pageRoute, formRoute } from '../../forms/page-route.ts'
import type { ProviderDeps } from './provider-deps.ts'
import type { SignInDeps } from '../session/sign-in-deps.ts'
import type { Route } from '../../http/route.ts'

/** `provider` is the identity provider, if one is configured. */
export function signOutRoutes(deps: SignInDeps & Partial<Pick<ProviderDeps, 'provider'>>): Route[] {
  const provider = deps.provider?.name
  const out = signOutRoute(deps, provider)
  return provider === undefined ? [out] : [out, signedOutRoute(deps, provider)]
}

function signOutRoute(deps: SignInDeps, provider: string | undefined): Route {
  const { publicUrl } = deps
  const nextPath = (body: URLSearchParams) => {
    const returnTo = returnPath(body.get(RETURN_TO), publicUrl, '/')
    const again = new URLSearchParams({ [RETURN_TO]: returnTo })
    return provider === undefined ? returnTo : `${SIGN_OUT_PATH}?${again.toString()}`
  }
  return formRoute(deps, {
    path: SIGN_OUT_PATH,
    whenSignedOutSince: async ({ body }) => leaveAnswer(publicUrl, nextPath(body)),
    async handle({ body, browser, db, now }) {
      // A member who is on a tour stays signed in.
      if (browser.outsideTour) return seeOther(USER_PATH, [endedTourCookie(publicUrl)])
      await db.write(async (tx) => {
        if (await endSession(tx, browser.member.sessionId))
          await recordSecurityEvent(tx, { event: 'session_ended' }, now)
      })
      return leaveAnswer(publicUrl, nextPath(body))
    },
  })
}

/** With a provider, a redirect to return_to could lead there, and it would sign the same person in again at once. */
function signedOutRoute(deps: SignInDeps, provider: string): Route {
  return pageRoute(deps, {
    path: SIGN_OUT_PATH,
    access: 'browser',
    async handle({ search, browser: { member } }) {
      const returnTo = returnPath(new URLSearchParams(search).get(RETURN_TO), deps.publicUrl, '/')
      return member ? seeOther(returnTo) : signedOutPage(provider, returnTo)
    },
  })
}

function signedOutPage(provider: string, returnTo: string): Answer {
  const again = new URLSearchParams({ [RETURN_TO]: returnTo, [PROMPT]: FORCE_LOGIN })
  return messagePage({
    status: 200,
    title: t('You are signed out'),
    text: t('You may still be signed in at {provider}.', { provider }),
    action: { href: `${SIGN_IN_PATH}?${again.toString()}`, label: t('Sign in again') },
  })
}
