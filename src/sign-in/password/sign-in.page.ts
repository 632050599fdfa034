/** `/sign-in` with a password, when no identity provider is configured. */

import { phrase, t } from '../../languages/message.ts'
import { verifyPassword, type PasswordCheck } from '../../access/passwords/password.ts'
import { MAX_PASSWORD_LENGTH } from '../../access/passwords/password-policy.ts'
import { MAX_EMAIL_LENGTH } from '../../base/limits.ts'
import { formError, formKeyField, hiddenField, textField } from '../../html/form.ts'
import { html, type Html } from '../../html/html.ts'
import { cardPage } from '../../html/card-layout.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { repeatedSignIn } from '../session/already-signed-in.page.ts'
import { findAccount } from '../session/find-account.ts'
import { startSessionOnce } from '../session/repeated-sign-in.ts'
import { enterAnswer } from '../session/start-session.ts'
import { logFailedSignIn, type FailedSignIn } from '../session/failed-sign-in.ts'
import { RETURN_TO, returnPath } from '../session/return-path.ts'
import { hasTypedForms } from '../../forms/typed-forms.ts'
import { FORGOT_PASSWORD_PATH, SIGN_IN_PATH, JOIN_PATH } from '../../html/site-map.ts'
import { passkeyForm } from '../session/passkey-form.ts'
import { pageRoute, formRoute } from '../../forms/page-route.ts'
import type { Route } from '../../http/route.ts'
import type { OperatorTexts } from '../../html/legal-links.ts'
import type { PasswordHash } from '../../access/passwords/password-hash.ts'
import type { PasskeySite } from '../../access/passkey-site.ts'
import type { PasswordDeps } from '../session/sign-in-deps.ts'
import type { Attempt } from '../session/sign-in-attempts.ts'

/** Does not reveal which of the two is wrong, or whether the correct password would have been accepted now. */
const WRONG = phrase(
  'Incorrect username or password. After many failed attempts, wait an hour before you try again.',
)

/** The form and its submission. */
export function passwordSignInRoutes(deps: PasswordDeps): Route[] {
  return [showRoute(deps), signInRoute(deps)]
}

function showRoute(deps: PasswordDeps): Route {
  return pageRoute(deps, {
    path: SIGN_IN_PATH,
    access: 'browser',
    async handle({ search, browser, header }) {
      const { publicUrl } = deps
      const returnTo = returnPath(new URLSearchParams(search).get(RETURN_TO), publicUrl)
      if (browser.member) return seeOther(returnTo)
      const isFormKept = hasTypedForms(publicUrl, header('cookie'))
      return signInPage(deps, { returnTo, isFormKept })
    },
  })
}

