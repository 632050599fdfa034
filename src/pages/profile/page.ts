/** The page "Profile": the form, and beside it what others read as it is stored. */

import { formError } from '../../html/form.ts'
import { html } from '../../html/html.ts'
import { memberPage } from '../../html/member-page.ts'
import { profileOf, profileUrl } from '../../members/profile.ts'
import { profileArticle } from '../human/profile-page.ts'
import { draftOf, type ProfileDraft } from './profile-draft.ts'
import { profileForm } from './profile-form.ts'
import type { Answer } from '../../http/answer.ts'
import type { SignedInVisit } from '../../http/visit.ts'
import type { Member } from '../../members/member.ts'
import type { FieldErrors } from '../../sign-in/field-errors.ts'

export interface ProfilePage {
  readonly visit: SignedInVisit
  /** `WEFT_PUBLIC_URL` */
  readonly publicUrl: string
  /** As stored. */
  readonly member: Member
  /** A fragment: what was just done. */
  readonly notice?: string
  /** What could not be saved, and why. */
  readonly refused?: RefusedDraft
}

export interface RefusedDraft {
  readonly status: number
  readonly draft: ProfileDraft
  readonly errors: FieldErrors
  /** What is wrong with the form as a whole. */
  readonly problem?: string
}

export function profileEditor(page: ProfilePage): Answer {
  const { visit, publicUrl, member, notice = '', refused } = page
  const { draft, errors } = refused ?? { draft: draftOf(member), errors: {} }
  const { formToken } = visit
  const address = profileUrl(member.username, publicUrl)
  return memberPage({
    title: 'Profile',
    member: visit.member,
    current: 'profile',
    formToken,
    status: refused?.status ?? 200,
    body: html`!${notice} !${formError(refused && (refused.problem ?? NOT_SAVED))}
      <div class="beside">
        !${profileForm({ draft, errors, formToken, address })}
        !${preview(member, publicUrl, address)}
      </div>`,
  })
}

const NOT_SAVED = 'Nothing was saved yet: something below has to be corrected.'

function preview(member: Member, publicUrl: string, address: string): string {
  return html`<aside aria-label="As others read it">
    !${member.isPublic ? publicWords(address) : PRIVATE}
    !${profileArticle(profileOf(member, publicUrl), 'h2')}
  </aside>`
}

function publicWords(address: string): string {
  return html`<p class="quiet">As anyone reads it at <a href="${address}">your page</a>.</p>`
}

const PRIVATE = html`<p class="quiet">
  <span class="badge">private</span> Nobody but you reads this. Made public, it would look so.
</p>`
