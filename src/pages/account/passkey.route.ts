/** Adds a passkey in two steps, and renames and removes passkeys. */

import { randomBytes } from 'node:crypto'
import { lockMember } from '../../access/lock-member.ts'
import { verifyRegistration, readRegistration } from '../../access/passkey-response.ts'
import { challengeBytes, createChallenge } from '../../access/passkey-challenge.ts'
import {
  addPasskey,
  listPasskeys,
  MAX_PASSKEYS,
  removePasskey,
  renamePasskey,
  type Added,
} from '../../access/passkey.ts'
import { passkeySite, type PasskeySite } from '../../access/passkey-site.ts'
import { resultCookies } from '../../access/result-cookie.ts'
import { requireLiveSession } from '../../access/browser-session.ts'
import { checkVisibleName } from '../../access/validate-name.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { formError } from '../../html/form.ts'
import { errorPage } from '../../html/message.page.ts'
import { seeOther } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { requireMember } from '../../members/member.ts'
import { fieldErrors } from '../../sign-in/session/field-errors.ts'
import { recordSecurityEvent } from '../../tools/security-events.ts'
import { CREDENTIAL, passkeyErrorMessage } from '../../sign-in/password/passkey-form.ts'
import { browserName } from '../../access/browser-name.ts'
import {
  MAX_ACCOUNT_FORM_BYTES,
  showAccount,
  type AccountDeps,
  type Passwords,
} from './account-deps.ts'
import { passkeyPage } from './passkey.page.ts'
import { nameField } from './passkey-section.ts'
import { ACCOUNT_NOTICES } from './account-notices.ts'
import {
  ACCOUNT_PATH,
  PASSKEY_ADD_PATH,
  PASSKEY_REMOVE_PATH,
  PASSKEY_RENAME_PATH,
  PASSKEYS_PATH,
} from '../../html/site-map.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'

/** A credential with its attestation takes a few kilobytes. */
const MAX_CREDENTIAL_BYTES = 64 * 1024

/** A user handle of 32 random bytes reveals nothing about the member (WebAuthn Level 3 section 14.6.1). */
const HANDLE_BYTES = 32

const NO_PASSWORD = 'Enter your password to confirm it’s you.'
const GONE = 'This passkey was already removed.'

const NOT_ADDED: Readonly<Record<Exclude<Added, 'added'> | 'not accepted', string>> = {
  known: 'You already added this passkey.',
  'too many': `You have ${MAX_PASSKEYS} passkeys, which is the maximum. Remove one first.`,
  'another account': 'Another passkey was added at the same time. Try adding this one again.',
  'not accepted': 'This passkey was not accepted. Try again, or create it on another device.',
}

type PasskeyDeps = AccountDeps & {
  readonly passwords: Passwords
  readonly site: PasskeySite
}

/** Without a passkey site, existing passkeys can still be renamed and removed. */
export function passkeyRoutes(deps: AccountDeps & { readonly passwords: Passwords }): Route[] {
  const site = passkeySite(deps.publicUrl)
  const own = site && { ...deps, site }
  const adding = own ? [beginRoute(own), createRoute(own), addRoute(own)] : []
  return [...adding, renameRoute(deps), removeRoute(deps)]
}

/**
 * Checks the password, even right after the sign-in: a passkey confirms every sensitive action, so the cookie of a
 * session must not suffice to add one. The challenge then allows one passkey to be added before it expires.
 */
function beginRoute(deps: PasskeyDeps): Route {
  const { database, clock, passwords } = deps
  return defineRoute({
    method: 'POST',
    path: PASSKEY_ADD_PATH,
    operationId: 'beginPasskey',
    summary: 'Confirm identity before adding a passkey',
    access: 'session',
    limit: LIMITS.passkey,
    body: { kind: 'form', maxBytes: MAX_ACCOUNT_FORM_BYTES },
    answers: {
      303: { description: 'Confirmed; redirects to the page' },
      422: { description: 'Invalid input; the account page with its errors', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ body, browser, address }) {
      const { member, formToken } = browser
      const now = clock.now()
      const typed = body.get('passkey_password') ?? ''
      const wrong = typed === '' ? NO_PASSWORD : await passwords.confirm(member, address, typed)
      if (wrong !== undefined)
        return showAccount(deps, browser, { invalid: { errors: { passkey_password: wrong } } })
      const known = await listPasskeys(database.member(member.memberId))
      if (known.length >= MAX_PASSKEYS) return notDone(deps, browser, NOT_ADDED['too many'])
      const handle = known[0]?.userHandle ?? randomBytes(HANDLE_BYTES).toString('base64url')
      const challenge = await database.write((tx) =>
        createChallenge(tx, { purpose: 'add', formToken }, now, Buffer.from(handle, 'base64url')),
      )
      return beginning(deps.publicUrl).redirect(PASSKEY_ADD_PATH, member, { challenge, handle })
    },
  })
}

/** The challenge created after the member confirmed their identity. */
function beginning(publicUrl: string) {
  return resultCookies<{ readonly challenge: string; readonly handle: string }>(
    publicUrl,
    PASSKEY_ADD_PATH,
  )
}