function signInRoute(deps: PasswordDeps): Route {
  const { database, log, publicUrl, attempts } = deps
  return formRoute(deps, {
    path: SIGN_IN_PATH,
    access: 'browser',
    async whenSignedInSince({ body, browser }) {
      const account = await findAccount(database, loginOf(body))
      return repeatedSignIn({ browser, publicUrl, body, memberId: account?.memberId })
    },
    async handle({ body, browser, address, header, requestId, now, submission }) {
      const returnTo = returnPath(body.get(RETURN_TO), publicUrl)
      const login = loginOf(body)
      const isFormKept = hasTypedForms(publicUrl, header('cookie'))
      const page = { returnTo, isFormKept, login }
      const fail = (reason: FailedSignIn['reason']) =>
        logFailedSignIn(log, { method: 'password', reason, address, requestId })
      const memberId = (await findAccount(database, login))?.memberId
      const attempt = await attempts.begin({ method: 'password', name: login, memberId, address })
      if (!attempt.allowed) {
        fail('rate_limited')
        return waitPage(deps, page, attempt.retryAfter)
      }
      const tried = attempt.canSucceed ? memberId : undefined
      const hash = await verifyOrCancel(deps, attempt, tried, body.get('password') ?? '')
      const entered =
        tried === undefined || hash === undefined
          ? undefined
          : await database.write(async (tx) => {
              const proof = { kind: 'password', hash } as const
              const userAgent = header('user-agent')
              const entry = { browser, userAgent, now, memberId: tried, proof }
              const started = await startSessionOnce(tx, submission, entry)
              if (started) await attempt.succeed(tx)
              return started
            })
      if (!entered) {
        fail('not_accepted')
        return signInPage(deps, { ...page, status: 422, error: WRONG })
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

type SignInPageDeps = Pick<PasswordDeps, 'signUp' | 'sendsEmail' | 'site' | keyof OperatorTexts>

interface SignInPage {
  readonly returnTo: string
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
export function waitPage(deps: SignInPageDeps, page: SignInPage, retryAfter: number): Answer {
  return signInPage(deps, {
    ...page,
    status: 429,
    error: waitSentence(retryAfter),
    headers: { 'retry-after': String(retryAfter) },
  })
}

/** `retryAfter` in seconds. */
export function waitSentence(retryAfter: number): string {
  const minutes = Math.ceil(retryAfter / 60)
  const wait = minutes === 1 ? t('a minute') : t('{minutes} minutes', { minutes })
  return t('Too many failed attempts. Wait {wait}, then try again.', { wait })
}

/** The error must never depend on whether the account exists. */
export function signInPage(deps: SignInPageDeps, page: SignInPage): Answer {
  const { signUp, site, sendsEmail } = deps
  const { returnTo, login = '', isFormKept, error, status = 200, headers = {} } = page
  const isAgain = login !== ''
  const forgot = html`<a href="${FORGOT_PASSWORD_PATH}">Forgot your password?</a>`
  const body = html`<form method="post" action="${SIGN_IN_PATH}">
      ${formKeyField()} ${hiddenField(RETURN_TO, returnTo)} ${formError(error)}
      ${isFormKept ? keptNotice() : ''}
      ${textField({
        name: 'login',
        label: t('Email or username'),
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
        label: t('Password'),
        type: 'password',
        autocomplete: 'current-password',
        required: true,
        autofocus: isAgain,
        maxLength: MAX_PASSWORD_LENGTH,
      })}
      <button>Sign in</button>
    </form>
    ${site ? passkeySignInForm(site, page) : ''}
    <p class="quiet">
      ${sendsEmail ? forgot : t('Forgot your password? Ask your administrator for a reset link.')}
    </p>`
  const foot = signUp === 'open' ? joinLink(returnTo) : undefined
  const isSignedOut = true
  return cardPage({ title: t('Sign in'), body, foot, legal: deps, status, headers, isSignedOut })
}

export const PASSKEY_PATH = `${SIGN_IN_PATH}/passkey`
export const PASSKEY_OPTIONS_PATH = `${PASSKEY_PATH}/options`

function passkeySignInForm(site: PasskeySite, page: SignInPage): Html {
  return passkeyForm({
    action: PASSKEY_PATH,
    site,
    kind: 'get',
    data: {
      ask: PASSKEY_OPTIONS_PATH,
      rp: site.rpId,
      unknown: page.unknownPasskey,
      notallowederror: t('No passkey was used. Try again, or sign in with your password.'),
      failed: t('Sign-in failed. Reload the page and try again, or sign in with your password.'),
    },
    controls: html`${hiddenField(RETURN_TO, page.returnTo)}
      <button class="plain">Sign in with a passkey</button>`,
  })
}

function keptNotice(): Html {
  return html`<p class="notice" role="status">
    You were signed out. Sign in to continue. What you typed is kept for an hour.
  </p>`
}

function joinLink(returnTo: string): Html {
  const address = `${JOIN_PATH}?${RETURN_TO}=${encodeURIComponent(returnTo)}`
  return html`New here? <a href="${address}">Join</a>`
}
