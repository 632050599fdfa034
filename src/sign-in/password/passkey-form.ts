/** The button on the sign-in page that signs in with a passkey. The page's script does it, or says why it cannot. */

import { assetPath } from '../../html/assets.ts'
import { formTokenField, hiddenField } from '../../html/form.ts'
import { html } from '../../html/html.ts'
import { RETURN_TO } from '../session/return-path.ts'
import type { PasskeyErrorKind } from '../../access/passkey-response.ts'
import type { PasskeySite } from '../../access/passkey-site.ts'

export const PASSKEY_PATH = '/sign-in/passkey'
export const PASSKEY_OPTIONS_PATH = `${PASSKEY_PATH}/options`

/** The field that the script fills, in this form and in the one that adds a passkey. */
export const CREDENTIAL = 'credential'

export interface PasskeyForm {
  readonly site: PasskeySite
  readonly formToken: string
  readonly returnTo: string
  /** The id of a credential that was shown and is nobody's here. */
  readonly unknown?: string | undefined
}

/** What `data-…` says of an error is told by its name (WebAuthn Level 3 section 5.1.4); no text for one's own doing. */
export function passkeyForm({ site, formToken, returnTo, unknown }: PasskeyForm): string {
  return html`<form
      method="post"
      action="${PASSKEY_PATH}"
      class="scripted"
      data-passkey="get"
      data-ask="${PASSKEY_OPTIONS_PATH}"
      data-rp="${site.rpId}"
      !${unknown === undefined ? '' : html`data-unknown="${unknown}"`}
      data-notallowederror="No passkey was used. Try again, or sign in with your password."
      data-securityerror="${wrongSiteMessage(site)}"
      data-aborterror=""
      data-missing="${NO_PASSKEY}"
      data-failed="That did not work. Reload the page and try again, or sign in with your password."
    >
      !${formTokenField(formToken)} !${hiddenField(RETURN_TO, returnTo)}
      !${hiddenField(CREDENTIAL, '')}
      <button class="plain">Sign in with a passkey</button>
      <p class="quiet" role="status"></p>
    </form>
    <script type="module" src="${assetPath('passkey.js')}"></script>`
}

/** Of what a browser sent that is no passkey to check. */
export function passkeyErrorMessage(kind: PasskeyErrorKind, site: PasskeySite): string {
  if (kind === 'elsewhere') return wrongSiteMessage(site)
  return kind === 'expired' ? LATE : NO_PASSKEY
}

export const NO_PASSKEY =
  'Your browser sent no passkey. Passkeys need JavaScript and a browser that is up to date.'

const LATE = 'That took too long, or was done in another window. Try again.'

export function wrongSiteMessage({ origin }: PasskeySite): string {
  return `Passkeys are good at ${origin} alone: open that address and try again.`
}
