/** A newly created token. Its secret is shown only once. */

import { html, type Html } from '../../html/html.ts'
import { copyable } from '../ui/copyable.ts'
import { trial } from './clients.ts'
import { INTEGRATIONS_PATH } from '../../html/site-map.ts'
import type { MintedApiToken } from '../../access/api-token.ts'

export function mintedToken(
  { name, secret }: Pick<MintedApiToken, 'name' | 'secret'>,
  publicUrl: string,
): Html {
  return html`<section class="panel" aria-labelledby="minted">
    <h2 id="minted">Token <bdi>${name}</bdi> created</h2>
    <p class="notice warning" role="status">
      Copy it now; you won't see it again. Weft stores only a hash.
    </p>
    ${copyable(secret, 'the token')}
    <p>
      Store the token with your agent's other secrets. The agent must send it with every request as
      <code>Authorization: Bearer …</code>. To test it, set <code>WEFT_TOKEN</code> to the token and
      run:
    </p>
    ${copyable(trial(`${publicUrl}/mcp`), 'the test command')}
    <div class="actions">
      <a class="button plain" href="${INTEGRATIONS_PATH}">Done</a>
    </div>
  </section>`
}
