/** `POST /admin/members/:username/delete`: deletes a member with all their data, as the member can. */

import { t } from '../../languages/message.ts'
import { lockMember } from '../../access/lock-member.ts'
import * as Type from '../../base/type.ts'
import { formRoute } from '../../forms/page-route.ts'
import { findSubmitted } from '../../forms/submission.ts'
import { ADMIN_DELETE_PATTERN, ADMIN_MEMBERS_PATH } from '../../html/site-map.ts'
import { seeOther } from '../../http/response.ts'
import { deleteMember } from '../../members/member.ts'
import { usernameKey } from '../../members/usernames.ts'
import { actAsAdmin } from './act-as-admin.ts'
import { assertNotProtected, readOptionalReason } from './admin-actions.ts'
import { memberPageBody } from './member.page.ts'
import { readMemberView } from './member-view.ts'
import type { Route } from '../../http/route.ts'
import type { AdminDeps } from './admin-deps.ts'

const DELETED = { isDeleted: true } as const

export function deleteMemberRoute(deps: AdminDeps): Route {
  const { database } = deps
  return formRoute(deps, {
    path: ADMIN_DELETE_PATTERN,
    params: Type.Object({ username: Type.String() }),
    async handle(request) {
      const { body, browser, db, params, submission } = request
      const after = seeOther(`${ADMIN_MEMBERS_PATH}?notice=deleted`)
      // After a second click: the first has deleted the member.
      if (await findSubmitted<typeof DELETED>(db, submission)) return after
      const view = await readMemberView(deps, request, params.username)
      const { member } = view
      assertNotProtected(browser.member, member)
      const typed = {
        delete_username: body.get('delete_username') ?? '',
        delete_reason: body.get('delete_reason') ?? '',
      }
      if (usernameKey(typed.delete_username.trim()) !== member.username) {
        const errors = {
          delete_username: t('Type {username} to delete this account.', {
            username: member.username,
          }),
        }
        return memberPageBody({ ...view, invalid: { errors, typed } })
      }
      await actAsAdmin(deps, request, {
        entry: {
          action: 'delete',
          member: member.username,
          reason: readOptionalReason(typed.delete_reason),
        },
        bulk: true,
        async work(tx) {
          if (!(await lockMember(tx, member.memberId))) return undefined
          await deleteMember(tx, member.memberId)
          return DELETED
        },
      })
      // The account is already deleted. If this fails, the daily sweep repeats it.
      await database.erase().catch(() => {})
      return after
    },
  })
}
