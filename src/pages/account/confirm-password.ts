/** What cannot be undone asks for the password again: an open browser is not yet its owner. */

import { countSignInAttempts } from '../../sign-in/session/attempts.ts'
import { verifyOrCancel, waitSentence } from '../../sign-in/password/sign-in.page.ts'
import type { PasswordHasher } from '../../access/password-hash.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../db/database.ts'
import type { SignedIn } from '../../http/browser-request.ts'

/** What is wrong with a password that was typed, as a sentence; undefined where it is the member's. */
export type ConfirmPassword = (
  member: SignedIn,
  address: string,
  typed: string,
) => Promise<string | undefined>

export interface ConfirmDeps {
  readonly database: Database
  readonly clock: Clock
  readonly hasher: PasswordHasher
}

/**
 * Failures are counted as those of the sign-in page are, but by themselves: strangers who try this member's password
 * there do not keep the member, who is signed in, from confirming with it.
 */
export function passwordConfirmation({ database, clock, hasher }: ConfirmDeps): ConfirmPassword {
  const attempts = countSignInAttempts({ database, clock })
  return async ({ memberId }, address, typed) => {
    const name = String(memberId)
    const attempted = { method: 'confirmation', name, memberId: undefined, address } as const
    const attempt = await attempts.begin(attempted)
    if (!attempt.allowed) return waitSentence(attempt.retryAfter)
    const hash = await verifyOrCancel({ database, hasher }, attempt, memberId, typed)
    if (hash === undefined) return 'Incorrect password.'
    await database.write((tx) => attempt.succeed(tx))
    return undefined
  }
}
