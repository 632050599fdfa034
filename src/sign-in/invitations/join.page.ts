/** `/join`: to become a member with a password, by invitation or, where sign-up is open, without one. */

import { findLink, takeLink } from '../../access/one-time-link.ts'
import { hashPassword, setPassword } from '../../access/password.ts'
import {
  MAX_PASSWORD_LENGTH,
  assertStrongPassword,
  MIN_PASSWORD_LENGTH,
} from '../../access/password-policy.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { cardPage } from '../../html/card-layout.ts'
import { formError, formTokenField, hiddenField, textField } from '../../html/form.ts'
import { html } from '../../html/html.ts'
import { errorPage } from '../../html/message.page.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { createMember, findMemberByUsername } from '../../members/member.ts'
import { cleanFields, MemberChanges } from '../../members/member-fields.ts'
import { changeRole } from '../../members/role.ts'
import { checkUsername, MAX_USERNAME_LENGTH } from '../../members/usernames.ts'
import {
  admissionOf,
  isFirstMember,
  JOIN_PURPOSES,
  notAdmittedPage,
  type Admission,
  type SignUp,
} from '../session/admission.ts'
import {
  enterAnswer,
  startBrowserSession,
  type Entered,
  type Entry,
} from '../session/start-session.ts'
import { errorsOf, fieldErrors, type FieldErrors } from '../session/field-errors.ts'
import { JOIN_PATH, LINK } from '../session/link-address.ts'
import { RETURN_TO, returnPath } from '../session/return-path.ts'
import { suggestUsername } from '../session/suggest-username.ts'
import type { PasswordHash, PasswordHasher } from '../../access/password-hash.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../db/database.ts'

export interface JoinDeps {
  readonly database: Database
  readonly clock: Clock
  readonly hasher: PasswordHasher
  readonly publicUrl: string
  readonly signUp: SignUp
}

const MAX_FORM_BYTES = 64 * 1024

export function joinRoutes(deps: JoinDeps): Route[] {
  return [askRoute(deps), joinRoute(deps)]
}

function askRoute({ database, clock, publicUrl, signUp }: JoinDeps): Route {
  return defineRoute({
    method: 'GET',
    path: JOIN_PATH,
    operationId: 'showJoin',
    summary: 'The page to join with, by a link or, where sign-up is open, without one',
    access: 'browser',
    answers: {
      200: { description: 'The page', type: 'text/html' },
      303: { description: 'To return_to: already signed in' },
      403: { description: 'Joining needs an invitation, or another one', type: 'text/html' },
    },
    refuse: errorPage,
    async handle({ search, browser: { member, formToken } }) {
      const query = new URLSearchParams(search)
      const returnTo = returnPath(query.get(RETURN_TO), publicUrl)
      if (member) return seeOther(returnTo)
      const secret = query.get(LINK) ?? ''
      const link = await findLink(database, secret, JOIN_PURPOSES, clock.now())
      const admission = await admissionOf(database, link, signUp)
      if (!admission) return notAdmittedPage(secret, signUp)
      return joinPage({ draft: emptyDraft(secret), formToken, returnTo, publicUrl })
    },
  })
}

function joinRoute({ database, clock, hasher, publicUrl, signUp }: JoinDeps): Route {
  return defineRoute({
    method: 'POST',
    path: JOIN_PATH,
    operationId: 'join',
    summary: 'Become a member',
    access: 'browser',
    limit: LIMITS.join,
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: {
      303: { description: 'Joined and signed in; to return_to' },
      403: { description: 'Joining needs an invitation, or another one', type: 'text/html' },
      422: { description: 'Something has to be corrected: the page again', type: 'text/html' },
    },
    refuse: errorPage,
    async handle({ body, browser, header }) {
      const draft = readDraft(body)
      const returnTo = returnPath(body.get(RETURN_TO), publicUrl)
      const page = { draft, formToken: browser.formToken, returnTo, publicUrl }

      const link = await findLink(database, draft.link, JOIN_PURPOSES, clock.now())
      const admission = await admissionOf(database, link, signUp)
      if (!admission) return notAdmittedPage(draft.link, signUp)

      const mistakes = draftErrors(draft, body.get('password') ?? '', publicUrl)
      if (Object.keys(mistakes).length > 0) {
        const errors = { ...(await takenErrors(database, draft)), ...mistakes }
        return correctPage(page, await withSuggestion(database, draft, errors))
      }

      const password = await hashPassword(hasher, body.get('password') ?? '')
      const entry = { browser, userAgent: header('user-agent'), now: clock.now() }
      try {
        const entered = await join(database, { draft, password, signUp, entry })
        return entered === undefined || entered.kind === 'outdated'
          ? notAdmittedPage(draft.link, signUp)
          : enterAnswer(publicUrl, entered, returnTo)
      } catch (error) {
        const errors = await withSuggestion(database, draft, fieldErrors(error))
        return correctPage(page, errors, admission)
      }
    },
  })
}

/** What was typed, but for the password. */
interface Draft {
  /** The secret of the link, empty without one. */
  readonly link: string
  readonly name: string
  readonly username: string
  readonly email: string
}

function emptyDraft(link: string): Draft {
  return { link, name: '', username: '', email: '' }
}

