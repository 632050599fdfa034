/** Changes a member's sign-in email. Requires the password; agents cannot do it. */

import { t } from '../../languages/message.ts'
import { errorSentence, fieldErrors, errorsOf, type FieldErrors } from '../../forms/field-errors.ts'
import { type AccountPasswordDeps, ACCOUNT_NOTICES } from './account-view.ts'
import { ACCOUNT_EMAIL_PATH } from '../../html/site-map.ts'
import { requireMember, updateMember } from '../../members/member.ts'
import { cleanFields, MemberChanges } from '../../members/member-fields.ts'
import { showAccount } from './account.page.ts'
import { queueVerification } from './verify-email.route.ts'
import { seeOther } from '../../http/response.ts'
import { requireLiveSession } from '../../access/browser-session.ts'
import { formRoute } from '../../forms/page-route.ts'
import { isEmailVerified } from '../../members/verified-email.ts'
import { recordSecurityEvent } from '../../tools/security-events.ts'
import type { Route } from '../../http/route.ts'

export function emailRoute(deps: AccountPasswordDeps): Route {
  const { database, sendsEmail, passwords } = deps
  return formRoute(deps, {
    path: ACCOUNT_EMAIL_PATH,
    async handle(request) {
      const { body, browser, address, now } = request
      const email = body.get('email') ?? ''
      const password = body.get('email_password') ?? ''
      const again = (errors: FieldErrors) =>
        showAccount(deps, request, { invalid: { errors, typed: { email } } })
      const wrong = await passwords.confirm(browser.member, address, password)
      const { email: unusable } = errorsOf(() => cleanFields(MemberChanges, { email }))
      if (wrong !== undefined || unusable !== undefined)
        return again({
          ...(unusable !== undefined && { email: t('The email {unusable}.', { unusable }) }),
          ...(wrong !== undefined && { email_password: wrong }),
        })
      const { memberId, sessionId } = browser.member
      try {
        await database.write(async (tx) => {
          const own = tx.member(memberId)
          await requireLiveSession(own, sessionId, now)
          const before = await requireMember(tx, memberId)
          const wasVerified = await isEmailVerified(tx, memberId)
          const { email: changed } = await updateMember(tx, memberId, { email }, now)
          if (changed === before.email) return
          const formerEmail = wasVerified && before.email !== null ? before.email : undefined
          const event = 'email_changed'
          await recordSecurityEvent(own, { event, ...(formerEmail && { formerEmail }) }, now)
          if (sendsEmail && changed !== null) await queueVerification(tx, memberId, changed, now)
        })
      } catch (error) {
        return again({ email: errorSentence(t('The email'), fieldErrors(error)['email']) ?? '' })
      }
      const notice = sendsEmail ? 'email_changed_unverified' : 'email_changed'
      return seeOther(ACCOUNT_NOTICES.pathTo(notice))
    },
  })
}
