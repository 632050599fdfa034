/** The page of agents and tokens: how to connect one, which have access, and the secret of a new token, once. */

import { t } from '../../languages/message.ts'
import type { MintedApiToken } from '../../access/api-token.ts'
import type { Answer } from '../../http/response.ts'
import type { FieldErrors } from '../../forms/field-errors.ts'
import { listEndpoints } from '../../deliveries/endpoint-store.ts'
import { subscriptionList } from '../notifications/subscription-list.ts'
import { timesOf } from '../../ui/time.ts'
import type { Proof } from './confirm-new-token.ts'
import { CREDITS_PATH, INTEGRATIONS_PATH } from '../../html/site-map.ts'
import { EMPTY_TOKEN_DRAFT, type TokenDraft } from './token-draft.ts'
import type { PageRequest, PageDeps } from '../../forms/page-route.ts'
import { tokenList, readAgentAccess, connectedAgents, cloudAgentList } from './access-lists.ts'
import { buttonLink, copyable, panel } from '../../ui/sections.ts'
import { connectSection } from './connect-section.ts'
import { trial } from './client-instructions.ts'
import { tokenForm } from './token-form.ts'
import { html, type Html, NOTHING } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { attemptsSection } from './connection-attempts.ts'
import type { AttemptRecorder } from '../../oauth/attempts/attempt-recorder.ts'
import type { PasswordHasher } from '../../access/passwords/password-hash.ts'
import type { OidcSettings } from '../../sign-in/provider/provider.ts'

export interface IntegrationDeps extends PageDeps {
  /** `WEFT_PUBLIC_URL`, without a slash at its end. */
  readonly publicUrl: string
  readonly hasher: PasswordHasher
  readonly attempts: AttemptRecorder
  /** With an identity provider, members have no passwords or passkeys. */
  readonly oidc: OidcSettings | null
}

export type CreatedToken = Pick<MintedApiToken, 'name' | 'secret'>

interface AgentsState {
  /** A fragment that confirms the last action. */
  readonly notice?: Html
  readonly minted?: CreatedToken
  /** A rejected token form and its errors. */
  readonly invalid?: { readonly draft: TokenDraft; readonly errors: FieldErrors }
  /** How the member confirms the token form. */
  readonly proof: Proof
}

export async function showAgents(
  { publicUrl, attempts: recorder }: Pick<IntegrationDeps, 'publicUrl' | 'attempts'>,
  { browser, db, now }: Pick<PageRequest, 'browser' | 'db' | 'now'>,
  { proof, notice = NOTHING, minted, invalid }: AgentsState,
): Promise<Answer> {
  const access = await readAgentAccess(db, now)
  const subscriptions = await listEndpoints(db, 'event')
  const attempts = { attempts: await recorder.list(browser.member.memberId), now }
  const times = timesOf(browser, now)
  const { draft, errors } = invalid ?? { draft: EMPTY_TOKEN_DRAFT, errors: {} }
  const { cloudAgents } = access
  const tokens = html`${tokenList(access, times)}
  ${tokenForm({ draft, errors, cloudAgents, proof, times })}`
  return memberPage({
    title: t('Agents & tokens'),
    browser,
    current: 'agents',
    status: invalid ? 422 : 200,
    body: html`${notice} ${minted === undefined ? '' : mintedToken(minted, publicUrl)}
      ${connectSection(publicUrl)} ${connectedAgents(access, times)}
      ${attemptsSection(attempts, times)} ${panel('tokens', t('API tokens'), tokens)}
      ${cloudAgentList(access, times)} ${subscriptionList(subscriptions, times)}
      <footer>
        <p>Only calls that cost <a href="${CREDITS_PATH}">credits</a> are counted.</p>
        ${isPortShared(publicUrl) ? sharedPortsWarning() : ''}
      </footer>`,
  })
}

/** Cookies are shared by all ports of a host, unless their names begin with `__Host-`, which requires https. */
function isPortShared(publicUrl: string): boolean {
  return publicUrl.startsWith('http:')
}

function sharedPortsWarning(): Html {
  return html`<p>
    Other programs on this host receive your sign-in cookie when you open them in this browser, even
    on another port. Run only programs you trust, or use https.
  </p>`
}

/** Its secret is shown only once. */
function mintedToken({ name, secret }: CreatedToken, publicUrl: string): Html {
  const body = html`<p class="notice warning" role="status">
      Copy it now; you won't see it again. Weft stores only a hash.
    </p>
    ${copyable(secret, t('the token'))}
    <p>
      Store the token with your agent's other secrets. The agent must send it with every request as
      <code>Authorization: Bearer …</code>. To test it, set <code>WEFT_TOKEN</code> to the token and
      run:
    </p>
    ${copyable(trial(`${publicUrl}/mcp`), t('the test command'))}
    <div class="actions">${buttonLink(INTEGRATIONS_PATH, t('Done'))}</div>`
  return panel('minted', html`Token <bdi>${name}</bdi> created`, body)
}
