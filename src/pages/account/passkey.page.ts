/** The page on which a passkey is made: it has a name already, and the browser asks for the rest. */

import { creationOptions } from '../../access/passkey-options.ts'
import { assetPath } from '../../html/assets.ts'
import { formTokenField, hiddenField, textField } from '../../html/form.ts'
import { html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { CREDENTIAL, wrongSiteMessage, NO_PASSKEY } from '../../sign-in/password/passkey-form.ts'
import { MAX_PASSKEY_NAME_LENGTH } from './passkey-section.ts'
import { ACCOUNT_PATH, PASSKEYS_PATH } from '../../html/site-map.ts'
import type { Creation } from '../../access/passkey-options.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'

export interface PasskeyPage {
  readonly browser: SignedInRequest
  readonly creation: Creation
  /** What the member may call it. */
  readonly name: string
}

/** As on the sign-in page, the texts are told by the name of the error. */
export function passkeyPage({ browser, creation, name }: PasskeyPage): Answer {
  return memberPage({
    title: 'Add a passkey',
    member: browser.member,
    current: 'account',
    formToken: browser.formToken,
    body: html`<section class="panel">
      <p>
        Your device asks for your fingerprint, your face or the lock of your screen, and keeps the
        passkey there or in your password manager. Weft gets its public half alone.
      </p>
      <p class="unscripted">To add one you need JavaScript.</p>
      <form
        method="post"
        action="${PASSKEYS_PATH}"
        class="scripted"
        data-passkey="create"
        data-options="${JSON.stringify(creationOptions(creation))}"
        data-notallowederror="No passkey was made. Try again when you like."
        data-invalidstateerror="This device or password manager has a passkey for your account already."
        data-notsupportederror="This device can make no passkey that Weft could use. Try another one."
        data-securityerror="${wrongSiteMessage(creation.site)}"
        data-aborterror=""
        data-missing="${NO_PASSKEY}"
        data-failed="That did not work. Go back to your account and try again."
      >
        !${formTokenField(browser.formToken)} !${hiddenField(CREDENTIAL, '')}
        !${textField({
          name: 'name',
          label: 'Name',
          value: name,
          hint: 'What you will know it by.',
          autocomplete: 'off',
          required: true,
          maxLength: MAX_PASSKEY_NAME_LENGTH,
        })}
        <div class="actions">
          <button>Make the passkey</button>
          <a class="button plain" href="${ACCOUNT_PATH}">Cancel</a>
        </div>
        <p class="quiet" role="status"></p>
      </form>
      <script type="module" src="${assetPath('passkey.js')}"></script>
    </section>`,
  })
}