function createRoute({ database, site, publicUrl }: PasskeyDeps): Route {
  const results = beginning(publicUrl)
  return defineRoute({
    method: 'GET',
    path: PASSKEY_ADD_PATH,
    operationId: 'showPasskeyCreation',
    summary: 'Show the page that creates a passkey',
    access: 'session',
    answers: {
      200: { description: 'The page', type: 'text/html' },
      303: { description: 'Not confirmed yet; redirects to the account page' },
    },
    onError: errorPage,
    async handle({ browser, header }) {
      const { memberId } = browser.member
      const begun = results.read(header('cookie'), browser.member)
      if (!begun) return seeOther(ACCOUNT_PATH)
      const known = await listPasskeys(database.member(memberId))
      const { email, username, name } = await requireMember(database, memberId)
      const user = { handle: begun.handle, login: email ?? username, name }
      const page = passkeyPage({
        browser,
        name: browserName(header('user-agent') ?? null),
        creation: { site, challenge: begun.challenge, user, known },
      })
      return results.shownOnce(page)
    },
  })
}

function addRoute(deps: PasskeyDeps): Route {
  const { database, clock, site } = deps
  return defineRoute({
    method: 'POST',
    path: PASSKEYS_PATH,
    operationId: 'addPasskey',
    summary: 'Add a passkey',
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_CREDENTIAL_BYTES },
    answers: {
      303: { description: 'Added; back to the page' },
      422: { description: 'Not added; the account page with the error', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ body, browser, header }) {
      const asked = { purpose: 'add', formToken: browser.formToken } as const
      const answer = await readRegistration(deps, body.get(CREDENTIAL) ?? '', asked)
      if (answer.kind !== 'answered')
        return notDone(deps, browser, passkeyErrorMessage(answer.kind, site))
      const made = await verifyRegistration(site, answer)
      if (!made) return notDone(deps, browser, NOT_ADDED['not accepted'])
      const passkey = {
        ...made,
        userHandle: challengeBytes(answer.challenge).toString('base64url'),
        name: nameOf(body.get('name'), header('user-agent')),
      }
      const now = clock.now()
      const { memberId, sessionId } = browser.member
      const added = await database.member(memberId).write(async (tx) => {
        await requireLiveSession(tx, sessionId, now)
        const outcome = await addPasskey(tx, passkey, now)
        const details = { name: passkey.name }
        if (outcome === 'added')
          await recordSecurityEvent(tx, { event: 'passkey_added', details }, now)
        return outcome
      })
      if (added !== 'added') return notDone(deps, browser, NOT_ADDED[added])
      return seeOther(ACCOUNT_NOTICES.pathTo('passkey_added'))
    },
  })
}

function renameRoute(deps: AccountDeps): Route {
  const { database } = deps
  return defineRoute({
    method: 'POST',
    path: PASSKEY_RENAME_PATH,
    operationId: 'renamePasskey',
    summary: 'Rename a passkey',
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_ACCOUNT_FORM_BYTES },
    answers: {
      303: { description: 'Renamed; back to the page' },
      422: { description: 'Something has to be corrected: the page again', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ body, browser }) {
      const passkeyId = body.get('passkey_id') ?? ''
      const field = nameField(passkeyId)
      const typed = body.get(field) ?? ''
      const own = database.member(browser.member.memberId)
      let isThere: boolean
      try {
        isThere = await own.write((tx) => renamePasskey(tx, passkeyId, typed))
      } catch (error) {
        const errors = { [field]: `The name ${fieldErrors(error)['name']}.` }
        return showAccount(deps, browser, { invalid: { errors, typed: { [field]: typed } } })
      }
      return isThere
        ? seeOther(ACCOUNT_NOTICES.pathTo('passkey_renamed'))
        : notDone(deps, browser, GONE)
    },
  })
}

/** Idempotent: removing a missing passkey succeeds. */
function removeRoute({ database, clock }: AccountDeps): Route {
  return defineRoute({
    method: 'POST',
    path: PASSKEY_REMOVE_PATH,
    operationId: 'removePasskey',
    summary: 'Remove a passkey',
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_ACCOUNT_FORM_BYTES },
    answers: { 303: { description: 'Removed; back to the page' } },
    onError: errorPage,
    async handle({ body, browser }) {
      const passkeyId = body.get('passkey_id') ?? ''
      const now = clock.now()
      await database.member(browser.member.memberId).write(async (tx) => {
        await lockMember(tx.shared, tx.memberId)
        const name = (await listPasskeys(tx)).find((one) => one.passkeyId === passkeyId)?.name
        if (!(await removePasskey(tx, passkeyId))) return
        const details = { name: name ?? '' }
        await recordSecurityEvent(tx, { event: 'passkey_removed', details }, now)
      })
      return seeOther(ACCOUNT_NOTICES.pathTo('passkey_removed'))
    },
  })
}

/** Shows the error at the top of the page, because the submitted form is no longer on it. */
function notDone(deps: AccountDeps, browser: SignedInRequest, sentence: string): Promise<Answer> {
  return showAccount(deps, browser, { notice: formError(sentence), invalid: { errors: {} } })
}

/** The authenticator has already created the passkey, so an invalid name is replaced instead of losing it. */
function nameOf(typed: string | null, userAgent: string | undefined): string {
  try {
    return checkVisibleName(typed ?? '', 'A passkey')
  } catch {
    return browserName(userAgent ?? null)
  }
}
