/** `/admin/members/:username`: one member, with the admin actions. */

import { t } from '../../languages/message.ts'
import { pageRoute, formRoute } from '../../forms/page-route.ts'
import { noticesOf } from '../ui/notices.ts'
import { resetAddress } from '../../sign-in/session/link-address.ts'
import { RequestError } from '../../base/request-error.ts'
import { memberPageBody } from './member.page.ts'
import { readMemberView } from './member-view.ts'
import { type AdminAction, ADMIN_ACTIONS } from '../../tools/activity-action.ts'
import * as Type from '../../base/type.ts'
import { ADMIN_MEMBER_PATTERN, adminMemberPath } from '../../html/site-map.ts'
import { seeOther } from '../../http/response.ts'
import { resultCookies } from '../../access/result-cookie.ts'
import { performAdminAction, readOptionalReason } from './admin-actions.ts'
import { adjustCreditsRoute } from './credits.route.ts'
import { deleteMemberRoute } from './delete.route.ts'
import type { Route } from '../../http/route.ts'
import type { AdminDeps } from './admin-deps.ts'

const Params = Type.Object({ username: Type.String() })

export function adminMemberRoutes(deps: AdminDeps): Route[] {
  return [showRoute(deps), actionRoute(deps), adjustCreditsRoute(deps), deleteMemberRoute(deps)]
}

/** A new password reset link, which the next page shows once. */
function linkResults(publicUrl: string, username: string) {
  return resultCookies<string>(publicUrl, adminMemberPath(username))
}

function showRoute(deps: AdminDeps): Route {
  return pageRoute(deps, {
    path: ADMIN_MEMBER_PATTERN,
    params: Params,
    async handle(request) {
      const { params, search, browser, header } = request
      const view = await readMemberView(deps, request, params.username)
      const results = linkResults(deps.publicUrl, params.username)
      const resetLink = results.read(header('cookie'), browser.member)
      return resetLink === undefined
        ? memberPageBody({ ...view, notice: noticesFor(params.username).read(search) })
        : results.shownOnce(memberPageBody({ ...view, resetLink }))
    },
  })
}

function actionRoute(deps: AdminDeps): Route {
  return formRoute(deps, {
    path: ADMIN_MEMBER_PATTERN,
    params: Params,
    async handle(request) {
      const { body, browser, params } = request
      const { username } = params
      const { member } = await readMemberView(deps, request, username)
      const action = readAction(body.get('admin_action'))
      const reason = readOptionalReason(body.get(`${action}_reason`) ?? '')
      const secret = await performAdminAction(deps, request, { member, action, reason })
      if (secret === undefined) return seeOther(noticesFor(username).pathTo(action))
      const resetLink = resetAddress(deps.publicUrl, secret)
      const results = linkResults(deps.publicUrl, username)
      return results.redirect(adminMemberPath(username), browser.member, resetLink)
    },
  })
}

function readAction(text: string | null): AdminAction {
  const action = ADMIN_ACTIONS.find((one) => one === text)
  if (!action)
    throw new RequestError('invalid_request', t('Unknown action. Reload the page and try again.'))
  return action
}

function noticesFor(username: string) {
  return noticesOf<AdminAction | 'credits'>(adminMemberPath(username), {
    credits: t('Credits changed.'),
    disable: t('Account disabled. It is signed out everywhere and its tokens no longer work.'),
    enable: t('Account enabled. Tokens work again; the member has to sign in again.'),
    promote: t('This member is now an admin.'),
    demote: t('This member is no longer an admin.'),
    reset_link: t('Link created.'),
  })
}
