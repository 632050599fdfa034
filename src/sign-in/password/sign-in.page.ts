/** `/sign-in` with a password, when no identity provider is configured. */

import { verifyPassword, type PasswordCheck } from '../../access/password.ts'
import { MAX_PASSWORD_LENGTH } from '../../access/password-policy.ts'
import { MAX_EMAIL_LENGTH } from '../../base/limits.ts'
import { submissionOf } from '../../guards/form-submission.ts'
import { formError, formKeyField, formTokenField, hiddenField, textField } from '../../html/form.ts'
import { html, type Html } from '../../html/html.ts'
import { cardPage } from '../../html/card-layout.ts'
import { errorPage } from '../../html/message.page.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { ALREADY_SIGNED_IN, alreadySignedInPage } from '../session/already-signed-in.page.ts'
import { findAccount } from '../session/account.ts'
import { startSessionOnce } from '../session/repeated-entry.ts'
import { enterAnswer } from '../session/start-session.ts'
import { logFailedSignIn, type FailedSignIn } from '../session/failed-sign-in.ts'
import { passkeyForm } from './passkey-form.ts'
import { RETURN_TO, returnPath } from '../session/return-path.ts'
import { hasTypedForms } from '../session/typed-forms.ts'
import { FORGOT_PASSWORD_PATH, SIGN_IN_PATH, JOIN_PATH } from '../../html/site-map.ts'
import type { OperatorTexts } from '../../html/legal-links.ts'
import type { PasswordHash, PasswordHasher } from '../../access/password-hash.ts'
import type { PasskeySite } from '../../access/passkey-site.ts'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Database } from '../../db/database.ts'
import type { SignUp } from '../session/admission.ts'
import type { Attempt, SignInAttempts } from '../session/attempts.ts'

interface PasswordSignInDeps extends OperatorTexts {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly hasher: PasswordHasher
  readonly publicUrl: string
  readonly signUp: SignUp
  readonly sendsEmail: boolean
  readonly attempts: SignInAttempts
  /** Undefined if the public URL does not support passkeys. */
  readonly site: PasskeySite | undefined
}

/** Enough for the return path, the largest field. */
const MAX_FORM_BYTES = 64 * 1024
/** Does not reveal which of the two is wrong, or whether the correct password would have been accepted now. */
const WRONG =
  'Incorrect username or password. After many failed attempts, wait an hour before you try again.'

/** The form and its submission. */
export function passwordSignInRoutes(deps: PasswordSignInDeps): Route[] {
  return [showRoute(deps), signInRoute(deps)]
}

function showRoute(deps: PasswordSignInDeps): Route {
  const { publicUrl, signUp, sendsEmail, site } = deps
  return defineRoute({
    method: 'GET',
    path: SIGN_IN_PATH,
    operationId: 'showSignIn',
    summary: 'The sign-in page',
    access: 'browser',
    answers: {
      200: { description: 'The page', type: 'text/html' },
      303: { description: 'Already signed in; redirects to return_to' },
    },
    onError: errorPage,
    async handle({ search, browser, header }) {
      const returnTo = returnPath(new URLSearchParams(search).get(RETURN_TO), publicUrl)
      if (browser.member) return seeOther(returnTo)
      const page = { formToken: browser.formToken, returnTo, signUp, sendsEmail, site }
      const isFormKept = hasTypedForms(publicUrl, header('cookie'))
      return signInPage({ ...page, legal: deps, isFormKept })
    },
  })
}

function signInRoute(deps: PasswordSignInDeps): Route {
  const { database, clock, log, publicUrl, signUp, sendsEmail, attempts, site } = deps
  return defineRoute({
    method: 'POST',
    path: SIGN_IN_PATH,
    operationId: 'signIn',
    summary: 'Sign in with a password',
    access: 'browser',
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: {
      303: { description: 'Signed in; redirects to return_to' },
      403: {
        description: 'The account is disabled, or the form was submitted from another site',
        type: 'text/html',
      },
      ...ALREADY_SIGNED_IN,
      422: {
        description: 'Incorrect username or password; the page with the error',
        type: 'text/html',
      },
      429: { description: 'Too many failed attempts; the page with the error', type: 'text/html' },
    },
    onError: errorPage,
    async whenSignedInSince({ body, browser }) {
      const returnTo = returnPath(body.get(RETURN_TO), publicUrl)
      const account = await findAccount(database, loginOf(body))
      return account?.memberId === browser.member.memberId
        ? seeOther(returnTo)
        : alreadySignedInPage(browser, returnTo)
    },
    async handle({ body, browser, address, header, requestId }) {
      const returnTo = returnPath(body.get(RETURN_TO), publicUrl)
      const login = loginOf(body)
      const { formToken } = browser
      const isFormKept = hasTypedForms(publicUrl, header('cookie'))
      const form = { formToken, returnTo, signUp, sendsEmail, site, isFormKept }
      const page = { ...form, login, legal: deps }

      const fail = (reason: FailedSignIn['reason']) =>
        logFailedSignIn(log, { method: 'password', reason, address, requestId })

      const memberId = (await findAccount(database, login))?.memberId
      const attempt = await attempts.begin({ method: 'password', name: login, memberId, address })
      if (!attempt.allowed) {
        fail('rate_limited')
        return waitPage(page, attempt.retryAfter)
      }

      const tried = attempt.canSucceed ? memberId : undefined
      const hash = await verifyOrCancel(deps, attempt, tried, body.get('password') ?? '')
      const now = clock.now()
      const entry = { browser, userAgent: header('user-agent'), now }
      const submission = submissionOf({ browser, body, form: SIGN_IN_PATH, now })
      const entered =
        tried === undefined || hash === undefined
          ? undefined
          : await database.write(async (tx) => {
              const proof = { kind: 'password', hash } as const
              const started = await startSessionOnce(tx, submission, {
                ...entry,
                memberId: tried,
                proof,
              })
              if (started.kind !== 'outdated') await attempt.succeed(tx)
              return started
            })
      if (entered === undefined || entered.kind === 'outdated') {
        fail('not_accepted')
        return signInPage({ ...page, status: 422, error: WRONG })
      }
      return enterAnswer(publicUrl, entered, returnTo)
    },
  })
}

