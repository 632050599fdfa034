/** Changes a member's sign-in email. Requires the password; agents cannot do it. */

import { requireLiveSession } from '../../access/browser-session.ts'
import { errorPage } from '../../html/message.page.ts'
import { seeOther } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { cleanFields, MemberChanges } from '../../members/member-fields.ts'
import { requireMember, updateMember } from '../../members/member.ts'
import { isEmailVerified } from '../../members/verified-email.ts'
import { errorsOf, fieldErrors } from '../../sign-in/session/field-errors.ts'
import { recordSecurityEvent } from '../../tools/security-events.ts'
import {
  MAX_ACCOUNT_FORM_BYTES,
  showAccount,
  type AccountDeps,
  type Passwords,
} from './account-deps.ts'
import { queueVerification } from './queue-verification.ts'
import { ACCOUNT_NOTICES } from './account-notices.ts'
import { ACCOUNT_EMAIL_PATH } from '../../html/site-map.ts'

export function emailRoute(deps: AccountDeps & { readonly passwords: Passwords }): Route {
  const { database, clock, sendsEmail, passwords } = deps
  return defineRoute({
    method: 'POST',
    path: ACCOUNT_EMAIL_PATH,
    operationId: 'changeEmail',
    summary: "Change the member's email",
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_ACCOUNT_FORM_BYTES },
    answers: {
      303: { description: 'Changed; back to the page' },
      422: { description: 'Invalid input; the page with its errors', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ body, browser, address }) {
      const email = body.get('email') ?? ''
      const typed = { email }
      const password = body.get('email_password') ?? ''
      const wrong = await passwords.confirm(browser.member, address, password)
      const { email: unusable } = errorsOf(() => cleanFields(MemberChanges, { email }))
      if (wrong !== undefined || unusable !== undefined) {
        const errors = {
          ...(unusable !== undefined && { email: `The email ${unusable}.` }),
          ...(wrong !== undefined && { email_password: wrong }),
        }
        return showAccount(deps, browser, { invalid: { errors, typed } })
      }
      const { memberId, sessionId } = browser.member
      const now = clock.now()
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
        return seeOther(
          ACCOUNT_NOTICES.pathTo(sendsEmail ? 'email_changed_unverified' : 'email_changed'),
        )
      } catch (error) {
        const errors = { email: `The email ${fieldErrors(error)['email']}.` }
        return showAccount(deps, browser, { invalid: { errors, typed } })
      }
    },
  })
}
