/** A member's passkeys: what each is called, when it was used, and the ways to rename, remove and add one. */

import { passkeySite } from '../../access/passkey-site.ts'
import { MINUTE } from '../../base/clock.ts'
import { formTokenField, hiddenField, textField } from '../../html/form.ts'
import { html } from '../../html/html.ts'
import { confirmButton } from '../ui/confirm-button.ts'
import { PASSKEY_ADD_PATH, PASSKEY_REMOVE_PATH, PASSKEY_RENAME_PATH } from '../../html/site-map.ts'
import { currentPassword } from './sign-in-section.ts'
import type { Passkey } from '../../access/passkey.ts'
import type { SignedIn } from '../../http/browser-request.ts'
import type { Times } from '../ui/time.ts'
import type { AccountPage, Refused } from './account-view.ts'

/** As `checkVisibleName` has it. */
export const MAX_PASSKEY_NAME_LENGTH = 80

/** Of the field that names a passkey anew: each stands on the page once. */
export function nameField(passkeyId: string): string {
  return `name_${passkeyId}`
}

/** Whoever signed in this lately is not asked for the password again. */
export function isFresh({ signedInAt }: SignedIn, now: number): boolean {
  return now - signedInAt < 10 * MINUTE
}

export function passkeysSection(page: AccountPage): string {
  const { passkeys, browser, times, refused, publicUrl } = page
  const items = passkeys.map((passkey) => passkeyItem(passkey, browser.formToken, times, refused))
  return html`<section class="panel" aria-labelledby="passkeys">
    <h2 id="passkeys">Passkeys</h2>
    <p class="quiet">
      Sign in with your fingerprint, your face or the lock of your screen, and without the password.
    </p>
    !${
      items.length === 0
        ? ''
        : html`<ul class="items">
            !${items}
          </ul>`
    }
    !${passkeySite(publicUrl) ? addForm(page) : unavailable(publicUrl)}
  </section>`
}

function passkeyItem(
  passkey: Passkey,
  formToken: string,
  times: Times,
  refused: Refused | undefined,
): string {
  const { passkeyId, name, isSynced, createdAt, lastUsedAt } = passkey
  const used = lastUsedAt === null ? 'never used' : html`used !${times.ago(lastUsedAt)}`
  return html`<li>
    <div>
      <h3>
        <bdi>${name}</bdi>
        <span class="badge">${isSynced ? 'synced' : 'this device only'}</span>
      </h3>
      <small>Added !${times.day(createdAt)} · !${used}</small>
      !${renameForm(passkey, formToken, refused)}
    </div>
    !${confirmButton({
      verb: 'Remove',
      name,
      text: 'It signs you in no more. Your device or password manager may keep its half: delete it there too.',
      action: PASSKEY_REMOVE_PATH,
      field: 'passkey_id',
      id: passkeyId,
      formToken,
    })}
  </li>`
}

function renameForm({ passkeyId, name }: Passkey, formToken: string, refused?: Refused): string {
  const field = nameField(passkeyId)
  const error = refused?.errors[field]
  return html`<details ${error === undefined ? '' : 'open'}>
    <summary class="quiet">Rename<span class="unseen"> ${name}</span></summary>
    <form method="post" action="${PASSKEY_RENAME_PATH}">
      !${formTokenField(formToken)} !${hiddenField('passkey_id', passkeyId)}
      !${textField({
        name: field,
        label: 'Name',
        value: refused?.typed?.[field] ?? name,
        error,
        autocomplete: 'off',
        required: true,
        maxLength: MAX_PASSKEY_NAME_LENGTH,
      })}
      <div class="actions"><button class="plain">Save</button></div>
    </form>
  </details>`
}

function addForm({ browser, times, refused }: AccountPage): string {
  const error = refused?.errors['passkey_password']
  return html`<p class="unscripted">To add one you need JavaScript.</p>
    <form method="post" action="${PASSKEY_ADD_PATH}" class="scripted">
      !${formTokenField(browser.formToken)}
      !${isFresh(browser.member, times.now) ? '' : currentPassword('passkey_password', error)}
      <div class="actions"><button>Add a passkey</button></div>
    </form>`
}

/** Whoever runs the service by hand reads it here, and nobody else has an address like that. */
function unavailable(publicUrl: string): string {
  const { hostname, port } = new URL(publicUrl)
  const isLocal = hostname === '127.0.0.1' || hostname === '[::1]'
  const wanted = isLocal ? `http://localhost${port && `:${port}`}` : 'an https address with a name'
  return html`<p>
    Browsers make passkeys for a name and not for <code>${publicUrl}</code>: whoever runs this
    service can set <code>WEFT_PUBLIC_URL</code> to ${wanted}.
  </p>`
}
