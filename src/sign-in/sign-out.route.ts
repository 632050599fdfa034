/** `POST /sign-out`: ends the session for good, in the database and in the browser. */

import { endSession, sessionCookies } from '../access/browser-session.ts'
import { recordSecurityEvent } from '../tools/security-events.ts'
import { messagePage, refusePage } from '../html/message-page.ts'
import { seeOther, type Answer } from '../http/answer.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { ASK_AGAIN, PROMPT } from './oidc/begin.route.ts'
import { RETURN_TO, returnPath } from './return-path.ts'
import type { Clock } from '../base/clock.ts'
import type { Database } from '../db/database.ts'

export interface SignOutParts {
  readonly database: Database
  readonly clock: Clock
  readonly publicUrl: string
  /** The identity provider by name, where one signs people in. */
  readonly provider: string | undefined
}

const MOST_FORM_BYTES = 64 * 1024

export function signOutRoute({ database, clock, publicUrl, provider }: SignOutParts): Route {
  return defineRoute({
    method: 'POST',
    path: '/sign-out',
    operationId: 'signOut',
    summary: 'Sign out',
    access: 'session',
    body: { kind: 'form', maxBytes: MOST_FORM_BYTES },
    answers: {
      200: { description: 'Signed out; the provider may still know them', type: 'text/html' },
      303: { description: 'Signed out; to return_to' },
    },
    refuse: refusePage,
    async handle({ body, visit: { member } }) {
      const returnTo = returnPath(body.get(RETURN_TO), publicUrl, '/')
      const now = clock.now()
      await database.member(member.memberId).write(async (tx) => {
        if (await endSession(tx, member.sessionId))
          await recordSecurityEvent(tx, { event: 'session_ended' }, now)
      })
      const cookies = sessionCookies(publicUrl).signOut()
      return provider === undefined
        ? seeOther(returnTo, cookies)
        : { ...signedOutPage(provider, returnTo), cookies }
    },
  })
}

/**
 * Not a redirect: the provider would sign the same person in again at once. And browsers would drop it, for a form of
 * ours may lead to no other site.
 */
function signedOutPage(provider: string, returnTo: string): Answer {
  const again = new URLSearchParams({ [RETURN_TO]: returnTo, [PROMPT]: ASK_AGAIN })
  return messagePage({
    status: 200,
    title: 'You are signed out',
    text: `You may still be signed in at ${provider}.`,
    action: { href: `/sign-in?${again.toString()}`, label: 'Sign in again' },
  })
}
