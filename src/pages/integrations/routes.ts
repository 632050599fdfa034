/** `/user/integrations/mcp`: who can reach a member's network, and the decisions about that. */

import { revokeApiToken, tokenNames } from '../../access/api-token.ts'
import { requireLiveSession } from '../../access/browser-session.ts'
import { listCloudAgents, removeCloudAgent } from '../../access/cloud-agent.ts'
import { messagePage, refusePage } from '../../html/message-page.ts'
import { seeOther, type Answer } from '../../http/answer.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { grantNames, revokeGrant } from '../../oauth/grant.ts'
import { fieldErrors } from '../../sign-in/field-errors.ts'
import { recordSecurityEvent, type SecurityEventName } from '../../tools/security-events.ts'
import { timesOf } from '../time.ts'
import { NOTICES, type NoticeName } from './notices.ts'
import { readOverview } from './overview.ts'
import { integrationsPage } from './page.ts'
import {
  DISCONNECT_PATH,
  INTEGRATIONS_PATH,
  REMOVE_AGENT_PATH,
  REVOKE_TOKEN_PATH,
} from './paths.ts'
import { mintFromDraft, readTokenDraft } from './token-draft.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database, MemberReader, MemberTransaction } from '../../db/database.ts'

export interface IntegrationParts {
  readonly database: Database
  readonly clock: Clock
  /** `WEFT_PUBLIC_URL`, without a slash at its end. */
  readonly publicUrl: string
}

/** These forms hold two names and an id. */
const MOST_FORM_BYTES = 16 * 1024

export function integrationRoutes(parts: IntegrationParts): Route[] {
  return [
    showRoute(parts),
    makeTokenRoute(parts),
    ...ENDINGS.map((ending) => endRoute(parts, ending)),
  ]
}

function showRoute({ database, clock, publicUrl }: IntegrationParts): Route {
  return defineRoute({
    method: 'GET',
    path: INTEGRATIONS_PATH,
    operationId: 'showIntegrations',
    summary: 'The page of connected agents, API tokens and cloud agents',
    access: 'session',
    answers: { 200: { description: 'The page', type: 'text/html' } },
    refuse: refusePage,
    async handle({ search, visit }) {
      const now = clock.now()
      const overview = await readOverview(database.member(visit.member.memberId), now)
      const times = timesOf(visit, now)
      return integrationsPage({ visit, publicUrl, times, overview, notice: NOTICES.shown(search) })
    },
  })
}

/** Answers with the page itself, for the secret is in no address and in no store; loading the page anew hides it. */
function makeTokenRoute({ database, clock, publicUrl }: IntegrationParts): Route {
  return defineRoute({
    method: 'POST',
    path: INTEGRATIONS_PATH,
    operationId: 'makeApiToken',
    summary: 'Make an API token',
    access: 'session',
    body: { kind: 'form', maxBytes: MOST_FORM_BYTES },
    answers: {
      200: { description: 'The page with the token, shown this once', type: 'text/html' },
      422: { description: 'Something has to be corrected: the page again', type: 'text/html' },
    },
    refuse: refusePage,
    async handle({ body, visit }) {
      const now = clock.now()
      const db = database.member(visit.member.memberId)
      const draft = readTokenDraft(body)
      const page = { visit, publicUrl, times: timesOf(visit, now) }
      try {
        const minted = await db.write(async (tx) => {
          await requireLiveSession(tx, visit.member.sessionId, now)
          const made = await mintFromDraft(tx, draft, now)
          const details = { name: made.name }
          await recordSecurityEvent(tx, { event: 'token_created', details }, now)
          return made
        })
        return integrationsPage({ ...page, overview: await readOverview(db, now), minted })
      } catch (error) {
        const refused = { draft, errors: fieldErrors(error) }
        return integrationsPage({ ...page, overview: await readOverview(db, now), refused })
      }
    },
  })
}

/** Something that lets an agent in, and the form that ends it. */
interface Ending {
  readonly path: string
  readonly operationId: string
  readonly summary: string
  /** Of the form: holds the id of what ends. */
  readonly field: string
  readonly notice: NoticeName
  /** What is said where the member has nothing of that id. */
  readonly gone: string
  readonly event: SecurityEventName
  nameOf(reader: MemberReader, id: string): Promise<string | undefined>
  /** False where there was nothing to end. */
  end(tx: MemberTransaction, id: string, now: number): Promise<boolean>
}

const ENDINGS: readonly Ending[] = [
  {
    path: DISCONNECT_PATH,
    operationId: 'disconnectAgent',
    summary: 'Disconnect an app',
    field: 'grant_id',
    notice: 'disconnected',
    gone: 'This app is not connected',
    event: 'agent_disconnected',
    nameOf: async (reader, id) => (await grantNames(reader)).get(id),
    end: revokeGrant,
  },
  {
    path: REVOKE_TOKEN_PATH,
    operationId: 'revokeApiToken',
    summary: 'Revoke an API token',
    field: 'token_id',
    notice: 'token_revoked',
    gone: 'There is no such token',
    event: 'token_revoked',
    nameOf: async (reader, id) => (await tokenNames(reader)).get(id)?.name,
    end: revokeApiToken,
  },
  {
    path: REMOVE_AGENT_PATH,
    operationId: 'removeCloudAgent',
    summary: 'Remove a cloud agent and revoke its tokens',
    field: 'agent_id',
    notice: 'agent_removed',
    gone: 'There is no such cloud agent',
    event: 'cloud_agent_removed',
    nameOf: async (reader, id) =>
      (await listCloudAgents(reader)).find(({ agentId }) => agentId === id)?.name,
    end: removeCloudAgent,
  },
]

function endRoute({ database, clock }: IntegrationParts, ending: Ending): Route {
  const { path, operationId, summary, field, notice, gone } = ending
  return defineRoute({
    method: 'POST',
    path,
    operationId,
    summary,
    access: 'session',
    body: { kind: 'form', maxBytes: MOST_FORM_BYTES },
    answers: {
      303: { description: 'Done; back to the page' },
      404: { description: 'The member has no such thing, or no longer', type: 'text/html' },
    },
    refuse: refusePage,
    async handle({ body, visit }) {
      const id = body.get(field) ?? ''
      const now = clock.now()
      const db = database.member(visit.member.memberId)
      const isEnded = await db.write(async (tx) => {
        const details = { name: (await ending.nameOf(tx, id)) ?? '' }
        if (!(await ending.end(tx, id, now))) return false
        await recordSecurityEvent(tx, { event: ending.event, details }, now)
        return true
      })
      return isEnded ? seeOther(NOTICES.pathTo(notice)) : gonePage(gone)
    },
  })
}

function gonePage(title: string): Answer {
  return messagePage({
    status: 404,
    title,
    text: 'It may have been ended before. Nothing was changed.',
    action: { href: INTEGRATIONS_PATH, label: 'Back to agents & tokens' },
  })
}
