/** Confirms the member with a passkey before a sensitive action. */

import { verifyAssertion, readAssertion } from '../../access/passkey-response.ts'
import { createConfirmation } from '../../access/confirmation.ts'
import { createChallenge, type ConfirmedAction } from '../../access/passkey-challenge.ts'
import { requestOptions } from '../../access/passkey-options.ts'
import { findStoredPasskey, recordPasskeyUse } from '../../access/passkey.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { errorPage } from '../../html/message.page.ts'
import { json, type Answer } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { CREDENTIAL, passkeyErrorMessage } from '../../sign-in/password/passkey-form.ts'
import type { PasskeySite } from '../../access/passkey-site.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../db/database.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'

interface PasskeyConfirmDeps {
  readonly database: Database
  readonly clock: Clock
  readonly site: PasskeySite
  /** Returns the options for all forms. */
  readonly optionsPath: RoutePath
  readonly optionsId: string
  readonly forms: readonly ConfirmForm[]
  /** Renders the page, with the confirmation in the form of the action or with the error. */
  readonly show: (
    browser: SignedInRequest,
    shown: { readonly confirmation: string } | { readonly error: string },
    action: ConfirmedAction,
  ) => Promise<Answer>
}

/** A form with which a passkey confirms one action. */
interface ConfirmForm {
  readonly action: ConfirmedAction
  readonly path: RoutePath
  readonly operationId: string
  readonly summary: string
}

type RoutePath = Route['path']

/** A credential takes a few kilobytes. */
const MAX_FORM_BYTES = 64 * 1024

const NOT_ACCEPTED = 'This passkey was not accepted. Use another one, or your password.'

export function passkeyConfirmRoutes(deps: PasskeyConfirmDeps): Route[] {
  return [optionsRoute(deps), ...deps.forms.map((form) => confirmRoute(deps, form))]
}

function optionsRoute({
  database,
  clock,
  site,
  optionsPath,
  optionsId,
}: PasskeyConfirmDeps): Route {
  return defineRoute({
    method: 'POST',
    path: optionsPath,
    operationId: optionsId,
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

function confirmRoute(deps: PasskeyConfirmDeps, form: ConfirmForm): Route {
  const { database, clock, show } = deps
  const { action, path, operationId, summary } = form
  return defineRoute({
    method: 'POST',
    path,
    operationId,
    summary,
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
      if (error !== undefined) return show(browser, { error }, action)
      const { formToken } = browser
      const confirmation = await database.write((tx) =>
        createConfirmation(tx, { action, formToken }, clock.now()),
      )
      return show(browser, { confirmation }, action)
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
  const isNoted = await own.write((tx) => recordPasskeyUse(tx, use, clock.now()))
  return isNoted ? undefined : NOT_ACCEPTED
}
