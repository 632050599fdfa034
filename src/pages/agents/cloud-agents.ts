/** A member's cloud agents with their tokens, and buttons to remove them. */

import { html, joinHtml, type Html } from '../../html/html.ts'
import { confirmButton } from '../ui/confirm-button.ts'
import { countOf } from '../ui/count-of.ts'
import { REMOVE_CLOUD_AGENT_PATH } from '../../html/site-map.ts'
import type { CloudAgent } from '../../access/cloud-agent.ts'
import type { AgentAccess, SectionContext } from './overview.ts'

export function cloudAgentList(
  { cloudAgents, tokens }: AgentAccess,
  context: SectionContext,
): Html {
  const items = cloudAgents.map((agent) => {
    const held = tokens.filter((token) => token.agent === agent.name).map(({ name }) => name)
    return item(agent, held, context)
  })
  return html`<section class="panel" aria-labelledby="cloud-agents">
    <h2 id="cloud-agents">Cloud agents</h2>
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
  No cloud agents. To add one, create a token for an agent that runs on its own.
</p>`

/** `held` are the names of its tokens. */
function item(
  { agentId, name, createdAt }: CloudAgent,
  held: readonly string[],
  { formToken, times }: SectionContext,
): Html {
  const tokens = countOf(held.length, 'token')
  return html`<li>
    <div>
      <h3><bdi>${name}</bdi></h3>
      <small>${held.length === 0 ? 'No tokens' : html`Tokens: ${listed(held)}`}</small>
      <small>Created ${times.day(createdAt)}</small>
    </div>
    ${confirmButton({
      verb: 'Remove',
      name,
      text: held.length === 0 ? 'It has no tokens.' : `This revokes its ${tokens} immediately.`,
      action: REMOVE_CLOUD_AGENT_PATH,
      field: 'agent_id',
      id: agentId,
      formToken,
    })}
  </li>`
}

function listed(names: readonly string[]): Html {
  return joinHtml(
    names.map((name) => html`<bdi>${name}</bdi>`),
    ', ',
  )
}
