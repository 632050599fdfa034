/** `/sign-in/callback`: a person comes back from the identity provider. */

import { Refusal } from '../../base/request-error.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { messagePage, refusePage } from '../../html/message.page.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { notAdmittedPage, type SignUp } from '../session/admission.ts'
import { disabledPage, enterAnswer, startVisit, type Entry } from '../session/start-session.ts'
import { finishConfirm } from './confirm.route.ts'
import { addPendingIdentity } from '../../access/pending-identity.ts'
import { requireMember } from '../../members/member.ts'
import { linkPage } from './link.page.ts'
import { findOrAddMember, type Found } from './find-or-add-member.ts'
import { CALLBACK_PATH, type Claims, type Provider } from './provider.ts'
import { roundTrips, type RoundTrip } from './round-trip.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../db/database.ts'
import type { Answer } from '../../http/response.ts'

export interface CallbackParts {
  readonly database: Database
  readonly clock: Clock
  readonly publicUrl: string
  readonly signUp: SignUp
  readonly provider: Provider
}

/** Whatever becomes of it, the cookie is cleared: an answer is good for one time in one browser. */
export function callbackRoute(parts: CallbackParts): Route {
  const { clock, publicUrl, provider } = parts
  const trips = roundTrips(publicUrl)
  return defineRoute({
    method: 'GET',
    path: CALLBACK_PATH,
    operationId: 'finishSignIn',
    summary: 'Where the identity provider sends people back to',
    access: 'browser',
    limit: LIMITS.callback,
    answers: {
      200: { description: 'The page to confirm which account it is', type: 'text/html' },
      303: { description: 'Signed in; to return_to' },
      400: { description: 'This browser began no such sign-in', type: 'text/html' },
      403: { description: 'Not signed in, and why', type: 'text/html' },
      503: { description: 'The identity provider cannot be reached', type: 'text/html' },
    },
    refuse: refusePage,
    async handle({ search, visit, header, requestId }) {
      const answer = await asPage(requestId, async () => {
        const trip = trips.read(header('cookie'))
        if (!trip || !provider.isAnswerTo(trip.secret, new URLSearchParams(search)))
          return notBegunPage()
        const claims = await provider.redeem(trip.secret, search)
        if (trip.purpose === 'confirm') return finishConfirm(parts, claims, visit)
        const entry = { visit, userAgent: header('user-agent'), now: clock.now() }
        return enter(parts, claims, trip, entry)
      })
      return { ...answer, cookies: [trips.end(), ...(answer.cookies ?? [])] }
    },
  })
}

/** A refusal is answered here, so that its page clears the cookie too. */
async function asPage(requestId: string, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) return refusePage(error, requestId)
    throw error
  }
}

/** The member is found or made, and signed in, in one transaction. */
async function enter(
  { database, publicUrl, signUp, provider }: CallbackParts,
  claims: Claims,
  { link, returnTo }: RoundTrip,
  entry: Omit<Entry, 'memberId' | 'proof'>,
): Promise<Answer> {
  const { now, visit } = entry
  const { formToken } = visit
  const outcome = await database.write(async (tx) => {
    const found = await findOrAddMember(tx, { claims, link, signUp, now })
    if (found.kind === 'unconfirmed') {
      const pending = { ...claims, memberId: found.memberId }
      return { ...found, secret: await addPendingIdentity(tx, pending, formToken, now) }
    }
    if (found.kind !== 'member') return found
    const proof = { kind: 'identity', identity: claims } as const
    return startVisit(tx, { ...entry, memberId: found.memberId, proof })
  })
  if (outcome.kind === 'entered') return enterAnswer(publicUrl, outcome, returnTo)
  if (outcome.kind === 'outdated') return notBegunPage()
  if (outcome.kind !== 'unconfirmed') return refusedPage(outcome.kind, provider, { link, signUp })
  const { email, username } = await requireMember(database, outcome.memberId)
  const account = email ?? username
  return linkPage({ formToken, secret: outcome.secret, account, returnTo, provider })
}

function refusedPage(
  kind: Exclude<Found['kind'], 'member' | 'unconfirmed'>,
  { name }: Provider,
  { link, signUp }: { readonly link: string; readonly signUp: SignUp },
): Answer {
  if (kind === 'disabled') return disabledPage()
  if (kind === 'not admitted') return notAdmittedPage(link, signUp)
  return messagePage({
    status: 403,
    title: 'This is another account',
    text: `The member with your e-mail address signs in with another account at ${name}.`,
    hint: 'Sign in with that one, or ask whoever runs this service.',
  })
}

export function notBegunPage(): Answer {
  return messagePage({
    status: 400,
    title: 'This sign-in cannot be finished',
    text: 'It was not begun in this browser, it was finished already, or it took too long.',
    action: { href: '/sign-in', label: 'Sign in' },
  })
}
