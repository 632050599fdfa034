/** The page "Profile": the form, with a preview of the public profile beside it. */

import { formError } from '../../html/form.ts'
import { html, type Html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { profileOf, profileUrl } from '../../members/profile.ts'
import { profileArticle } from '../public-profile/public-profile.page.ts'
import { profileDraftOf, type ProfileDraft } from './profile-draft.ts'
import { profileForm } from './profile-form.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { Member } from '../../members/member-row.ts'
import type { FieldErrors } from '../../sign-in/session/field-errors.ts'

interface ProfilePage {
  readonly browser: SignedInRequest
  /** `WEFT_PUBLIC_URL` */
  readonly publicUrl: string
  /** As stored. */
  readonly member: Member
  /** A fragment that confirms the last action. */
  readonly notice?: Html
  /** Typed values that are not saved. */
  readonly unsaved?: UnsavedDraft
  /** The member with the draft applied; replaces the stored one in the preview. */
  readonly preview?: Member
}

export interface UnsavedDraft {
  readonly status: number
  readonly draft: ProfileDraft
  readonly errors: FieldErrors
  /** An error about the form as a whole. */
  readonly problem?: string
}

export function profileEditor(page: ProfilePage): Answer {
  const { browser, publicUrl, member, notice = '', unsaved } = page
  const { draft, errors } = unsaved ?? { draft: profileDraftOf(member), errors: {} }
  const isWrong = Object.keys(errors).length > 0
  const { formToken } = browser
  const address = profileUrl(member.username, publicUrl)
  return memberPage({
    title: 'Profile',
    member: browser.member,
    current: 'profile',
    formToken,
    status: unsaved?.status ?? 200,
    body: html`${notice} ${formError(unsaved?.problem ?? (isWrong ? NOT_SAVED : undefined))}
      <div class="beside">
        ${profileForm({ draft, errors, formToken, address })} ${aside(page, address)}
      </div>`,
  })
}

const NOT_SAVED = 'Not saved. Fix the errors below.'

function aside({ member, preview = member, publicUrl }: ProfilePage, address: string): Html {
  const words = preview.isPublic ? publicWords(address) : PRIVATE
  return html`<aside aria-label="Preview">
    ${preview === member ? words : UNSAVED} ${profileArticle(profileOf(preview, publicUrl), 'h2')}
  </aside>`
}

function publicWords(address: string): Html {
  return html`<p class="quiet">Preview of <a href="${address}">your public page</a>.</p>`
}

const PRIVATE = html`<p class="quiet">
  <span class="badge">private</span> Only you can see this profile. This is how it would look if
  public.
</p>`

const UNSAVED = html`<p class="quiet">
  <span class="badge warning">not saved</span> Preview of your unsaved changes.
</p>`
