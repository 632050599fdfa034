/** Changes a member's password, ends their other sessions and renews the cookie of this one. */

import {
  renewOnlySession,
  requireLiveSession,
  sessionCookies,
} from '../../access/browser-session.ts'
import { lockMember } from '../../access/lock-member.ts'
import { revokeLinksOfMember } from '../../access/one-time-link.ts'
import { hashPassword, setPassword } from '../../access/password.ts'
import { assertStrongPassword } from '../../access/password-policy.ts'
import {
  earlierSubmissionOf,
  findSubmittedAnonymously,
  recordAnonymousSubmission,
  submissionOf,
} from '../../guards/form-submission.ts'
import { errorPage } from '../../html/message.page.ts'
import { seeOther } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { requireMember } from '../../members/member.ts'
import { readAccessChoice } from '../../sign-in/session/access-choice.ts'
import { endAccess } from '../../sign-in/session/end-access.ts'
import { isSessionOf } from '../../sign-in/session/repeated-entry.ts'
import { errorsOf } from '../../sign-in/session/field-errors.ts'
import { recordSecurityEvent } from '../../tools/security-events.ts'
import {
  MAX_ACCOUNT_FORM_BYTES,
  showAccount,
  type AccountDeps,
  type Passwords,
} from './account-deps.ts'
import { ACCOUNT_NOTICES } from './account-notices.ts'
import { ACCOUNT_PASSWORD_PATH } from '../../html/site-map.ts'

/** Recorded without the member, because a second click is sent with the cookie of the earlier session. */
interface Changed {
  /** Of the renewed session. */
  readonly secret: string
}

export function passwordRoute(deps: AccountDeps & { readonly passwords: Passwords }): Route {
  const { database, clock, passwords } = deps
  const changedAnswer = ({ secret }: Changed) =>
    seeOther(
      ACCOUNT_NOTICES.pathTo('password_changed'),
      sessionCookies(deps.publicUrl).signIn(secret),
    )
  return defineRoute({
    method: 'POST',
    path: ACCOUNT_PASSWORD_PATH,
    operationId: 'changePassword',
    summary: "Change the member's password",
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_ACCOUNT_FORM_BYTES },
    answers: {
      303: { description: 'Changed; back to the page' },
      422: { description: 'Something has to be corrected: the page again', type: 'text/html' },
    },
    onError: errorPage,
    async whenSignedInSince({ body, browser }) {
      const submission = earlierSubmissionOf({
        body,
        form: ACCOUNT_PASSWORD_PATH,
        now: clock.now(),
      })
      return (await isSessionOf(database, submission, browser))
        ? seeOther(ACCOUNT_NOTICES.pathTo('password_changed'))
        : undefined
    },
    // The second click of a browser that has not received the renewed session.
    async whenSignedOutSince({ body, browser: { endedFormToken: formToken } }) {
      if (formToken === undefined) return undefined
      const form = { body, form: ACCOUNT_PASSWORD_PATH, now: clock.now() }
      const submission = submissionOf({ ...form, browser: { formToken } })
      const changed = await findSubmittedAnonymously<Changed>(database, submission)
      return changed && changedAnswer(changed)
    },
    async handle({ body, browser, address }) {
      const { memberId, sessionId } = browser.member
      const typed = body.get('new_password') ?? ''
      const { email, username, name } = await requireMember(database, memberId)
      const { password: weak } = errorsOf(() =>
        assertStrongPassword(typed, [email, username, name, deps.publicUrl]),
      )
      const current = body.get('current_password') ?? ''
      const wrong = await passwords.confirm(browser.member, address, current)
      const now = clock.now()
      const submission = submissionOf({ browser, body, form: ACCOUNT_PASSWORD_PATH, now })
      const changed =
        wrong === undefined
          ? undefined
          : await findSubmittedAnonymously<Changed>(database, submission)
      if (changed) return changedAnswer(changed)
      if (weak !== undefined || wrong !== undefined) {
        const errors = {
          ...(wrong !== undefined && { current_password: wrong }),
          ...(weak !== undefined && { new_password: `The new password ${weak}.` }),
        }
        return showAccount(deps, browser, { invalid: { errors } })
      }
      // Hashing is slow, so it happens outside the transaction.
      const hash = await hashPassword(passwords.hasher, typed)
      const revoke = readAccessChoice(body)
      const saved: Changed = await database.write(async (tx) => {
        const own = tx.member(memberId)
        await lockMember(tx, memberId)
        const earlier = await findSubmittedAnonymously<Changed>(tx, submission)
        if (earlier) return earlier
        await requireLiveSession(own, sessionId, now)
        await setPassword(own, hash, now)
        const renewed = await renewOnlySession(own, sessionId)
        await revokeLinksOfMember(tx, memberId)
        await recordSecurityEvent(own, { event: 'password_changed' }, now)
        await endAccess(tx, memberId, revoke, now)
        await recordAnonymousSubmission(tx, submission, renewed)
        return renewed
      })
      return changedAnswer(saved)
    },
  })
}
