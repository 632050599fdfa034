/** `/join`: creates an account with a password, by invitation or, if sign-up is open, without one. */

import { t } from '../../languages/message.ts'
import { findLink, LINK, takeLink, type OneTimeLink } from '../../access/one-time-link.ts'
import { hashPassword, setPassword } from '../../access/passwords/password.ts'
import { assertStrongPassword } from '../../access/passwords/password-policy.ts'
import { recordAnonymousSubmission, type Submission } from '../../forms/submission.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { problem } from '../../http/problem.ts'
import { json, seeOther, type Answer } from '../../http/response.ts'
import { verifyEmail } from '../../members/verified-email.ts'
import { queueEmail } from '../../outbox/outbox.ts'
import { keepLanguage } from '../../members/member-language.ts'
import { createMember, findMemberByUsername, TAKEN, TakenError } from '../../members/member.ts'
import { cleanFields, MemberChanges } from '../../members/member-fields.ts'
import { changeRole, nameOfFirstAdmin } from '../../members/admin-role.ts'
import { checkUsername, usernameKey } from '../../members/usernames.ts'
import {
  admissionOf,
  isFirstMember,
  JOIN_PURPOSES,
  notAdmittedPage,
  type SignUp,
} from '../session/admission.ts'
import { repeatedSignIn } from '../session/already-signed-in.page.ts'
import { unlessEntered } from '../session/repeated-sign-in.ts'
import {
  enterAnswer,
  startBrowserSession,
  type Entered,
  type Entry,
} from '../session/start-session.ts'
import { errorsOf, fieldErrors, type FieldErrors } from '../../forms/field-errors.ts'
import { RETURN_TO, returnPath } from '../session/return-path.ts'
import { suggestUsername } from '../session/suggest-username.ts'
import {
  invalidPage,
  joinPage,
  type Draft,
  type Host,
  type JoinPage,
  type TakenField,
} from './join.page.ts'
import { JOIN_PATH, JOIN_USERNAME_PATH } from '../../html/site-map.ts'
import { pageRoute, formRoute } from '../../forms/page-route.ts'
import type { Route } from '../../http/route.ts'
import type { PasswordHash } from '../../access/passwords/password-hash.ts'
import type { SignInDeps } from '../session/sign-in-deps.ts'
import type { Database } from '../../db/database.ts'

export function joinRoutes(deps: SignInDeps): Route[] {
  return [showRoute(deps), proposeRoute(deps), joinRoute(deps)]
}

function showRoute(deps: SignInDeps): Route {
  const { database, publicUrl, signUp } = deps
  return pageRoute(deps, {
    path: JOIN_PATH,
    access: 'browser',
    async handle({ search, browser: { member }, now }) {
      const query = new URLSearchParams(search)
      const returnTo = returnPath(query.get(RETURN_TO), publicUrl)
      if (member) return seeOther(returnTo)
      const secret = query.get(LINK) ?? ''
      const link = await findLink(database, secret, JOIN_PURPOSES, now)
      if (!(await admissionOf(database, link, signUp))) return notAdmittedPage(secret, signUp)
      const draft = { link: secret, name: '', username: '', email: link?.email ?? '' }
      const host = await hostOf(database, link)
      return joinPage({ draft, returnTo, publicUrl, host, legal: deps })
    },
  })
}

/** The username that the form proposes for `name`, as JSON for its script. */
function proposeRoute(deps: SignInDeps): Route {
  return pageRoute(deps, {
    path: JOIN_USERNAME_PATH,
    access: 'browser',
    limit: LIMITS.directory,
    onError: problem,
    async handle({ search }) {
      const name = (new URLSearchParams(search).get('name') ?? '').trim()
      const username = name === '' ? '' : await suggestUsername(deps.database, [name])
      return json({ username }, 200, { 'cache-control': 'no-store' })
    },
  })
}

function joinRoute(deps: SignInDeps): Route {
  const { database, publicUrl } = deps
  return formRoute(deps, {
    path: JOIN_PATH,
    access: 'browser',
    limit: LIMITS.join,
    async whenSignedInSince({ body, browser }) {
      const { memberId, username } = browser.member
      const isSame = usernameKey(readDraft(body).username) === username
      return repeatedSignIn({ browser, publicUrl, body, memberId: isSame ? memberId : undefined })
    },
    async handle({ body, browser, header, now, submission }) {
      const draft = await withUsername(database, readDraft(body))
      const returnTo = returnPath(body.get(RETURN_TO), publicUrl)
      const page = { draft, returnTo, publicUrl, legal: deps }
      const entry = { browser, userAgent: header('user-agent'), now }
      const password = body.get('password') ?? ''
      const answer = await tryToJoin(deps, { page, password, entry, submission })
      return unlessEntered({ database, publicUrl, submission, returnTo }, answer)
    },
  })
}

interface JoinAttempt {
  readonly page: Omit<JoinPage, 'host'>
  readonly password: string
  readonly entry: NewMember['entry']
  readonly submission: Submission | undefined
}

