/** From a person who is known to a browser that is signed in. */

import { endSession, sessionCookies, startSession } from '../access/browser-session.ts'
import { statement } from '../db/statement.ts'
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
 * The secret of a new session; undefined where the member is disabled. Whatever the browser held before is ended, or
 * worth nothing from now on: a session that somebody planted does not become this member's.
 */
export async function startVisit(
  tx: Transaction,
  { memberId, visit, userAgent, now }: Entry,
): Promise<string | undefined> {
  if ((await tx.run(HOLD_ENABLED, { id: memberId })) === 0) return undefined
  const before = visit.member
  if (before) await endSession(tx.member(before.memberId), before.sessionId)
  return (await startSession(tx.member(memberId), { userAgent, now })).secret
}

/** Signs the browser in and sends it on; `returnTo` is a path of ours. Without a secret it tells what is the matter. */
export function enterAnswer(
  publicUrl: string,
  secret: string | undefined,
  returnTo: string,
): Answer {
  if (secret === undefined) return disabledPage()
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

/**
 * Changes nothing, but holds the row: whoever disables the member at the same moment waits, and ends this session with
 * the others.
 */
const HOLD_ENABLED = statement<{ id: number }>(
  'update members set version = version where member_id = :id and disabled_at is null',
)
