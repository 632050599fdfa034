/** Deletes a member with everything they hold, at once and for good. */

import { requireLiveSession, sessionCookies } from '../../access/browser-session.ts'
import { messagePage, refusePage } from '../../html/message.page.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { deleteMember } from '../../members/member.ts'
import { refuseLastOperator } from '../../members/role.ts'
import { usernameKey } from '../../members/usernames.ts'
import { MOST_FORM_BYTES, showAccount, type AccountParts } from './account-deps.ts'
import { ACCOUNT_PATH, DELETE_PATH } from './account-notices.ts'

export function deleteRoutes(parts: AccountParts): Route[] {
  return [deleteRoute(parts), deletedRoute()]
}

function deleteRoute(parts: AccountParts): Route {
  const { database, clock, publicUrl, passwords } = parts
  return defineRoute({
    method: 'POST',
    path: DELETE_PATH,
    operationId: 'deleteAccount',
    summary: 'Delete the account and everything in it',
    access: 'session',
    body: { kind: 'form', maxBytes: MOST_FORM_BYTES },
    answers: {
      303: { description: 'The account is deleted; to the page that says so' },
      409: { description: 'Nobody else is an operator', type: 'text/html' },
      422: { description: 'It was not asked for: the page again', type: 'text/html' },
    },
    refuse: refusePage,
    async handle({ body, visit, address }) {
      const username = body.get('delete_username') ?? ''
      const isMeant = usernameKey(username.trim()) === visit.member.username
      const password = body.get('delete_password') ?? ''
      const wrong = await passwords?.confirm(visit.member, address, password)
      if (!isMeant || wrong !== undefined) {
        const errors = {
          ...(!isMeant && { delete_username: 'This is not your username.' }),
          ...(wrong !== undefined && { delete_password: wrong }),
        }
        const typed = { delete_username: username }
        return showAccount(parts, visit, { refused: { errors, typed } })
      }
      const { memberId, sessionId } = visit.member
      await database.write(
        async (tx) => {
          await requireLiveSession(tx.member(memberId), sessionId, clock.now())
          await refuseLastOperator(tx, memberId)
          await deleteMember(tx, memberId)
        },
        { bulk: true },
      )
      // The account is deleted, whatever becomes of this: the daily sweep does it again.
      await database.erase({ mostSteps: MOST_STEPS }).catch(() => {})
      return seeOther(DELETE_PATH, sessionCookies(publicUrl).signOut())
    },
  })
}

function deletedRoute(): Route {
  return defineRoute({
    method: 'GET',
    path: DELETE_PATH,
    operationId: 'showDeleted',
    summary: 'Says that the account was deleted',
    access: 'browser',
    answers: {
      200: { description: 'The page', type: 'text/html' },
      303: { description: 'To the account page of a member who is signed in' },
    },
    refuse: refusePage,
    handle: async ({ visit }) => (visit.member ? seeOther(ACCOUNT_PATH) : DELETED),
  })
}

/** About a second's work; in a larger index the daily sweep goes on with the rest. */
const MOST_STEPS = 200

const DELETED: Answer = messagePage({
  status: 200,
  title: 'Your account is deleted',
  text: 'Your profile, your network and everything about it are gone, and every agent and token with them.',
  action: { href: '/', label: 'To the front page' },
})
