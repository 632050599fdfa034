/** The page to join, with its errors. */

import { t } from '../../languages/message.ts'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../access/passwords/password-policy.ts'
import { cardPage } from '../../html/card-layout.ts'
import { formError, formKeyField, hiddenField, textField } from '../../html/form.ts'
import { html, type Html } from '../../html/html.ts'
import { JOIN_PATH, JOIN_USERNAME_PATH, SIGN_IN_PATH } from '../../html/site-map.ts'
import { MAX_LENGTHS } from '../../members/member-fields.ts'
import { MAX_USERNAME_LENGTH } from '../../members/usernames.ts'
import { LINK } from '../../access/one-time-link.ts'
import { RETURN_TO } from '../session/return-path.ts'
import type { OperatorTexts } from '../../html/legal-links.ts'
import type { Answer } from '../../http/response.ts'
import type { TakenError } from '../../members/member.ts'
import type { FieldErrors } from '../../forms/field-errors.ts'

/** The submitted form without the password. */
export interface Draft {
  /** The secret of the link, empty without one. */
  readonly link: string
  readonly name: string
  readonly username: string
  readonly email: string
}

/** The field whose value another member has. */
export type TakenField = TakenError['field'] | undefined

/** Without an invitation (`hidden` is set), the page must not reveal that an email belongs to a member. */
export function invalidPage(page: JoinPage, errors: FieldErrors, hidden?: TakenField): Answer {
  if (hidden !== 'email') return joinPage({ ...page, errors, status: 422 })
  const { email: _hidden, ...others } = errors
  const error = t(
    'These details cannot be used to join. If you have joined before, sign in instead.',
  )
  return joinPage({ ...page, errors: others, error, status: 422 })
}

/** `first`: the person who joins. `unknown`: only for people who were invited. */
export type Host = 'first' | 'unknown' | { readonly name: string }

export interface JoinPage {
  readonly draft: Draft
  readonly returnTo: string
  readonly publicUrl: string
  readonly legal: OperatorTexts
  /** Whose service it is. */
  readonly host: Host
  readonly errors?: FieldErrors
  readonly error?: string
  readonly status?: number
}

const FIELDS = ['name', 'username', 'email', 'password'] as const

/** Focuses the first field with an error. */
export function joinPage(page: JoinPage): Answer {
  const { draft, returnTo, publicUrl, host, errors = {}, error, status = 200 } = page
  const focused = FIELDS.find((name) => errors[name] !== undefined) ?? 'name'
  const field = (name: (typeof FIELDS)[number], label: string) => {
    const detail = errors[name]
    const fieldError = detail !== undefined && { error: `${label} ${detail}.` }
    const required = name !== 'username'
    return { name, label, required, autofocus: name === focused, ...fieldError }
  }
  const body = html`<p class="quiet">${whatIsJoined(host, new URL(publicUrl).host)}</p>
    <form method="post" action="${JOIN_PATH}">
      ${formKeyField()} ${hiddenField(LINK, draft.link)} ${hiddenField(RETURN_TO, returnTo)}
      ${formError(error)}
      ${textField({
        ...field('name', t('Name')),
        value: draft.name,
        autocomplete: 'name',
        maxLength: MAX_LENGTHS.name,
      })}
      ${textField({
        ...field('username', t('Username')),
        value: draft.username,
        hint: usernameHint(publicUrl, draft.username),
        proposed: { by: JOIN_USERNAME_PATH, hint: usernameHint(publicUrl, '…') },
        autocomplete: 'nickname',
        spellcheck: false,
        maxLength: MAX_USERNAME_LENGTH,
      })}
      ${textField({
        ...field('email', t('Email')),
        type: 'email',
        value: draft.email,
        hint: t('Used to sign in. Only you and your administrator can see it.'),
        autocomplete: 'username',
        maxLength: MAX_LENGTHS.email,
      })}
      ${textField({
        ...field('password', t('Password')),
        type: 'password',
        // An error says it, too.
        ...(errors.password === undefined && {
          hint: t('At least {minPasswordLength} characters. A few unrelated words work well.', {
            minPasswordLength: MIN_PASSWORD_LENGTH,
          }),
        }),
        minLength: MIN_PASSWORD_LENGTH,
        autocomplete: 'new-password',
        maxLength: MAX_PASSWORD_LENGTH,
      })}
      <button>Join</button>
    </form>`
  const foot = html`Already a member? <a href="${signInAddress(returnTo)}">Sign in</a>`
  return cardPage({ title: t('Join'), body, foot, legal: page.legal, status })
}

function usernameHint(publicUrl: string, username: string): string {
  if (username === '') return t('Proposed from your name. Your public page has it in its address.')
  return t(
    'Proposed from your name. Your public page will be {publicUrl}/human/{username}. You can hide it later.',
    { publicUrl, username },
  )
}

/** `address`: the host name of the service. */
function whatIsJoined(host: Host, address: string): Html {
  const where = html`<b>${address}</b>`
  if (host === 'first')
    return html`Weft remembers the people you know. You are the first member of ${where} and run it.`
  if (host === 'unknown')
    return html`Weft remembers the people you know. ${where} keeps your network apart from those of
    other members.`
  return html`Weft remembers the people you know. <bdi>${host.name}</bdi> runs ${where}, which keeps
    your network apart from those of other members.`
}

function signInAddress(returnTo: string): string {
  return `${SIGN_IN_PATH}?${RETURN_TO}=${encodeURIComponent(returnTo)}`
}
