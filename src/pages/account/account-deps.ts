/** Dependencies of the account routes, and the function that renders the account page. */

import { listSessions } from '../../access/browser-session.ts'
import { listPasskeys } from '../../access/passkey.ts'
import { EXPORT_KIND } from '../../exports/export-data.job.ts'
import { findLatestExport } from '../../exports/export-store.ts'
import { isTerminal } from '../../jobs/job-record.ts'
import { listJobs } from '../../jobs/start-job.ts'
import { requireMember } from '../../members/member.ts'
import { isEmailVerified } from '../../members/verified-email.ts'
import { timesOf } from '../ui/time.ts'
import { countAccess } from '../../sign-in/session/access-choice.ts'
import { accountPage } from './account.page.ts'
import { type Confirmed, type InvalidFields } from './account-view.ts'
import type { PasswordHasher } from '../../access/password-hash.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database, MemberReader } from '../../db/database.ts'
import { type Html } from '../../html/html.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { ConfirmPassword } from './confirm-password.ts'
import type { Exports } from './account-view.ts'

export interface AccountDeps {
  readonly database: Database
  readonly clock: Clock
  /** `WEFT_PUBLIC_URL`, without a slash at its end. */
  readonly publicUrl: string
  /** Whether a mail server is configured. */
  readonly sendsEmail: boolean
  /** Undefined when people sign in with an identity provider, because there are no passwords then. */
  readonly passwords: Passwords | undefined
}

export interface Passwords {
  readonly hasher: PasswordHasher
  readonly confirm: ConfirmPassword
}

/** These forms hold an email or two passwords. */
export const MAX_ACCOUNT_FORM_BYTES = 16 * 1024

interface AccountPageState {
  /** A fragment: what was just done. */
  readonly notice?: Html
  readonly invalid?: InvalidFields
  readonly confirmed?: Confirmed | undefined
}

export async function showAccount(
  { database, clock, publicUrl, sendsEmail, passwords }: AccountDeps,
  browser: SignedInRequest,
  state: AccountPageState = {},
): Promise<Answer> {
  const { memberId } = browser.member
  const now = clock.now()
  const own = database.member(memberId)
  const [member, isVerified, passkeys, sessions, exports, access] = await Promise.all([
    requireMember(database, memberId),
    isEmailVerified(database, memberId),
    listPasskeys(own),
    listSessions(own, now),
    findExports(own, now),
    countAccess(own, now),
  ])
  return accountPage({
    browser,
    times: timesOf(browser, now),
    member,
    emailState: isVerified ? 'verified' : sendsEmail ? 'unverified' : 'unknown',
    passkeys,
    sessions,
    exports,
    access,
    publicUrl,
    hasPassword: passwords !== undefined,
    ...state,
  })
}

async function findExports(reader: MemberReader, now: number): Promise<Exports> {
  const [newest] = await listJobs(reader, { kind: EXPORT_KIND, limit: 1 })
  const running = newest && !isTerminal(newest.state) ? newest : undefined
  return { latest: await findLatestExport(reader, now), running }
}
