/** The page that creates a passkey. It suggests a name; the browser asks for the rest. */

import { MAX_CREDENTIAL_NAME_LENGTH } from '../../access/validate-name.ts'
import { creationOptions } from '../../access/passkey-options.ts'
import { assetPath } from '../../html/assets.ts'
import { formTokenField, hiddenField, textField } from '../../html/form.ts'
import { html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { CREDENTIAL, wrongSiteMessage, NO_PASSKEY } from '../../sign-in/password/passkey-form.ts'
import { ACCOUNT_PATH, PASSKEYS_PATH } from '../../html/site-map.ts'
import type { Creation } from '../../access/passkey-options.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'

interface PasskeyPage {
  readonly browser: SignedInRequest
  readonly creation: Creation
  /** The suggested name. */
  readonly name: string
}

/** Error messages are keyed by the name of the DOMException, as on the sign-in page. */
export function passkeyPage({ browser, creation, name }: PasskeyPage): Answer {
  return memberPage({
    title: 'Add passkey',
    member: browser.member,
    current: 'account',
    formToken: browser.formToken,
    body: html`<section class="panel">
      <p>
        Your device asks for your fingerprint, face or screen lock, and stores the passkey on the
        device or in your password manager. Weft receives only the public key.
      </p>
      <p class="unscripted">Adding a passkey requires JavaScript.</p>
      <form
        method="post"
        action="${PASSKEYS_PATH}"
        class="scripted"
        data-passkey="create"
        data-options="${JSON.stringify(creationOptions(creation))}"
        data-notallowederror="No passkey was created. Try again."
        data-invalidstateerror="This device or password manager already has a passkey for your account."
        data-notsupportederror="This device cannot create a compatible passkey. Try another device."
        data-securityerror="${wrongSiteMessage(creation.site)}"
        data-aborterror=""
        data-missing="${NO_PASSKEY}"
        data-failed="The passkey could not be created. Go back to your account and try again."
      >
        ${formTokenField(browser.formToken)} ${hiddenField(CREDENTIAL, '')}
        ${textField({
          name: 'name',
          label: 'Name',
          value: name,
          hint: 'A name that helps you recognize it.',
          autocomplete: 'off',
          required: true,
          maxLength: MAX_CREDENTIAL_NAME_LENGTH,
        })}
        <div class="actions">
          <button>Create passkey</button>
          <a class="button plain" href="${ACCOUNT_PATH}">Cancel</a>
        </div>
        <p class="quiet" role="status"></p>
      </form>
      <script type="module" src="${assetPath('passkey.js')}"></script>
    </section>`,
  })
}