function loginOf(body: URLSearchParams): string {
  return (body.get('login') ?? '').slice(0, MAX_EMAIL_LENGTH)
}

/** Like `verifyPassword`, but an attempt that fails because the queue of the hasher is full is not counted. */
export async function verifyOrCancel(
  check: PasswordCheck,
  attempt: Extract<Attempt, { allowed: true }>,
  memberId: number | undefined,
  password: string,
): Promise<PasswordHash | undefined> {
  try {
    return await verifyPassword(check, memberId, password)
  } catch (error) {
    await attempt.cancel()
    throw error
  }
}

interface SignInPage {
  readonly formToken: string
  readonly returnTo: string
  readonly signUp: SignUp
  /** Whether Weft can send a reset link by email. */
  readonly sendsEmail: boolean
  readonly site: PasskeySite | undefined
  readonly legal: OperatorTexts
  /** Whether a form waits for its member to sign in. */
  readonly isFormKept?: boolean
  /** From the previous submission. */
  readonly login?: string
  readonly error?: string
  /** The ID of a submitted credential that belongs to no member. */
  readonly unknownPasskey?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** The form after too many attempts, with `Retry-After`. `retryAfter` is in seconds. */
export function waitPage(page: SignInPage, retryAfter: number): Answer {
  return signInPage({
    ...page,
    status: 429,
    error: waitSentence(retryAfter),
    headers: { 'retry-after': String(retryAfter) },
  })
}

/** `retryAfter` in seconds. */
export function waitSentence(retryAfter: number): string {
  const minutes = Math.ceil(retryAfter / 60)
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
  return `Too many failed attempts. Wait ${wait}, then try again.`
}

/** The error must never depend on whether the account exists. */
export function signInPage(page: SignInPage): Answer {
  const { formToken, returnTo, signUp, login = '', error, status = 200, headers = {} } = page
  const { site, sendsEmail, legal, unknownPasskey: unknown } = page
  const isAgain = login !== ''
  const { isFormKept = false } = page
  const body = html`<form method="post" action="${SIGN_IN_PATH}">
      ${formTokenField(formToken)} ${formKeyField()} ${hiddenField(RETURN_TO, returnTo)}
      ${formError(error)} ${isFormKept ? FORM_KEPT : ''}
      ${textField({
        name: 'login',
        label: 'Email or username',
        value: login,
        autocomplete: site ? 'username webauthn' : 'username',
        inputmode: 'email',
        spellcheck: false,
        required: true,
        autofocus: !isAgain,
        maxLength: MAX_EMAIL_LENGTH,
      })}
      ${textField({
        name: 'password',
        label: 'Password',
        type: 'password',
        autocomplete: 'current-password',
        required: true,
        autofocus: isAgain,
        maxLength: MAX_PASSWORD_LENGTH,
      })}
      <button>Sign in</button>
    </form>
    ${site ? passkeyForm({ site, formToken, returnTo, unknown }) : ''}
    <p class="quiet">
      ${
        sendsEmail
          ? html`<a href="${FORGOT_PASSWORD_PATH}">Forgot your password?</a>`
          : 'Forgot your password? Ask your administrator for a reset link.'
      }
    </p>`
  const foot = signUp === 'open' ? joinLink(returnTo) : undefined
  return cardPage({ title: 'Sign in', body, foot, legal, status, headers })
}

const FORM_KEPT = html`<p class="notice" role="status">
  You were signed out. Sign in to continue. What you typed is kept for an hour.
</p>`

function joinLink(returnTo: string): Html {
  const address = `${JOIN_PATH}?${RETURN_TO}=${encodeURIComponent(returnTo)}`
  return html`New here? <a href="${address}">Join</a>`
}
