/** Asks for the password again before irreversible actions, because an open session does not prove who is using it. */

import { countSignInAttempts } from '../../sign-in/session/attempts.ts'
import { verifyOrCancel, waitSentence } from '../../sign-in/password/sign-in.page.ts'
import type { PasswordHasher } from '../../access/password-hash.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../db/database.ts'
import type { SignedIn } from '../../http/browser-request.ts'

/** Resolves to an error sentence, or to undefined if the password is correct. */
export type ConfirmPassword = (
  member: SignedIn,
  address: string,
  typed: string,
) => Promise<string | undefined>

interface ConfirmDeps {
  readonly database: Database
  readonly clock: Clock
  readonly hasher: PasswordHasher
}

/**
 * Failures are rate-limited like those of the sign-in page, but counted separately: failed sign-ins by strangers
 * do not block a signed-in member from confirming.
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
