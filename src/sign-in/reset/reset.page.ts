/** `/reset`: chooses a new password, with a one-time link that an admin created or that was sent to the member. */

import { t } from '../../languages/message.ts'
import { endAllSessions } from '../../access/browser-session.ts'
import { deleteKnownBrowsers } from '../../access/known-browser.ts'
import {
  findLink,
  LINK,
  revokeLinksOfMember,
  takeLink,
  type LinkPurpose,
} from '../../access/one-time-link.ts'
import { lockMember } from '../../access/lock-member.ts'
import { hashPassword, setPassword } from '../../access/passwords/password.ts'
import {
  MAX_PASSWORD_LENGTH,
  assertStrongPassword,
  MIN_PASSWORD_LENGTH,
} from '../../access/passwords/password-policy.ts'
import { recordAnonymousSubmission, type Submission } from '../../forms/submission.ts'
import { cardPage } from '../../html/card-layout.ts'
import { formKeyField, hiddenField, textField, loginField } from '../../html/form.ts'
import { html } from '../../html/html.ts'
import { messagePage } from '../../html/message.page.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { findMember } from '../../members/member.ts'
import { verifyEmail } from '../../members/verified-email.ts'
import { recordSecurityEvent } from '../../tools/security-events.ts'
import {
  accessChoice,
  countAccess,
  readAccessChoice,
  type AccessCounts,
} from '../session/access-choice.ts'
import { endAccess, type AccessKind } from '../session/end-access.ts'
import { isSessionOf, unlessEntered } from '../session/repeated-sign-in.ts'
import {
  enterAnswer,
  startBrowserSession,
  type Entered,
  type Entry,
} from '../session/start-session.ts'
import { errorsOf, errorSentence } from '../../forms/field-errors.ts'
import {
  FORGOT_PASSWORD_PATH,
  MEMBER_HOME_PATH,
  RESET_PATH,
  SIGN_IN_PATH,
} from '../../html/site-map.ts'
import { pageRoute, formRoute } from '../../forms/page-route.ts'
import type { Route } from '../../http/route.ts'
import type { Member } from '../../members/member-row.ts'
import type { OperatorTexts } from '../../html/legal-links.ts'
import type { PasswordHash } from '../../access/passwords/password-hash.ts'
import type { SignInDeps } from '../session/sign-in-deps.ts'
import type { Database } from '../../db/database.ts'

const RESET_PURPOSES: readonly LinkPurpose[] = ['reset']

export function resetRoutes(deps: SignInDeps): Route[] {
  return [showRoute(deps), resetRoute(deps)]
}

/** Ignores who is signed in. The link determines the member. */
function showRoute(deps: SignInDeps): Route {
  const { database, sendsEmail } = deps
  return pageRoute(deps, {
    path: RESET_PATH,
    access: 'browser',
    async handle({ search, now }) {
      const link = new URLSearchParams(search).get(LINK) ?? ''
      const member = await memberOfLink(database, link, now)
      if (!member) return invalidLinkPage(sendsEmail)
      const access = await countAccess(database.member(member.memberId), now)
      return resetPage({ link, member, access, legal: deps })
    },
  })
}

function resetRoute(deps: SignInDeps): Route {
  const { database, publicUrl } = deps
  return formRoute(deps, {
    path: RESET_PATH,
    access: 'browser',
    async whenSignedInSince({ browser, submission }) {
      return (await isSessionOf(database, submission, browser))
        ? seeOther(MEMBER_HOME_PATH)
        : undefined
    },
    async handle({ body, browser, header, now, submission }) {
      const userAgent = header('user-agent')
      const answer = await tryToReset(deps, { body, browser, userAgent, now, submission })
      const returnTo = MEMBER_HOME_PATH
      return unlessEntered({ database, publicUrl, submission, returnTo }, answer)
    },
  })
}

interface ResetAttempt extends Pick<Entry, 'browser' | 'userAgent' | 'now'> {
  readonly body: URLSearchParams
  readonly submission: Submission | undefined
}

