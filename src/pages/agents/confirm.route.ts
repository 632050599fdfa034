/** Confirms the member with a passkey before an API token is created. */

import { verifyAssertion, readAssertion } from '../../access/passkey-response.ts'
import { createConfirmation } from '../../access/confirmation.ts'
import { createChallenge } from '../../access/passkey-challenge.ts'
import { requestOptions } from '../../access/passkey-options.ts'
import { findStoredPasskey, notePasskeyUse } from '../../access/passkey.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { errorPage } from '../../html/message.page.ts'
import { json, type Answer } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { CREDENTIAL, passkeyErrorMessage } from '../../sign-in/password/passkey-form.ts'
import { CONFIRM_OPTIONS_PATH, CONFIRM_PATH } from './form-ids.ts'
import type { PasskeySite } from '../../access/passkey-site.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../db/database.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'

interface PasskeyConfirmDeps {
  readonly database: Database
  readonly clock: Clock
  readonly site: PasskeySite
  /** Renders the page, with the confirmation in its form or with the error. */
  readonly show: (
    browser: SignedInRequest,
    shown: { readonly confirmation: string } | { readonly error: string },
  ) => Promise<Answer>
}

/** A credential takes some kilobytes. */
const MAX_FORM_BYTES = 64 * 1024

const NOT_ACCEPTED = 'This passkey was not accepted. Use another one, or your password.'

export function passkeyConfirmRoutes(deps: PasskeyConfirmDeps): Route[] {
  return [optionsRoute(deps), confirmRoute(deps)]
}

function optionsRoute({ database, clock, site }: PasskeyConfirmDeps): Route {
  return defineRoute({
    method: 'POST',
    path: CONFIRM_OPTIONS_PATH,
    operationId: 'askToConfirm',
    summary: 'Get the options for confirming with a passkey',
    access: 'session',
    limit: LIMITS.passkey,
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: { 200: { description: 'PublicKeyCredentialRequestOptionsJSON' } },
    async handle({ browser: { formToken } }) {
      const asked = { purpose: 'confirm', formToken } as const
      const challenge = await database.write((tx) => createChallenge(tx, asked, clock.now()))
      return json(requestOptions(site, challenge), 200, { 'cache-control': 'no-store' })
    },
  })
}

function confirmRoute(deps: PasskeyConfirmDeps): Route {
  const { database, clock, show } = deps
  return defineRoute({
    method: 'POST',
    path: CONFIRM_PATH,
    operationId: 'confirmWithPasskey',
    summary: 'Confirm with a passkey, to create an API token',
    access: 'session',
    limit: LIMITS.passkey,
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: {
      200: {
        description: 'Confirmed; the page, whose form can now be submitted',
        type: 'text/html',
      },
      422: { description: 'Not confirmed; the page with the error', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ body, browser }) {
      const error = await checkPasskey(deps, body.get(CREDENTIAL) ?? '', browser)
      if (error !== undefined) return show(browser, { error })
      const confirmation = await database.write((tx) =>
        createConfirmation(tx, browser.formToken, clock.now()),
      )
      return show(browser, { confirmation })
    },
  })
}

/** Resolves to an error sentence, or to undefined for a valid passkey of this member. */
async function checkPasskey(
  deps: PasskeyConfirmDeps,
  credential: string,
  { member, formToken }: SignedInRequest,
): Promise<string | undefined> {
  const { database, clock, site } = deps
  const answer = await readAssertion(deps, credential, { purpose: 'confirm', formToken })
  if (answer.kind !== 'answered') return passkeyErrorMessage(answer.kind, site)
  const known = await findStoredPasskey(database, answer.credential.id)
  if (known?.memberId !== member.memberId) return NOT_ACCEPTED
  const use = await verifyAssertion(site, answer, known)
  if (!use) return NOT_ACCEPTED
  const own = database.member(member.memberId)
  const isNoted = await own.write((tx) => notePasskeyUse(tx, use, clock.now()))
  return isNoted ? undefined : NOT_ACCEPTED
}
