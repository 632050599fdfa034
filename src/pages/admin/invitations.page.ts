/** The page "Invitations": the form that creates one, and the list of unused invitations. */

import { phrase, t } from '../../languages/message.ts'
import { timesOf, type Times } from '../../ui/time.ts'
import { errorSentence, type FieldValues } from '../../forms/field-errors.ts'
import { buttonLink, copyable, panel, itemList, emptyNote } from '../../ui/sections.ts'
import { type QueuedEmail, listEmails } from '../../outbox/outbox.ts'
import {
  MAX_INVITATION_NOTE_LENGTH,
  MAX_DAYS,
  DEFAULT_DAYS,
} from '../../sign-in/invitations/invitation.ts'
import { countOf } from '../../ui/numbers.ts'
import { formKeyField, textField } from '../../html/form.ts'
import { ADMIN_INVITATIONS_PATH, REVOKE_INVITATION_PATH } from '../../html/site-map.ts'
import { type OneTimeLink, listLinks } from '../../access/one-time-link.ts'
import { html, type Html, NOTHING } from '../../html/html.ts'
import { confirmButton } from '../../ui/confirm-button.ts'
import { adminPage } from './admin-layout.ts'
import type { AdminDeps } from './admin-deps.ts'
import type { PageRequest } from '../../forms/page-route.ts'
import type { SignUp } from '../../sign-in/session/admission.ts'
import type { Answer } from '../../http/response.ts'

export interface CreatedInvitation {
  readonly note: string
  readonly days: number
  readonly address: string
}

interface InvitationsState {
  /** A fragment that confirms the last action. */
  readonly notice?: Html
  readonly made?: CreatedInvitation
  /** The rejected form: its values and errors. */
  readonly invalid?: FieldValues
}

/** An admin rarely has more than a few. */
const MAX_UNSENT_LISTED = 100

export async function showInvitations(
  { database, signUp, smtp }: AdminDeps,
  { browser, now }: Pick<PageRequest, 'browser' | 'now'>,
  { notice = NOTHING, made, invalid }: InvitationsState,
): Promise<Answer> {
  const sendsEmail = smtp !== null
  const links = await listLinks(database, 'invite', now)
  const states = sendsEmail ? (['queued', 'failed'] as const) : []
  const filter = { kind: 'invitation', limit: MAX_UNSENT_LISTED } as const
  const emails = await Promise.all(
    states.map((state) => listEmails(database, { ...filter, state })),
  )
  const times = timesOf(browser, now)
  const unsent = emails.flat().map((email) => unsentItem(email, times))
  const unused = links.map((link) => linkItem(link, times))
  const form = html`<p>${t(ADMITTED[signUp])}</p>
    ${signUp === 'closed' ? '' : inviteForm(sendsEmail, invalid)}`
  return adminPage({
    browser,
    title: t('Invitations'),
    tab: 'Invitations',
    notice,
    status: invalid ? 422 : 200,
    body: html`${made === undefined ? '' : madePanel(made)}
    ${panel('invite', t('Invite someone'), form)}
    ${panel('open', t('Unused invitations'), itemList(unused, emptyNote(t('No unused invitations. New invitations appear here with their note. The link itself is shown only once, when you create it.'))))}
    ${unsent.length === 0 ? '' : panel('unsent', t('Not sent yet'), itemList(unsent))}`,
  })
}

const ADMITTED: Readonly<Record<SignUp, string>> = {
  invite: phrase('Sign-up is by invitation only. Anyone with the link can use it once.'),
  open: phrase('Sign-up is open to everyone. Send a link to invite someone directly.'),
  closed: phrase('Sign-up is closed. Existing invitations do not work either.'),
}

function madePanel({ note, days, address }: CreatedInvitation): Html {
  const body = html`<p class="notice warning" role="status">
      Copy the link now; you won't see it again. It lets one person join within
      ${countOf(days, 'day')}.
    </p>
    ${copyable(address, t('the link'))}
    ${note === '' ? '' : html`<p class="quiet">For <bdi>${note}</bdi></p>`}
    <div class="actions">${buttonLink(ADMIN_INVITATIONS_PATH, t('Done'))}</div>`
  return panel('made', t('Invitation created'), body)
}

function inviteForm(sendsEmail: boolean, invalid?: FieldValues): Html {
  const typed = invalid?.typed ?? { days: String(DEFAULT_DAYS) }
  const { email, note, days } = invalid?.errors ?? {}
  const emailField = textField({
    name: 'email',
    label: t('Email'),
    type: 'email',
    value: typed['email'] ?? '',
    hint: t('Weft sends the link to this address. Leave it empty to copy the link yourself.'),
    autocomplete: 'off',
    error: errorSentence(t('The email'), email),
  })
  return html`<form method="post" action="${ADMIN_INVITATIONS_PATH}">
    ${formKeyField()} ${sendsEmail ? emailField : ''}
    <div class="pair">
      ${textField({
        name: 'note',
        label: t('Note'),
        value: typed['note'] ?? '',
        hint: t('Optional. Visible to admins only, such as a name.'),
        autocomplete: 'off',
        maxLength: MAX_INVITATION_NOTE_LENGTH,
        error: errorSentence(t('The note'), note),
      })}
      ${textField({
        name: 'days',
        label: t('Expires after (days)'),
        value: typed['days'] ?? '',
        hint: `1 to ${MAX_DAYS}.`,
        inputmode: 'numeric',
        autocomplete: 'off',
        maxLength: 3,
        error: errorSentence(t('The number of days'), days),
      })}
    </div>
    <div class="actions"><button>${sendsEmail ? t('Invite') : t('Create link')}</button></div>
  </form>`
}

function linkItem(link: OneTimeLink, times: Times): Html {
  const { linkId, note, email, createdAt, expiresAt } = link
  return html`<li>
    <div>
      <h3>${note === null ? html`No note` : html`<bdi>${note}</bdi>`}</h3>
      <small>
        <code>${linkId}</code> ${email === null ? '' : html`· sent to <bdi>${email}</bdi>`} ·
        created ${times.day(createdAt)} · expires ${times.day(expiresAt)}
      </small>
    </div>
    ${withdrawButton({
      name: note === null ? `invitation ${linkId}` : note,
      text: t('The link stops working. Anyone who already joined with it stays a member.'),
      id: linkId,
    })}
  </li>`
}

function unsentItem(email: QueuedEmail, times: Times): Html {
  const { emailId, recipient, state, error, createdAt } = email
  const badge =
    state === 'failed'
      ? html`<span class="badge danger">not sent</span>`
      : html`<span class="badge">waiting</span>`
  return html`<li>
    <div>
      <h3><bdi>${recipient}</bdi></h3>
      <small>
        ${badge} created ${times.day(createdAt)}
        ${error === null ? '' : html`· <bdi>${error}</bdi>`}
      </small>
    </div>
    ${withdrawButton({
      name: `invitation for ${recipient ?? ''}`,
      text: t('No email is sent.'),
      id: emailId,
    })}
  </li>`
}

function withdrawButton(about: Readonly<Record<'name' | 'text' | 'id', string>>): Html {
  const form = { action: REVOKE_INVITATION_PATH, field: 'link_id' }
  return confirmButton({ verb: t('Withdraw'), ...form, ...about })
}
