/** Who spent credits, as a fragment. Without a credential it is the member on these pages; commands spend none. */

import { html, type Html } from '../../html/html.ts'
import type { Names } from './overview.ts'

export function spenderName(credentialId: string | null, names: Names): Html {
  if (credentialId === null) return html`You`
  const credential = names.credential(credentialId)
  if (!credential) return html`<span class="quiet">Disconnected app</span>`
  const { name, ended } = credential
  return html`<bdi>${name}</bdi>
    ${ended === undefined ? '' : html`<span class="badge">${ended}</span>`}`
}
