/** Changes a member's password, ends their other sessions and renews the cookie of this one. */

import { t } from '../../languages/message.ts'
import { setPassword, hashPassword } from '../../access/passwords/password.ts'
import { assertStrongPassword } from '../../access/passwords/password-policy.ts'
import {
  requireLiveSession,
  sessionCookies,
  renewOnlySession,
} from '../../access/browser-session.ts'
import { type FieldErrors, errorsOf } from '../../forms/field-errors.ts'
import { type AccountPasswordDeps, ACCOUNT_NOTICES } from './account-view.ts'
import { requireMember } from '../../members/member.ts'
import { showAccount } from './account.page.ts'
import { recordSecurityEvent } from '../../tools/security-events.ts'
import { ACCOUNT_PASSWORD_PATH } from '../../html/site-map.ts'
import { type FormRequest, formRoute } from '../../forms/page-route.ts'
import { readAccessChoice } from '../../sign-in/session/access-choice.ts'
import { hasFormToken } from '../../http/form-guard.ts'
import { lockMember } from '../../access/lock-member.ts'
import { seeOther } from '../../http/response.ts'
import { revokeLinksOfMember } from '../../access/one-time-link.ts'
import { recordAnonymousSubmission, findSubmittedAnonymously } from '../../forms/submission.ts'
import { isSessionOf } from '../../sign-in/session/repeated-sign-in.ts'
import { endAccess } from '../../sign-in/session/end-access.ts'
import type { Route } from '../../http/route.ts'

/** Recorded without the member, because a second click is sent with the cookie of the earlier session. */
interface Changed {
  /** Secret of the renewed session. */
  readonly secret: string
}

export function passwordRoute(deps: AccountPasswordDeps): Route {
  const { database } = deps
  const changedPath = ACCOUNT_NOTICES.pathTo('password_changed')
  const changedAnswer = ({ secret }: Changed) =>
    seeOther(changedPath, sessionCookies(deps.publicUrl).signIn(secret))
  return formRoute(deps, {
    path: ACCOUNT_PASSWORD_PATH,
    async whenSignedInSince({ browser, submission }) {
      return (await isSessionOf(database, submission, browser)) ? seeOther(changedPath) : undefined
    },
    // The second click of a browser that has not received the renewed session.
    async whenSignedOutSince({ body, browser: { endedFormToken: formToken }, submission }) {
      if (formToken === undefined || !hasFormToken({ formToken }, body)) return undefined
      const changed = await findSubmittedAnonymously<Changed>(database, submission)
      return changed && changedAnswer(changed)
    },
    async handle(request) {
      const errors = await checkForm(deps, request)
      // The first click may have changed the password since, so that the same current password is wrong now.
      const earlier = await findSubmittedAnonymously<Changed>(database, request.submission)
      if (earlier) return changedAnswer(earlier)
      if (Object.keys(errors).length > 0) return showAccount(deps, request, { invalid: { errors } })
      return changedAnswer(await changePassword(deps, request))
    },
  })
}

async function checkForm(
  { database, passwords, publicUrl }: AccountPasswordDeps,
  { body, browser, address }: FormRequest,
): Promise<FieldErrors> {
  const typed = body.get('new_password') ?? ''
  const { email, username, name } = await requireMember(database, browser.member.memberId)
  const { password: weak } = errorsOf(() =>
    assertStrongPassword(typed, [email, username, name, publicUrl]),
  )
  const current = body.get('current_password') ?? ''
  const wrong = await passwords.confirm(browser.member, address, current)
  return {
    ...(wrong !== undefined && { current_password: wrong }),
    ...(weak !== undefined && { new_password: t('The new password {weak}.', { weak }) }),
  }
}

async function changePassword(
  { database, passwords }: AccountPasswordDeps,
  { body, browser, now, submission }: FormRequest,
): Promise<Changed> {
  const { memberId, sessionId } = browser.member
  // Hashing is slow, so it happens outside the transaction.
  const hash = await hashPassword(passwords.hasher, body.get('new_password') ?? '')
  return database.write(async (tx) => {
    const own = tx.member(memberId)
    await lockMember(own)
    const earlier = await findSubmittedAnonymously<Changed>(tx, submission)
    if (earlier) return earlier
    await requireLiveSession(own, sessionId, now)
    await setPassword(own, hash, now)
    const renewed = await renewOnlySession(own, sessionId)
    await revokeLinksOfMember(tx, memberId)
    await recordSecurityEvent(own, { event: 'password_changed' }, now)
    await endAccess(tx, memberId, readAccessChoice(body), now)
    await recordAnonymousSubmission(tx, submission, renewed)
    return renewed
  })
}
