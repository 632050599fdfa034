/** A member's connected apps, with buttons to disconnect them. */

import { html, type Html } from '../../html/html.ts'
import { confirmButton } from '../ui/confirm-button.ts'
import { countOf } from '../ui/count-of.ts'
import { DISCONNECT_AGENT_PATH } from '../../html/site-map.ts'
import { limitsLine } from './limits-summary.ts'
import type { Grant } from '../../oauth/grant.ts'
import type { AgentAccess, SectionContext } from './overview.ts'

export function connectedAgents(access: AgentAccess, context: SectionContext): Html {
  const items = access.grants.map((grant) => item(grant, access, context))
  return html`<section class="panel" aria-labelledby="connected">
    <h2 id="connected">Connected apps</h2>
    ${
      items.length === 0
        ? NONE
        : html`<ul class="items">
            ${items}
          </ul>`
    }
  </section>`
}

const NONE = html`<p class="empty">
  No connected apps yet. Paste the URL above into an app and allow access; the app then appears
  here.
</p>`

function item(grant: Grant, access: AgentAccess, { formToken, times }: SectionContext): Html {
  const calls = access.calls.get(grant.grantId) ?? 0
  const { grantId, clientName, redirectHost, createdAt, lastUsedAt } = grant
  const used = lastUsedAt === null ? 'not used yet' : html`last used ${times.ago(lastUsedAt)}`
  return html`<li>
    <div>
      <h3><bdi>${clientName}</bdi></h3>
      <small>Access given to ${destinationOf(redirectHost)}</small>
      <small>
        Connected ${times.day(createdAt)} · ${used} · ${countOf(calls, 'call')} this month
      </small>
      ${limitsLine(access, { credentialId: grantId, name: clientName }, times)}
    </div>
    ${confirmButton({
      verb: 'Disconnect',
      name: clientName,
      text: 'It immediately loses access to your network. You can connect it again later.',
      action: DISCONNECT_AGENT_PATH,
      field: 'grant_id',
      id: grantId,
      formToken,
    })}
  </li>`
}

/** A fragment; `redirectHost` is the value stored in the grant. */
function destinationOf(redirectHost: string): Html {
  if (redirectHost.endsWith(':')) return html`the app that opens <bdi>${redirectHost}</bdi> links`
  const { hostname } = new URL(`http://${redirectHost}`)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return isLocal
    ? html`<bdi>${redirectHost}</bdi>, on the computer you used`
    : html`<bdi>${redirectHost}</bdi>`
}
