/** Everything with access to a member's network, with its number of calls, its limits and a button that ends it. */

import { t } from '../../languages/message.ts'
import { joinHtml, html, NOTHING, type Html } from '../../html/html.ts'
import {
  DISCONNECT_AGENT_PATH,
  agentLimitsPath,
  REMOVE_CLOUD_AGENT_PATH,
  REVOKE_TOKEN_PATH,
} from '../../html/site-map.ts'
import { faceAt } from '../../html/face.ts'
import { agentActivityPath } from '../activity/activity-filters.ts'
import { numberText, countOf } from '../../ui/numbers.ts'
import { listApiTokens, type ApiToken } from '../../access/api-token.ts'
import { listGrants, type Grant } from '../../oauth/grant.ts'
import { listCloudAgents, type CloudAgent } from '../../access/cloud-agent.ts'
import { panel, itemList, emptyNote } from '../../ui/sections.ts'
import { NO_LIMITS, type AgentLimits } from '../../http/caller.ts'
import { ALLOWED_GROUPS } from '../../tools/allowed-tools.ts'
import { isLimited, listLimits } from '../../access/agent-limits.ts'
import { DAY } from '../../base/clock.ts'
import { confirmButton } from '../../ui/confirm-button.ts'
import { countCalls } from '../../credits/usage.ts'
import { periodOf } from '../../credits/month.ts'
import type { Times } from '../../ui/time.ts'
import type { MemberDatabase } from '../../db/database.ts'

interface AgentAccess {
  readonly grants: readonly Grant[]
  readonly tokens: readonly ApiToken[]
  readonly cloudAgents: readonly CloudAgent[]
  /** Charged calls of this calendar month (UTC), by grant or token. */
  readonly calls: ReadonlyMap<string, number>
  /** By grant or token; those without an entry have none. */
  readonly limits: ReadonlyMap<string, AgentLimits>
}

/** Reads what the page about agents lists: grants, tokens, cloud agents, their calls this month and their limits. */
export async function readAgentAccess(db: MemberDatabase, now: number): Promise<AgentAccess> {
  const [grants, tokens, cloudAgents, calls, limits] = await Promise.all([
    listGrants(db, now),
    listApiTokens(db),
    listCloudAgents(db),
    countCalls(db.heavy, periodOf(now).periodStart),
    listLimits(db),
  ])
  return { grants, tokens, cloudAgents, calls, limits }
}

/** Connected apps; empty without any. */
export function connectedAgents(access: AgentAccess, times: Times): Html {
  const items = access.grants.map((grant) => grantItem(grant, access, times))
  return items.length === 0 ? NOTHING : panel('connected', t('Connected apps'), itemList(items))
}

function grantItem(grant: Grant, access: AgentAccess, times: Times): Html {
  const { grantId, clientName, redirectHost } = grant
  return html`<li>
    <div>
      <h3>${agentLink(clientName)}</h3>
      <small>Access given to ${destinationOf(redirectHost)}</small>
      ${usageLine(grant, { verb: t('Connected'), calls: access.calls.get(grantId) }, times)}
      ${limitsLine(access, { id: grantId, name: clientName }, times)}
    </div>
    ${confirmButton({
      verb: t('Disconnect'),
      name: clientName,
      text: t('It immediately loses access to your network. You can connect it again later.'),
      action: DISCONNECT_AGENT_PATH,
      field: 'grant_id',
      id: grantId,
    })}
  </li>`
}

/** The face and name of an agent, which lead to what it changed. */
function agentLink(name: string): Html {
  const path = agentActivityPath(name)
  return html`<a class="who" href="${path}" title="${t('What it changed')}"
    >${faceAt(name, undefined)} <bdi>${name}</bdi></a
  >`
}

/** `redirectHost` is the value stored in the grant. */
function destinationOf(redirectHost: string): Html {
  if (redirectHost.endsWith(':')) return html`the app that opens <bdi>${redirectHost}</bdi> links`
  const { hostname } = new URL(`http://${redirectHost}`)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  const host = html`<bdi>${redirectHost}</bdi>`
  return isLocal ? html`${host}, on the computer you used` : host
}

/** API tokens with their expiration. */
export function tokenList(access: AgentAccess, times: Times): Html {
  return itemList(
    access.tokens.map((token) => tokenItem(token, access, times)),
    emptyNote(
      t('No tokens. Most apps sign in without one. Create a token for a script or a cloud agent.'),
    ),
  )
}

