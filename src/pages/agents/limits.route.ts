/** Shows and changes what an app or a token may do. */

import { findLimits, saveLimits } from '../../access/agent-limits.ts'
import { listApiTokens } from '../../access/api-token.ts'
import { requireLiveSession } from '../../access/browser-session.ts'
import { errorPage } from '../../html/message.page.ts'
import { AGENT_LIMITS_PATH, INTEGRATIONS_PATH } from '../../html/site-map.ts'
import { seeOther } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { listGrants } from '../../oauth/grant.ts'
import { readLimits, type ReadLimits } from '../../oauth/limits-form.ts'
import { recordSecurityEvent } from '../../tools/security-events.ts'
import { timesOf } from '../ui/time.ts'
import { gonePage } from './gone.page.ts'
import { limitsPage, type LimitedAgent } from './limits.page.ts'
import { NOTICES } from './notices.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database, MemberReader } from '../../db/database.ts'

interface LimitDeps {
  readonly database: Database
  readonly clock: Clock
}

/** A form of some choices, a number and a date. */
const MAX_FORM_BYTES = 16 * 1024

export function limitRoutes(deps: LimitDeps): Route[] {
  return [showRoute(deps), saveRoute(deps)]
}

function showRoute({ database, clock }: LimitDeps): Route {
  return defineRoute({
    method: 'GET',
    path: AGENT_LIMITS_PATH,
    operationId: 'showAgentLimits',
    summary: 'Show what an app or a token may do',
    access: 'session',
    answers: {
      200: { description: 'The page', type: 'text/html' },
      303: { description: 'No agent is named; to Agents & tokens' },
      404: { description: 'Not connected, or not a token of the member', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ search, browser }) {
      const db = database.member(browser.member.memberId)
      const now = clock.now()
      const credentialId = new URLSearchParams(search).get('agent')
      if (credentialId === null) return seeOther(INTEGRATIONS_PATH)
      const agent = await findAgent(db, credentialId, now)
      if (!agent) return gonePage(GONE)
      const limits: ReadLimits = { ok: true, limits: await findLimits(db, agent.credentialId) }
      return limitsPage({ browser, agent, limits, times: timesOf(browser, now) })
    },
  })
}

function saveRoute({ database, clock }: LimitDeps): Route {
  return defineRoute({
    method: 'POST',
    path: AGENT_LIMITS_PATH,
    operationId: 'setAgentLimits',
    summary: 'Set what an app or a token may do',
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: {
      303: { description: 'Saved; back to the page' },
      404: { description: 'Not connected, or not a token of the member', type: 'text/html' },
      422: { description: 'Something has to be corrected: the page again', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ body, browser }) {
      const { memberId, sessionId } = browser.member
      const now = clock.now()
      const db = database.member(memberId)
      const agent = await findAgent(db, body.get('agent') ?? '', now)
      const limits = readLimits(body, { timeZone: browser.timeZone, now })
      if (!agent || !limits) return gonePage(GONE)
      if (!limits.ok) return limitsPage({ browser, agent, limits, times: timesOf(browser, now) })
      await db.write(async (tx) => {
        await requireLiveSession(tx, sessionId, now)
        await saveLimits(tx, agent, limits.limits, now)
        const details = { name: agent.name }
        await recordSecurityEvent(tx, { event: 'agent_limits_changed', details }, now)
      })
      return seeOther(NOTICES.pathTo('limits_saved'))
    },
  })
}

const GONE = 'App or token not found'

async function findAgent(
  reader: MemberReader,
  credentialId: string,
  now: number,
): Promise<LimitedAgent | undefined> {
  const grant = (await listGrants(reader, now)).find(({ grantId }) => grantId === credentialId)
  if (grant) return { credentialId, clientId: grant.clientId, name: grant.clientName }
  const token = (await listApiTokens(reader)).find(({ tokenId }) => tokenId === credentialId)
  return token && { credentialId, clientId: null, name: token.name }
}
