/** `/admin/members/:username`: one member, with the acts of admins. */

import { t } from '../../languages/message.ts'
import { resultCookies } from '../../access/result-cookie.ts'
import { findLink } from '../../access/one-time-link.ts'
import { ADJUST_CREDITS } from '../../acts/credit-acts.ts'
import { DELETE, DEMOTE, DISABLE, ENABLE, PROMOTE } from '../../acts/member-acts.ts'
import { RESET_LINK } from '../../acts/sign-in-acts.ts'
import { hasCode, RequestError } from '../../base/request-error.ts'
import * as Type from '../../base/type.ts'
import { CREDITS_RULE, readCredits, readReason, REASON_RULE } from '../../credits/adjustment.ts'
import { formRoute, pageRoute, type FormRequest } from '../../forms/page-route.ts'
import { findSubmitted } from '../../forms/submission.ts'
import { ADMIN_MEMBER_PATTERN, ADMIN_MEMBERS_PATH, adminMemberPath } from '../../html/site-map.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { usernameKey } from '../../members/usernames.ts'
import { noticesOf } from '../../ui/notices.ts'
import { actAsAdmin } from './act-as-admin.ts'
import { memberPageBody } from './member.page.ts'
import { assertNotProtected, readMemberView, type MemberView } from './member-view.ts'
import type { ActMember } from '../../acts/act.ts'
import type { Route } from '../../http/route.ts'
import type { AdminDeps } from './admin-deps.ts'

const Params = Type.Object({ username: Type.String() })

export function adminMemberRoutes(deps: AdminDeps): Route[] {
  return [showRoute(deps), actRoute(deps)]
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
      const { username } = request.params
      const view = await readMemberView(deps, request, username)
      const notice = noticesFor(username).read(request.search)
      return linkResults(deps.publicUrl, username).show(request, (resetLink) =>
        memberPageBody({ ...view, ...(resetLink === undefined ? { notice } : { resetLink }) }),
      )
    },
  })
}

function actRoute(deps: AdminDeps): Route {
  return formRoute(deps, {
    path: ADMIN_MEMBER_PATTERN,
    params: Params,
    async handle(request) {
      const { body, db, params, submission } = request
      const action = body.get('admin_action')
      // After a second click: the first has deleted the member.
      if (action === DELETE.action && (await findSubmitted(db, submission))) return DELETED
      const view = await readMemberView(deps, request, params.username)
      if (action === ADJUST_CREDITS.action) return adjustCredits(deps, request, view)
      assertNotProtected(view)
      if (action === DELETE.action) return deleteMember(deps, request, view)
      return actOnAccount(deps, request, view)
    },
  })
}

/** The acts without further fields. */
async function actOnAccount(
  deps: AdminDeps,
  request: FormRequest,
  { member }: MemberView,
): Promise<Answer> {
  const { body } = request
  const action = body.get('admin_action') ?? ''
  const reason = readOptionalReason(body.get(`${action}_reason`) ?? '')
  if (action === RESET_LINK.action) return createResetLink(deps, request, member)
  const act = [DISABLE, ENABLE, PROMOTE, DEMOTE].find((one) => one.action === action)
  if (!act)
    throw new RequestError('invalid_request', t('Unknown action. Reload the page and try again.'))
  // Says what is true now, also from a page that was left open.
  const repeatable = { ...request, submission: undefined }
  await actAsAdmin(deps, repeatable, act, {}, { member, reason })
  return seeOther(noticesFor(member.username).pathTo(action))
}

async function createResetLink(
  deps: AdminDeps,
  request: FormRequest,
  member: ActMember,
): Promise<Answer> {
  const { browser, now } = request
  const made = await actAsAdmin(
    deps,
    request,
    RESET_LINK,
    {},
    {
      member,
      isCurrent: async (tx, { secret }) =>
        (await findLink(tx, secret, ['reset'], now)) !== undefined,
    },
  )
  const results = linkResults(deps.publicUrl, member.username)
  return results.redirect(browser.member, made?.result ?? '')
}

async function adjustCredits(
  deps: AdminDeps,
  request: FormRequest,
  view: MemberView,
): Promise<Answer> {
  const typed = typedIn(request, 'credits', 'credits_reason')
  const invalid = (errors: Readonly<Record<string, string>>) =>
    memberPageBody({ ...view, invalid: { errors, typed } })
  const by = readCredits(typed['credits']?.trim() ?? '')
  const reason = readReason(typed['credits_reason'] ?? '')
  if (by === undefined || reason === undefined)
    return invalid({
      ...(by === undefined && { credits: CREDITS_RULE }),
      ...(reason === undefined && { credits_reason: REASON_RULE }),
    })
  const { member } = view
  try {
    await actAsAdmin(deps, request, ADJUST_CREDITS, { by, reason, json: undefined }, { member })
  } catch (error) {
    if (!hasCode(error, 'conflict')) throw error
    return invalid({ credits: error.message })
  }
  return seeOther(noticesFor(member.username).pathTo(ADJUST_CREDITS.action))
}

const DELETED = seeOther(`${ADMIN_MEMBERS_PATH}?notice=deleted`)

async function deleteMember(
  deps: AdminDeps,
  request: FormRequest,
  view: MemberView,
): Promise<Answer> {
  const { member } = view
  const { username } = member
  const typed = typedIn(request, 'delete_username', 'delete_reason')
  if (usernameKey(typed['delete_username']?.trim() ?? '') !== username) {
    const errors = { delete_username: t('Type {username} to delete this account.', { username }) }
    return memberPageBody({ ...view, invalid: { errors, typed } })
  }
  const reason = readOptionalReason(typed['delete_reason'] ?? '')
  await actAsAdmin(deps, request, DELETE, { yes: true }, { member, reason })
  return DELETED
}

function typedIn({ body }: FormRequest, ...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, body.get(name) ?? '']))
}

/** @throws {RequestError} `invalid_request` when it is too long. */
function readOptionalReason(text: string): string {
  const reason = text.trim() === '' ? '' : readReason(text)
  if (reason !== undefined) return reason
  throw new RequestError(
    'invalid_request',
    t('Invalid reason. {reasonRule}', { reasonRule: REASON_RULE }),
  )
}

function noticesFor(username: string) {
  return noticesOf<string>(adminMemberPath(username), {
    adjust_credits: t('Credits changed.'),
    disable: t('Account disabled. It is signed out everywhere and its tokens no longer work.'),
    enable: t('Account enabled. Tokens work again; the member has to sign in again.'),
    promote: t('This member is now an admin.'),
    demote: t('This member is no longer an admin.'),
  })
}
