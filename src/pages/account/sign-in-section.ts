/** A member's sign-in email and password, each with the form that changes it. */

import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../access/password-policy.ts'
import { formKeyField, formTokenField, textField } from '../../html/form.ts'
import { NOTHING, html, type Html } from '../../html/html.ts'
import { accessChoice } from '../../sign-in/session/access-choice.ts'
import {
  ACCOUNT_EMAIL_PATH,
  ACCOUNT_PASSWORD_PATH,
  SEND_VERIFICATION_PATH,
} from '../../html/site-map.ts'
import type { Member } from '../../members/member-row.ts'
import type { AccountPage, InvalidFields } from './account-view.ts'

export function signInSection(page: AccountPage): Html {
  const { member, access, browser, invalid } = page
  const { formToken } = browser
  const { errors, typed }: InvalidFields = invalid ?? { errors: {} }
  return html`<section class="panel" aria-labelledby="email-heading">
      <h2 id="email-heading">Email</h2>
      ${verification(page)}
      <form method="post" action="${ACCOUNT_EMAIL_PATH}">
        ${formTokenField(formToken)}
        ${textField({
          name: 'email',
          label: 'Email address',
          type: 'email',
          value: typed?.['email'] ?? member.email ?? '',
          error: errors['email'],
          hint: 'Used to sign in. Only you and your administrator can see it.',
          autocomplete: 'email',
        })}
        ${currentPassword('email_password', errors['email_password'])}
        <div class="actions"><button>Change email</button></div>
      </form>
    </section>
    <section class="panel" aria-labelledby="password-heading">
      <h2 id="password-heading">Password</h2>
      <form method="post" action="${ACCOUNT_PASSWORD_PATH}">
        ${formTokenField(formToken)} ${formKeyField()}
        <input
          type="text"
          name="login"
          value="${member.email ?? member.username}"
          autocomplete="username"
          hidden
        />
        ${currentPassword('current_password', errors['current_password'])}
        ${textField({
          name: 'new_password',
          label: 'New password',
          type: 'password',
          error: errors['new_password'],
          hint: `At least ${MIN_PASSWORD_LENGTH} characters. Changing it signs you out of other browsers.`,
          autocomplete: 'new-password',
          required: true,
          maxLength: MAX_PASSWORD_LENGTH,
        })}
        ${accessChoice(access, false)}
        <div class="actions"><button>Change password</button></div>
      </form>
    </section>`
}

/** Whether the email is confirmed, and the button that sends a link to confirm it. */
function verification({ member, emailState, browser }: AccountPage): Html {
  if (member.email === null || emailState === 'unknown') return NOTHING
  if (emailState === 'verified')
    return html`<p><span class="badge success">confirmed</span> You get security notices here.</p>`
  return html`<div class="notice warning with-act">
    <p><bdi>${member.email}</bdi> is not confirmed. Confirm it to get security notices.</p>
    <form method="post" action="${SEND_VERIFICATION_PATH}">
      ${formTokenField(browser.formToken)}
      <button class="plain">Send confirmation email</button>
    </form>
  </div>`
}

/** Shown when people sign in with an identity provider. The provider's email identifies the account, so it cannot be
 * changed here. */
export function emailShown({ email }: Member): Html {
  return html`<section class="panel" aria-labelledby="email-heading">
    <h2 id="email-heading">Email</h2>
    ${email === null ? html`<p>No email on file.</p>` : html`<p><bdi>${email}</bdi></p>`}
    <p class="quiet">
      You sign in with your organization's account, which also manages your password.
    </p>
  </section>`
}

/** `name` differs per form, because three forms on the page ask for the password. */
export function currentPassword(name: string, error: string | undefined): Html {
  return textField({
    name,
    label: 'Current password',
    type: 'password',
    error,
    autocomplete: 'current-password',
    required: true,
    maxLength: MAX_PASSWORD_LENGTH,
  })
}
