/** `/admin/members/:username`: one member, with the admin actions. */

import * as Type from '../../base/type.ts'
import { resultCookies } from '../../access/result-cookie.ts'
import { RequestError } from '../../base/request-error.ts'
import { submissionOf } from '../../guards/form-submission.ts'
import { errorPage } from '../../html/message.page.ts'
import { seeOther } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { resetAddress } from '../../sign-in/session/link-address.ts'
import { noticesOf } from '../ui/notices.ts'
import { timesOf } from '../ui/time.ts'
import { ADMIN_ACTIONS, type AdminAction } from '../../tools/activity-action.ts'
import { performAdminAction } from './admin-actions.ts'
import { memberPageBody } from './member.page.ts'
import { MAX_ADMIN_FORM_BYTES, type AdminDeps } from './admin-deps.ts'
import { adminMemberPath, ADMIN_MEMBERS_PATH } from '../../html/site-map.ts'
import { findEntry, type MemberListEntry } from './member-list.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'

const PATH = `${ADMIN_MEMBERS_PATH}/:username`
const Params = Type.Object({ username: Type.String() })

export function adminMemberRoutes(deps: AdminDeps): Route[] {
  return [showRoute(deps), actionRoute(deps)]
}

/** A new password reset link, which the next page shows once. */
function linkResults(publicUrl: string, username: string) {
  return resultCookies<string>(publicUrl, adminMemberPath(username))
}

function showRoute(deps: AdminDeps): Route {
  return defineRoute({
    method: 'GET',
    path: PATH,
    params: Params,
    operationId: 'showMemberToAdmin',
    summary: 'Show a member to an admin',
    access: 'session',
    answers: {
      200: { description: 'The page', type: 'text/html' },
      404: { description: 'Member not found', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ params: { username }, search, browser, header }) {
      const member = await requireEntry(deps, username)
      const results = linkResults(deps.publicUrl, username)
      const resetLink = results.read(header('cookie'), browser.member)
      if (resetLink !== undefined)
        return results.shownOnce(memberPageBody({ ...shared(deps, browser), member, resetLink }))
      return memberPageBody({
        ...shared(deps, browser),
        member,
        notice: noticesFor(username).read(search),
      })
    },
  })
}

function actionRoute(deps: AdminDeps): Route {
  return defineRoute({
    method: 'POST',
    path: PATH,
    params: Params,
    operationId: 'changeMember',
    summary: 'Disable or enable a member, change their role, or create a password reset link',
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_ADMIN_FORM_BYTES },
    answers: {
      303: { description: 'Done; redirects to the page, which shows a new link once' },
      400: { description: 'Unknown action', type: 'text/html' },
      404: { description: 'Member not found', type: 'text/html' },
      409: { description: 'The action is not allowed for this member', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ params: { username }, body, browser }) {
      const member = await requireEntry(deps, username)
      const action = readAction(body.get('admin_action'))
      const form = { browser, body, form: adminMemberPath(username), now: deps.clock.now() }
      const submission = submissionOf(form)
      const done = { admin: browser.member, member, action, submission }
      const secret = await performAdminAction(deps, done)
      if (secret === undefined) return seeOther(noticesFor(username).pathTo(action))
      const resetLink = resetAddress(deps.publicUrl, secret)
      const results = linkResults(deps.publicUrl, username)
      return results.redirect(adminMemberPath(username), browser.member, resetLink)
    },
  })
}

function shared(deps: AdminDeps, browser: SignedInRequest) {
  return { browser, times: timesOf(browser, deps.clock.now()), oidc: deps.oidc }
}

async function requireEntry(
  { database, clock }: AdminDeps,
  username: string,
): Promise<MemberListEntry> {
  const member = await findEntry(database, username, clock.now())
  if (!member) throw new RequestError('not_found', 'No member has this username.')
  return member
}

function readAction(text: string | null): AdminAction {
  const action = ADMIN_ACTIONS.find((one) => one === text)
  if (!action)
    throw new RequestError('invalid_request', 'Unknown action. Reload the page and try again.')
  return action
}

function noticesFor(username: string) {
  return noticesOf<AdminAction>(adminMemberPath(username), {
    disable: 'Account disabled. It is signed out everywhere and its tokens no longer work.',
    enable: 'Account enabled. Tokens work again; the member has to sign in again.',
    promote: 'This member is now an admin.',
    demote: 'This member is no longer an admin.',
    reset_link: 'Link created.',
  })
}
