/** Signs out other browsers, one or all. The current browser has its own sign-out button in the sidebar. */

import { type PageDeps, formRoute } from '../../forms/page-route.ts'
import { seeOther } from '../../http/response.ts'
import { ACCOUNT_NOTICES } from './account-view.ts'
import { END_SESSION_PATH, END_OTHERS_PATH } from '../../html/site-map.ts'
import { endOtherSessions, endSession } from '../../access/browser-session.ts'
import { recordSecurityEvent } from '../../tools/security-events.ts'
import { lockMember } from '../../access/lock-member.ts'
import type { Route } from '../../http/route.ts'

export function sessionRoutes(deps: PageDeps): Route[] {
  return [endOneRoute(deps), endOthersRoute(deps)]
}

/** Idempotent: ending a session that has already ended succeeds. */
function endOneRoute(deps: PageDeps): Route {
  return formRoute(deps, {
    path: END_SESSION_PATH,
    async handle({ body, db, now }) {
      const sessionId = body.get('session_id') ?? ''
      await db.write(async (tx) => {
        if (await endSession(tx, sessionId))
          await recordSecurityEvent(tx, { event: 'session_ended' }, now)
      })
      return seeOther(ACCOUNT_NOTICES.pathTo('session_ended'))
    },
  })
}

function endOthersRoute(deps: PageDeps): Route {
  return formRoute(deps, {
    path: END_OTHERS_PATH,
    async handle({ browser, db, now }) {
      const { sessionId } = browser.member
      await db.write(async (tx) => {
        await lockMember(tx)
        const ended = await endOtherSessions(tx, sessionId)
        const details = { sessions: ended }
        if (ended > 0) await recordSecurityEvent(tx, { event: 'session_ended', details }, now)
      })
      return seeOther(ACCOUNT_NOTICES.pathTo('others_ended'))
    },
  })
}
