/** `/reset`: to choose a new password, with the link that an operator made for one member. */

import { endAllSessions } from '../access/browser-session.ts'
import {
  findLink,
  revokeLinksOfMember,
  takeLink,
  type LinkPurpose,
} from '../access/one-time-link.ts'
import { hashPassword, setPassword } from '../access/password.ts'
import {
  LONGEST_PASSWORD,
  refuseWeakPassword,
  SHORTEST_PASSWORD,
} from '../access/password-policy.ts'
import { cardPage } from '../html/card-page.ts'
import { formTokenField, hiddenField, textField } from '../html/form.ts'
import { html } from '../html/html.ts'
import { messagePage, refusePage } from '../html/message-page.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { findMember, type Member } from '../members/member.ts'
import { enterAnswer, startVisit, type Entry } from './enter.ts'
import { errorsOf } from './field-errors.ts'
import { LINK, RESET_PATH } from './link-address.ts'
import type { PasswordHash, PasswordHasher } from '../access/password-hash.ts'
import type { Clock } from '../base/clock.ts'
import type { Database } from '../db/database.ts'
import type { Answer } from '../http/answer.ts'

export interface ResetParts {
  readonly database: Database
  readonly clock: Clock
  readonly hasher: PasswordHasher
  readonly publicUrl: string
}

const MOST_FORM_BYTES = 16 * 1024

const RESETTING: readonly LinkPurpose[] = ['reset']

export function resetRoutes(parts: ResetParts): Route[] {
  return [askRoute(parts), resetRoute(parts)]
}

/** Answered the same whoever is signed in: the link says whose password it is. */
function askRoute({ database, clock }: ResetParts): Route {
  return defineRoute({
    method: 'GET',
    path: RESET_PATH,
    operationId: 'showReset',
    summary: 'The page to choose a new password with',
    access: 'browser',
    answers: {
      200: { description: 'The page', type: 'text/html' },
      403: { description: 'The link does not work any more', type: 'text/html' },
    },
    refuse: refusePage,
    async handle({ search, visit }) {
      const link = new URLSearchParams(search).get(LINK) ?? ''
      const member = await memberOfLink(database, link, clock.now())
      if (!member) return deadLinkPage()
      return resetPage({ formToken: visit.formToken, link, member })
    },
  })
}

function resetRoute({ database, clock, hasher, publicUrl }: ResetParts): Route {
  return defineRoute({
    method: 'POST',
    path: RESET_PATH,
    operationId: 'reset',
    summary: 'Choose a new password',
    access: 'browser',
    body: { kind: 'form', maxBytes: MOST_FORM_BYTES },
    answers: {
      303: { description: 'The password is changed, and the member signed in' },
      403: { description: 'The link does not work any more', type: 'text/html' },
      422: { description: 'The password will not do: the page again', type: 'text/html' },
    },
    refuse: refusePage,
    async handle({ body, visit, header }) {
      const link = body.get(LINK) ?? ''
      const member = await memberOfLink(database, link, clock.now())
      if (!member) return deadLinkPage()

      const typed = body.get('password') ?? ''
      const { email, username, memberId } = member
      const { password: error } = errorsOf(() => refuseWeakPassword(typed, [email, username]))
      if (error !== undefined)
        return resetPage({ formToken: visit.formToken, link, member, error, status: 422 })

      const password = await hashPassword(hasher, typed)
      const entry = { memberId, visit, userAgent: header('user-agent'), now: clock.now() }
      const entered = await reset(database, link, password, entry)
      return entered ? enterAnswer(publicUrl, entered.secret, '/') : deadLinkPage()
    },
  })
}

/** Whose password a live link resets. */
async function memberOfLink(
  database: Database,
  secret: string,
  now: number,
): Promise<Member | undefined> {
  const link = await findLink(database, secret, RESETTING, now)
  return link?.memberId == null ? undefined : findMember(database, link.memberId)
}

/**
 * In one transaction: the link is used up, the password set, and whoever was signed in as this member is not any more.
 * As `startVisit`, of the one session there is now; undefined where the link was used meanwhile.
 */
function reset(
  database: Database,
  link: string,
  password: PasswordHash,
  entry: Entry,
): Promise<{ readonly secret: string | undefined } | undefined> {
  const { memberId, now } = entry
  return database.write(async (tx) => {
    if (!(await takeLink(tx, link, RESETTING, now))) return undefined
    await revokeLinksOfMember(tx, memberId)
    await setPassword(tx.member(memberId), password, now)
    await endAllSessions(tx.member(memberId))
    return { secret: await startVisit(tx, entry) }
  })
}

function deadLinkPage(): Answer {
  return messagePage({
    status: 403,
    title: 'This link does not work any more',
    text: 'It was used, or its time is over. Your password is as it was.',
    hint: 'Whoever runs this service can send you a new one.',
    action: { href: '/sign-in', label: 'Sign in' },
  })
}

interface ResetPage {
  readonly formToken: string
  readonly link: string
  readonly member: Member
  readonly error?: string
  readonly status?: number
}

function resetPage({ formToken, link, member, error, status = 200 }: ResetPage): Answer {
  const login = member.email ?? member.username
  const body = html`<form method="post" action="${RESET_PATH}">
    !${formTokenField(formToken)} !${hiddenField(LINK, link)}
    <p>
      You sign in as <strong>${login}</strong>. Wherever you are signed in now, you will be signed
      out.
    </p>
    <input type="text" name="login" value="${login}" autocomplete="username" hidden />
    !${textField({
      name: 'password',
      label: 'New password',
      type: 'password',
      hint: `At least ${SHORTEST_PASSWORD} characters. A few unrelated words are good.`,
      autocomplete: 'new-password',
      required: true,
      autofocus: true,
      maxLength: LONGEST_PASSWORD,
      ...(error !== undefined && { error: `New password ${error}.` }),
    })}
    <button>Change password</button>
  </form>`
  return cardPage({ title: 'Choose a new password', body, status })
}