function tokenItem(token: ApiToken, access: AgentAccess, times: Times): Html {
  const { tokenId, name, hint } = token
  return html`<li>
    <div>
      <h3>${agentLink(name)} ${expiryBadge(token, times.now)}</h3>
      <small><code>${hint}…</code> · used by ${holderOf(token)} · ${expiryOf(token, times)}</small>
      ${usageLine(token, { verb: t('Created'), calls: access.calls.get(tokenId) }, times)}
      ${limitsLine(access, { id: tokenId, name }, times)}
    </div>
    ${confirmButton({
      verb: t('Revoke'),
      name,
      text: t('Programs that use this token immediately lose access. This cannot be undone.'),
      action: REVOKE_TOKEN_PATH,
      field: 'token_id',
      id: tokenId,
    })}
  </li>`
}

/** Enough time to replace it. */
const SOON = 7 * DAY

function expiryBadge({ expiresAt }: ApiToken, now: number): Html {
  if (expiresAt === null || expiresAt > now + SOON) return NOTHING
  return expiresAt <= now
    ? html`<span class="badge danger">expired</span>`
    : html`<span class="badge warning">expires soon</span>`
}

function holderOf({ holder, agent }: ApiToken): Html {
  if (holder === 'ai_client') return html`your own AI client`
  return agent === null ? html`a cloud agent` : html`the cloud agent <bdi>${agent}</bdi>`
}

function expiryOf({ expiresAt }: ApiToken, times: Times): Html {
  if (expiresAt === null) return html`no expiration`
  const day = times.day(expiresAt)
  return expiresAt <= times.now ? html`expired ${day}` : html`expires ${day}`
}

/** Cloud agents with their tokens; empty without any. */
export function cloudAgentList({ cloudAgents, tokens }: AgentAccess, times: Times): Html {
  const items = cloudAgents.map((agent) => {
    const held = tokens.filter((token) => token.agent === agent.name).map(({ name }) => name)
    return cloudAgentItem(agent, held, times)
  })
  return items.length === 0 ? NOTHING : panel('cloud-agents', t('Cloud agents'), itemList(items))
}

/** `held` are the names of its tokens. */
function cloudAgentItem(
  { agentId, name, createdAt }: CloudAgent,
  held: readonly string[],
  times: Times,
): Html {
  const names = held.map((one) => html`<bdi>${one}</bdi>`)
  const tokens = countOf(held.length, 'token')
  return html`<li>
    <div>
      <h3><bdi>${name}</bdi></h3>
      <small>${held.length === 0 ? t('No tokens') : html`Tokens: ${joinHtml(names, ', ')}`}</small>
      <small>Created ${times.day(createdAt)}</small>
    </div>
    ${confirmButton({
      verb: t('Remove'),
      name,
      text:
        held.length === 0
          ? t('It has no tokens.')
          : t('This revokes its {tokens} immediately.', { tokens }),
      action: REMOVE_CLOUD_AGENT_PATH,
      field: 'agent_id',
      id: agentId,
    })}
  </li>`
}

function usageLine(
  { createdAt, lastUsedAt }: Pick<Grant, 'createdAt' | 'lastUsedAt'>,
  { verb, calls = 0 }: { readonly verb: string; readonly calls: number | undefined },
  times: Times,
): Html {
  const used = lastUsedAt === null ? t('not used yet') : html`last used ${times.ago(lastUsedAt)}`
  return html`<small>
    ${verb} ${times.day(createdAt)} · ${used} · ${countOf(calls, 'call')} this month
  </small>`
}

function endText(isOver: boolean, day: string): string {
  return isOver ? t('Ended {day}', { day }) : t('Until {day}', { day })
}

/** What the agent may do, with a link to change it. */
function limitsLine(
  { limits }: AgentAccess,
  { id, name }: { readonly id: string; readonly name: string },
  times: Times,
): Html {
  const summary = limitsText(limits.get(id) ?? NO_LIMITS, times)
  return html`<small
    >${summary} ·
    <a href="${agentLimitsPath(id)}"
      >Change limits<span class="unseen"> for ${name}</span></a
    ></small
  >`
}

function limitsText(limits: AgentLimits, times: Times): string {
  if (!isLimited(limits)) return t('No limits')
  const { readOnly, groups, withholdsText, monthlyCredits, endsAt } = limits
  const labels = Object.entries(ALLOWED_GROUPS).filter(([group]) => groups?.includes(group))
  const isOver = endsAt !== null && endsAt <= times.now
  return [
    readOnly && t('Read only'),
    groups !== null &&
      t('Only: {labels}', { labels: labels.map(([, label]) => t(label)).join(', ') }),
    withholdsText && t('No free text'),
    monthlyCredits !== null &&
      t('{monthlyCredits} credits per month', { monthlyCredits: numberText(monthlyCredits) }),
    // The end is the first moment after the last day.
    endsAt !== null && endText(isOver, times.longDay(endsAt - 1)),
  ]
    .filter((text) => text !== false)
    .join(' · ')
}
