/** Adds a passkey in two steps, and renames and removes passkeys. */

import { phrase, t } from '../../languages/message.ts'
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
import { checkVisibleName, MAX_CREDENTIAL_NAME_LENGTH } from '../../access/validate-name.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { textField } from '../../html/form.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { requireMember } from '../../members/member.ts'
import { errorSentence, fieldErrors } from '../../forms/field-errors.ts'
import { recordSecurityEvent } from '../../tools/security-events.ts'
import { browserName } from '../../access/browser-name.ts'
import { nameField } from './passkey-section.ts'
import {
  ACCOUNT_PATH,
  PASSKEY_ADD_PATH,
  PASSKEY_REMOVE_PATH,
  PASSKEY_RENAME_PATH,
  PASSKEYS_PATH,
} from '../../html/site-map.ts'
import { showAccountError, showAccount } from './account.page.ts'
import { html } from '../../html/html.ts'
import { type AccountPasswordDeps, type AccountDeps, ACCOUNT_NOTICES } from './account-view.ts'
import { type Creation, creationOptions } from '../../access/passkey-options.ts'
import { ENTER_PASSWORD } from './confirm-identity.ts'
import { passkeyForm, passkeyErrorMessage, CREDENTIAL } from '../../sign-in/session/passkey-form.ts'
import { pageRoute, formRoute } from '../../forms/page-route.ts'
import { memberPage } from '../../html/member-layout.ts'
import type { Route } from '../../http/route.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'

/** A user handle of 32 random bytes reveals nothing about the member (WebAuthn Level 3 section 14.6.1). */
const HANDLE_BYTES = 32

const GONE = phrase('This passkey was already removed.')

const NOT_ADDED: Readonly<Record<Exclude<Added, 'added'> | 'not accepted', string>> = {
  known: phrase('You already added this passkey.'),
  'too many': `You have ${MAX_PASSKEYS} passkeys, which is the maximum. Remove one first.`,
  'another account': phrase(
    'Another passkey was added at the same time. Try adding this one again.',
  ),
  'not accepted': phrase(
    'This passkey was not accepted. Try again, or create it on another device.',
  ),
}

type PasskeyDeps = AccountPasswordDeps & { readonly site: PasskeySite }

