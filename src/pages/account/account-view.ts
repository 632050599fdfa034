/** The data that the account page and its sections render. */

import type { ConfirmedAction } from '../../access/passkey-challenge.ts'
import type { BrowserSession } from '../../access/browser-session.ts'
import type { Passkey } from '../../access/passkey.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import { type Html } from '../../html/html.ts'
import type { Member } from '../../members/member-row.ts'
import type { AccessCounts } from '../../sign-in/session/access-choice.ts'
import type { FieldErrors } from '../../sign-in/session/field-errors.ts'
import type { Times } from '../ui/time.ts'
import type { StoredExport } from '../../exports/export-store.ts'
import type { StoredJob } from '../../jobs/job-record.ts'

export interface AccountPage {
  readonly browser: SignedInRequest
  readonly times: Times
  /** As stored. */
  readonly member: Member
  /** `unknown` if no mail server is configured, so that the member cannot verify it. */
  readonly emailState: 'verified' | 'unverified' | 'unknown'
  readonly passkeys: readonly Passkey[]
  readonly sessions: readonly BrowserSession[]
  readonly exports: Exports
  readonly access: AccessCounts
  readonly publicUrl: string
  /** False when people sign in with an identity provider. */
  readonly hasPassword: boolean
  /** A fragment that confirms the last action. */
  readonly notice?: Html
  readonly invalid?: InvalidFields
  /** Set where a passkey just confirmed it’s the member. */
  readonly confirmed?: Confirmed | undefined
}

/** A confirmation in the form of its action. */
export interface Confirmed {
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

export interface Exports {
  /** The archive that can be downloaded now. */
  readonly latest: StoredExport | undefined
  /** The job that is creating an archive. */
  readonly running: StoredJob | undefined
}
