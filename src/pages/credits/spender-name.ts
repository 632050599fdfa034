/** Who spent credits, as a fragment. */

import { html } from '../../html/html.ts'
import type { Names } from './overview.ts'

export function spenderName(credentialId: string | null, names: Names): string {
  if (credentialId === null) return 'The command line'
  const credential = names.credential(credentialId)
  if (!credential) return html`<span class="quiet">An app that is disconnected</span>`
  const { name, ended } = credential
  return html`<bdi>${name}</bdi>
    !${ended === undefined ? '' : html`<span class="badge">${ended}</span>`}`
}
