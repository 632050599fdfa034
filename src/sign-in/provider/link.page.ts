/** The page that asks for the password of an existing account before connecting it to an account at the provider. */

import { t } from '../../languages/message.ts'
import { MAX_PASSWORD_LENGTH } from '../../access/passwords/password-policy.ts'
import { cardPage } from '../../html/card-layout.ts'
import { formError, formKeyField, hiddenField, textField, loginField } from '../../html/form.ts'
import { html } from '../../html/html.ts'
import { RETURN_TO } from '../session/return-path.ts'
import { SIGN_IN_PATH } from '../../html/site-map.ts'
import type { OperatorTexts } from '../../html/legal-links.ts'
import type { Answer } from '../../http/response.ts'
import type { Provider } from './provider.ts'

export const LINK_PATH = `${SIGN_IN_PATH}/link`

/** The secret of the pending identity, in these forms. */
export const PENDING = 'pending'
/** Which of the two forms was submitted. */
export const CONFIRM_BY = 'confirm_by'
const BY_PASSWORD = 'password'
export const BY_NOTHING = 'nothing'

interface LinkPage {
  /** Secret of the pending identity. */
  readonly secret: string
  /** The email address or username that the person knows the account by. */
  readonly account: string
  readonly returnTo: string
  readonly provider: Provider
  readonly legal: OperatorTexts
  readonly error?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

export function linkPage(page: LinkPage): Answer {
  const { secret, account, returnTo, provider, error, status = 200, headers = {} } = page
  const shared = html`${formKeyField()} ${hiddenField(PENDING, secret)}
  ${hiddenField(RETURN_TO, returnTo)}`
  const body = html`<p>
      There is already an account with your email address, <strong>${account}</strong>. Enter its
      password to connect it to ${provider.name}. Its agents and API tokens keep working.
    </p>
    <form method="post" action="${LINK_PATH}">
      ${shared} ${hiddenField(CONFIRM_BY, BY_PASSWORD)} ${formError(error)} ${loginField(account)}
      ${textField({
        name: 'password',
        label: t('Password'),
        type: 'password',
        autocomplete: 'current-password',
        required: true,
        autofocus: true,
        maxLength: MAX_PASSWORD_LENGTH,
      })}
      <button>Connect account</button>
    </form>
    <h2>Don't know the password?</h2>
    <p>
      You can connect the account without it. Everyone who is signed in to it is signed out, its
      agents and API tokens stop working, and its passkeys and its password are removed. Its people
      and notes are kept. If you did not create this account, check what is in it.
    </p>
    <form method="post" action="${LINK_PATH}">
      ${shared} ${hiddenField(CONFIRM_BY, BY_NOTHING)}
      <button class="plain">Connect without the password</button>
    </form>`
  return cardPage({ title: t('Connect your account'), body, legal: page.legal, status, headers })
}
