/** `/user/profile`: the form of the member's own profile, with a preview of the public profile beside it. */

import { phrase, t } from '../../languages/message.ts'
import { perLanguage } from '../../languages/language.ts'
import { changeManually, type Changing } from '../ui/manual-change.ts'
import { profileChange, changeProfile } from '../../members/profile-changes.ts'
import { type FieldErrors, fieldErrors } from '../../forms/field-errors.ts'
import { html, type Html } from '../../html/html.ts'
import { requireMember } from '../../members/member.ts'
import { profileUrl, profileOf } from '../../members/profile.ts'
import { sharePanel } from './share-panel.ts'
import { profileForm } from './profile-form.ts'
import {
  profileErrors,
  previewOf,
  errorsOfChanges,
  type ProfileDraft,
  changesOf,
  profileDraftOf,
  readProfileDraft,
} from './profile-draft.ts'
import { PROFILE_PREVIEW_PATH, PROFILE_PATH } from '../../html/site-map.ts'
import { type PageDeps, pageRoute, formRoute } from '../../forms/page-route.ts'
import { noticesOf } from '../ui/notices.ts'
import { type Answer, seeOther } from '../../http/response.ts'
import { memberPage } from '../../html/member-layout.ts'
import { formError } from '../../html/form.ts'
import { profileArticle } from '../public-profile/public-profile.page.ts'
import type { Member } from '../../members/member-row.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { Route } from '../../http/route.ts'

export interface ProfileEditorDeps extends PageDeps {
  /** `WEFT_PUBLIC_URL`, without a slash at its end. */
  readonly publicUrl: string
}

/** Fits all fields at maximum length when every character takes twelve bytes in the form encoding
 * (`%F0%9F%98%80`). */
const MAX_FORM_BYTES = 640 * 1024

const NOTICES = noticesOf(PROFILE_PATH, {
  saved: phrase('Profile saved.'),
  unchanged: phrase('No changes to save.'),
})

export function profileEditorRoutes(deps: ProfileEditorDeps): Route[] {
  return [showRoute(deps), saveRoute(deps), previewRoute(deps)]
}

function showRoute(deps: ProfileEditorDeps): Route {
  return pageRoute(deps, {
    path: PROFILE_PATH,
    async handle({ search, browser }) {
      const member = await requireMember(deps.database, browser.member.memberId)
      const draft = profileDraftOf(member)
      const notice = NOTICES.read(search)
      return profilePage(deps, { browser, member, draft, preview: member, notice })
    },
  })
}

function saveRoute(deps: ProfileEditorDeps): Route {
  return formRoute(deps, {
    path: PROFILE_PATH,
    maxBytes: MAX_FORM_BYTES,
    async handle(request) {
      const { body, browser } = request
      const draft = readProfileDraft(body)
      try {
        const outcome = await changeManually(request, (changing) => saveDraft(changing, draft))
        return typeof outcome === 'string'
          ? seeOther(NOTICES.pathTo(outcome))
          : await rejectedPage(deps, browser, outcome)
      } catch (error) {
        // Errors that only the store detects, such as a taken username.
        const errors = profileErrors(fieldErrors(error))
        return rejectedPage(deps, browser, { status: 422, draft, errors })
      }
    },
  })
}

function previewRoute(deps: ProfileEditorDeps): Route {
  return formRoute(deps, {
    path: PROFILE_PREVIEW_PATH,
    maxBytes: MAX_FORM_BYTES,
    handle: ({ body, browser }) => {
      const draft = readProfileDraft(body)
      return rejectedPage(deps, browser, { status: 200, draft })
    },
  })
}

/** Values that are not saved. */
interface UnsavedDraft {
  readonly status: number
  readonly draft: ProfileDraft
  readonly errors?: FieldErrors
  /** An error about the form as a whole. */
  readonly problem?: string
}

/** Validates and saves the draft and records the change, in one transaction. */
async function saveDraft(
  { tx, now, record }: Changing,
  draft: ProfileDraft,
): Promise<'saved' | 'unchanged' | UnsavedDraft> {
  const before = await requireMember(tx.shared, tx.memberId)
  const version = String(before.version)
  if (draft.version !== version)
    return { status: 409, draft: { ...draft, version }, errors: {}, problem: CHANGED_MEANWHILE }
  const changes = changesOf(draft, before)
  const errors = errorsOfChanges(changes)
  if (Object.keys(errors).length > 0) return { status: 422, draft, errors }
  const change = profileChange(before, await changeProfile(tx.shared, before, changes, now))
  if (!change) return 'unchanged'
  await record(change)
  return 'saved'
}

const CHANGED_MEANWHILE = phrase(
  'Your profile was changed while you were editing. The preview shows the stored version. Your changes are not saved yet. Save again to overwrite.',
)

/** The form with a preview of the draft. After a conflict, the preview shows the stored profile. */
async function rejectedPage(
  deps: ProfileEditorDeps,
  browser: SignedInRequest,
  unsaved: UnsavedDraft,
): Promise<Answer> {
  const member = await requireMember(deps.database, browser.member.memberId)
  const changes = changesOf(unsaved.draft, member)
  const preview = unsaved.status === 409 ? member : previewOf(changes, member)
  return profilePage(deps, {
    browser,
    member,
    preview,
    ...unsaved,
    errors: unsaved.errors ?? errorsOfChanges(changes),
  })
}

interface ProfilePage extends Partial<UnsavedDraft> {
  readonly browser: SignedInRequest
  /** As stored. */
  readonly member: Member
  readonly draft: ProfileDraft
  /** The member with the draft applied, or the stored one. */
  readonly preview: Member
  /** A fragment that confirms the last action. */
  readonly notice?: Html
}

function profilePage({ publicUrl }: ProfileEditorDeps, page: ProfilePage): Answer {
  const { browser, member, draft, preview, errors = {}, problem, notice = '', status = 200 } = page
  const wrong = Object.keys(errors).length > 0 ? t('Not saved. Fix the errors below.') : undefined
  const address = profileUrl(member.username, publicUrl)
  const shown = html`<p class="quiet">Preview of <a href="${address}">your public page</a>.</p>`
  const words = preview !== member ? UNSAVED() : preview.isPublic ? shown : PRIVATE()
  return memberPage({
    title: t('Profile'),
    browser,
    current: 'profile',
    status,
    body: html`${notice} ${formError(problem ?? wrong)}
      <div class="beside">
        ${profileForm({ draft, errors, formToken: browser.formToken, address })}
        <aside aria-label="Preview">
          ${words} ${profileArticle(profileOf(preview, publicUrl), 'h2')}
          ${member.isPublic ? sharePanel(address) : ''}
        </aside>
      </div>`,
  })
}

const PRIVATE = perLanguage(
  () =>
    html`<p class="quiet">
      <span class="badge">private</span> Only you can see this profile. This is how it would look if
      public.
    </p>`,
)

const UNSAVED = perLanguage(
  () =>
    html`<p class="quiet">
      <span class="badge warning">not saved</span> Preview of your unsaved changes.
    </p>`,
)
