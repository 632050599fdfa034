/** `/user/profile`: edits the member's own profile. */

import { errorPage } from '../../html/message.page.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { requireMember } from '../../members/member.ts'
import { changeProfile, profileChange } from '../../members/profile-changes.ts'
import { fieldErrors } from '../../sign-in/session/field-errors.ts'
import { changeManually, type Changing } from '../ui/manual-change.ts'
import { profileEditor, type UnsavedDraft } from './profile.page.ts'
import { PROFILE_NOTICES } from './profile-notices.ts'
import {
  changesOf,
  errorsOfChanges,
  profileErrors,
  previewOf,
  readProfileDraft,
  type ProfileDraft,
} from './profile-draft.ts'
import { PROFILE_PREVIEW_PATH, PROFILE_PATH } from '../../html/site-map.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../db/database.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'

export interface ProfileEditorDeps {
  readonly database: Database
  readonly clock: Clock
  /** `WEFT_PUBLIC_URL`, without a slash at its end. */
  readonly publicUrl: string
}

/** Fits all fields at maximum length when every character takes twelve bytes in the form encoding
 * (`%F0%9F%98%80`). */
const MAX_FORM_BYTES = 640 * 1024

export function profileEditorRoutes(deps: ProfileEditorDeps): Route[] {
  return [showRoute(deps), saveRoute(deps), previewRoute(deps)]
}

function showRoute({ database, publicUrl }: ProfileEditorDeps): Route {
  return defineRoute({
    method: 'GET',
    path: PROFILE_PATH,
    operationId: 'showProfileEditor',
    summary: "Show the member's profile form",
    access: 'session',
    answers: { 200: { description: 'The page', type: 'text/html' } },
    onError: errorPage,
    async handle({ search, browser }) {
      const member = await requireMember(database, browser.member.memberId)
      return profileEditor({ browser, publicUrl, member, notice: PROFILE_NOTICES.read(search) })
    },
  })
}

function saveRoute(deps: ProfileEditorDeps): Route {
  const { database, clock } = deps
  return defineRoute({
    method: 'POST',
    path: PROFILE_PATH,
    operationId: 'saveProfile',
    summary: "Update the member's profile",
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: {
      303: { description: 'Saved; back to the page' },
      409: { description: 'It was changed meanwhile: the page again', type: 'text/html' },
      422: { description: 'Something has to be corrected: the page again', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ body, browser }) {
      const draft = readProfileDraft(body)
      try {
        const outcome = await changeManually(database, browser.member, clock.now(), (changing) =>
          saveDraft(changing, draft),
        )
        return typeof outcome === 'string'
          ? seeOther(PROFILE_NOTICES.pathTo(outcome))
          : await invalidQueryPage(deps, browser, outcome)
      } catch (error) {
        // Errors that only the store detects, such as a taken username.
        const errors = profileErrors(fieldErrors(error))
        return invalidQueryPage(deps, browser, { status: 422, draft, errors })
      }
    },
  })
}

function previewRoute({ database, publicUrl }: ProfileEditorDeps): Route {
  return defineRoute({
    method: 'POST',
    path: PROFILE_PREVIEW_PATH,
    operationId: 'previewProfile',
    summary: 'Preview the profile without saving',
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: { 200: { description: 'The page with the typed values', type: 'text/html' } },
    onError: errorPage,
    async handle({ body, browser }) {
      const member = await requireMember(database, browser.member.memberId)
      const draft = readProfileDraft(body)
      const changes = changesOf(draft, member)
      const unsaved = { status: 200, draft, errors: errorsOfChanges(changes) }
      return profileEditor({
        browser,
        publicUrl,
        member,
        unsaved,
        preview: previewOf(changes, member),
      })
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
  const change = profileChange(before, await changeProfile(tx.shared, before, changes, now))
  if (!change) return 'unchanged'
  await record(change)
  return 'saved'
}

const CHANGED_MEANWHILE =
  'Your profile was changed while you were editing. The preview shows the stored version. Your changes are not saved yet. Save again to overwrite.'

/** After a conflict, the preview shows the stored profile. */
async function invalidQueryPage(
  { database, publicUrl }: ProfileEditorDeps,
  browser: SignedInRequest,
  unsaved: UnsavedDraft,
): Promise<Answer> {
  const member = await requireMember(database, browser.member.memberId)
  const preview =
    unsaved.status === 409 ? member : previewOf(changesOf(unsaved.draft, member), member)
  return profileEditor({ browser, publicUrl, member, unsaved, preview })
}
