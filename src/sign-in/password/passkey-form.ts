/** The passkey button on the sign-in page. A script runs the WebAuthn call and shows why it failed. */

import { assetPath } from '../../html/assets.ts'
import { formTokenField, hiddenField } from '../../html/form.ts'
import { attributes, html, type Html } from '../../html/html.ts'
import { RETURN_TO } from '../session/return-path.ts'
import { SIGN_IN_PATH } from '../../html/site-map.ts'
import type { PasskeyErrorKind } from '../../access/passkey-response.ts'
import type { PasskeySite } from '../../access/passkey-site.ts'

export const PASSKEY_PATH = `${SIGN_IN_PATH}/passkey`
export const PASSKEY_OPTIONS_PATH = `${PASSKEY_PATH}/options`

/** The field that the script fills in, in this form and in the form that adds a passkey. */
export const CREDENTIAL = 'credential'

interface PasskeyForm {
  readonly site: PasskeySite
  readonly formToken: string
  readonly returnTo: string
  /** The ID of a submitted credential that belongs to no member. */
  readonly unknown?: string | undefined
}

/**
 * `data-<name of the error>` holds the message for a WebAuthn error (Level 3 section 5.1.4). It is empty where the
 * person aborted the request.
 */
export function passkeyForm({ site, formToken, returnTo, unknown }: PasskeyForm): Html {
  return html`<form
      method="post"
      action="${PASSKEY_PATH}"
      class="scripted"
      data-passkey="get"
      data-ask="${PASSKEY_OPTIONS_PATH}"
      data-rp="${site.rpId}"
      ${attributes({ 'data-unknown': unknown })}
      data-notallowederror="No passkey was used. Try again, or sign in with your password."
      data-securityerror="${wrongSiteMessage(site)}"
      data-aborterror=""
      data-missing="${NO_PASSKEY}"
      data-failed="Sign-in failed. Reload the page and try again, or sign in with your password."
    >
      ${formTokenField(formToken)} ${hiddenField(RETURN_TO, returnTo)}
      ${hiddenField(CREDENTIAL, '')}
      <button class="plain">Sign in with a passkey</button>
      <p class="quiet" role="status"></p>
    </form>
    <script type="module" src="${assetPath('passkey.js')}"></script>`
}

/** The message for a submission without a passkey that can be verified. */
export function passkeyErrorMessage(kind: PasskeyErrorKind, site: PasskeySite): string {
  if (kind === 'elsewhere') return wrongSiteMessage(site)
  return kind === 'expired' ? EXPIRED : NO_PASSKEY
}

export const NO_PASSKEY =
  'Your browser sent no passkey. Passkeys need JavaScript and an up-to-date browser.'

const EXPIRED = 'This request took too long or was started in another window. Try again.'

/** For a browser that opened Weft at another address than its public URL. */
export function wrongSiteMessage({ origin }: PasskeySite): string {
  return `Passkeys only work at ${origin}. Open that address and try again.`
}
