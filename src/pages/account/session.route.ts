/** Signs out other browsers, one or all. The current browser has its own sign-out button in the sidebar. */

import { endOtherSessions, endSession } from '../../access/browser-session.ts'
import { lockMember } from '../../access/lock-member.ts'
import { errorPage } from '../../html/message.page.ts'
import { seeOther } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { recordSecurityEvent } from '../../tools/security-events.ts'
import { MAX_ACCOUNT_FORM_BYTES, type AccountDeps } from './account-deps.ts'
import { ACCOUNT_NOTICES } from './account-notices.ts'
import { END_OTHERS_PATH, END_SESSION_PATH } from '../../html/site-map.ts'

type SessionDeps = Pick<AccountDeps, 'database' | 'clock'>

export function sessionRoutes(deps: SessionDeps): Route[] {
  return [endOneRoute(deps), endOthersRoute(deps)]
}

/** Idempotent: ending a session that has already ended succeeds. */
function endOneRoute({ database, clock }: SessionDeps): Route {
  return defineRoute({
    method: 'POST',
    path: END_SESSION_PATH,
    operationId: 'endSession',
    summary: 'Sign out one browser',
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_ACCOUNT_FORM_BYTES },
    answers: { 303: { description: 'Done; back to the page' } },
    onError: errorPage,
    async handle({ body, browser }) {
      const sessionId = body.get('session_id') ?? ''
      const now = clock.now()
      await database.member(browser.member.memberId).write(async (tx) => {
        if (await endSession(tx, sessionId))
          await recordSecurityEvent(tx, { event: 'session_ended' }, now)
      })
      return seeOther(ACCOUNT_NOTICES.pathTo('session_ended'))
    },
  })
}

function endOthersRoute({ database, clock }: SessionDeps): Route {
  return defineRoute({
    method: 'POST',
    path: END_OTHERS_PATH,
    operationId: 'endOtherSessions',
    summary: 'Sign out all other browsers',
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_ACCOUNT_FORM_BYTES },
    answers: { 303: { description: 'Done; back to the page' } },
    onError: errorPage,
    async handle({ browser }) {
      const { memberId, sessionId } = browser.member
      const now = clock.now()
      await database.member(memberId).write(async (tx) => {
        await lockMember(tx.shared, memberId)
        const ended = await endOtherSessions(tx, sessionId)
        const details = { sessions: ended }
        if (ended > 0) await recordSecurityEvent(tx, { event: 'session_ended', details }, now)
      })
      return seeOther(ACCOUNT_NOTICES.pathTo('others_ended'))
    },
  })
}
