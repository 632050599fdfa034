/** The page "Devices": phones and programs that sync the address book, and a form for another. */

import { t } from '../../languages/message.ts'
import { confirmDialog } from '../../ui/confirm-button.ts'
import { listDevices, type Device } from '../../access/device-password.ts'
import { MAX_CREDENTIAL_NAME_LENGTH } from '../../access/validate-name.ts'
import { MAX_TAG_LENGTH } from '../../base/limits.ts'
import { readBook } from '../../connections/cards/book-state.ts'
import { countUndoable } from '../../connections/cards/undo-device.ts'
import { fieldState, type FieldValues } from '../../forms/field-errors.ts'
import { formError, formKeyField, hiddenField, selectField, textField } from '../../html/form.ts'
import { NOTHING, html, type Html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { qrCode } from '../../html/qr-code.ts'
import {
  ADDRESS_BOOKS_PATH,
  CONFIRM_DEVICE_PATH,
  DEVICE_FIELDS_PATH,
  DEVICE_PROFILE_PATH,
  CONTACT_DEVICES_PATH,
  REVOKE_DEVICE_PATH,
  UNDO_DEVICE_PATH,
} from '../../html/site-map.ts'
import { proofByPasskey, proofFields } from '../agents/proof-fields.ts'
import { besideExample } from '../../ui/example.ts'
import { countOf } from '../../ui/numbers.ts'
import {
  actionPanel,
  buttonLink,
  copyable,
  disclosure,
  itemList,
  panel,
} from '../../ui/sections.ts'
import { timesOf, type Times } from '../../ui/time.ts'
import type { Proof } from '../agents/confirm-new-token.ts'
import type { PageRequest } from '../../forms/page-route.ts'
import type { Answer } from '../../http/response.ts'

export const CONFIRM_NEW_DEVICE_PATH = `${CONTACT_DEVICES_PATH}/confirm`

/** A new device with its password, which the page shows once. */
export interface CreatedDevice {
  readonly deviceId: string
  readonly name: string
  readonly password: string
}

interface DevicesView {
  readonly proof: Proof
  readonly fields: FieldValues
  readonly publicUrl: string
  readonly notice?: Html
  readonly created?: CreatedDevice | undefined
}

export async function showDevices(
  { browser, db, now }: Pick<PageRequest, 'browser' | 'db' | 'now'>,
  { proof, fields, publicUrl, notice = NOTHING, created }: DevicesView,
): Promise<Answer> {
  const devices = await listDevices(db)
  const { showsFields } = await readBook(db)
  const undoable = await countUndoable(db)
  const context = { times: timesOf(browser, now), undoable }
  const isFirst = devices.length === 0 && created === undefined
  const settings = html`${addPanel({ proof, fields }, !isFirst)} ${booksElsewhere()}
  ${customFields(showsFields === 1)}`
  return memberPage({
    title: t('Contacts apps'),
    browser,
    current: 'devices',
    status: Object.keys(fields.errors).length > 0 ? 422 : 200,
    body: html`${notice}
    ${created === undefined ? NOTHING : createdPanel(created, { browser, publicUrl })}
    ${devices.length === 0 ? NOTHING : panel('devices', t('Your devices'), deviceList(devices, context))}
    ${isFirst ? withExample(settings) : settings}`,
  })
}

/** The other way round. */
function booksElsewhere(): Html {
  const text = t(
    'Weft can also read the address book of Nextcloud, iCloud, Fastmail and other servers.',
  )
  const button = buttonLink(ADDRESS_BOOKS_PATH, t('Address books'))
  return actionPanel('elsewhere', t('Address books elsewhere'), text, button)
}

interface ListContext {
  readonly times: Times
  /** Changed people by device. */
  readonly undoable: ReadonlyMap<string, number>
}

function deviceList(devices: readonly Device[], context: ListContext): Html {
  return itemList(devices.map((device) => deviceItem(device, context)))
}

function deviceItem(device: Device, { times, undoable }: ListContext): Html {
  const { deviceId, name, hint, readOnly, tag, createdAt, lastUsedAt, pausedAt } = device
  const used = lastUsedAt === null ? html`never used` : html`last used ${times.ago(lastUsedAt)}`
  const scope = tag === null ? html`Everyone` : html`People tagged <bdi>${tag}</bdi>`
  const changed = undoable.get(deviceId) ?? 0
  return html`<li>
    <div>
      <h3><bdi>${name}</bdi></h3>
      <p class="quiet">
        ${scope}${readOnly === 1 ? html`, read-only` : NOTHING}, <code>${hint}-…</code>
      </p>
      ${pausedAt === null ? NOTHING : pausedNote(device)}
      <small>Added ${times.ago(createdAt)}, ${used}</small>
    </div>
    <div class="actions">
      ${changed === 0 ? NOTHING : undoButton(device, changed)}
      <form method="post" action="${REVOKE_DEVICE_PATH}">
        <button class="plain" name="device_id" value="${deviceId}">
          <span>Revoke<span class="unseen"> ${name}</span></span>
        </button>
      </form>
    </div>
  </li>`
}

function pausedNote({ deviceId }: Device): Html {
  return html`<p class="notice warning">
      This device changed or deleted many people within an hour, so its next changes wait. Confirm
      them if this was you. Otherwise undo its changes and revoke it.
    </p>
    <form method="post" action="${CONFIRM_DEVICE_PATH}">
      <button class="plain" name="device_id" value="${deviceId}">Confirm changes</button>
    </form>`
}

function undoButton({ deviceId, name }: Device, changed: number): Html {
  return confirmDialog({
    id: `undo-${deviceId}`,
    label: t('Undo changes'),
    name,
    question: html`Undo all changes of <bdi>${name}</bdi>?`,
    text: html`It changed ${countOf(changed, 'person')} in the last 90 days. People who were changed
    since by you or an agent stay as they are.`,
    action: UNDO_DEVICE_PATH,
    fields: hiddenField('device_id', deviceId),
    decisions: html`<button class="danger">Undo changes</button>`,
  })
}

function customFields(isShown: boolean): Html {
  const about = isShown
    ? t('Contacts have your custom fields. Most phones keep them without showing them.')
    : t('Your custom fields stay in Weft.')
  const button = isShown
    ? html`<button class="plain" name="fields" value="off">Leave out custom fields</button>`
    : html`<button class="plain" name="fields" value="on">Include custom fields</button>`
  const form = html`<form method="post" action="${DEVICE_FIELDS_PATH}">${button}</form>`
  return actionPanel('fields', t('Custom fields'), about, form)
}

type AddForm = Pick<DevicesView, 'proof' | 'fields'>

/** The form of another device is behind a button. */
function addPanel(form: AddForm, isAnother: boolean): Html {
  const { proof, fields } = form
  if (!isAnother) return panel('add-device', t('Add a device'), addForm(form))
  const isOpen = proof.kind === 'confirmed' || Object.keys(fields.errors).length > 0
  return disclosure(t('Add a device'), html`<div>${addForm(form)}</div>`, { isOpen })
}

function withExample(settings: Html): Html {
  const rows = [
    { person: 'Jonas Vogelsang', title: 'Jonas Vogelsang', text: 'Kesselhain Ventures' },
    { person: 'Lucía Etxeberria', title: 'Lucía Etxeberria', text: 'Hedgerow & Tide' },
    { person: 'Mareike Dombrowski', title: 'Mareike Dombrowski', text: 'Field Notes Studio' },
  ]
  return besideExample(
    t('In the contacts of your phone, so that calls show who it is:'),
    rows,
    settings,
  )
}

function addForm({ proof, fields }: AddForm): Html {
  const { typed, errors } = fields
  return html`<form method="post" action="${CONTACT_DEVICES_PATH}">
      ${formKeyField()} ${formError(errors[''])}
      <p class="quiet">
        Your people are in the contacts app of your phone or computer, and what you change there is
        changed here. Your notes and logged contacts stay in Weft. Each device has its own password.
        <a href="/docs/devices.md">Set up a phone or program</a>
      </p>
      ${textField({
        ...fieldState(fields, 'name', t('Name')),
        hint: t('To recognize the device, such as “Ada’s iPhone”.'),
        maxLength: MAX_CREDENTIAL_NAME_LENGTH,
        autocomplete: 'off',
        required: true,
      })}
      ${textField({
        ...fieldState(fields, 'tag', t('Only people with this tag')),
        hint: t('Empty syncs everyone.'),
        maxLength: MAX_TAG_LENGTH,
        autocomplete: 'off',
      })}
      ${selectField({
        name: 'access',
        label: t('Access'),
        value: typed['access'] ?? 'write',
        options: [
          { value: 'write', label: t('Read and change') },
          { value: 'read', label: t('Read only') },
        ],
        error: errors['access'],
      })}
      ${proofFields(proof, errors, PROOF_TEXTS)}
      ${proof.kind === 'provider' ? NOTHING : html`<div class="actions"><button>Add device</button></div>`}
    </form>
    ${proofByPasskey(proof, CONFIRM_NEW_DEVICE_PATH)}`
}

const PROOF_TEXTS = {
  confirmed: () => html`You confirmed it’s you. Continue within 5 minutes.`,
  atProvider: (provider: string) => html`Confirm it’s you at ${provider} before you add a device.`,
  query: '?device',
}

/** The password is shown only once. */
function createdPanel(
  { name, password }: CreatedDevice,
  { browser, publicUrl }: Pick<DevicesView, 'publicUrl'> & Pick<PageRequest, 'browser'>,
): Html {
  const { username } = browser.member
  const body = html`<p class="notice warning" role="status">
      Copy it now; you won't see it again. Weft stores only a hash.
    </p>
    <h3>Password</h3>
    ${copyable(password, t('the password'))}
    <h3>Server</h3>
    ${copyable(publicUrl, t('the server'))}
    <h3>Username</h3>
    ${copyable(username, t('the username'))}
    <h3>iPhone, iPad and Mac</h3>
    <p>
      Open this page on the device and download the profile. Then install it in Settings, under
      Profile Downloaded.
    </p>
    <form method="post" action="${DEVICE_PROFILE_PATH}">
      ${hiddenField('password', password)}
      <button class="plain">Download profile</button>
    </form>
    <h3>Android</h3>
    <p>Install DAVx⁵, scan this code with the camera, and enter the password.</p>
    ${qrCode(davAddress(publicUrl, username), t('QR code of the server'))}
    <div class="actions">${buttonLink(CONTACT_DEVICES_PATH, t('Done'))}</div>`
  return panel('created', html`Device <bdi>${name}</bdi> added`, body)
}

/** DAVx⁵ opens these addresses. The password is not in the code, which cameras may keep. */
function davAddress(publicUrl: string, username: string): string {
  const { host, protocol } = new URL(publicUrl)
  return `${protocol === 'https:' ? 'carddavs' : 'carddav'}://${username}@${host}/dav/`
}
