/** The server URL for agents, with instructions for common clients. */

import { t } from '../../languages/message.ts'
import { attributes, html, type Html } from '../../html/html.ts'
import { CLIENTS } from './client-instructions.ts'
import { copyable, panel } from '../../ui/sections.ts'

export function connectSection(publicUrl: string): Html {
  const address = `${publicUrl}/mcp`
  // Cloud apps cannot reach a local address.
  const likely = isLocal(publicUrl) ? 'Claude Code' : 'Claude'
  const ways = CLIENTS.toSorted(
    (one, other) => Number(other.name === likely) - Number(one.name === likely),
  ).map(
    ({ name, steps }) =>
      html`<details name="client" ${attributes({ open: name === likely })}>
        <summary>${t(name)}</summary>
        <div>${steps(address)}</div>
      </details>`,
  )
  const body = html`<p>
      Paste this URL into any app that supports MCP. The app opens a page here where you allow or
      deny access.
    </p>
    ${copyable(address, t('the URL'))} ${isLocal(publicUrl) ? localNotice() : ''}
    <div class="ways">${ways}</div>`
  return panel('connect', t('Connect an agent'), body)
}

function localNotice(): Html {
  return html`<p class="quiet">
    This address only works on this computer. Cloud apps such as Claude and ChatGPT on the web can't
    reach it.
  </p>`
}

function isLocal(publicUrl: string): boolean {
  const { hostname } = new URL(publicUrl)
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
}
