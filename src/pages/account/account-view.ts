/** The data of the account page, and what its routes need. */

import { phrase } from '../../languages/message.ts'
import { ACCOUNT_PATH } from '../../html/site-map.ts'
import { noticesOf } from '../../ui/notices.ts'
import type { Html } from '../../html/html.ts'
import type { StoredJob } from '../../jobs/job-record.ts'
import type { BrowserSession } from '../../access/browser-session.ts'
import type { PasswordHasher } from '../../access/passwords/password-hash.ts'
import type { ConfirmedAction } from '../../access/passkey-challenge.ts'
import type { StoredExport } from '../../exports/export-store.ts'
import type { PageDeps } from '../../forms/page-route.ts'
import type { SignedInRequest, SignedIn } from '../../http/browser-request.ts'
import type { Times } from '../../ui/time.ts'
import type { Passkey } from '../../access/passkey.ts'
import type { FieldErrors } from '../../forms/field-errors.ts'
import type { Member } from '../../members/member-row.ts'
import type { AccessCounts } from '../../sign-in/session/access-choice.ts'

export interface AccountDeps extends PageDeps {
  /** `WEFT_PUBLIC_URL`, without a slash at its end. */
  readonly publicUrl: string
  /** Whether a mail server is configured. */
  readonly sendsEmail: boolean
  /** Undefined when people sign in with an identity provider, because there are no passwords then. */
  readonly passwords: Passwords | undefined
}

/** Resolves to an error sentence, or to undefined if the password is correct. */
export type ConfirmPassword = (
  member: SignedIn,
  address: string,
  typed: string,
) => Promise<string | undefined>

interface Passwords {
  readonly hasher: PasswordHasher
  readonly confirm: ConfirmPassword
}

export type AccountPasswordDeps = AccountDeps & { readonly passwords: Passwords }

/** Result of the last form, which the page shows. */
export interface AccountPageState {
  /** A fragment that confirms the last action. */
  readonly notice?: Html
  readonly invalid?: InvalidFields
  /** Set where a passkey just confirmed it’s the member. */
  readonly confirmed?: Confirmed | undefined
}

export interface AccountPage extends AccountPageState {
  readonly browser: SignedInRequest
  readonly times: Times
  /** False if single keys are turned off in this browser. */
  readonly hasKeys: boolean
  /** As stored. */
  readonly member: Member
  /** `unknown` if no mail server is configured, so that the member cannot verify it. */
  readonly emailState: 'verified' | 'unverified' | 'unknown'
  readonly passkeys: readonly Passkey[]
  readonly sessions: readonly BrowserSession[]
  /** The archive that can be downloaded now. */
  readonly latestExport: StoredExport | undefined
  /** The job that is creating an archive. */
  readonly runningExport: StoredJob | undefined
  readonly access: AccessCounts
  readonly publicUrl: string
  /** False when people sign in with an identity provider. */
  readonly hasPassword: boolean
}

interface Confirmed {
  readonly action: ConfirmedAction
  readonly confirmation: string
}

/** A submitted form that was rejected. */
export interface InvalidFields {
  /** Sentences, keyed by field name. */
  readonly errors: FieldErrors
  /** Submitted values to show again. Never includes a password. */
  readonly typed?: Readonly<Record<string, string>>
}

/** The notices that the account page shows after an action. */
export const ACCOUNT_NOTICES = noticesOf(ACCOUNT_PATH, {
  email_changed: phrase('Email address changed.'),
  email_changed_unverified: phrase(
    'Email address changed. To confirm it, open the link that we sent to it.',
  ),
  email_verified: phrase('Email address confirmed.'),
  verification_sent: phrase('Email sent. Open the link in it to confirm your address.'),
  verification_limited: phrase(
    'Three emails were sent in the last hour. Check your spam folder, or try again later.',
  ),
  password_changed: phrase('Password changed. You were signed out of your other browsers.'),
  passkey_added: phrase('Passkey added. You can now sign in with it.'),
  passkey_renamed: phrase('Passkey renamed.'),
  passkey_removed: phrase('Passkey removed.'),
  session_ended: phrase('Browser signed out.'),
  language_changed: phrase('Language changed.'),
  theme_changed: phrase('Appearance changed.'),
  keys_off: phrase('Single keys are turned off in this browser.'),
  keys_on: phrase('Single keys are turned on in this browser.'),
  others_ended: phrase('Signed out of all other browsers.'),
})
