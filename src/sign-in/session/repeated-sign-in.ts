/** Forms that start a session and are submitted twice, as by a double-click without scripts. */

import { listSessions } from '../../access/browser-session.ts'
import { lockMember } from '../../access/lock-member.ts'
import { hashSecret } from '../../base/secrets.ts'
import {
  findSubmittedAnonymously,
  recordAnonymousSubmission,
  type Submission,
} from '../../forms/submission.ts'
import { enterAnswer, startBrowserSession, type Entered, type Entry } from './start-session.ts'
import type { Database, MemberReader, Transaction } from '../../db/database.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { Answer } from '../../http/response.ts'

type StartedSession = Extract<Entered, { kind: 'entered' }>

interface RepeatedEntry {
  readonly database: Database
  readonly publicUrl: string
  readonly submission: Submission | undefined
  /** A path of this site. */
  readonly returnTo: string
}

/**
 * Returns `answer` unless it is an error and an earlier submission of the same form signed in, which is the cause of the
 * error: then the same session.
 */
export async function unlessEntered(
  { database, publicUrl, submission, returnTo }: RepeatedEntry,
  answer: Answer,
): Promise<Answer> {
  if (answer.status === 303) return answer
  const earlier = await findSubmittedAnonymously<Entered>(database, submission)
  return earlier ? enterAnswer(publicUrl, earlier, returnTo) : answer
}

/**
 * Like `startBrowserSession`, but a repeated submission gets the session that the first one started, as long as that
 * has not ended.
 */
export async function startSessionOnce(
  tx: Transaction,
  submission: Submission | undefined,
  entry: Entry,
): Promise<Entered | undefined> {
  // Locks the row that `startBrowserSession` locks, so that two submissions do not both find none.
  await lockMember(tx.member(entry.memberId))
  const earlier = await findSubmittedAnonymously<StartedSession>(tx, submission)
  if (earlier && (await isLive(tx.member(entry.memberId), earlier, entry.now))) return earlier
  const entered = await startBrowserSession(tx, entry)
  if (entered?.kind === 'entered') await recordAnonymousSubmission(tx, submission, entered)
  return entered
}

async function isLive(
  reader: MemberReader,
  { secret }: StartedSession,
  now: number,
): Promise<boolean> {
  const sessionId = hashSecret(secret)
  return (await listSessions(reader, now)).some((session) => session.sessionId === sessionId)
}

/** Whether `submission` started, or renewed, the session in which the browser is signed in now. */
export async function isSessionOf(
  database: Database,
  submission: Submission | undefined,
  { member }: SignedInRequest,
): Promise<boolean> {
  const earlier = await findSubmittedAnonymously<{ readonly secret?: string }>(database, submission)
  return earlier?.secret !== undefined && hashSecret(earlier.secret) === member.sessionId
}
