/** A member's passkeys, with forms to rename, remove and add them. */

import { t } from '../../languages/message.ts'
import { MAX_CREDENTIAL_NAME_LENGTH } from '../../access/validate-name.ts'
import { passkeySite } from '../../access/passkey-site.ts'
import { hiddenField, textField } from '../../html/form.ts'
import { attributes, html, type Html } from '../../html/html.ts'
import { confirmButton } from '../../ui/confirm-button.ts'
import { PASSKEY_ADD_PATH, PASSKEY_REMOVE_PATH, PASSKEY_RENAME_PATH } from '../../html/site-map.ts'
import { currentPassword, FORMS } from './confirm-form.ts'
import { disclosure, panel, itemList } from '../../ui/sections.ts'
import type { Passkey } from '../../access/passkey.ts'
import type { Times } from '../../ui/time.ts'
import type { AccountPage, InvalidFields } from './account-view.ts'

/** The name of a passkey's rename field, unique on the page. */
export function nameField(passkeyId: string): string {
  return `name_${passkeyId}`
}

export function passkeysSection(page: AccountPage): Html {
  const { passkeys, times, invalid, publicUrl } = page
  const items = passkeys.map((passkey) => passkeyItem(passkey, times, invalid))
  const body = html`<p class="quiet">
      Sign in without a password, with your fingerprint, face or screen lock.
    </p>
    ${itemList(items)} ${passkeySite(publicUrl) ? addForm(page) : unavailable(publicUrl)}`
  return panel('passkeys', t('Passkeys'), body)
}

function passkeyItem(passkey: Passkey, times: Times, invalid: InvalidFields | undefined): Html {
  const { passkeyId, name, isSynced, createdAt, lastUsedAt } = passkey
  const used = lastUsedAt === null ? t('never used') : html`used ${times.ago(lastUsedAt)}`
  return html`<li>
    <div>
      <h3>
        <bdi>${name}</bdi>
        <span class="badge">${isSynced ? 'synced' : t('this device only')}</span>
      </h3>
      <small>Added ${times.day(createdAt)} · ${used}</small>
      ${renameForm(passkey, invalid)}
    </div>
    ${confirmButton({
      verb: t('Remove'),
      name,
      text: t(
        'You can no longer sign in with this passkey. Delete it from your device or password manager too.',
      ),
      action: PASSKEY_REMOVE_PATH,
      field: 'passkey_id',
      id: passkeyId,
    })}
  </li>`
}

function renameForm({ passkeyId, name }: Passkey, invalid?: InvalidFields): Html {
  const field = nameField(passkeyId)
  const error = invalid?.errors[field]
  return html`<details ${attributes({ open: error !== undefined })}>
    <summary class="quiet">Rename<span class="unseen"> ${name}</span></summary>
    <form method="post" action="${PASSKEY_RENAME_PATH}">
      ${hiddenField('passkey_id', passkeyId)}
      ${textField({
        name: field,
        label: t('Name'),
        value: invalid?.typed?.[field] ?? name,
        error,
        autocomplete: 'off',
        required: true,
        maxLength: MAX_CREDENTIAL_NAME_LENGTH,
      })}
      <div class="actions"><button class="plain">Save</button></div>
    </form>
  </details>`
}

function addForm({ invalid }: AccountPage): Html {
  const error = invalid?.errors['passkey_password']
  const form = html`<p class="unscripted">Adding a passkey requires JavaScript.</p>
    <form method="post" action="${PASSKEY_ADD_PATH}" class="scripted">
      ${currentPassword('passkey_password', error)}
      <div class="actions"><button>Add passkey</button></div>
    </form>`
  return disclosure(t('Add passkey'), form, { isOpen: error !== undefined, group: FORMS })
}

/** Shown only when WEFT_PUBLIC_URL cannot be a passkey site. That is a local or test setup, so the reader runs it. */
function unavailable(publicUrl: string): Html {
  const { hostname, port } = new URL(publicUrl)
  const isLocal = hostname === '127.0.0.1' || hostname === '[::1]'
  const wanted = isLocal
    ? `http://localhost${port && `:${port}`}`
    : 'an https URL with a domain name'
  return html`<p>
    Passkeys need a domain name, so they don't work at <code>${publicUrl}</code>. Ask your
    administrator to change the public URL to ${wanted}.
  </p>`
}
