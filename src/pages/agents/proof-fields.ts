/** The fields of a form that creates a credential, with which it asks for proof of the member's identity. */

import { formError, hiddenField } from '../../html/form.ts'
import { NOTHING, html, type Html } from '../../html/html.ts'
import { CONFIRM_AT_PROVIDER_PATH } from '../../sign-in/provider/confirm.route.ts'
import { CONFIRMATION, currentPassword, passkeyConfirmForm } from '../account/confirm-form.ts'
import { optionsPathOf, CONFIRM_PASSWORD, type Proof } from './confirm-new-token.ts'
import type { FieldErrors } from '../../forms/field-errors.ts'

/** Functions, because texts are in the language of the request. */
interface ProofTexts {
  readonly confirmed: () => Html
  /** Asks the member to confirm at the identity provider with this name. */
  readonly atProvider: (provider: string) => Html
  /** The query of the path to the provider, which leads back to the form. */
  readonly query?: string
}

/** A session cookie does not prove the member's identity, so the form requires a second proof. */
export function proofFields(
  proof: Proof,
  errors: FieldErrors,
  { confirmed, atProvider, query = '' }: ProofTexts,
): Html {
  if (proof.kind === 'confirmed')
    return html`${hiddenField(CONFIRMATION, proof.confirmation)}
      <p class="notice" role="status">${confirmed()}</p>`
  const error = formError(errors[CONFIRMATION])
  if (proof.kind === 'password')
    return html`${error} ${currentPassword(CONFIRM_PASSWORD, errors[CONFIRM_PASSWORD])}`
  return html`${error}
    <p>${atProvider(proof.provider)}</p>
    <div class="actions">
      <a class="button" href="${CONFIRM_AT_PROVIDER_PATH}${query}">Confirm at ${proof.provider}</a>
    </div>`
}

/** A form of its own beside the one with the fields; nothing if the member has no passkey. */
export function proofByPasskey(proof: Proof, path: string): Html {
  if (proof.kind !== 'password' || !proof.site) return NOTHING
  return passkeyConfirmForm({ site: proof.site, path, optionsPath: optionsPathOf(path) })
}
