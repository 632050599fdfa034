/** The form that confirms a sensitive action with a passkey. A script runs the WebAuthn call and shows why it failed. */

import { assetPath } from '../../html/assets.ts'
import { formTokenField, hiddenField } from '../../html/form.ts'
import { html, type Html } from '../../html/html.ts'
import { CREDENTIAL, wrongSiteMessage, NO_PASSKEY } from '../../sign-in/password/passkey-form.ts'
import type { PasskeySite } from '../../access/passkey-site.ts'

/** The field with the confirmation, in the form of the action. */
export const CONFIRMATION = 'confirmation'

interface PasskeyConfirmForm {
  readonly site: PasskeySite
  readonly formToken: string
  readonly path: string
  readonly optionsPath: string
}

/** A form of its own. Its response is the page with the confirmation in the form of the action. */
export function passkeyConfirmForm({
  site,
  formToken,
  path,
  optionsPath,
}: PasskeyConfirmForm): Html {
  return html`<form
      method="post"
      action="${path}"
      class="scripted"
      data-passkey="get"
      data-ask="${optionsPath}"
      data-explicit
      data-rp="${site.rpId}"
      data-notallowederror="No passkey was used. Try again, or enter your password."
      data-securityerror="${wrongSiteMessage(site)}"
      data-aborterror=""
      data-missing="${NO_PASSKEY}"
      data-failed="Could not use the passkey. Reload the page and try again, or enter your password."
    >
      ${formTokenField(formToken)} ${hiddenField(CREDENTIAL, '')}
      <button class="plain">Confirm with a passkey instead</button>
      <p class="quiet" role="status"></p>
    </form>
    <script type="module" src="${assetPath('passkey.js')}"></script>`
}
