/** The page "Account", put together from its parts. */

import { html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { deleteSection } from './delete-section.ts'
import { exportSection, type Exports } from './export-section.ts'
import { passkeysSection } from './passkey-section.ts'
import { sessionsSection } from './sessions-section.ts'
import { emailShown, signInSection } from './sign-in-section.ts'
import type { BrowserSession } from '../../access/browser-session.ts'
import type { Passkey } from '../../access/passkey.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInVisit } from '../../http/browser-request.ts'
import type { Member } from '../../members/member.ts'
import type { AccessCounts } from '../../sign-in/session/access-choice.ts'
import type { FieldErrors } from '../../sign-in/session/field-errors.ts'
import type { Times } from '../ui/time.ts'

export interface AccountPage {
  readonly visit: SignedInVisit
  readonly times: Times
  /** As stored. */
  readonly member: Member
  readonly passkeys: readonly Passkey[]
  readonly sessions: readonly BrowserSession[]
  readonly exports: Exports
  readonly access: AccessCounts
  readonly publicUrl: string
  /** False where an identity provider signs people in. */
  readonly hasPassword: boolean
  /** A fragment: what was just done. */
  readonly notice?: string
  readonly refused?: Refused
}

/** A form that was sent and could not be done. */
export interface Refused {
  /** By the name of the field, as sentences. */
  readonly errors: FieldErrors
  /** What was typed that may be shown again: never a password. */
  readonly typed?: Readonly<Record<string, string>>
}

export function accountPage(page: AccountPage): Answer {
  const { visit, member, hasPassword, notice = '', refused } = page
  const { formToken } = visit
  return memberPage({
    title: 'Account',
    member: visit.member,
    current: 'account',
    formToken,
    status: refused ? 422 : 200,
    body: html`!${notice} !${hasPassword ? signInSection(page) : emailShown(member)}
    !${hasPassword ? passkeysSection(page) : ''} !${sessionsSection(page)} !${exportSection(page)}
    !${deleteSection(page)}`,
  })
}
