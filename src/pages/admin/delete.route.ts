/** `POST /admin/members/:username/delete`: deletes a member with all their data, as the member can. */

import { t } from '../../languages/message.ts'
import { lockMember } from '../../access/lock-member.ts'
import * as Type from '../../base/type.ts'
import { formRoute } from '../../forms/page-route.ts'
import { findSubmitted, submitOnce } from '../../forms/submission.ts'
import { ADMIN_DELETE_PATTERN, ADMIN_MEMBERS_PATH } from '../../html/site-map.ts'
import { seeOther } from '../../http/response.ts'
import { recordAdminAction } from '../../members/admin-log.ts'
import { deleteMember } from '../../members/member.ts'
import { requireAdmin } from '../../members/role.ts'
import { usernameKey } from '../../members/usernames.ts'
import { assertNotProtected, readOptionalReason } from './admin-actions.ts'
import { memberPageBody } from './member.page.ts'
import { readMemberView } from './member-view.ts'
import type { FormRequest } from '../../forms/page-route.ts'
import type { Route } from '../../http/route.ts'
import type { AdminDeps } from './admin-deps.ts'
import type { MemberListEntry } from './member-list.ts'

const DELETED = { isDeleted: true } as const

export function deleteMemberRoute(deps: AdminDeps): Route {
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
      await remove(deps, request, member, readOptionalReason(typed.delete_reason))
      return after
    },
  })
}

async function remove(
  { database, log }: AdminDeps,
  { browser: { member: admin }, now, submission }: FormRequest,
  { memberId, username }: MemberListEntry,
  reason: string,
): Promise<void> {
  await database.write(
    async (tx) => {
      await requireAdmin(tx, admin.memberId)
      await submitOnce(tx.member(admin.memberId), submission, async () => {
        if (!(await lockMember(tx, memberId))) return DELETED
        await deleteMember(tx, memberId)
        const entry = {
          at: now,
          admin: admin.username,
          action: 'delete',
          member: username,
        } as const
        await recordAdminAction(tx, { ...entry, reason })
        return DELETED
      })
    },
    { bulk: true },
  )
  log.info({ admin: admin.username, action: 'delete', member: username }, 'an admin acted')
  // The account is already deleted. If this fails, the daily sweep repeats it.
  await database.erase().catch(() => {})
}
