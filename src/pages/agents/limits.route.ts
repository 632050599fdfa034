/** Shows and changes what an app or a token may do. */

import { phrase, t } from '../../languages/message.ts'
import { AGENT_LIMITS_PATH, INTEGRATIONS_PATH } from '../../html/site-map.ts'
import { pageRoute, type PageDeps, formRoute } from '../../forms/page-route.ts'
import {
  limitFields,
  shownLimits,
  readLimits,
  type ReadLimits,
} from '../../oauth/consent/limits-form.ts'
import { type Answer, seeOther } from '../../http/response.ts'
import { hiddenField } from '../../html/form.ts'
import { gonePage, NOTICES } from './agent-notices.ts'
import { requireLiveSession } from '../../access/browser-session.ts'
import { recordSecurityEvent } from '../../tools/security-events.ts'
import { saveLimits, findLimits } from '../../access/agent-limits.ts'
import { listGrants } from '../../oauth/grant.ts'
import { listApiTokens } from '../../access/api-token.ts'
import { html } from '../../html/html.ts'
import { formattersOf } from '../../ui/time-zone.ts'
import { memberPage } from '../../html/member-layout.ts'
import type { Route } from '../../http/route.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { MemberReader } from '../../db/database.ts'

export function limitRoutes(deps: PageDeps): Route[] {
  return [showRoute(deps), saveRoute(deps)]
}

function showRoute(deps: PageDeps): Route {
  return pageRoute(deps, {
    path: AGENT_LIMITS_PATH,
    async handle({ search, browser, db, now }) {
      const credentialId = new URLSearchParams(search).get('agent')
      if (credentialId === null) return seeOther(INTEGRATIONS_PATH)
      const agent = await findAgent(db, credentialId, now)
      if (!agent) return gonePage(GONE)
      const limits = { ok: true, limits: await findLimits(db, agent.credentialId) } as const
      return limitsPage(browser, agent, limits)
    },
  })
}

function saveRoute(deps: PageDeps): Route {
  return formRoute(deps, {
    path: AGENT_LIMITS_PATH,
    async handle({ body, browser, db, now }) {
      const agent = await findAgent(db, body.get('agent') ?? '', now)
      const limits = readLimits(body, { timeZone: browser.timeZone, now })
      if (!agent || !limits) return gonePage(GONE)
      if (!limits.ok) return limitsPage(browser, agent, limits)
      await db.write(async (tx) => {
        await requireLiveSession(tx, browser.member.sessionId, now)
        await saveLimits(tx, agent, limits.limits, now)
        const details = { name: agent.name }
        await recordSecurityEvent(tx, { event: 'agent_limits_changed', details }, now)
      })
      return seeOther(NOTICES.pathTo('limits_saved'))
    },
  })
}

const GONE = phrase('App or token not found')

interface LimitedAgent {
  readonly credentialId: string
  /** ID of an app; null for an API token. */
  readonly clientId: string | null
  readonly name: string
}

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

/** `limits` are stored, or submitted and rejected. */
function limitsPage(browser: SignedInRequest, agent: LimitedAgent, limits: ReadLimits): Answer {
  const { timeZone } = formattersOf(browser.timeZone)
  return memberPage({
    title: t('Limits for {name}', { name: agent.name }),
    heading: html`Limits for <bdi>${agent.name}</bdi>`,
    browser,
    current: 'agents',
    status: limits.ok ? 200 : 422,
    body: html`<section class="panel" aria-label="Limits">
      <p>
        It sees only the tools that you allow, and calls to other tools are rejected. Changes apply
        from its next call.
      </p>
      <form method="post" action="${AGENT_LIMITS_PATH}">
        ${hiddenField('agent', agent.credentialId)} ${limitFields(shownLimits(limits, timeZone))}
        <div class="actions">
          <button>Save limits</button>
          <a class="button plain" href="${INTEGRATIONS_PATH}">Cancel</a>
        </div>
      </form>
    </section>`,
  })
}
