/** Sign-in with a passkey: the options for the browser's WebAuthn call, and the form that submits its credential. */

import { phrase } from '../../languages/message.ts'
import { hash } from 'node:crypto'
import { readAssertion, readAssertionId, verifyAssertion } from '../../access/passkey-response.ts'
import { findStoredPasskey } from '../../access/passkey.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { repeatedSignIn } from '../session/already-signed-in.page.ts'
import { enterAnswer, startBrowserSession } from '../session/start-session.ts'
import { logFailedSignIn, type FailedSignIn } from '../session/failed-sign-in.ts'
import { RETURN_TO, returnPath } from '../session/return-path.ts'
import {
  signInPage,
  waitPage,
  PASSKEY_OPTIONS_PATH,
  PASSKEY_PATH,
} from '../password/sign-in.page.ts'
import { passkeyErrorMessage, CREDENTIAL, passkeyOptionsRoute } from '../session/passkey-form.ts'
import { formRoute } from '../../forms/page-route.ts'
import type { Route } from '../../http/route.ts'
import type { PasswordDeps } from '../session/sign-in-deps.ts'
import type { PasskeySite } from '../../access/passkey-site.ts'

type PasskeyDeps = PasswordDeps & { readonly site: PasskeySite }

const UNKNOWN = phrase('Unknown passkey. Sign in with another passkey or with your password.')
const NOT_ACCEPTED = phrase(
  'This passkey was not accepted. Sign in with another passkey or with your password.',
)

export function passkeySignInRoutes(deps: PasskeyDeps): Route[] {
  const options = { path: PASSKEY_OPTIONS_PATH, purpose: 'sign_in', access: 'browser' } as const
  return [passkeyOptionsRoute(deps, { ...options, site: deps.site }), signInRoute(deps)]
}

function signInRoute(deps: PasskeyDeps): Route {
  const { database, log, publicUrl, site, attempts } = deps
  return formRoute(deps, {
    path: PASSKEY_PATH,
    access: 'browser',
    limit: LIMITS.passkey,
    async whenSignedInSince({ body, browser }) {
      const id = readAssertionId(body.get(CREDENTIAL) ?? '')
      const known = id === undefined ? undefined : await findStoredPasskey(database, id)
      return repeatedSignIn({ browser, publicUrl, body, memberId: known?.memberId })
    },
    async handle({ body, browser, address, header, requestId, now }) {
      const returnTo = returnPath(body.get(RETURN_TO), publicUrl)
      const page = { returnTo, status: 422 }
      const purpose = { purpose: 'sign_in', formToken: browser.formToken } as const
      const answer = await readAssertion(deps, body.get(CREDENTIAL) ?? '', purpose)
      if (answer.kind !== 'answered')
        return signInPage(deps, { ...page, error: passkeyErrorMessage(answer.kind, site) })
      const { id } = answer.credential
      const fail = (reason: FailedSignIn['reason']) =>
        logFailedSignIn(log, { method: 'passkey', reason, address, requestId })
      // Signatures cannot be guessed, so failures count per IP address and credential, not against the member's password.
      const name = hash('sha256', id)
      const attempted = { method: 'passkey', name, memberId: undefined, address } as const
      const attempt = await attempts.begin(attempted)
      if (!attempt.allowed) {
        fail('rate_limited')
        return waitPage(deps, page, attempt.retryAfter)
      }
      const known = await findStoredPasskey(database, id)
      if (!known) {
        fail('not_accepted')
        return signInPage(deps, { ...page, error: UNKNOWN, unknownPasskey: id })
      }
      const use = await verifyAssertion(site, answer, known)
      const entered =
        use &&
        (await database.write(async (tx) => {
          const proof = { kind: 'passkey', use } as const
          const { memberId } = known
          const entry = { browser, userAgent: header('user-agent'), now, memberId, proof }
          const started = await startBrowserSession(tx, entry)
          if (started) await attempt.succeed(tx)
          return started
        }))
      if (!entered) {
        fail('not_accepted')
        return signInPage(deps, { ...page, error: NOT_ACCEPTED })
      }
      return enterAnswer(publicUrl, entered, returnTo)
    },
  })
}
