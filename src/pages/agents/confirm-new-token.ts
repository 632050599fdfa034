/** Members confirm their identity before they create an API token: with a password, a passkey or a fresh sign-in at
 * the identity provider. */

import { t } from '../../languages/message.ts'
import { takeConfirmation } from '../../access/reauthentication.ts'
import { listPasskeys } from '../../access/passkey.ts'
import { requireLiveSession } from '../../access/browser-session.ts'
import { passkeySite, type PasskeySite } from '../../access/passkey-site.ts'
import { RequestError } from '../../base/request-error.ts'
import { CONFIRMATION } from '../account/confirm-form.ts'
import { CONFIRMATION_EXPIRED, passwordConfirmation } from '../account/confirm-identity.ts'
import { passkeyConfirmRoutes } from '../account/passkey-confirm.route.ts'
import { submitOnce } from '../../forms/submission.ts'
import { recordSecurityEvent } from '../../tools/security-events.ts'
import { INTEGRATIONS_PATH } from '../../html/site-map.ts'
import type { PasswordHasher } from '../../access/passwords/password-hash.ts'
import type { OidcSettings } from '../../sign-in/provider/provider.ts'
import type { MemberTransaction, Transaction } from '../../db/database.ts'
import type { FieldErrors } from '../../forms/field-errors.ts'
import type { Answer } from '../../http/response.ts'
import type { Route } from '../../http/route.ts'
import type { SecurityEventName } from '../../tools/activity-action.ts'
import type { PageDeps, PageRequest, FormRequest } from '../../forms/page-route.ts'
import type { ConfirmPassword } from '../account/account-view.ts'

/** The configured confirmation methods. `provider` is the name of the identity provider. */
type Confirming =
  | { readonly by: 'provider'; readonly provider: string }
  | {
      readonly by: 'password'
      readonly confirmPassword: ConfirmPassword
      readonly site: PasskeySite | undefined
    }

/** How members confirm who they are before they create a token or the password of a device. */
export function confirmingOf({
  oidc,
  ...deps
}: PageDeps & {
  readonly publicUrl: string
  readonly hasher: PasswordHasher
  readonly oidc: OidcSettings | null
}): Confirming {
  if (oidc) return { by: 'provider', provider: new URL(oidc.issuer).host }
  const site = passkeySite(deps.publicUrl)
  return { by: 'password', confirmPassword: passwordConfirmation(deps), site }
}

/** What the form asks the member for. */
export type Proof =
  | { readonly kind: 'confirmed'; readonly confirmation: string }
  | { readonly kind: 'provider'; readonly provider: string }
  /** `site` is set if the member has a passkey for it. */
  | { readonly kind: 'password'; readonly site: PasskeySite | undefined }

export const CONFIRM_PATH = `${INTEGRATIONS_PATH}/confirm`

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

/** The same for a page whose query may have the confirmation of the provider. */
export function proofOf(deps: ConfirmDeps, request: Pick<PageRequest, 'db' | 'search'>) {
  return proofFor(deps, request, new URLSearchParams(request.search).get(CONFIRMATION) ?? '')
}

/** The routes of confirming with a passkey. `show` renders the page with the form, and why the passkey was rejected. */
export function proofRoutes(
  deps: PageDeps & ConfirmDeps,
  path: string,
  show: (request: FormRequest, proof: Proof, errors: FieldErrors | undefined) => Promise<Answer>,
): Route[] {
  const { confirming } = deps
  if (confirming.by === 'provider' || !confirming.site) return []
  return passkeyConfirmRoutes({
    ...deps,
    site: confirming.site,
    optionsPath: optionsPathOf(path),
    forms: [
      {
        action: 'create_token',
        path,
        async show(request, { confirmation = '', error }) {
          const proof = await proofFor(deps, request, confirmation)
          return show(request, proof, error === undefined ? undefined : { [CONFIRMATION]: error })
        },
      },
    ],
  })
}

/** Where the form that confirms with a passkey gets the options of the browser's dialog. */
export function optionsPathOf(path: string): string {
  return `${path}/options`
}

interface NewCredential<Created> {
  readonly event: SecurityEventName
  readonly create: (own: MemberTransaction) => Promise<Created>
  /** Whether the credential of an earlier submission still exists. */
  readonly isCurrent: (own: MemberTransaction, earlier: Created) => Promise<boolean>
}

/** Creates a credential once per form, in the transaction that takes the proof. */
export function createOnce<Created extends { readonly name: string }>(
  { database }: PageDeps,
  { browser, now, submission }: FormRequest,
  useProof: UseProof,
  { event, create, isCurrent }: NewCredential<Created>,
): Promise<Created> {
  const { memberId, sessionId } = browser.member
  return database.write(async (tx) => {
    const own = tx.member(memberId)
    await requireLiveSession(own, sessionId, now)
    const work = async () => {
      await useProof(tx)
      const created = await create(own)
      await recordSecurityEvent(own, { event, details: { name: created.name } }, now)
      return created
    }
    return submitOnce(own, submission, work, (earlier) => isCurrent(own, earlier))
  })
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
