/** A token that was just made: the one time that its secret is shown, and what to do with it. */

import { html } from '../../html/html.ts'
import { copyable } from '../ui/copyable.ts'
import { trial } from './clients.ts'
import { INTEGRATIONS_PATH } from '../../html/site-map.ts'
import type { MintedApiToken } from '../../access/api-token.ts'

export function mintedToken(
  { name, secret }: Pick<MintedApiToken, 'name' | 'secret'>,
  publicUrl: string,
): string {
  return html`<section class="panel" aria-labelledby="minted">
    <h2 id="minted">The token <bdi>${name}</bdi> is made</h2>
    <p class="notice warning" role="status">
      Copy it now. It is shown this once: only its fingerprint is kept here.
    </p>
    !${copyable(secret, 'the token')}
    <p>
      Keep it where your agent keeps its secrets, and have it sent with every request, as
      <code>Authorization: Bearer …</code>. With the token in <code>WEFT_TOKEN</code>, this tries
      it:
    </p>
    !${copyable(trial(`${publicUrl}/mcp`), 'the line to try it')}
    <div class="actions">
      <a class="button plain" href="${INTEGRATIONS_PATH}">I have copied it</a>
    </div>
  </section>`
}
