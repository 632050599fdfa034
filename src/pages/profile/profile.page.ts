/** The page of the member's own profile: its photo and form, beside a preview of the public profile. */

import { phrase, t } from '../../languages/message.ts'
import { formError } from '../../html/form.ts'
import { NOTHING, html, type Html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { photoPath, PROFILE_PATH } from '../../html/site-map.ts'
import { hasOnlyName } from '../../members/directory-rank.ts'
import { profileOf, profileUrl } from '../../members/profile.ts'
import { missingText, profileArticle } from '../public-profile/public-profile.page.ts'
import { noticesOf } from '../../ui/notices.ts'
import { ownPhotoId, photoPanel } from './photo-panel.ts'
import { profileDraftOf, type ProfileDraft } from './profile-draft.ts'
import { profileForm } from './profile-form.ts'
import { sharePanel } from './share-panel.ts'
import type { FieldErrors } from '../../forms/field-errors.ts'
import type { PageDeps } from '../../forms/page-route.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { Answer } from '../../http/response.ts'
import type { Member } from '../../members/member-row.ts'

export interface ProfileEditorDeps extends PageDeps {
  /** `WEFT_PUBLIC_URL`, without a slash at its end. */
  readonly publicUrl: string
}

export const PROFILE_NOTICES = noticesOf(PROFILE_PATH, {
  saved: phrase('Profile saved.'),
  photo_saved: phrase('Photo saved.'),
  photo_removed: phrase('Photo removed. You can undo this in Activity.'),
  unchanged: phrase('No changes to save.'),
})

/** Values that are not saved. */
export interface UnsavedDraft {
  readonly status: number
  readonly draft: ProfileDraft
  readonly errors?: FieldErrors
  /** An error about the form as a whole. */
  readonly problem?: string
}

/** Without a draft, the stored profile. */
interface ProfilePage extends Partial<UnsavedDraft> {
  readonly browser: SignedInRequest
  /** As stored. */
  readonly member: Member
  /** The member with the draft applied. */
  readonly preview?: Member
  /** Why the photo was not stored. */
  readonly photoError?: string
  /** A fragment that confirms the last action. */
  readonly notice?: Html
}

export function showProfile({ publicUrl }: ProfileEditorDeps, page: ProfilePage): Answer {
  const { browser, member, errors = {}, problem, photoError, notice = '', status = 200 } = page
  const { draft = profileDraftOf(member), preview = member } = page
  const wrong = Object.keys(errors).length > 0 ? t('Not saved. Fix the errors below.') : undefined
  const address = profileUrl(member.username, publicUrl)
  const shown = html`<p class="quiet">Preview of <a href="${address}">your public page</a>.</p>`
  const missing = missingText(preview)
  const unlisted =
    preview.isPublic && hasOnlyName(preview)
      ? html`Add a headline, a company or a location, and the directory lists you.`
      : missing
  const words = preview !== member ? unsavedNotice() : preview.isPublic ? shown : privateNotice()
  const ownPhoto = ownPhotoId(member)
  const article = profileArticle(profileOf(preview, publicUrl), {
    heading: 'h2',
    photo: ownPhoto && photoPath(ownPhoto),
  })
  return memberPage({
    title: t('Profile'),
    browser,
    current: 'profile',
    status,
    body: html`${notice} ${formError(problem ?? wrong)}
      <div class="beside">
        <div>
          ${photoPanel(member, photoError)} ${profileForm({ draft, errors, browser, address })}
        </div>
        <aside aria-label="Preview">
          ${words} ${article}
          ${unlisted === undefined ? NOTHING : html`<p class="notice">${unlisted}</p>`}
          ${member.isPublic ? sharePanel(address) : ''}
        </aside>
      </div>`,
  })
}

function privateNotice(): Html {
  return html`<p class="quiet">
    <span class="badge">private</span> Only you can see this profile. This is how it would look if
    public.
  </p>`
}

function unsavedNotice(): Html {
  return html`<p class="quiet">
    <span class="badge warning">not saved</span> Preview of your unsaved changes.
  </p>`
}
