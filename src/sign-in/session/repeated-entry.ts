/** Forms that start a session and are submitted twice, as by a double-click without scripts. */

import { findSubmittedAnonymously, type Submission } from '../../guards/form-submission.ts'
import { enterAnswer, type Entered } from './start-session.ts'
import type { Database } from '../../db/database.ts'
import type { Answer } from '../../http/response.ts'

/** What `recordAnonymousSubmission` stores for these forms. */
export type RecordedEntry = Exclude<Entered, { kind: 'outdated' }>

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
  const earlier = await findSubmittedAnonymously<RecordedEntry>(database, submission)
  return earlier ? enterAnswer(publicUrl, earlier, returnTo) : answer
}
