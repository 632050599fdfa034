/** `/user/profile`: the form of the member's own profile, with a preview of the public profile beside it. */

import { phrase } from '../../languages/message.ts'
import { changeManually } from '../../ui/manual-change.ts'
import { profileChange, changeProfile } from '../../members/profile-changes.ts'
import { fieldErrors } from '../../forms/field-errors.ts'
import { requireMember } from '../../members/member.ts'
import {
  PROFILE_NOTICES,
  showProfile,
  type ProfileEditorDeps,
  type UnsavedDraft,
} from './profile.page.ts'
import { ownPhotoRoutes } from './profile-photo.route.ts'
import {
  profileErrors,
  previewOf,
  errorsOfChanges,
  type ProfileDraft,
  changesOf,
  readProfileDraft,
} from './profile-draft.ts'
import { PROFILE_PREVIEW_PATH, PROFILE_PATH } from '../../html/site-map.ts'
import { pageRoute, formRoute } from '../../forms/page-route.ts'
import { type Answer, seeOther } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { Route } from '../../http/route.ts'
import type { Changing } from '../../tools/tool.ts'

/** Fits all fields at maximum length when every character takes twelve bytes in the form encoding
 * (`%F0%9F%98%80`). */
const MAX_FORM_BYTES = 640 * 1024

export function profileEditorRoutes(deps: ProfileEditorDeps): Route[] {
  return [showRoute(deps), saveRoute(deps), previewRoute(deps), ...ownPhotoRoutes(deps)]
}

function showRoute(deps: ProfileEditorDeps): Route {
  return pageRoute(deps, {
    path: PROFILE_PATH,
    async handle({ search, browser }) {
      const member = await requireMember(deps.database, browser.member.memberId)
      return showProfile(deps, { browser, member, notice: PROFILE_NOTICES.read(search) })
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
          ? seeOther(PROFILE_NOTICES.pathTo(outcome))
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
  const change = profileChange(before, await changeProfile(tx, before, changes, now))
  if (!change) return 'unchanged'
  await record(change)
  return 'saved'
}

const CHANGED_MEANWHILE = phrase(
  'Your profile was changed while you were editing. The preview shows the stored version. Your changes are not saved yet. Save again to overwrite.',
)

/** The form with a preview of the draft. After a conflict or without changes, the preview shows the stored profile. */
async function rejectedPage(
  deps: ProfileEditorDeps,
  browser: SignedInRequest,
  unsaved: UnsavedDraft,
): Promise<Answer> {
  const member = await requireMember(deps.database, browser.member.memberId)
  const changes = changesOf(unsaved.draft, member)
  const isStored = unsaved.status === 409 || Object.keys(changes).length === 0
  const preview = isStored ? member : previewOf(changes, member)
  return showProfile(deps, {
    browser,
    member,
    preview,
    ...unsaved,
    errors: unsaved.errors ?? errorsOfChanges(changes),
  })
}
