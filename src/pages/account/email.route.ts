/** A member's e-mail address, with which they sign in: changed with the password, and never by an agent. */

import { requireLiveSession } from '../../access/browser-session.ts'
import { refusePage } from '../../html/message.page.ts'
import { seeOther } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { cleanFields, MemberChanges } from '../../members/member-fields.ts'
import { updateMember } from '../../members/member.ts'
import { errorsOf, fieldErrors } from '../../sign-in/session/field-errors.ts'
import { MOST_FORM_BYTES, showAccount, type AccountParts, type Passwords } from './account-deps.ts'
import { ACCOUNT_NOTICES, EMAIL_PATH } from './account-notices.ts'

export function emailRoute(parts: AccountParts & { readonly passwords: Passwords }): Route {
  const { database, clock, passwords } = parts
  return defineRoute({
    method: 'POST',
    path: EMAIL_PATH,
    operationId: 'changeEmail',
    summary: "Change the member's e-mail address",
    access: 'session',
    body: { kind: 'form', maxBytes: MOST_FORM_BYTES },
    answers: {
      303: { description: 'Changed; back to the page' },
      422: { description: 'Something has to be corrected: the page again', type: 'text/html' },
    },
    refuse: refusePage,
    async handle({ body, visit, address }) {
      const email = body.get('email') ?? ''
      const typed = { email }
      const password = body.get('email_password') ?? ''
      const wrong = await passwords.confirm(visit.member, address, password)
      const { email: unusable } = errorsOf(() => cleanFields(MemberChanges, { email }))
      if (wrong !== undefined || unusable !== undefined) {
        const errors = {
          ...(unusable !== undefined && { email: `The address ${unusable}.` }),
          ...(wrong !== undefined && { email_password: wrong }),
        }
        return showAccount(parts, visit, { refused: { errors, typed } })
      }
      const { memberId, sessionId } = visit.member
      const now = clock.now()
      try {
        await database.write(async (tx) => {
          await requireLiveSession(tx.member(memberId), sessionId, now)
          await updateMember(tx, memberId, { email }, now)
        })
        return seeOther(ACCOUNT_NOTICES.pathTo('email_changed'))
      } catch (error) {
        const errors = { email: `The address ${fieldErrors(error)['email']}.` }
        return showAccount(parts, visit, { refused: { errors, typed } })
      }
    },
  })
}
