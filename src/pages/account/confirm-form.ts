/** How forms ask for proof that it’s the member: the password, or a passkey in a separate form. */

import { t } from '../../languages/message.ts'
import { type Html, html, NOTHING } from '../../html/html.ts'
import { MAX_PASSWORD_LENGTH } from '../../access/passwords/password-policy.ts'
import { type PasskeySite, passkeySite } from '../../access/passkey-site.ts'
import { passkeyForm } from '../../sign-in/session/passkey-form.ts'
import { formError, hiddenField, textField } from '../../html/form.ts'
import { ACCOUNT_CONFIRM_PATH } from '../../html/site-map.ts'
import type { ConfirmedAction } from '../../access/passkey-challenge.ts'
import type { AccountPage } from './account-view.ts'

export const ACCOUNT_CONFIRM_OPTIONS_PATH = `${ACCOUNT_CONFIRM_PATH}/options`

type AccountAction = keyof typeof PASSWORD_FIELDS

export const PASSWORD_FIELDS = {
  delete_account: 'delete_password',
  export_data: 'export_password',
} as const satisfies Partial<Record<ConfirmedAction, string>>

/** The forms of the account page of which one is open at a time. */
export const FORMS = 'account'

/** The path of the form that confirms an action with a passkey. */
export function confirmPath(action: AccountAction): string {
  return `${ACCOUNT_CONFIRM_PATH}/${action}`
}

/** Members of an identity provider enter no password. */
export function confirmFields(
  { confirmed, hasPassword, invalid }: AccountPage,
  action: AccountAction,
): Html {
  if (confirmed?.action === action)
    return html`${hiddenField(CONFIRMATION, confirmed.confirmation)}
      <p class="notice" role="status">You confirmed it’s you. Continue within 5 minutes.</p>`
  const field = PASSWORD_FIELDS[action]
  const error = invalid?.errors[field]
  return hasPassword ? currentPassword(field, error) : formError(error)
}

/** Empty without a passkey, or if it was used already. */
export function confirmByPasskey(
  { confirmed, hasPassword, passkeys, publicUrl }: AccountPage,
  action: AccountAction,
): Html {
  const site = passkeySite(publicUrl)
  if (!site || !hasPassword || passkeys.length === 0 || confirmed?.action === action) return NOTHING
  const optionsPath = ACCOUNT_CONFIRM_OPTIONS_PATH
  return passkeyConfirmForm({ site, path: confirmPath(action), optionsPath })
}

/** `name` differs per form, because several forms of a page ask for the password. */
export function currentPassword(name: string, error: string | undefined): Html {
  return textField({
    name,
    label: t('Current password'),
    type: 'password',
    error,
    autocomplete: 'current-password',
    required: true,
    maxLength: MAX_PASSWORD_LENGTH,
  })
}

/** The field with the confirmation, in the form of the action. */
export const CONFIRMATION = 'confirmation'

interface PasskeyConfirmForm {
  readonly site: PasskeySite
  readonly path: string
  readonly optionsPath: string
}

/** A form of its own. Its response is the page with the confirmation in the form of the action. */
export function passkeyConfirmForm(form: PasskeyConfirmForm): Html {
  const { site, path, optionsPath } = form
  return passkeyForm({
    action: path,
    site,
    kind: 'get',
    data: {
      ask: optionsPath,
      explicit: true,
      rp: site.rpId,
      notallowederror: t('No passkey was used. Try again, or enter your password.'),
      failed: t(
        'Could not use the passkey. Reload the page and try again, or enter your password.',
      ),
    },
    controls: html`<button class="plain">Confirm with a passkey instead</button>`,
  })
}
