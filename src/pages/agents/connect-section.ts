/** The address that an agent needs, and how it gets into the client that a person uses. */

import { html } from '../../html/html.ts'
import { copyable } from '../ui/copyable.ts'
import { CLIENTS } from './clients.ts'

export function connectSection(publicUrl: string): string {
  const address = `${publicUrl}/mcp`
  const ways = CLIENTS.map(
    ({ name, steps }) =>
      html`<details name="client">
        <summary>${name}</summary>
        <div>!${steps(address)}</div>
      </details>`,
  )
  return html`<section class="panel" aria-labelledby="connect">
    <h2 id="connect">Connect an agent</h2>
    <p>
      Paste this address into any app that speaks MCP. It opens a window here, where you allow it or
      not.
    </p>
    !${copyable(address, 'the address')} !${isLocal(publicUrl) ? LOCAL : ''}
    <div class="ways">!${ways}</div>
  </section>`
}

const LOCAL = html`<p class="notice">
  This address works on this computer alone: what runs in the cloud, such as Claude and ChatGPT on
  the web, cannot reach it.
</p>`

function isLocal(publicUrl: string): boolean {
  const { hostname } = new URL(publicUrl)
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
}
