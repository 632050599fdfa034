/** What cannot be undone asks for the password again: an open browser is not yet its owner. */

import { checkPassword } from '../../access/password.ts'
import { countSignInAttempts } from '../../sign-in/attempts.ts'
import type { PasswordHasher } from '../../access/password-hash.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../db/database.ts'
import type { SignedIn } from '../../http/visit.ts'

/** What is wrong with a password that was typed, as a sentence; undefined where it is the member's. */
export type ConfirmPassword = (
  member: SignedIn,
  address: string,
  typed: string,
) => Promise<string | undefined>

export interface ConfirmParts {
  readonly database: Database
  readonly clock: Clock
  readonly hasher: PasswordHasher
}

/** Wrong tries are counted as those of the sign-in page are. */
export function passwordConfirmation({ database, clock, hasher }: ConfirmParts): ConfirmPassword {
  const attempts = countSignInAttempts(clock)
  return async ({ memberId, username }, address, typed) => {
    const attempt = attempts.begin(username, address)
    if (!attempt.allowed) return waitSentence(attempt.retryAfter)
    if (!(await checkPassword({ database, hasher }, memberId, typed)))
      return 'This is not your password.'
    attempt.succeed()
    return undefined
  }
}

function waitSentence(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
  return `Too many tries that failed. Wait ${wait}, then try again.`
}
