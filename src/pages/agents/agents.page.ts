/** The page "Agents & tokens". */

import { html, type Html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { cloudAgentList } from './cloud-agents.ts'
import { connectSection } from './connect-section.ts'
import { attemptsSection, type SeenAttempts } from '../ui/connection-attempts.ts'
import { connectedAgents } from './connected-agents.ts'
import { mintedToken } from './new-token.ts'
import { EMPTY_TOKEN_DRAFT, type TokenDraft } from './token-draft.ts'
import { tokenForm } from './token-form.ts'
import { tokenList } from './token-list.ts'
import type { MintedApiToken } from '../../access/api-token.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { FieldErrors } from '../../sign-in/session/field-errors.ts'
import type { Times } from '../ui/time.ts'
import type { Proof } from './confirm.ts'
import type { AgentAccess } from './overview.ts'

export interface IntegrationsPage {
  readonly browser: SignedInRequest
  /** `WEFT_PUBLIC_URL` */
  readonly publicUrl: string
  readonly times: Times
  readonly overview: AgentAccess
  readonly attempts: SeenAttempts
  /** A fragment that confirms the last action. */
  readonly notice?: Html
  /** The token that was just created. */
  readonly minted?: Pick<MintedApiToken, 'name' | 'secret'>
  /** A rejected token form and its errors. */
  readonly invalid?: { readonly draft: TokenDraft; readonly errors: FieldErrors }
  /** How the member confirms the token form. */
  readonly proof: Proof
}

export function integrationsPage(page: IntegrationsPage): Answer {
  const {
    browser,
    publicUrl,
    times,
    overview,
    attempts,
    notice = '',
    minted,
    invalid,
    proof,
  } = page
  const { member, formToken } = browser
  const { cloudAgents } = overview
  const { draft, errors } = invalid ?? { draft: EMPTY_TOKEN_DRAFT, errors: {} }
  return memberPage({
    title: 'Agents & tokens',
    member,
    current: 'agents',
    formToken,
    status: invalid ? 422 : 200,
    body: html`${notice} ${minted === undefined ? '' : mintedToken(minted, publicUrl)}
      ${connectSection(publicUrl)} ${connectedAgents(overview, { formToken, times })}
      ${attemptsSection(attempts, times)}
      <section class="panel" aria-labelledby="tokens">
        <h2 id="tokens">API tokens</h2>
        ${tokenList(overview, { formToken, times })}
        ${tokenForm({ draft, errors, cloudAgents, formToken, times, proof })}
        ${isPortShared(publicUrl) ? SHARED_PORTS : ''}
      </section>
      ${cloudAgentList(overview, { formToken, times })}
      <p class="quiet">
        Call counts include only calls that cost credits, since the start of the month (UTC).
      </p>`,
  })
}

/** Cookies are shared by all ports of a host, unless their names begin with `__Host-`, which requires https. */
function isPortShared(publicUrl: string): boolean {
  return publicUrl.startsWith('http:')
}

const SHARED_PORTS = html`<p class="notice warning">
  Other programs on this host receive your sign-in cookie when you open them in this browser, even
  on another port. Run only programs you trust, or use https.
</p>`