function readDraft(form: URLSearchParams): Draft {
  const text = (field: string) => form.get(field)?.trim() ?? ''
  return { link: text(LINK), name: text('name'), username: text('username'), email: text('email') }
}

/** All that can be told without looking at who else is there. */
function draftErrors(
  { name, username, email }: Draft,
  password: string,
  publicUrl: string,
): FieldErrors {
  return {
    ...errorsOf(() => cleanFields(MemberChanges, { name })),
    ...errorsOf(() => checkUsername(username, false)),
    ...errorsOf(() => cleanFields(MemberChanges, { email })),
    ...(email === '' && { email: 'is needed to sign in' }),
    ...errorsOf(() => assertStrongPassword(password, [email, username, name, publicUrl])),
  }
}

/** So that it is told along with the other mistakes. The email is checked only when the member is created. */
async function takenErrors(database: Database, { username }: Draft): Promise<FieldErrors> {
  return (await findMemberByUsername(database, username)) ? { username: 'is taken' } : {}
}

interface Joining {
  readonly draft: Draft
  readonly password: PasswordHash
  readonly signUp: SignUp
  readonly entry: Omit<Entry, 'memberId' | 'proof'>
}

/**
 * In one transaction: the link is used up, the member is made and signed in. Undefined where
 * somebody else used the link meanwhile. Refuses a username or e-mail address that is taken, and the link stays.
 */
function join(database: Database, joining: Joining): Promise<Entered | undefined> {
  const { draft, password, signUp, entry } = joining
  const { link: secret, username, name, email } = draft
  return database.write(async (tx) => {
    const link = await takeLink(tx, secret, JOIN_PURPOSES, entry.now)
    const admission = await admissionOf(tx, link, signUp)
    if (!admission) return undefined
    const { memberId } = await createMember(tx, { username, name, email }, entry.now)
    if (isFirstMember(link, admission)) await changeRole(tx, memberId, 'admin')
    await setPassword(tx.member(memberId), password, entry.now)
    const proof = { kind: 'password', hash: password } as const
    return startBrowserSession(tx, { ...entry, memberId, proof })
  })
}

/** A username that is taken, or none, comes with one that is free. */
async function withSuggestion(
  database: Database,
  { username, name, email }: Draft,
  errors: FieldErrors,
): Promise<FieldErrors> {
  if (username !== '' && errors['username'] !== 'is taken') return errors
  const free = await suggestUsername(database, [username, name, email])
  const detail = username === '' ? 'is needed' : `“${username}” is taken`
  return { ...errors, username: `${detail}; “${free}” is free` }
}

/** Whoever came without a link is not told whose e-mail address it is, only that this does not work. */
function correctPage(page: JoinPage, errors: FieldErrors, admission?: Admission): Answer {
  if (admission !== 'unknown' || errors['email'] !== 'is taken')
    return joinPage({ ...page, errors, status: 422 })
  const { email: _untold, ...others } = errors
  const error = 'These details cannot be used to join. If you have joined before, sign in instead.'
  return joinPage({ ...page, errors: others, error, status: 422 })
}

interface JoinPage {
  readonly draft: Draft
  readonly formToken: string
  readonly returnTo: string
  readonly publicUrl: string
  readonly errors?: FieldErrors
  readonly error?: string
  readonly status?: number
}

const FIELDS = ['name', 'username', 'email', 'password'] as const

/** The first field that is wrong is where typing goes on. */
function joinPage(page: JoinPage): Answer {
  const { draft, formToken, returnTo, publicUrl, errors = {}, error, status = 200 } = page
  const toCorrect = FIELDS.find((name) => errors[name] !== undefined) ?? 'name'
  const field = (name: (typeof FIELDS)[number], label: string) => {
    const detail = errors[name]
    const wrong = detail !== undefined && { error: `${label} ${detail}.` }
    return { name, label, required: true, autofocus: name === toCorrect, ...wrong }
  }
  const body = html`<form method="post" action="${JOIN_PATH}">
    !${formTokenField(formToken)} !${hiddenField(LINK, draft.link)}
    !${hiddenField(RETURN_TO, returnTo)} !${formError(error)}
    !${textField({
      ...field('name', 'Name'),
      value: draft.name,
      autocomplete: 'name',
      maxLength: 120,
    })}
    !${textField({
      ...field('username', 'Username'),
      value: draft.username,
      hint: `Your page will be ${publicUrl}/human/<username>. It is public until you say otherwise.`,
      autocomplete: 'nickname',
      spellcheck: false,
      maxLength: MAX_USERNAME_LENGTH,
    })}
    !${textField({
      ...field('email', 'E-mail'),
      type: 'email',
      value: draft.email,
      hint: 'To sign in with. Of others, only whoever runs this service sees it.',
      autocomplete: 'username',
      maxLength: 254,
    })}
    !${textField({
      ...field('password', 'Password'),
      type: 'password',
      hint: `At least ${MIN_PASSWORD_LENGTH} characters. A few unrelated words are good.`,
      autocomplete: 'new-password',
      maxLength: MAX_PASSWORD_LENGTH,
    })}
    <button>Join</button>
  </form>`
  const foot = html`A member already? <a href="${signInAddress(returnTo)}">Sign in</a>`
  return cardPage({ title: 'Join', body, foot, status })
}

function signInAddress(returnTo: string): string {
  return `/sign-in?${RETURN_TO}=${encodeURIComponent(returnTo)}`
}
