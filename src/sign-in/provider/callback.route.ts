/** `/sign-in/callback`: the redirect URI for the identity provider. */

import { t } from '../../languages/message.ts'
import { RequestError } from '../../base/request-error.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { messagePage, errorPage } from '../../html/message.page.ts'
import { notAdmittedPage, type SignUp } from '../session/admission.ts'
import {
  disabledPage,
  enterAnswer,
  startBrowserSession,
  type Entry,
} from '../session/start-session.ts'
import { finishConfirm } from './confirm.route.ts'
import { addPendingIdentity } from '../../access/pending-identity.ts'
import { requireMember } from '../../members/member.ts'
import { linkPage } from './link.page.ts'
import { findOrAddMember, type AccountMatch } from './find-or-add-member.ts'
import { CALLBACK_PATH, type Claims, type Provider } from './provider.ts'
import { roundTrips, type RoundTrip } from './round-trip.ts'
import { SIGN_IN_PATH } from '../../html/site-map.ts'
import { pageRoute } from '../../forms/page-route.ts'
import type { Route } from '../../http/route.ts'
import type { Answer } from '../../http/response.ts'
import type { ProviderDeps } from './provider-deps.ts'

/** Always clears the cookie, so each response is single-use. */
export function callbackRoute(deps: ProviderDeps): Route {
  const { publicUrl, provider } = deps
  const trips = roundTrips(publicUrl)
  return pageRoute(deps, {
    path: CALLBACK_PATH,
    access: 'browser',
    limit: LIMITS.callback,
    async handle({ search, browser, header, requestId, now }) {
      const answer = await asPage(requestId, async () => {
        const trip = trips.read(header('cookie'))
        if (!trip || !provider.isResponseTo(trip.secret, new URLSearchParams(search)))
          return unknownSignInPage()
        if (trip.purpose === 'confirm') {
          const confirmed = await provider.redeem(trip.secret, search, 'confirmed')
          return finishConfirm(deps, confirmed, browser, trip.returnTo)
        }
        const claims = await provider.redeem(trip.secret, search)
        return enter(deps, claims, trip, { browser, userAgent: header('user-agent'), now })
      })
      return { ...answer, cookies: [trips.end(), ...(answer.cookies ?? [])] }
    },
  })
}

/** Turns a `RequestError` into its page here, so that this response clears the cookie too. */
async function asPage(requestId: string, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RequestError) return errorPage(error, requestId)
    throw error
  }
}

/** Finds or creates the member and signs them in, in one transaction. */
async function enter(
  deps: ProviderDeps,
  claims: Claims,
  { link, returnTo }: RoundTrip,
  entry: Omit<Entry, 'memberId' | 'proof'>,
): Promise<Answer> {
  const { database, publicUrl, signUp, provider } = deps
  const { now, browser } = entry
  const { formToken } = browser
  const outcome = await database.write(async (tx) => {
    const found = await findOrAddMember(tx, { claims, link, signUp, now })
    if (found.kind === 'unconfirmed') {
      const pending = { ...claims, memberId: found.memberId }
      return { ...found, secret: await addPendingIdentity(tx, pending, formToken, now) }
    }
    if (found.kind !== 'member') return found
    const proof = { kind: 'identity', identity: claims } as const
    const { memberId, hasJoined = false } = found
    return startBrowserSession(tx, { ...entry, memberId, proof, hasJoined })
  })
  if (!outcome) return unknownSignInPage()
  if (outcome.kind === 'entered') return enterAnswer(publicUrl, outcome, returnTo)
  if (outcome.kind !== 'unconfirmed')
    return notSignedInPage(outcome.kind, provider, { link, signUp })
  const { email, username } = await requireMember(database, outcome.memberId)
  const account = email ?? username
  return linkPage({ secret: outcome.secret, account, returnTo, provider, legal: deps })
}

function notSignedInPage(
  kind: Exclude<AccountMatch['kind'], 'member' | 'unconfirmed'>,
  { name }: Provider,
  { link, signUp }: { readonly link: string; readonly signUp: SignUp },
): Answer {
  if (kind === 'disabled') return disabledPage()
  if (kind === 'not admitted') return notAdmittedPage(link, signUp)
  return messagePage({
    status: 403,
    title: t('Wrong account'),
    text: t('The member with your email address signs in with another account at {name}.', {
      name,
    }),
    hint: t('Sign in with that account, or ask your administrator.'),
  })
}

export function unknownSignInPage(): Answer {
  return messagePage({
    status: 400,
    title: t('This sign-in could not be completed'),
    text: t('It was not started in this browser, was already completed, or took too long.'),
    action: { href: SIGN_IN_PATH, label: t('Sign in') },
  })
}