async function tryToReset(deps: SignInDeps, attempt: ResetAttempt): Promise<Answer> {
  const { database, hasher, publicUrl, sendsEmail } = deps
  const { body, browser, userAgent, now, submission } = attempt
  const link = body.get(LINK) ?? ''
  const member = await memberOfLink(database, link, now)
  if (!member) return invalidLinkPage(sendsEmail)

  const typed = body.get('password') ?? ''
  const { email, username, name, memberId } = member
  const { password: error } = errorsOf(() =>
    assertStrongPassword(typed, [email, username, name, publicUrl]),
  )
  if (error !== undefined) {
    const access = await countAccess(database.member(memberId), now)
    const page = { link, member, access, legal: deps }
    return resetPage({ ...page, error, status: 422 })
  }

  const password = await hashPassword(hasher, typed)
  const entry = { memberId, proof: { kind: 'link' } as const, browser, userAgent, now }
  const change = { link, password, revoke: readAccessChoice(body), submission }
  const entered = await reset(database, change, entry)
  return entered ? enterAnswer(publicUrl, entered, MEMBER_HOME_PATH) : invalidLinkPage(sendsEmail)
}

/** The member that a valid link belongs to. */
async function memberOfLink(
  database: Database,
  secret: string,
  now: number,
): Promise<Member | undefined> {
  const link = await findLink(database, secret, RESET_PURPOSES, now)
  return link?.memberId == null ? undefined : findMember(database, link.memberId)
}

interface Reset {
  readonly link: string
  readonly password: PasswordHash
  readonly revoke: readonly AccessKind[]
  readonly submission: Submission | undefined
}

/**
 * In one transaction: uses the link, sets the password, ends all sessions, revokes the access that the member selected
 * and signs this browser in. Undefined if the link was used in the meantime.
 */
function reset(
  database: Database,
  { link, password, revoke, submission }: Reset,
  entry: Entry,
): Promise<Entered | undefined> {
  const { memberId, now } = entry
  return database.write(async (tx) => {
    const member = tx.member(memberId)
    await lockMember(member)
    const taken = await takeLink(tx, link, RESET_PURPOSES, now)
    if (!taken) return undefined
    // A person who got the link by email reads the mailbox.
    if (taken.email !== null) await verifyEmail(tx, memberId, taken.email)
    await revokeLinksOfMember(tx, memberId)
    await setPassword(member, password, now)
    await endAllSessions(member)
    await deleteKnownBrowsers(member)
    await recordSecurityEvent(member, { event: 'password_reset' }, now)
    await endAccess(tx, memberId, revoke, now)
    const entered = await startBrowserSession(tx, entry)
    if (entered) await recordAnonymousSubmission(tx, submission, entered)
    return entered
  })
}

function invalidLinkPage(sendsEmail: boolean): Answer {
  return messagePage({
    status: 403,
    title: t('This link is no longer valid'),
    text: t('It was already used or has expired. Your password has not changed.'),
    hint: sendsEmail ? t('Ask for a new link.') : t('Ask your administrator for a new link.'),
    action: sendsEmail
      ? { href: FORGOT_PASSWORD_PATH, label: t('Get a new link') }
      : { href: SIGN_IN_PATH, label: t('Sign in') },
  })
}

interface ResetPage {
  readonly link: string
  readonly member: Member
  readonly access: AccessCounts
  readonly legal: OperatorTexts
  readonly error?: string
  readonly status?: number
}

function resetPage(page: ResetPage): Answer {
  const { link, member, access, legal, error, status = 200 } = page
  const login = member.email ?? member.username
  const body = html`<form method="post" action="${RESET_PATH}">
    ${formKeyField()} ${hiddenField(LINK, link)}
    <p>You sign in as <strong>${login}</strong>. You will be signed out on all other devices.</p>
    ${loginField(login)}
    ${textField({
      name: 'password',
      label: t('New password'),
      type: 'password',
      hint: t('At least {minPasswordLength} characters. A few unrelated words work well.', {
        minPasswordLength: MIN_PASSWORD_LENGTH,
      }),
      autocomplete: 'new-password',
      required: true,
      autofocus: true,
      maxLength: MAX_PASSWORD_LENGTH,
      error: errorSentence(t('New password'), error),
    })}
    ${accessChoice(access, true)}
    <button>Change password</button>
  </form>`
  return cardPage({ title: t('Choose a new password'), body, legal, status })
}
