/**
 * `/forgot-password`: asks for a reset link by email. The request is stored and the account is looked up when the email is
 * sent, so neither the answer nor its timing can reveal whether an account exists.
 */

import { t } from '../../languages/message.ts'
import { MAX_EMAIL_LENGTH } from '../../base/limits.ts'
import { recordAnonymousSubmission } from '../../forms/submission.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { cardPage } from '../../html/card-layout.ts'
import { formKeyField, textField } from '../../html/form.ts'
import { html } from '../../html/html.ts'
import { FORGOT_PASSWORD_PATH, SIGN_IN_PATH } from '../../html/site-map.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { queueEmail } from '../../outbox/outbox.ts'
import { pageRoute, formRoute } from '../../forms/page-route.ts'
import type { SignInDeps } from '../session/sign-in-deps.ts'
import type { Route } from '../../http/route.ts'
import type { OperatorTexts } from '../../html/legal-links.ts'

const REQUESTED = `${FORGOT_PASSWORD_PATH}?requested`

export function forgotRoutes(deps: SignInDeps): Route[] {
  return [showRoute(deps), requestRoute(deps)]
}

function showRoute(deps: SignInDeps): Route {
  return pageRoute(deps, {
    path: FORGOT_PASSWORD_PATH,
    access: 'browser',
    handle: async ({ search }) =>
      new URLSearchParams(search).has('requested')
        ? requestedPage(deps)
        : forgotPage({ legal: deps }),
  })
}

function requestRoute(deps: SignInDeps): Route {
  return formRoute(deps, {
    path: FORGOT_PASSWORD_PATH,
    access: 'browser',
    limit: LIMITS.forgot,
    async handle({ body, now, submission }) {
      const login = (body.get('login') ?? '').trim().slice(0, MAX_EMAIL_LENGTH)
      const error = t('Enter your email or username.')
      if (login === '') return forgotPage({ legal: deps, error, status: 422 })
      const email = { kind: 'password_reset', details: { login } } as const
      await deps.database.write(async (tx) => {
        if (await recordAnonymousSubmission(tx, submission, true)) await queueEmail(tx, email, now)
      })
      return seeOther(REQUESTED)
    },
  })
}

interface ForgotPage {
  readonly legal: OperatorTexts
  readonly error?: string
  readonly status?: number
}

function forgotPage({ legal, error, status = 200 }: ForgotPage): Answer {
  const body = html`<form method="post" action="${FORGOT_PASSWORD_PATH}">
    ${formKeyField()}
    <p>Enter the email or username of your account. We send you a link to choose a new password.</p>
    ${textField({
      name: 'login',
      label: t('Email or username'),
      autocomplete: 'username',
      inputmode: 'email',
      spellcheck: false,
      required: true,
      autofocus: true,
      maxLength: MAX_EMAIL_LENGTH,
      error,
    })}
    <button>Send reset link</button>
  </form>`
  const foot = html`<a href="${SIGN_IN_PATH}">Back to sign-in</a>`
  return cardPage({ title: t('Reset your password'), body, foot, legal, status })
}

function requestedPage(legal: OperatorTexts): Answer {
  const body = html`<p role="status">
      If the account exists and has an email address, a reset link is on its way. It works once and
      expires in an hour.
    </p>
    <p class="quiet">
      Nothing arrived after a few minutes? Check your spam folder, or ask your administrator.
    </p>
    <a class="button plain" href="${SIGN_IN_PATH}">Back to sign-in</a>`
  return cardPage({ title: t('Check your email'), body, legal })
}
