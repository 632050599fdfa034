/** `/sign-in`: with a password, where no identity provider does it. */

import { checkPassword } from '../access/password.ts'
import { LONGEST_PASSWORD } from '../access/password-policy.ts'
import { formError, formTokenField, hiddenField, textField } from '../html/form.ts'
import { html } from '../html/html.ts'
import { cardPage } from '../html/card-page.ts'
import { refusePage } from '../html/message-page.ts'
import { seeOther, type Answer } from '../http/answer.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { SIGN_IN_PATH } from '../http/run-route.ts'
import { findAccount } from './account.ts'
import { enterAnswer, startVisit } from './enter.ts'
import { JOIN_PATH } from './link-address.ts'
import { passkeyForm } from './passkey/passkey-form.ts'
import { RETURN_TO, returnPath } from './return-path.ts'
import type { PasswordHasher } from '../access/password-hash.ts'
import type { PasskeySite } from '../access/passkey-site.ts'
import type { Clock } from '../base/clock.ts'
import type { Database } from '../db/database.ts'
import type { SignUp } from './admission.ts'
import type { SignInAttempts } from './attempts.ts'

export interface PasswordSignInParts {
  readonly database: Database
  readonly clock: Clock
  readonly hasher: PasswordHasher
  readonly publicUrl: string
  readonly signUp: SignUp
  readonly attempts: SignInAttempts
  /** Undefined where there can be no passkeys. */
  readonly site: PasskeySite | undefined
}

/** The form holds a path to return to, which came in an address, and little else. */
const MOST_FORM_BYTES = 64 * 1024
/** Says nothing of which of the two it is. */
const WRONG = 'This name and this password do not belong together.'
/** Of an e-mail address. */
const LONGEST_LOGIN = 254

export function passwordSignInRoutes(parts: PasswordSignInParts): Route[] {
  return [askRoute(parts), signInRoute(parts)]
}

function askRoute({ publicUrl, signUp, site }: PasswordSignInParts): Route {
  return defineRoute({
    method: 'GET',
    path: SIGN_IN_PATH,
    operationId: 'showSignIn',
    summary: 'The sign-in page',
    access: 'browser',
    answers: {
      200: { description: 'The page', type: 'text/html' },
      303: { description: 'To return_to: already signed in' },
    },
    refuse: refusePage,
    async handle({ search, visit }) {
      const returnTo = returnPath(new URLSearchParams(search).get(RETURN_TO), publicUrl)
      if (visit.member) return seeOther(returnTo)
      return signInPage({ formToken: visit.formToken, returnTo, signUp, site })
    },
  })
}

function signInRoute(parts: PasswordSignInParts): Route {
  const { database, clock, hasher, publicUrl, signUp, attempts, site } = parts
  return defineRoute({
    method: 'POST',
    path: SIGN_IN_PATH,
    operationId: 'signIn',
    summary: 'Sign in with a password',
    access: 'browser',
    body: { kind: 'form', maxBytes: MOST_FORM_BYTES },
    answers: {
      303: { description: 'Signed in; to return_to' },
      403: { description: 'The account is disabled, or the form is not ours', type: 'text/html' },
      422: { description: 'Wrong: the page again', type: 'text/html' },
      429: { description: 'Too many wrong tries: the page again', type: 'text/html' },
    },
    refuse: refusePage,
    async handle({ body, visit, address, header }) {
      const returnTo = returnPath(body.get(RETURN_TO), publicUrl)
      const login = (body.get('login') ?? '').slice(0, LONGEST_LOGIN)
      const page = { formToken: visit.formToken, returnTo, signUp, site, login }

      const attempt = attempts.begin(login, address)
      if (!attempt.allowed) return waitPage(page, attempt.retryAfter)

      const account = await findAccount(database, login)
      const password = body.get('password') ?? ''
      const isRight = await checkPassword({ database, hasher }, account?.memberId, password)
      if (!account || !isRight) return signInPage({ ...page, status: 422, error: WRONG })
      attempt.succeed()

      const { memberId } = account
      const entry = { memberId, visit, userAgent: header('user-agent'), now: clock.now() }
      const secret = await database.write((tx) => startVisit(tx, entry))
      return enterAnswer(publicUrl, secret, returnTo)
    },
  })
}

export interface SignInPage {
  readonly formToken: string
  readonly returnTo: string
  readonly signUp: SignUp
  readonly site: PasskeySite | undefined
  /** As it was typed before. */
  readonly login?: string
  readonly error?: string
  /** The id of a credential that was shown and is nobody's here. */
  readonly unknownPasskey?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

export function waitPage(page: SignInPage, retryAfter: number): Answer {
  const minutes = Math.ceil(retryAfter / 60)
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
  return signInPage({
    ...page,
    status: 429,
    error: `Too many tries that failed. Wait ${wait}, then try again.`,
    headers: { 'retry-after': String(retryAfter) },
  })
}

/** What is wrong never depends on whether there is such an account. */
export function signInPage(page: SignInPage): Answer {
  const { formToken, returnTo, signUp, login = '', error, status = 200, headers = {} } = page
  const { site, unknownPasskey: unknown } = page
  const isAgain = login !== ''
  const body = html`<form method="post" action="${SIGN_IN_PATH}">
      !${formTokenField(formToken)} !${hiddenField(RETURN_TO, returnTo)} !${formError(error)}
      !${textField({
        name: 'login',
        label: 'E-mail or username',
        value: login,
        autocomplete: site ? 'username webauthn' : 'username',
        inputmode: 'email',
        spellcheck: false,
        required: true,
        autofocus: !isAgain,
        maxLength: LONGEST_LOGIN,
      })}
      !${textField({
        name: 'password',
        label: 'Password',
        type: 'password',
        autocomplete: 'current-password',
        required: true,
        autofocus: isAgain,
        maxLength: LONGEST_PASSWORD,
      })}
      <button>Sign in</button>
    </form>
    !${site ? passkeyForm({ site, formToken, returnTo, unknown }) : ''}
    <p class="quiet">
      Forgotten? Whoever runs this service can send you a link to choose a new password.
    </p>`
  const foot = signUp === 'open' ? joinLink(returnTo) : ''
  return cardPage({ title: 'Sign in', body, foot, status, headers })
}

function joinLink(returnTo: string): string {
  const address = `${JOIN_PATH}?${RETURN_TO}=${encodeURIComponent(returnTo)}`
  return html`New here? <a href="${address}">Join</a>`
}
