/** `/sign-in` and `/join` with an identity provider: both redirect straight to it. */

import { findLink, LINK } from '../../access/one-time-link.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { admissionOf, JOIN_PURPOSES, notAdmittedPage } from '../session/admission.ts'
import { RETURN_TO, returnPath } from '../session/return-path.ts'
import { roundTrips } from './round-trip.ts'
import { SIGN_IN_PATH, JOIN_PATH } from '../../html/site-map.ts'
import { pageRoute } from '../../forms/page-route.ts'
import type { Route } from '../../http/route.ts'
import type { ProviderDeps } from './provider-deps.ts'

/** `prompt=login` makes the provider ask for credentials again, as in OpenID Connect Core section 3.1.2.1. */
export const PROMPT = 'prompt'
export const FORCE_LOGIN = 'login'

export function beginRoutes(deps: ProviderDeps): Route[] {
  return [signInRoute(deps), joinRoute(deps)]
}

function signInRoute(deps: ProviderDeps): Route {
  return pageRoute(deps, {
    path: SIGN_IN_PATH,
    access: 'browser',
    async handle({ search, browser }) {
      const query = new URLSearchParams(search)
      const returnTo = returnPath(query.get(RETURN_TO), deps.publicUrl)
      if (browser.member) return seeOther(returnTo)
      const again = query.get(PROMPT) === FORCE_LOGIN
      return redirectToProvider(deps, { returnTo, again, link: '' })
    },
  })
}

/** The secret of the link goes into the cookie. The link is used once the provider has identified the person. */
function joinRoute(deps: ProviderDeps): Route {
  const { database, publicUrl, signUp } = deps
  return pageRoute(deps, {
    path: JOIN_PATH,
    access: 'browser',
    async handle({ search, browser, now }) {
      const query = new URLSearchParams(search)
      const returnTo = returnPath(query.get(RETURN_TO), publicUrl)
      if (browser.member) return seeOther(returnTo)
      const secret = query.get(LINK) ?? ''
      const link = await findLink(database, secret, JOIN_PURPOSES, now)
      if (!(await admissionOf(database, link, signUp))) return notAdmittedPage(secret, signUp)
      return redirectToProvider(deps, { returnTo, again: false, link: link ? secret : '' })
    },
  })
}

interface ProviderRedirect {
  readonly returnTo: string
  readonly again: boolean
  readonly link: string
}

async function redirectToProvider(
  { provider, publicUrl }: ProviderDeps,
  { returnTo, again, link }: ProviderRedirect,
): Promise<Answer> {
  const { secret, cookie } = roundTrips(publicUrl).begin(returnTo, link)
  return seeOther(await provider.authorizationUrl(secret, again ? 'again' : 'usual'), [cookie])
}
