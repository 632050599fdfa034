/** A member's API tokens with their expiration, and buttons to revoke them. */

import { DAY } from '../../base/clock.ts'
import { NOTHING, html, type Html } from '../../html/html.ts'
import { confirmButton } from '../ui/confirm-button.ts'
import { countOf } from '../ui/count-of.ts'
import { REVOKE_TOKEN_PATH } from '../../html/site-map.ts'
import { limitsLine } from './limits-summary.ts'
import type { ApiToken } from '../../access/api-token.ts'
import type { Times } from '../ui/time.ts'
import type { AgentAccess, SectionContext } from './overview.ts'

/** Enough time to replace it. */
const SOON = 7 * DAY

export function tokenList(access: AgentAccess, context: SectionContext): Html {
  if (access.tokens.length === 0) return NONE
  const items = access.tokens.map((token) => item(token, access, context))
  return html`<ul class="items">
    ${items}
  </ul>`
}

const NONE = html`<p class="empty">
  No tokens. Most apps sign in without one. Create a token for a script or a cloud agent.
</p>`

function item(token: ApiToken, access: AgentAccess, { formToken, times }: SectionContext): Html {
  const calls = access.calls.get(token.tokenId) ?? 0
  const { tokenId, name, hint, createdAt, lastUsedAt } = token
  const used = lastUsedAt === null ? 'not used yet' : html`last used ${times.ago(lastUsedAt)}`
  return html`<li>
    <div>
      <h3><bdi>${name}</bdi> ${badge(token, times.now)}</h3>
      <small><code>${hint}…</code> · used by ${holderOf(token)} · ${expiryOf(token, times)}</small>
      <small
        >Created ${times.day(createdAt)} · ${used} · ${countOf(calls, 'call')} this month</small
      >
      ${limitsLine(access, { credentialId: tokenId, name }, times)}
    </div>
    ${confirmButton({
      verb: 'Revoke',
      name,
      text: 'Programs that use this token immediately lose access. This cannot be undone.',
      action: REVOKE_TOKEN_PATH,
      field: 'token_id',
      id: tokenId,
      formToken,
    })}
  </li>`
}

function badge({ expiresAt }: ApiToken, now: number): Html {
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
  return html`${expiresAt <= times.now ? 'expired' : 'expires'} ${times.day(expiresAt)}`
}
