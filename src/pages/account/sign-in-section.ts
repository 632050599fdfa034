/** How a member signs in: their e-mail address and password, each with the form that changes it. */

import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../access/password-policy.ts'
import { formTokenField, textField } from '../../html/form.ts'
import { html } from '../../html/html.ts'
import { accessChoice } from '../../sign-in/session/access-choice.ts'
import { ACCOUNT_EMAIL_PATH, ACCOUNT_PASSWORD_PATH } from '../../html/site-map.ts'
import type { Member } from '../../members/member.ts'
import type { AccountPage, Refused } from './account-view.ts'

export function signInSection({ member, access, browser, refused }: AccountPage): string {
  const { formToken } = browser
  const { errors, typed }: Refused = refused ?? { errors: {} }
  return html`<section class="panel" aria-labelledby="email-heading">
      <h2 id="email-heading">E-mail</h2>
      <form method="post" action="${ACCOUNT_EMAIL_PATH}">
        !${formTokenField(formToken)}
        !${textField({
          name: 'email',
          label: 'E-mail address',
          type: 'email',
          value: typed?.['email'] ?? member.email ?? '',
          error: errors['email'],
          hint: 'You sign in with it, or with your username. Of others, only whoever runs this service sees it.',
          autocomplete: 'email',
        })}
        !${currentPassword('email_password', errors['email_password'])}
        <div class="actions"><button>Change e-mail address</button></div>
      </form>
    </section>
    <section class="panel" aria-labelledby="password-heading">
      <h2 id="password-heading">Password</h2>
      <form method="post" action="${ACCOUNT_PASSWORD_PATH}">
        !${formTokenField(formToken)}
        <input
          type="text"
          name="login"
          value="${member.email ?? member.username}"
          autocomplete="username"
          hidden
        />
        !${currentPassword('current_password', errors['current_password'])}
        !${textField({
          name: 'new_password',
          label: 'New password',
          type: 'password',
          error: errors['new_password'],
          hint: `At least ${MIN_PASSWORD_LENGTH} characters. Wherever else you are signed in, you will be signed out.`,
          autocomplete: 'new-password',
          required: true,
          maxLength: MAX_PASSWORD_LENGTH,
        })}
        !${accessChoice(access, false)}
        <div class="actions"><button>Change password</button></div>
      </form>
    </section>`
}

/** Where an identity provider signs people in. Its address finds their account, so it is not theirs to change here. */
export function emailShown({ email }: Member): string {
  return html`<section class="panel" aria-labelledby="email-heading">
    <h2 id="email-heading">E-mail</h2>
    !${email === null ? html`<p>We know none of yours.</p>` : html`<p><bdi>${email}</bdi></p>`}
    <p class="quiet">
      You sign in with your organization's account, which keeps your password too.
    </p>
  </section>`
}

/** `name` is the form's own: three forms of the page ask for it. */
export function currentPassword(name: string, error: string | undefined): string {
  return textField({
    name,
    label: 'Your password now',
    type: 'password',
    error,
    autocomplete: 'current-password',
    required: true,
    maxLength: MAX_PASSWORD_LENGTH,
  })
}
