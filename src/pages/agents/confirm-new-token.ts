/** Members confirm their identity before they create an API token: with a password, a passkey or a fresh sign-in at
 * the identity provider. */

import { t } from '../../languages/message.ts'
import { takeConfirmation } from '../../access/reauthentication.ts'
import { listPasskeys } from '../../access/passkey.ts'
import { RequestError } from '../../base/request-error.ts'
import { CONFIRMATION } from '../account/confirm-form.ts'
import { CONFIRMATION_EXPIRED } from '../account/confirm-identity.ts'
import { INTEGRATIONS_PATH } from '../../html/site-map.ts'
import type { PasskeySite } from '../../access/passkey-site.ts'
import type { Transaction } from '../../db/database.ts'
import type { PageRequest, FormRequest } from '../../forms/page-route.ts'
import type { ConfirmPassword } from '../account/account-view.ts'

/** The configured confirmation methods. `provider` is the name of the identity provider. */
export type Confirming =
  | { readonly by: 'provider'; readonly provider: string }
  | {
      readonly by: 'password'
      readonly confirmPassword: ConfirmPassword
      readonly site: PasskeySite | undefined
    }

/** What the form asks the member for. */
export type Proof =
  | { readonly kind: 'confirmed'; readonly confirmation: string }
  | { readonly kind: 'provider'; readonly provider: string }
  /** `site` is set if the member has a passkey for it. */
  | { readonly kind: 'password'; readonly site: PasskeySite | undefined }

export const CONFIRM_PATH = `${INTEGRATIONS_PATH}/confirm`
export const CONFIRM_OPTIONS_PATH = `${CONFIRM_PATH}/options`

export const CONFIRM_PASSWORD = 'confirm_password'

/** What the form asks for: nothing more with a `confirmation` from a passkey or provider. */
export async function proofFor(
  { confirming }: ConfirmDeps,
  { db }: Pick<PageRequest, 'db'>,
  confirmation: string,
): Promise<Proof> {
  if (confirmation !== '') return { kind: 'confirmed', confirmation }
  if (confirming.by === 'provider') return { kind: 'provider', provider: confirming.provider }
  const { site } = confirming
  const passkeys = site ? await listPasskeys(db) : []
  return { kind: 'password', site: passkeys.length > 0 ? site : undefined }
}

export interface ConfirmDeps {
  readonly confirming: Confirming
}

/** Consumes the confirmation in the transaction that creates the token. Throws if it is invalid. */
export type UseProof = (tx: Transaction) => Promise<void>

/**
 * Checks the submitted password, or defers the confirmation to the transaction. Errors name the form field to correct.
 */
export async function readProof(
  { confirming }: ConfirmDeps,
  { body, browser, address, now }: FormRequest,
): Promise<UseProof> {
  const confirmation = body.get(CONFIRMATION) ?? ''
  if (confirmation !== '')
    return async (tx) => {
      const confirmed = { action: 'create_token', formToken: browser.formToken } as const
      if (!(await takeConfirmation(tx, confirmation, confirmed, now)))
        throw confirmationError(CONFIRMATION, CONFIRMATION_EXPIRED)
    }
  if (confirming.by === 'provider')
    throw confirmationError(
      CONFIRMATION,
      t('Confirm it’s you at {provider} first.', { provider: confirming.provider }),
    )
  const typed = body.get(CONFIRM_PASSWORD) ?? ''
  const wrong =
    typed === ''
      ? t('Enter your current password.')
      : await confirming.confirmPassword(browser.member, address, typed)
  if (wrong !== undefined) throw confirmationError(CONFIRM_PASSWORD, wrong)
  return async () => {}
}

function confirmationError(field: string, sentence: string): RequestError {
  return new RequestError('forbidden', sentence, {
    errors: [{ pointer: `/${field}`, detail: sentence }],
  })
}
