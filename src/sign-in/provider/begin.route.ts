/** `/sign-in` and `/join` with an identity provider: both redirect straight to it. */

import { findLink } from '../../access/one-time-link.ts'
import { errorPage } from '../../html/message.page.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { admissionOf, JOIN_PURPOSES, notAdmittedPage, type SignUp } from '../session/admission.ts'
import { LINK } from '../session/link-address.ts'
import { RETURN_TO, returnPath } from '../session/return-path.ts'
import { roundTrips } from './round-trip.ts'
import { SIGN_IN_PATH, JOIN_PATH } from '../../html/site-map.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../db/database.ts'
import type { Provider } from './provider.ts'

interface BeginDeps {
  readonly database: Database
  readonly clock: Clock
  readonly publicUrl: string
  readonly signUp: SignUp
  readonly provider: Provider
}

/** `prompt=login` makes the provider ask for credentials again, as in OpenID Connect Core section 3.1.2.1. */
export const PROMPT = 'prompt'
export const FORCE_LOGIN = 'login'

const ANSWERS = {
  303: { description: 'Redirects to the identity provider, or to return_to if already signed in' },
  503: { description: 'The identity provider cannot be reached', type: 'text/html' },
} as const

export function beginRoutes(deps: BeginDeps): Route[] {
  return [signInRoute(deps), joinRoute(deps)]
}

function signInRoute({ publicUrl, provider }: BeginDeps): Route {
  return defineRoute({
    method: 'GET',
    path: SIGN_IN_PATH,
    operationId: 'showSignIn',
    summary: 'Sign in with the identity provider',
    access: 'browser',
    answers: ANSWERS,
    onError: errorPage,
    async handle({ search, browser }) {
      const query = new URLSearchParams(search)
      const returnTo = returnPath(query.get(RETURN_TO), publicUrl)
      if (browser.member) return seeOther(returnTo)
      const again = query.get(PROMPT) === FORCE_LOGIN
      return redirectToProvider({ provider, publicUrl, returnTo, again, link: '' })
    },
  })
}

/** The secret of the link goes into the cookie. The link is used once the provider has identified the person. */
function joinRoute({ database, clock, publicUrl, signUp, provider }: BeginDeps): Route {
  return defineRoute({
    method: 'GET',
    path: JOIN_PATH,
    operationId: 'showJoin',
    summary: 'Join with the identity provider, by invitation or, if sign-up is open, without one',
    access: 'browser',
    answers: {
      ...ANSWERS,
      403: {
        description: 'An invitation is required, or this one is not valid',
        type: 'text/html',
      },
    },
    onError: errorPage,
    async handle({ search, browser }) {
      const query = new URLSearchParams(search)
      const returnTo = returnPath(query.get(RETURN_TO), publicUrl)
      if (browser.member) return seeOther(returnTo)
      const secret = query.get(LINK) ?? ''
      const link = await findLink(database, secret, JOIN_PURPOSES, clock.now())
      if (!(await admissionOf(database, link, signUp))) return notAdmittedPage(secret, signUp)
      return redirectToProvider({
        provider,
        publicUrl,
        returnTo,
        again: false,
        link: link ? secret : '',
      })
    },
  })
}

interface ProviderRedirect {
  readonly provider: Provider
  readonly publicUrl: string
  readonly returnTo: string
  readonly again: boolean
  readonly link: string
}

async function redirectToProvider(options: ProviderRedirect): Promise<Answer> {
  const { provider, publicUrl, returnTo, again, link } = options
  const { secret, cookie } = roundTrips(publicUrl).begin(returnTo, link)
  return seeOther(await provider.authorizationUrl(secret, again ? 'again' : 'usual'), [cookie])
}
