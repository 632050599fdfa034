/** Sign-in with a passkey: the options for the browser's WebAuthn call, and the form that submits its credential. */

import { hash } from 'node:crypto'
import { readAssertion, readAssertionId, verifyAssertion } from '../../access/passkey-response.ts'
import { createChallenge } from '../../access/passkey-challenge.ts'
import { requestOptions } from '../../access/passkey-options.ts'
import { findStoredPasskey } from '../../access/passkey.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { errorPage } from '../../html/message.page.ts'
import { json, seeOther } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { ALREADY_SIGNED_IN, alreadySignedInPage } from '../session/already-signed-in.page.ts'
import { enterAnswer, startBrowserSession } from '../session/start-session.ts'
import { logFailedSignIn, type FailedSignIn } from '../session/failed-sign-in.ts'
import { RETURN_TO, returnPath } from '../session/return-path.ts'
import { signInPage, waitPage } from '../password/sign-in.page.ts'
import {
  CREDENTIAL,
  PASSKEY_OPTIONS_PATH,
  PASSKEY_PATH,
  passkeyErrorMessage,
} from '../password/passkey-form.ts'
import type { OperatorTexts } from '../../html/legal-links.ts'
import type { PasskeySite } from '../../access/passkey-site.ts'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Database } from '../../db/database.ts'
import type { SignUp } from '../session/admission.ts'
import type { SignInAttempts } from '../session/attempts.ts'

interface PasskeySignInDeps extends OperatorTexts {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly publicUrl: string
  readonly signUp: SignUp
  readonly sendsEmail: boolean
  readonly site: PasskeySite
  /** Shared with password sign-in: the limit of one IP address covers both. */
  readonly attempts: SignInAttempts
}

/** Enough for a credential of a few kilobytes and the return path. */
const MAX_FORM_BYTES = 64 * 1024

const UNKNOWN = 'Unknown passkey. Sign in with another passkey or with your password.'
const NOT_ACCEPTED =
  'This passkey was not accepted. Sign in with another passkey or with your password.'

export function passkeySignInRoutes(deps: PasskeySignInDeps): Route[] {
  return [optionsRoute(deps), signInRoute(deps)]
}

/** A form like the others, with a form token, so no other site can create challenges. */
function optionsRoute({ database, clock, site }: PasskeySignInDeps): Route {
  return defineRoute({
    method: 'POST',
    path: PASSKEY_OPTIONS_PATH,
    operationId: 'askForPasskey',
    summary: 'The options for a passkey request in the browser',
    access: 'browser',
    limit: LIMITS.passkey,
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: { 200: { description: 'PublicKeyCredentialRequestOptionsJSON' } },
    async handle({ browser: { formToken } }) {
      const purpose = { purpose: 'sign_in', formToken } as const
      const now = clock.now()
      const challenge = await database.write((tx) => createChallenge(tx, purpose, now))
      return json(requestOptions(site, challenge), 200, { 'cache-control': 'no-store' })
    },
  })
}

function signInRoute(deps: PasskeySignInDeps): Route {
  const { database, clock, log, publicUrl, signUp, sendsEmail, site, attempts } = deps
  return defineRoute({
    method: 'POST',
    path: PASSKEY_PATH,
    operationId: 'signInWithPasskey',
    summary: 'Sign in with a passkey',
    access: 'browser',
    limit: LIMITS.passkey,
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: {
      303: { description: 'Signed in; redirects to return_to' },
      403: {
        description: 'The account is disabled, or the form was submitted from another site',
        type: 'text/html',
      },
      ...ALREADY_SIGNED_IN,
      422: { description: 'Not signed in; the page with the error', type: 'text/html' },
      429: { description: 'Too many failed attempts; the page with the error', type: 'text/html' },
    },
    onError: errorPage,
    async whenSignedInSince({ body, browser }) {
      const returnTo = returnPath(body.get(RETURN_TO), publicUrl)
      const id = readAssertionId(body.get(CREDENTIAL) ?? '')
      const known = id === undefined ? undefined : await findStoredPasskey(database, id)
      return known?.memberId === browser.member.memberId
        ? seeOther(returnTo)
        : alreadySignedInPage(browser, returnTo)
    },
    async handle({ body, browser, address, header, requestId }) {
      const { formToken } = browser
      const returnTo = returnPath(body.get(RETURN_TO), publicUrl)
      const page = { formToken, returnTo, signUp, sendsEmail, site, legal: deps, status: 422 }

      const purpose = { purpose: 'sign_in', formToken } as const
      const answer = await readAssertion(deps, body.get(CREDENTIAL) ?? '', purpose)
      if (answer.kind !== 'answered')
        return signInPage({ ...page, error: passkeyErrorMessage(answer.kind, site) })

      const { id } = answer.credential
      const fail = (reason: FailedSignIn['reason']) =>
        logFailedSignIn(log, { method: 'passkey', reason, address, requestId })
      // Signatures cannot be guessed, so failures count per IP address and credential, not against the member's password.
      const name = hash('sha256', id)
      const attempted = { method: 'passkey', name, memberId: undefined, address } as const
      const attempt = await attempts.begin(attempted)
      if (!attempt.allowed) {
        fail('rate_limited')
        return waitPage(page, attempt.retryAfter)
      }
      const known = await findStoredPasskey(database, id)
      if (!known) {
        fail('not_accepted')
        return signInPage({ ...page, error: UNKNOWN, unknownPasskey: id })
      }
      const use = await verifyAssertion(site, answer, known)
      const entry = { browser, userAgent: header('user-agent'), now: clock.now() }
      const entered =
        use &&
        (await database.write(async (tx) => {
          const proof = { kind: 'passkey', use } as const
          const started = await startBrowserSession(tx, {
            ...entry,
            memberId: known.memberId,
            proof,
          })
          if (started.kind !== 'outdated') await attempt.succeed(tx)
          return started
        }))
      if (entered === undefined || entered.kind === 'outdated') {
        fail('not_accepted')
        return signInPage({ ...page, error: NOT_ACCEPTED })
      }
      return enterAnswer(publicUrl, entered, returnTo)
    },
  })
}
