/** `/admin/members/:username`: one member, with the admin actions. */

import { findEntry, type MemberListEntry } from './member-list.ts'
import { pageRoute, formRoute } from '../../forms/page-route.ts'
import { timesOf } from '../ui/time.ts'
import { noticesOf } from '../ui/notices.ts'
import { resetAddress } from '../../sign-in/session/link-address.ts'
import { RequestError } from '../../base/request-error.ts'
import { memberPageBody } from './member.page.ts'
import { type AdminAction, ADMIN_ACTIONS } from '../../tools/activity-action.ts'
import * as Type from '../../base/type.ts'
import { ADMIN_MEMBERS_PATH, adminMemberPath } from '../../html/site-map.ts'
import { seeOther } from '../../http/response.ts'
import { resultCookies } from '../../access/result-cookie.ts'
import { performAdminAction } from './admin-actions.ts'
import type { Route } from '../../http/route.ts'
import type { AdminDeps } from './admin-deps.ts'

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
  return pageRoute(deps, {
    path: PATH,
    params: Params,
    async handle({ params: { username }, search, browser, header, now }) {
      const member = await requireEntry(deps, username, now)
      const view = { browser, times: timesOf(browser, now), oidc: deps.oidc, member }
      const results = linkResults(deps.publicUrl, username)
      const resetLink = results.read(header('cookie'), browser.member)
      return resetLink === undefined
        ? memberPageBody({ ...view, notice: noticesFor(username).read(search) })
        : results.shownOnce(memberPageBody({ ...view, resetLink }))
    },
  })
}

function actionRoute(deps: AdminDeps): Route {
  return formRoute(deps, {
    path: PATH,
    params: Params,
    async handle(request) {
      const { body, browser, now, params } = request
      const { username } = params
      const member = await requireEntry(deps, username, now)
      const action = readAction(body.get('admin_action'))
      const secret = await performAdminAction(deps, request, { member, action })
      if (secret === undefined) return seeOther(noticesFor(username).pathTo(action))
      const resetLink = resetAddress(deps.publicUrl, secret)
      const results = linkResults(deps.publicUrl, username)
      return results.redirect(adminMemberPath(username), browser.member, resetLink)
    },
  })
}

async function requireEntry(
  { database }: AdminDeps,
  username: string,
  now: number,
): Promise<MemberListEntry> {
  const member = await findEntry(database, username, now)
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
