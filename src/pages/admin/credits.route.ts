/** `POST /admin/members/:username/credits`: adds or removes credits of the month. */

import { seeOther } from '../../http/response.ts'
import { formRoute } from '../../forms/page-route.ts'
import type { FieldErrors } from '../../forms/field-errors.ts'
import { hasCode } from '../../base/request-error.ts'
import * as Type from '../../base/type.ts'
import { adjustCredits } from '../../credits/account.ts'
import {
  adjustmentText,
  CREDITS_RULE,
  readCredits,
  readReason,
  REASON_RULE,
} from '../../credits/adjustment.ts'
import { adminMemberPath, ADMIN_CREDITS_PATTERN } from '../../html/site-map.ts'
import { actAsAdmin } from './act-as-admin.ts'
import { memberPageBody } from './member.page.ts'
import { readMemberView } from './member-view.ts'
import type { Route } from '../../http/route.ts'
import type { AdminDeps } from './admin-deps.ts'

export function adjustCreditsRoute(deps: AdminDeps): Route {
  const { quota } = deps
  return formRoute(deps, {
    path: ADMIN_CREDITS_PATTERN,
    params: Type.Object({ username: Type.String() }),
    async handle(request) {
      const { body, now, params } = request
      const view = await readMemberView(deps, request, params.username)
      const { memberId, username } = view.member
      const typed = {
        credits: body.get('credits')?.trim() ?? '',
        credits_reason: body.get('credits_reason') ?? '',
      }
      const [credits, reason] = [readCredits(typed.credits), readReason(typed.credits_reason)]
      const invalid = (errors: FieldErrors) =>
        memberPageBody({ ...view, invalid: { errors, typed } })
      if (credits === undefined || reason === undefined)
        return invalid({
          ...(credits === undefined && { credits: CREDITS_RULE }),
          ...(reason === undefined && { credits_reason: REASON_RULE }),
        })
      const entry = { action: 'adjust_credits', member: username } as const
      try {
        await actAsAdmin(deps, request, {
          entry: { ...entry, reason: adjustmentText(credits, reason) },
          work: (tx) =>
            adjustCredits(tx.member(memberId), { credits, reason, credentialId: null, quota, now }),
        })
      } catch (error) {
        if (!hasCode(error, 'conflict')) throw error
        return invalid({ credits: error.message })
      }
      return seeOther(`${adminMemberPath(username)}?notice=credits`)
    },
  })
}