/** Without a passkey site, existing passkeys can still be renamed and removed. */
export function passkeyRoutes(deps: AccountPasswordDeps): Route[] {
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
  const { database, passwords } = deps
  return formRoute(deps, {
    path: PASSKEY_ADD_PATH,
    limit: LIMITS.passkey,
    async handle(request) {
      const { body, browser, address, db, now } = request
      const { member, formToken } = browser
      const typed = body.get('passkey_password') ?? ''
      const wrong = typed === '' ? ENTER_PASSWORD : await passwords.confirm(member, address, typed)
      if (wrong !== undefined)
        return showAccount(deps, request, { invalid: { errors: { passkey_password: wrong } } })
      const known = await listPasskeys(db)
      if (known.length >= MAX_PASSKEYS)
        return showAccountError(deps, request, NOT_ADDED['too many'])
      const handle = known[0]?.userHandle ?? randomBytes(HANDLE_BYTES).toString('base64url')
      const challenge = await database.write((tx) =>
        createChallenge(tx, { purpose: 'add', formToken }, now, Buffer.from(handle, 'base64url')),
      )
      return beginning(deps.publicUrl).redirect(member, { challenge, handle })
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

function createRoute(deps: PasskeyDeps): Route {
  const { database, site, publicUrl } = deps
  const results = beginning(publicUrl)
  return pageRoute(deps, {
    path: PASSKEY_ADD_PATH,
    handle: (request) =>
      results.show(request, async (begun) => {
        if (!begun) return seeOther(ACCOUNT_PATH)
        const { browser, header, db } = request
        const known = await listPasskeys(db)
        const { email, username, name } = await requireMember(database, browser.member.memberId)
        const user = { handle: begun.handle, login: email ?? username, name }
        const creation = { site, challenge: begun.challenge, user, known }
        return passkeyPage(browser, creation, browserName(header('user-agent') ?? null))
      }),
  })
}

/** Suggests a name; the browser asks for the rest. */
function passkeyPage(browser: SignedInRequest, creation: Creation, name: string): Answer {
  const form = passkeyForm({
    action: PASSKEYS_PATH,
    site: creation.site,
    kind: 'create',
    data: {
      options: JSON.stringify(creationOptions(creation)),
      notallowederror: t('No passkey was created. Try again.'),
      invalidstateerror: t(
        'This device or password manager already has a passkey for your account.',
      ),
      notsupportederror: t('This device cannot create a compatible passkey. Try another device.'),
      failed: t('The passkey could not be created. Go back to your account and try again.'),
    },
    controls: html`${textField({
        name: 'name',
        label: t('Name'),
        value: name,
        hint: t('A name that helps you recognize it.'),
        autocomplete: 'off',
        required: true,
        maxLength: MAX_CREDENTIAL_NAME_LENGTH,
      })}
      <div class="actions">
        <button>Create passkey</button>
        <a class="button plain" href="${ACCOUNT_PATH}">Cancel</a>
      </div>`,
  })
  return memberPage({
    title: t('Add passkey'),
    browser,
    current: 'account',
    body: html`<section class="panel">
      <p>
        Your device asks for your fingerprint, face or screen lock, and stores the passkey on the
        device or in your password manager. Weft receives only the public key.
      </p>
      <p class="unscripted">Adding a passkey requires JavaScript.</p>
      ${form}
    </section>`,
  })
}

function addRoute(deps: PasskeyDeps): Route {
  const { site } = deps
  return formRoute(deps, {
    path: PASSKEYS_PATH,
    async handle(request) {
      const { body, browser, header, db, now } = request
      const asked = { purpose: 'add', formToken: browser.formToken } as const
      const answer = await readRegistration(deps, body.get(CREDENTIAL) ?? '', asked)
      if (answer.kind !== 'answered')
        return showAccountError(deps, request, passkeyErrorMessage(answer.kind, site))
      const made = await verifyRegistration(site, answer)
      if (!made) return showAccountError(deps, request, NOT_ADDED['not accepted'])
      const passkey = {
        ...made,
        userHandle: challengeBytes(answer.challenge).toString('base64url'),
        name: nameOf(body.get('name'), header('user-agent')),
      }
      const added = await db.write(async (tx) => {
        await requireLiveSession(tx, browser.member.sessionId, now)
        const outcome = await addPasskey(tx, passkey, now)
        const details = { name: passkey.name }
        if (outcome === 'added')
          await recordSecurityEvent(tx, { event: 'passkey_added', details }, now)
        return outcome
      })
      return added === 'added'
        ? seeOther(ACCOUNT_NOTICES.pathTo('passkey_added'))
        : showAccountError(deps, request, NOT_ADDED[added])
    },
  })
}

function renameRoute(deps: AccountDeps): Route {
  return formRoute(deps, {
    path: PASSKEY_RENAME_PATH,
    async handle(request) {
      const { body, db } = request
      const passkeyId = body.get('passkey_id') ?? ''
      const field = nameField(passkeyId)
      const typed = body.get(field) ?? ''
      let isThere: boolean
      try {
        isThere = await db.write((tx) => renamePasskey(tx, passkeyId, typed))
      } catch (error) {
        const problem = errorSentence(t('The name'), fieldErrors(error)['name']) ?? ''
        const errors = { [field]: problem }
        return showAccount(deps, request, { invalid: { errors, typed: { [field]: typed } } })
      }
      return isThere
        ? seeOther(ACCOUNT_NOTICES.pathTo('passkey_renamed'))
        : showAccountError(deps, request, GONE)
    },
  })
}

/** Idempotent: removing a missing passkey succeeds. */
function removeRoute(deps: AccountDeps): Route {
  return formRoute(deps, {
    path: PASSKEY_REMOVE_PATH,
    async handle({ body, db, now }) {
      const passkeyId = body.get('passkey_id') ?? ''
      await db.write(async (tx) => {
        await lockMember(tx)
        const name = (await listPasskeys(tx)).find((one) => one.passkeyId === passkeyId)?.name
        if (!(await removePasskey(tx, passkeyId))) return
        const details = { name: name ?? '' }
        await recordSecurityEvent(tx, { event: 'passkey_removed', details }, now)
      })
      return seeOther(ACCOUNT_NOTICES.pathTo('passkey_removed'))
    },
  })
}

/** The authenticator has already created the passkey, so an invalid name is replaced instead of losing it. */
function nameOf(typed: string | null, userAgent: string | undefined): string {
  try {
    return checkVisibleName(typed ?? '', t('A passkey'))
  } catch {
    return browserName(userAgent ?? null)
  }
}
