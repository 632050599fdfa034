/** The page "Account", put together from its parts. */

import { html } from '../../html/html.ts'
import { memberPage } from '../../html/member-page.ts'
import { deleteSection } from './delete-section.ts'
import { EXPORT_PATH } from './paths.ts'
import { sessionsSection } from './sessions-section.ts'
import { emailShown, signInSection } from './sign-in-section.ts'
import type { BrowserSession } from '../../access/browser-session.ts'
import type { Answer } from '../../http/answer.ts'
import type { SignedInVisit } from '../../http/visit.ts'
import type { Member } from '../../members/member.ts'
import type { FieldErrors } from '../../sign-in/field-errors.ts'
import type { Times } from '../time.ts'

export interface AccountPage {
  readonly visit: SignedInVisit
  readonly times: Times
  /** As stored. */
  readonly member: Member
  readonly sessions: readonly BrowserSession[]
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
    body: html`!${notice}
    !${hasPassword ? signInSection(member, formToken, refused) : emailShown(member)}
    !${sessionsSection(page)} !${EXPORT} !${deleteSection(page)}`,
  })
}

const EXPORT = html`<section class="panel" aria-labelledby="export">
  <h2 id="export">Your data</h2>
  <p>
    Everything you have here in one JSON file: your profile, connections with their tags, notes,
    follow-ups, activity, credits, jobs, and the names of what can reach your network. Never a
    password or a token's secret.
  </p>
  <div class="actions">
    <a class="button plain" href="${EXPORT_PATH}" download>Download everything</a>
  </div>
</section>`
