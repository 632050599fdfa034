/** `/admin/members/:username`: one member, and what an admin can do for them or against them. */

import Type from 'typebox'
import { resultCookies } from '../../access/result-cookie.ts'
import { RequestError } from '../../base/request-error.ts'
import { errorPage } from '../../html/message.page.ts'
import { seeOther } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { resetAddress } from '../../sign-in/session/link-address.ts'
import { noticesOf } from '../ui/notices.ts'
import { timesOf } from '../ui/time.ts'
import { ADMIN_ACTIONS, performAdminAction, type AdminAction } from './admin-actions.ts'
import { memberPageBody } from './member.page.ts'
import { MAX_FORM_BYTES, type AdminDeps } from './admin-deps.ts'
import { adminMemberPath, ADMIN_MEMBERS_PATH } from '../../html/site-map.ts'
import { findEntry, type MemberListEntry } from './member-list.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'

const PATH = `${ADMIN_MEMBERS_PATH}/:username`
const Params = Type.Object({ username: Type.String() })

export function memberRoutes(deps: AdminDeps): Route[] {
  return [showRoute(deps), deedRoute(deps)]
}

/** A new link to choose a password, for the one page that shows it. */
function linkResults(publicUrl: string, username: string) {
  return resultCookies<string>(publicUrl, adminMemberPath(username))
}

function showRoute(deps: AdminDeps): Route {
  return defineRoute({
    method: 'GET',
    path: PATH,
    params: Params,
    operationId: 'showMemberToAdmin',
    summary: 'A member, as admins see them',
    access: 'session',
    answers: {
      200: { description: 'The page', type: 'text/html' },
      404: { description: 'There is no such member', type: 'text/html' },
    },
    refuse: errorPage,
    async handle({ params: { username }, search, browser, header }) {
      const member = await requireEntry(deps, username)
      const results = linkResults(deps.publicUrl, username)
      const resetLink = results.read(header('cookie'), browser.member)
      if (resetLink !== undefined)
        return results.shownOnce(memberPageBody({ ...shared(deps, browser), member, resetLink }))
      return memberPageBody({
        ...shared(deps, browser),
        member,
        notice: noticesFor(username).shown(search),
      })
    },
  })
}

function deedRoute(deps: AdminDeps): Route {
  return defineRoute({
    method: 'POST',
    path: PATH,
    params: Params,
    operationId: 'changeMember',
    summary: 'Disable or enable a member, change their role, make a link to choose a new password',
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: {
      303: { description: 'Done; back to the page, which shows a link once' },
      400: { description: 'There is no such deed', type: 'text/html' },
      404: { description: 'There is no such member', type: 'text/html' },
      409: { description: 'Not to this member, or not now', type: 'text/html' },
    },
    refuse: errorPage,
    async handle({ params: { username }, body, browser }) {
      const member = await requireEntry(deps, username)
      const deed = readDeed(body.get('deed'))
      const secret = await performAdminAction(deps, { admin: browser.member, member, deed })
      if (secret === undefined) return seeOther(noticesFor(username).pathTo(deed))
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
  if (!member) throw new RequestError('not_found', 'There is no member of this username.')
  return member
}

function readDeed(text: string | null): AdminAction {
  const deed = ADMIN_ACTIONS.find((one) => one === text)
  if (!deed) throw new RequestError('invalid_request', 'Nothing is done by this form.')
  return deed
}

function noticesFor(username: string) {
  return noticesOf<AdminAction>(adminMemberPath(username), {
    disable: 'The account is disabled: signed out everywhere, and every token is refused.',
    enable: 'The account is enabled. Tokens work again; browsers have to sign in anew.',
    promote: 'This member is an admin now.',
    demote: 'This member is an admin no more.',
    reset_link: 'The link is made.',
  })
}
