/** The page "Invitations": the form that creates one, and the list of unused invitations. */

import { formKeyField, formTokenField, textField } from '../../html/form.ts'
import { NOTHING, html, type Html } from '../../html/html.ts'
import {
  MAX_INVITATION_NOTE_LENGTH,
  MAX_DAYS,
  DEFAULT_DAYS,
} from '../../sign-in/session/admin-links.ts'
import { confirmButton } from '../ui/confirm-button.ts'
import { copyable } from '../ui/copyable.ts'
import { countOf } from '../ui/count-of.ts'
import { adminPage } from './admin-layout.ts'
import { ADMIN_INVITATIONS_PATH, REVOKE_INVITATION_PATH } from '../../html/site-map.ts'
import type { QueuedEmail } from '../../outbox/outbox.ts'
import type { OneTimeLink } from '../../access/one-time-link.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { SignUp } from '../../sign-in/session/admission.ts'
import type { FieldErrors } from '../../sign-in/session/field-errors.ts'
import type { Times } from '../ui/time.ts'

export interface InvitationsView {
  readonly browser: SignedInRequest
  readonly times: Times
  readonly signUp: SignUp
  readonly sendsEmail: boolean
  readonly links: readonly OneTimeLink[]
  /** Invitations that are not sent yet, or could not be sent. */
  readonly emails: readonly QueuedEmail[]
  /** A fragment that confirms the last action. */
  readonly notice?: Html
  readonly made?: Made
  /** The rejected form: its values and errors. */
  readonly invalid?: { readonly typed: Typed; readonly errors: FieldErrors }
}

interface Made {
  readonly note: string
  readonly days: number
  readonly address: string
}

interface Typed {
  readonly email: string
  readonly note: string
  readonly days: string
}

export function invitesPage(view: InvitationsView): Answer {
  const { browser, signUp, notice = NOTHING, made, invalid } = view
  return adminPage({
    browser,
    title: 'Invitations',
    tab: 'Invitations',
    notice,
    status: invalid ? 422 : 200,
    body: html`${made === undefined ? '' : madeSection(made)}
      <section class="panel" aria-labelledby="invite">
        <h2 id="invite">Invite someone</h2>
        <p>${ADMITTED[signUp]}</p>
        ${signUp === 'closed' ? '' : inviteForm(view)}
      </section>
      <section class="panel" aria-labelledby="open">
        <h2 id="open">Unused invitations</h2>
        ${list(view)}
      </section>
      ${unsentSection(view)}`,
  })
}

const ADMITTED: Readonly<Record<SignUp, string>> = {
  invite: 'Sign-up is by invitation only. Anyone with the link can use it once.',
  open: 'Sign-up is open to everyone. Send a link to invite someone directly.',
  closed: 'Sign-up is closed. Existing invitations do not work either.',
}

function madeSection({ note, days, address }: Made): Html {
  return html`<section class="panel" aria-labelledby="made">
    <h2 id="made">Invitation created</h2>
    <p class="notice warning" role="status">
      Copy the link now; you won't see it again. It lets one person join within
      ${countOf(days, 'day')}.
    </p>
    ${copyable(address, 'the link')}
    ${note === '' ? '' : html`<p class="quiet">For <bdi>${note}</bdi></p>`}
    <div class="actions">
      <a class="button plain" href="${ADMIN_INVITATIONS_PATH}">Done</a>
    </div>
  </section>`
}

function inviteForm({ browser, sendsEmail, invalid }: InvitationsView): Html {
  const empty = { email: '', note: '', days: String(DEFAULT_DAYS) }
  const { typed = empty, errors = {} } = invalid ?? {}
  const { email, note, days } = errors
  return html`<form method="post" action="${ADMIN_INVITATIONS_PATH}">
    ${formTokenField(browser.formToken)} ${formKeyField()}
    ${
      sendsEmail
        ? textField({
            name: 'email',
            label: 'Email',
            type: 'email',
            value: typed.email,
            hint: 'Weft sends the link to this address. Leave it empty to copy the link yourself.',
            autocomplete: 'off',
            ...(email !== undefined && { error: `The email ${email}.` }),
          })
        : ''
    }
    <div class="pair">
      ${textField({
        name: 'note',
        label: 'Note',
        value: typed.note,
        hint: 'Optional. Visible to admins only, such as a name.',
        autocomplete: 'off',
        maxLength: MAX_INVITATION_NOTE_LENGTH,
        autofocus: note !== undefined,
        ...(note !== undefined && { error: `The note ${note}.` }),
      })}
      ${textField({
        name: 'days',
        label: 'Expires after (days)',
        value: typed.days,
        hint: `1 to ${MAX_DAYS}.`,
        inputmode: 'numeric',
        autocomplete: 'off',
        maxLength: 3,
        autofocus: days !== undefined && note === undefined,
        ...(days !== undefined && { error: `The number of days ${days}.` }),
      })}
    </div>
    <div class="actions"><button>${sendsEmail ? 'Invite' : 'Create link'}</button></div>
  </form>`
}

function list({ browser, times, links }: InvitationsView): Html {
  if (links.length === 0)
    return html`<p class="empty">
      No unused invitations. New invitations appear here with their note. The link itself is shown
      only once, when you create it.
    </p>`
  const items = links.map(
    ({ linkId, note, email, createdAt, expiresAt }) =>
      html`<li>
        <div>
          <h3>${note === null ? html`No note` : html`<bdi>${note}</bdi>`}</h3>
          <small>
            <code>${linkId}</code> ${email === null ? '' : html`· sent to <bdi>${email}</bdi>`} ·
            created ${times.day(createdAt)} · expires ${times.day(expiresAt)}
          </small>
        </div>
        ${confirmButton({
          verb: 'Withdraw',
          name: note === null ? `invitation ${linkId}` : note,
          text: 'The link stops working. Anyone who already joined with it stays a member.',
          action: REVOKE_INVITATION_PATH,
          field: 'link_id',
          id: linkId,
          formToken: browser.formToken,
        })}
      </li>`,
  )
  return html`<ul class="items">
    ${items}
  </ul>`
}

function unsentSection({ browser, times, emails }: InvitationsView): Html {
  if (emails.length === 0) return NOTHING
  const items = emails.map(
    ({ emailId, recipient, state, error, createdAt }) =>
      html`<li>
        <div>
          <h3><bdi>${recipient}</bdi></h3>
          <small>
            ${
              state === 'failed'
                ? html`<span class="badge danger">not sent</span>`
                : html`<span class="badge">waiting</span>`
            }
            created ${times.day(createdAt)} ${error === null ? '' : html`· <bdi>${error}</bdi>`}
          </small>
        </div>
        ${confirmButton({
          verb: 'Withdraw',
          name: `invitation for ${recipient ?? ''}`,
          text: 'No email is sent.',
          action: REVOKE_INVITATION_PATH,
          field: 'link_id',
          id: emailId,
          formToken: browser.formToken,
        })}
      </li>`,
  )
  return html`<section class="panel" aria-labelledby="unsent">
    <h2 id="unsent">Not sent yet</h2>
    <ul class="items">
      ${items}
    </ul>
  </section>`
}
