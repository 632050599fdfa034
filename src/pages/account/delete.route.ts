/** Deletes a member and all their data, immediately and permanently. */

import { requireLiveSession, sessionCookies } from '../../access/browser-session.ts'
import { lockMember } from '../../access/lock-member.ts'
import {
  earlierSubmissionOf,
  findSubmittedAnonymously,
  recordAnonymousSubmission,
  submissionOf,
} from '../../guards/form-submission.ts'
import { messagePage, errorPage } from '../../html/message.page.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { deleteMember, findMember } from '../../members/member.ts'
import { assertNotLastAdmin } from '../../members/role.ts'
import { usernameKey } from '../../members/usernames.ts'
import { confirmRecent, useConfirmation } from './confirm-recent.ts'
import { CONFIRMATION } from './passkey-confirm-form.ts'
import { MAX_ACCOUNT_FORM_BYTES, showAccount, type AccountDeps } from './account-deps.ts'
import { ACCOUNT_PATH, ACCOUNT_DELETE_PATH } from '../../html/site-map.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'

export function deleteRoutes(deps: AccountDeps): Route[] {
  return [deleteRoute(deps), deletedRoute()]
}

function deleteRoute(deps: AccountDeps): Route {
  const { database, clock, publicUrl } = deps
  return defineRoute({
    method: 'POST',
    path: ACCOUNT_DELETE_PATH,
    operationId: 'deleteAccount',
    summary: 'Delete the account and everything in it',
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_ACCOUNT_FORM_BYTES },
    answers: {
      303: { description: 'The account is deleted; redirects to the confirmation page' },
      409: { description: 'The member is the only admin', type: 'text/html' },
      422: { description: 'The confirmation is wrong; the page with errors', type: 'text/html' },
    },
    onError: errorPage,
    // A second click that arrives after the first has deleted the member.
    async whenSignedOutSince({ body }) {
      const submission = earlierSubmissionOf({ body, form: ACCOUNT_DELETE_PATH, now: clock.now() })
      const deleted = await findSubmittedAnonymously<typeof DELETED>(database, submission)
      return deleted && seeOther(ACCOUNT_DELETE_PATH)
    },
    async handle({ body, browser, address }) {
      try {
        return await tryToDelete(deps, { body, browser, address })
      } catch (error) {
        // After a second click: the first has deleted the member.
        if (await findMember(database, browser.member.memberId)) throw error
        return deletedAnswer(publicUrl)
      }
    },
  })
}

interface Deletion {
  readonly body: URLSearchParams
  readonly browser: SignedInRequest
  readonly address: string
}

async function tryToDelete(
  deps: AccountDeps,
  { body, browser, address }: Deletion,
): Promise<Answer> {
  const { database, clock, publicUrl } = deps
  const username = body.get('delete_username') ?? ''
  const isMeant = usernameKey(username.trim()) === browser.member.username
  const confirmation = body.get(CONFIRMATION) ?? ''
  const proof = { confirmation, typed: body.get('delete_password') ?? '', address }
  // A confirmation is single-use, so another error must not use it up.
  const isUsed = isMeant || confirmation === ''
  const wrong = isUsed ? await confirm(deps, browser, proof) : undefined
  if (!isMeant || wrong !== undefined) {
    const errors = {
      ...(!isMeant && { delete_username: 'This does not match your username.' }),
      ...(wrong !== undefined && { delete_password: wrong }),
    }
    const typed = { delete_username: username }
    const confirmed = isUsed ? undefined : ({ action: 'delete_account', confirmation } as const)
    return showAccount(deps, browser, { invalid: { errors, typed }, confirmed })
  }
  const { memberId, sessionId } = browser.member
  const now = clock.now()
  const submission = submissionOf({ browser, body, form: ACCOUNT_DELETE_PATH, now })
  await database.write(
    async (tx) => {
      // Locks all admins before the member, as admin actions do.
      await assertNotLastAdmin(tx, memberId)
      // After a second click: the first has deleted the member.
      if (!(await lockMember(tx, memberId))) return
      await requireLiveSession(tx.member(memberId), sessionId, now)
      await deleteMember(tx, memberId)
      await recordAnonymousSubmission(tx, submission, DELETED)
    },
    { bulk: true },
  )
  // The account is already deleted. If this fails, the daily sweep repeats it.
  await database.erase().catch(() => {})
  return deletedAnswer(publicUrl)
}

function deletedAnswer(publicUrl: string): Answer {
  return seeOther(ACCOUNT_DELETE_PATH, sessionCookies(publicUrl).signOut())
}

/** A recent sign-in is enough only if there is neither a password nor a passkey. */
async function confirm(
  deps: AccountDeps,
  browser: SignedInRequest,
  { confirmation, typed, address }: Readonly<Record<'confirmation' | 'typed' | 'address', string>>,
): Promise<string | undefined> {
  if (confirmation !== '')
    return useConfirmation(deps, browser, { action: 'delete_account', confirmation })
  return deps.passwords
    ? deps.passwords.confirm(browser.member, address, typed)
    : confirmRecent(deps, { browser, address, typed: '' })
}

function deletedRoute(): Route {
  return defineRoute({
    method: 'GET',
    path: ACCOUNT_DELETE_PATH,
    operationId: 'showDeleted',
    summary: 'Confirm that the account was deleted',
    access: 'browser',
    answers: {
      200: { description: 'The page', type: 'text/html' },
      303: { description: 'Signed in; redirects to the account page' },
    },
    onError: errorPage,
    handle: async ({ browser }) => (browser.member ? seeOther(ACCOUNT_PATH) : DELETED_PAGE),
  })
}

/** What is recorded of the form, without the member. */
const DELETED = { deleted: true } as const

const DELETED_PAGE: Answer = messagePage({
  status: 200,
  title: 'Account deleted',
  text: 'Your profile, your network and all related data were deleted. All agents and tokens were revoked.',
  action: { href: '/', label: 'Go to home' },
})
