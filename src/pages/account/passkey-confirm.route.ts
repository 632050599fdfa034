/** Confirms the member with a passkey before a sensitive action. */

import { phrase } from '../../languages/message.ts'
import {
  passkeyOptionsRoute,
  CREDENTIAL,
  passkeyErrorMessage,
} from '../../sign-in/session/passkey-form.ts'
import { type FormRequest, type PageDeps, formRoute } from '../../forms/page-route.ts'
import { readAssertion, verifyAssertion } from '../../access/passkey-response.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { createConfirmation } from '../../access/reauthentication.ts'
import { findStoredPasskey, recordPasskeyUse } from '../../access/passkey.ts'
import type { PasskeySite } from '../../access/passkey-site.ts'
import type { ConfirmedAction } from '../../access/passkey-challenge.ts'
import type { Route } from '../../http/route.ts'
import type { Answer } from '../../http/response.ts'

interface PasskeyConfirmDeps extends PageDeps {
  readonly site: PasskeySite
  readonly optionsPath: string
  readonly forms: readonly ConfirmForm[]
}

interface ConfirmForm {
  readonly action: ConfirmedAction
  readonly path: string
  /** Renders the page, with the confirmation in the form of the action or with the error. */
  readonly show: (
    request: FormRequest,
    shown: { readonly confirmation?: string; readonly error?: string },
  ) => Promise<Answer>
}

const NOT_ACCEPTED = phrase('This passkey was not accepted. Use another one, or your password.')

export function passkeyConfirmRoutes(deps: PasskeyConfirmDeps): Route[] {
  const { site, optionsPath, forms } = deps
  const options = passkeyOptionsRoute(deps, { path: optionsPath, site, purpose: 'confirm' })
  return [options, ...forms.map((form) => confirmRoute(deps, form))]
}

function confirmRoute(deps: PasskeyConfirmDeps, { action, path, show }: ConfirmForm): Route {
  return formRoute(deps, {
    path,
    limit: LIMITS.passkey,
    async handle(request) {
      const { body, browser, now } = request
      const error = await checkPasskey(deps, body.get(CREDENTIAL) ?? '', request)
      if (error !== undefined) return show(request, { error })
      const { formToken } = browser
      const confirmation = await deps.database.write((tx) =>
        createConfirmation(tx, { action, formToken }, now),
      )
      return show(request, { confirmation })
    },
  })
}

/** Resolves to an error sentence, or to undefined for a valid passkey of this member. */
async function checkPasskey(
  deps: PasskeyConfirmDeps,
  credential: string,
  { browser: { member, formToken }, db, now }: FormRequest,
): Promise<string | undefined> {
  const { database, site } = deps
  const answer = await readAssertion(deps, credential, { purpose: 'confirm', formToken })
  if (answer.kind !== 'answered') return passkeyErrorMessage(answer.kind, site)
  const known = await findStoredPasskey(database, answer.credential.id)
  if (known?.memberId !== member.memberId) return NOT_ACCEPTED
  const use = await verifyAssertion(site, answer, known)
  const isNoted = use && (await db.write((tx) => recordPasskeyUse(tx, use, now)))
  return isNoted ? undefined : NOT_ACCEPTED
}
