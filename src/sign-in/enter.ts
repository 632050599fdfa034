/** From a person who is known to a browser that is signed in. */

import { endSession, sessionCookies, startSession } from '../access/browser-session.ts'
import { messagePage } from '../html/message-page.ts'
import { seeOther, type Answer } from '../http/answer.ts'
import type { Transaction } from '../db/database.ts'
import type { Visit } from '../http/visit.ts'

export interface Entry {
  readonly memberId: number
  readonly visit: Visit
  /** `User-Agent`, by which the member tells their sessions apart. */
  readonly userAgent: string | undefined
  readonly now: number
}

/**
 * The secret of a new session. Whatever the browser held before is ended, or worth nothing from now on: a session that
 * somebody planted does not become this member's.
 */
export async function startVisit(
  tx: Transaction,
  { memberId, visit, userAgent, now }: Entry,
): Promise<string> {
  const before = visit.member
  if (before) await endSession(tx.member(before.memberId), before.sessionId)
  return (await startSession(tx.member(memberId), { userAgent, now })).secret
}

/** Signs the browser in and sends it on; `returnTo` is a path of ours. */
export function enterAnswer(publicUrl: string, secret: string, returnTo: string): Answer {
  return seeOther(returnTo, sessionCookies(publicUrl).signIn(secret))
}

/** Only for those who have proved that the account is theirs. */
export function disabledPage(): Answer {
  return messagePage({
    status: 403,
    title: 'Your account is disabled',
    text: 'You are not signed in. Nothing of yours is lost.',
    hint: 'Whoever runs this service can enable it again.',
  })
}
