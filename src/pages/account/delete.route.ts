/** Deletes a member and all their data, immediately and permanently. */

import { phrase, t } from '../../languages/message.ts'
import { ACCOUNT_PATH, ACCOUNT_DELETE_PATH } from '../../html/site-map.ts'
import { requireLiveSession } from '../../access/browser-session.ts'
import { useConfirmation, confirmRecent } from './confirm-identity.ts'
import { assertNotLastAdmin } from '../../members/admin-role.ts'
import { CONFIRMATION, PASSWORD_FIELDS } from './confirm-form.ts'
import { showAccount } from './account.page.ts'
import { type FormRequest, pageRoute, formRoute } from '../../forms/page-route.ts'
import { messagePage } from '../../html/message.page.ts'
import { deleteMember, findMember } from '../../members/member.ts'
import { type Answer, seeOther } from '../../http/response.ts'
import { leaveAnswer } from '../../sign-in/session/sign-out-response.ts'
import { lockMember, lockNetworks } from '../../access/lock-member.ts'
import { usernameKey } from '../../members/usernames.ts'
import { recordAnonymousSubmission, findSubmittedAnonymously } from '../../forms/submission.ts'
import type { AccountDeps } from './account-view.ts'
import type { Route } from '../../http/route.ts'

export function deleteRoutes(deps: AccountDeps): Route[] {
  return [deleteRoute(deps), deletedRoute(deps)]
}

function deleteRoute(deps: AccountDeps): Route {
  const { database, publicUrl } = deps
  return formRoute(deps, {
    path: ACCOUNT_DELETE_PATH,
    // A second click that arrives after the first has deleted the member.
    async whenSignedOutSince({ submission }) {
      const deleted = await findSubmittedAnonymously<typeof DELETED>(database, submission)
      return deleted && deletedAnswer(publicUrl)
    },
    async handle(request) {
      try {
        return await tryToDelete(deps, request)
      } catch (error) {
        // After a second click: the first has deleted the member.
        if (await findMember(database, request.browser.member.memberId)) throw error
        return deletedAnswer(publicUrl)
      }
    },
  })
}

async function tryToDelete(deps: AccountDeps, request: FormRequest): Promise<Answer> {
  const { database, publicUrl } = deps
  const { body, browser, now, submission } = request
  const username = body.get('delete_username') ?? ''
  const isMeant = usernameKey(username.trim()) === browser.member.username
  const confirmation = body.get(CONFIRMATION) ?? ''
  // A confirmation is single-use, so another error must not use it up.
  const isUsed = isMeant || confirmation === ''
  const wrong = isUsed ? await confirm(deps, request, confirmation) : undefined
  if (!isMeant || wrong !== undefined) {
    const errors = {
      ...(!isMeant && { delete_username: t('This does not match your username.') }),
      ...(wrong !== undefined && { [PASSWORD_FIELDS.delete_account]: wrong }),
    }
    const typed = { delete_username: username }
    const confirmed = isUsed ? undefined : ({ action: 'delete_account', confirmation } as const)
    return showAccount(deps, request, { invalid: { errors, typed }, confirmed })
  }
  const { memberId, sessionId } = browser.member
  await database.write(
    async (tx) => {
      await lockNetworks(tx, [memberId])
      // Locks all admins before the member, as admin actions do.
      await assertNotLastAdmin(tx, memberId)
      // After a second click: the first has deleted the member.
      if (!(await lockMember(tx.member(memberId)))) return
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
  return leaveAnswer(publicUrl, ACCOUNT_DELETE_PATH)
}

/** A recent sign-in is enough only if there is neither a password nor a passkey. */
async function confirm(
  deps: AccountDeps,
  request: FormRequest,
  confirmation: string,
): Promise<string | undefined> {
  const { body, browser, address } = request
  if (confirmation !== '')
    return useConfirmation(deps, request, { action: 'delete_account', confirmation })
  const typed = body.get(PASSWORD_FIELDS.delete_account) ?? ''
  return deps.passwords
    ? deps.passwords.confirm(browser.member, address, typed)
    : confirmRecent(deps, request, '')
}

function deletedRoute(deps: AccountDeps): Route {
  return pageRoute(deps, {
    path: ACCOUNT_DELETE_PATH,
    access: 'browser',
    handle: async ({ browser }) => (browser.member ? seeOther(ACCOUNT_PATH) : DELETED_PAGE),
  })
}

/** What is recorded of the form, without the member. */
const DELETED = { deleted: true } as const

const DELETED_PAGE: Answer = messagePage({
  status: 200,
  title: phrase('Account deleted'),
  text: phrase(
    'Your profile, your network and all related data were deleted. All agents and tokens were revoked.',
  ),
  action: { href: '/', label: phrase('Go to home') },
})
