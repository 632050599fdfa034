/** The page "Invitations": the form that makes one, and those that can still be used. */

import { formTokenField, textField } from '../../html/form.ts'
import { html } from '../../html/html.ts'
import { MAX_NOTE_LENGTH, MAX_DAYS, DEFAULT_DAYS } from '../../sign-in/session/admin-links.ts'
import { confirmButton } from '../ui/confirm-button.ts'
import { copyable } from '../ui/copyable.ts'
import { countOf } from '../ui/count-of.ts'
import { adminPage } from './admin-layout.ts'
import { ADMIN_INVITATIONS_PATH, REVOKE_INVITATION_PATH } from '../../html/site-map.ts'
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
  readonly links: readonly OneTimeLink[]
  /** A fragment: what was just done. */
  readonly notice?: string
  readonly made?: Made
  /** What was typed, as it was typed, and what is wrong with it. */
  readonly refused?: { readonly typed: Typed; readonly errors: FieldErrors }
}

interface Made {
  readonly note: string
  readonly days: number
  readonly address: string
}

interface Typed {
  readonly note: string
  readonly days: string
}

export function invitesPage(shown: InvitationsView): Answer {
  const { browser, signUp, notice = '', made, refused } = shown
  return adminPage({
    browser,
    title: 'Invitations',
    tab: 'Invitations',
    notice,
    status: refused ? 422 : 200,
    body: html`!${made === undefined ? '' : madeSection(made)}
      <section class="panel" aria-labelledby="invite">
        <h2 id="invite">Invite somebody</h2>
        <p>${ADMITTED[signUp]}</p>
        !${signUp === 'closed' ? '' : inviteForm(shown)}
      </section>
      <section class="panel" aria-labelledby="open">
        <h2 id="open">Not used yet</h2>
        !${list(shown)}
      </section>`,
  })
}

const ADMITTED: Readonly<Record<SignUp, string>> = {
  invite: 'WEFT_SIGN_UP is invite: whoever has such a link may join, and nobody else.',
  open: 'WEFT_SIGN_UP is open: anybody may join. By a link somebody can be asked to.',
  closed:
    'WEFT_SIGN_UP is closed: nobody can join, not even by an invitation that was made before.',
}

function madeSection({ note, days, address }: Made): string {
  return html`<section class="panel" aria-labelledby="made">
    <h2 id="made">The invitation is made</h2>
    <p class="notice warning" role="status">
      Copy the link now. It is shown this once, and lets one person join within
      ${countOf(days, 'day')}.
    </p>
    !${copyable(address, 'the link')}
    !${note === '' ? '' : html`<p class="quiet">For <bdi>${note}</bdi></p>`}
    <div class="actions">
      <a class="button plain" href="${ADMIN_INVITATIONS_PATH}">I have copied it</a>
    </div>
  </section>`
}

function inviteForm({ browser, refused }: InvitationsView): string {
  const { typed = { note: '', days: String(DEFAULT_DAYS) }, errors = {} } = refused ?? {}
  const { note, days } = errors
  return html`<form method="post" action="${ADMIN_INVITATIONS_PATH}">
    !${formTokenField(browser.formToken)}
    <div class="pair">
      !${textField({
        name: 'note',
        label: 'For whom',
        value: typed.note,
        hint: 'A note for admins, such as a name. May be empty.',
        autocomplete: 'off',
        maxLength: MAX_NOTE_LENGTH,
        autofocus: note !== undefined,
        ...(note !== undefined && { error: `The note ${note}.` }),
      })}
      !${textField({
        name: 'days',
        label: 'Days it can be used',
        value: typed.days,
        hint: `1 to ${MAX_DAYS}.`,
        inputmode: 'numeric',
        autocomplete: 'off',
        maxLength: 3,
        autofocus: days !== undefined && note === undefined,
        ...(days !== undefined && { error: `The number of days ${days}.` }),
      })}
    </div>
    <div class="actions"><button>Make a link</button></div>
  </form>`
}

function list({ browser, times, links }: InvitationsView): string {
  if (links.length === 0)
    return html`<p class="empty">
      No invitation is waiting to be used. Links are shown once, when they are made, so they are not
      listed here: only whom they are for.
    </p>`
  const items = links.map(
    ({ linkId, note, createdAt, expiresAt }) =>
      html`<li>
        <div>
          <h3>!${note === null ? html`Without a note` : html`<bdi>${note}</bdi>`}</h3>
          <small>
            <code>${linkId}</code> · made !${times.day(createdAt)} · until !${times.day(expiresAt)}
          </small>
        </div>
        !${confirmButton({
          verb: 'Withdraw',
          name: note === null ? `invitation ${linkId}` : note,
          text: 'Its link leads nowhere from then on. Whoever has joined by it stays a member.',
          action: REVOKE_INVITATION_PATH,
          field: 'link_id',
          id: linkId,
          formToken: browser.formToken,
        })}
      </li>`,
  )
  return html`<ul class="items">
    !${items}
  </ul>`
}
