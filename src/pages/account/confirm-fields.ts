/**
 * How a form on the account page asks for proof that it’s the member: the password, or a passkey in a separate form.
 */

import { passkeySite } from '../../access/passkey-site.ts'
import { formError, hiddenField } from '../../html/form.ts'
import { NOTHING, html, type Html } from '../../html/html.ts'
import { ACCOUNT_CONFIRM_PATH } from '../../html/site-map.ts'
import { CONFIRMATION, passkeyConfirmForm } from './passkey-confirm-form.ts'
import { currentPassword } from './sign-in-section.ts'
import type { ConfirmedAction } from '../../access/passkey-challenge.ts'
import type { AccountPage } from './account-view.ts'

export const ACCOUNT_CONFIRM_OPTIONS_PATH = `${ACCOUNT_CONFIRM_PATH}/options`

export type AccountAction = Exclude<ConfirmedAction, 'create_token'>

export function confirmPath(
  action: AccountAction,
): `${typeof ACCOUNT_CONFIRM_PATH}/${AccountAction}` {
  return `${ACCOUNT_CONFIRM_PATH}/${action}`
}

/** `field` is the name of the password field. Members of an identity provider enter no password. */
export function confirmFields(
  { confirmed, hasPassword, invalid }: AccountPage,
  action: AccountAction,
  field: string,
): Html {
  if (confirmed?.action === action)
    return html`${hiddenField(CONFIRMATION, confirmed.confirmation)}
      <p class="notice" role="status">You confirmed it’s you. Continue within 5 minutes.</p>`
  const error = invalid?.errors[field]
  return hasPassword ? currentPassword(field, error) : formError(error)
}

/** Empty without a passkey, or if it was used already. */
export function confirmByPasskey(
  { browser, confirmed, hasPassword, passkeys, publicUrl }: AccountPage,
  action: AccountAction,
): Html {
  const site = passkeySite(publicUrl)
  if (!site || !hasPassword || passkeys.length === 0 || confirmed?.action === action) return NOTHING
  const { formToken } = browser
  return passkeyConfirmForm({
    site,
    formToken,
    path: confirmPath(action),
    optionsPath: ACCOUNT_CONFIRM_OPTIONS_PATH,
  })
}