async function tryToJoin(
  { database, hasher, publicUrl, signUp, sendsEmail }: SignInDeps,
  { page: attempted, password: typed, entry, submission }: JoinAttempt,
): Promise<Answer> {
  const { draft, returnTo } = attempted
  const link = await findLink(database, draft.link, JOIN_PURPOSES, entry.now)
  const admission = await admissionOf(database, link, signUp)
  if (!admission) return notAdmittedPage(draft.link, signUp)
  const page = { ...attempted, host: await hostOf(database, link) }
  const invalid = draftErrors(draft, typed, publicUrl)
  if (Object.keys(invalid).length > 0) {
    const isTaken = !('username' in invalid) && (await isUsernameTaken(database, draft))
    const taken = isTaken ? 'username' : undefined
    const errors = { ...(taken && { [taken]: t(TAKEN) }), ...invalid }
    return invalidPage(page, await withSuggestion(database, draft, errors, taken))
  }

  const password = await hashPassword(hasher, typed)
  try {
    const newMember = { draft, password, signUp, sendsEmail, entry, submission }
    const entered = await join(database, newMember)
    return entered === undefined
      ? notAdmittedPage(draft.link, signUp)
      : enterAnswer(publicUrl, entered, returnTo)
  } catch (error) {
    const taken = error instanceof TakenError ? error.field : undefined
    const errors = await withSuggestion(database, draft, fieldErrors(error), taken)
    return invalidPage(page, errors, admission === 'unknown' ? taken : undefined)
  }
}

/** Only an invitation says who runs the service. */
async function hostOf(database: Database, link: OneTimeLink | undefined): Promise<Host> {
  if (link?.purpose === 'first') return 'first'
  const name = link && (await nameOfFirstAdmin(database))
  return name === undefined ? 'unknown' : { name }
}

function readDraft(form: URLSearchParams): Draft {
  const text = (field: string) => form.get(field)?.trim() ?? ''
  return { link: text(LINK), name: text('name'), username: text('username'), email: text('email') }
}

/** An empty username is made from the name. */
async function withUsername(database: Database, draft: Draft): Promise<Draft> {
  if (draft.username !== '' || draft.name === '') return draft
  return { ...draft, username: await suggestUsername(database, [draft.name, draft.email]) }
}

/** The errors that can be found without comparing with other members. */
function draftErrors(
  { name, username, email }: Draft,
  password: string,
  publicUrl: string,
): FieldErrors {
  return {
    ...errorsOf(() => cleanFields(MemberChanges, { name })),
    ...errorsOf(() => checkUsername(username, false)),
    ...errorsOf(() => cleanFields(MemberChanges, { email })),
    ...(email === '' && { email: t('is required to sign in') }),
    ...errorsOf(() => assertStrongPassword(password, [email, username, name, publicUrl])),
  }
}

/** Reports a taken username together with the other errors. The email is checked only when the member is created. */
async function isUsernameTaken(database: Database, { username }: Draft): Promise<boolean> {
  return (await findMemberByUsername(database, username)) !== undefined
}

interface NewMember {
  readonly draft: Draft
  readonly password: PasswordHash
  readonly signUp: SignUp
  readonly sendsEmail: boolean
  readonly entry: Omit<Entry, 'memberId' | 'proof'>
  readonly submission: Submission | undefined
}

/**
 * In one transaction: uses the link, creates the member and signs them in. Undefined if someone else used the link in
 * the meantime. If the username or email is taken, the transaction rolls back and the link stays valid.
 *
 * @throws {RequestError} `conflict` with a pointer to the field when the username or email is taken.
 */
function join(database: Database, newMember: NewMember): Promise<Entered | undefined> {
  const { draft, password, signUp, sendsEmail, entry, submission } = newMember
  const { link: secret, username, name, email } = draft
  return database.write(async (tx) => {
    const link = await takeLink(tx, secret, JOIN_PURPOSES, entry.now)
    const admission = await admissionOf(tx, link, signUp)
    if (!admission) return undefined
    const { memberId } = await createMember(tx, { username, name, email }, entry.now)
    await keepLanguage(tx, memberId)
    if (isFirstMember(link, admission)) await changeRole(tx, memberId, 'admin')
    await setPassword(tx.member(memberId), password, entry.now)
    const recipient = email.toLowerCase()
    if (link?.email === recipient) await verifyEmail(tx, memberId, recipient)
    else if (sendsEmail)
      await queueEmail(tx, { kind: 'email_verification', memberId, recipient }, entry.now)
    const proof = { kind: 'password', hash: password } as const
    const entered = await startBrowserSession(tx, { ...entry, memberId, proof, hasJoined: true })
    if (entered) await recordAnonymousSubmission(tx, submission, entered)
    return entered
  })
}

/** Adds an available username to the error for a missing or taken one. */
async function withSuggestion(
  database: Database,
  { username, name, email }: Draft,
  errors: FieldErrors,
  taken: TakenField,
): Promise<FieldErrors> {
  if (username !== '' && taken !== 'username') return errors
  const free = await suggestUsername(database, [username, name, email])
  const detail = username === '' ? t('is required') : `“${username}” ${t(TAKEN)}`
  return { ...errors, username: t('{detail}; “{free}” is available', { detail, free }) }
}
