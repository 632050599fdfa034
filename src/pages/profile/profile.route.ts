/** `/user/profile`: a member's own profile, changed by hand. */

import { refusePage } from '../../html/message.page.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { requireMember } from '../../members/member.ts'
import { changeProfile, profileChange } from '../../members/profile-changes.ts'
import { fieldErrors } from '../../sign-in/session/field-errors.ts'
import { changeByHand, type Changing } from '../ui/manual-change.ts'
import { profileEditor, type UnsavedDraft } from './profile.page.ts'
import { PREVIEW_PATH, PROFILE_NOTICES, PROFILE_PATH } from './paths.ts'
import {
  changesOf,
  errorsOfChanges,
  inControls,
  previewOf,
  readProfileDraft,
  type ProfileDraft,
} from './profile-draft.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../db/database.ts'
import type { SignedInVisit } from '../../http/browser-request.ts'

export interface ProfileEditorParts {
  readonly database: Database
  readonly clock: Clock
  /** `WEFT_PUBLIC_URL`, without a slash at its end. */
  readonly publicUrl: string
}

/** All fields at their longest, where every character of them is written as a dozen (`%F0%9F%98%80`). */
const MOST_FORM_BYTES = 640 * 1024

export function profileEditorRoutes(parts: ProfileEditorParts): Route[] {
  return [showRoute(parts), saveRoute(parts), previewRoute(parts)]
}

function showRoute({ database, publicUrl }: ProfileEditorParts): Route {
  return defineRoute({
    method: 'GET',
    path: PROFILE_PATH,
    operationId: 'showProfileEditor',
    summary: "The page with the member's own profile",
    access: 'session',
    answers: { 200: { description: 'The page', type: 'text/html' } },
    refuse: refusePage,
    async handle({ search, visit }) {
      const member = await requireMember(database, visit.member.memberId)
      return profileEditor({ visit, publicUrl, member, notice: PROFILE_NOTICES.shown(search) })
    },
  })
}

function saveRoute(parts: ProfileEditorParts): Route {
  const { database, clock } = parts
  return defineRoute({
    method: 'POST',
    path: PROFILE_PATH,
    operationId: 'saveProfile',
    summary: "Change the member's own profile",
    access: 'session',
    body: { kind: 'form', maxBytes: MOST_FORM_BYTES },
    answers: {
      303: { description: 'Saved; back to the page' },
      409: { description: 'It was changed meanwhile: the page again', type: 'text/html' },
      422: { description: 'Something has to be corrected: the page again', type: 'text/html' },
    },
    refuse: refusePage,
    async handle({ body, visit }) {
      const draft = readProfileDraft(body)
      try {
        const outcome = await changeByHand(database, visit.member, clock.now(), (changing) =>
          saveDraft(changing, draft),
        )
        return typeof outcome === 'string'
          ? seeOther(PROFILE_NOTICES.pathTo(outcome))
          : await refusedPage(parts, visit, outcome)
      } catch (error) {
        // Of what only the store knows, such as whose a username is.
        const errors = inControls(fieldErrors(error))
        return refusedPage(parts, visit, { status: 422, draft, errors })
      }
    },
  })
}

function previewRoute({ database, publicUrl }: ProfileEditorParts): Route {
  return defineRoute({
    method: 'POST',
    path: PREVIEW_PATH,
    operationId: 'previewProfile',
    summary: 'How the profile would look as it is typed; nothing is saved',
    access: 'session',
    body: { kind: 'form', maxBytes: MOST_FORM_BYTES },
    answers: { 200: { description: 'The page, with what is typed', type: 'text/html' } },
    refuse: refusePage,
    async handle({ body, visit }) {
      const member = await requireMember(database, visit.member.memberId)
      const draft = readProfileDraft(body)
      const changes = changesOf(draft, member)
      const unsaved = { status: 200, draft, errors: errorsOfChanges(changes) }
      return profileEditor({
        visit,
        publicUrl,
        member,
        unsaved,
        preview: previewOf(changes, member),
      })
    },
  })
}

/** In one transaction: whether it may be saved, and the change with its line in the activity. */
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
  'Your profile was changed elsewhere after you opened this page. The form holds what you typed, the preview what is stored now. Nothing was saved yet: save again to have it your way.'

/** Where it was changed meanwhile, what is stored now is shown beside what is typed. */
async function refusedPage(
  { database, publicUrl }: ProfileEditorParts,
  visit: SignedInVisit,
  unsaved: UnsavedDraft,
): Promise<Answer> {
  const member = await requireMember(database, visit.member.memberId)
  const preview =
    unsaved.status === 409 ? member : previewOf(changesOf(unsaved.draft, member), member)
  return profileEditor({ visit, publicUrl, member, unsaved, preview })
}
