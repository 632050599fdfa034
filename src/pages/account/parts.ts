/** What the routes of this page are made from, and the page as each of them shows it. */

import { listSessions } from '../../access/browser-session.ts'
import { requireMember } from '../../members/member.ts'
import { timesOf } from '../time.ts'
import { accountPage, type Refused } from './page.ts'
import type { PasswordHasher } from '../../access/password-hash.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../db/database.ts'
import type { Answer } from '../../http/answer.ts'
import type { SignedInVisit } from '../../http/visit.ts'
import type { ConfirmPassword } from './confirm-password.ts'

export interface AccountParts {
  readonly database: Database
  readonly clock: Clock
  /** `WEFT_PUBLIC_URL`, without a slash at its end. */
  readonly publicUrl: string
  /** Undefined where an identity provider signs people in: there are no passwords then. */
  readonly passwords: Passwords | undefined
}

export interface Passwords {
  readonly hasher: PasswordHasher
  readonly confirm: ConfirmPassword
}

/** These forms hold an address or two passwords. */
export const MOST_FORM_BYTES = 16 * 1024

export interface Told {
  /** A fragment: what was just done. */
  readonly notice?: string
  readonly refused?: Refused
}

export async function showAccount(
  { database, clock, passwords }: AccountParts,
  visit: SignedInVisit,
  told: Told = {},
): Promise<Answer> {
  const { memberId } = visit.member
  const now = clock.now()
  const [member, sessions] = await Promise.all([
    requireMember(database, memberId),
    listSessions(database.member(memberId), now),
  ])
  return accountPage({
    visit,
    times: timesOf(visit, now),
    member,
    sessions,
    hasPassword: passwords !== undefined,
    ...told,
  })
}
