/** The page that limits one app or token. */

import { formTokenField, hiddenField } from '../../html/form.ts'
import { html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { AGENT_LIMITS_PATH, INTEGRATIONS_PATH } from '../../html/site-map.ts'
import { limitFields, shownLimits, type ReadLimits } from '../../oauth/limits-form.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { Times } from '../ui/time.ts'

export interface LimitedAgent {
  readonly credentialId: string
  /** Of an app; null for an API token. */
  readonly clientId: string | null
  readonly name: string
}

interface LimitsPage {
  readonly browser: SignedInRequest
  readonly agent: LimitedAgent
  /** Stored, or submitted and rejected. */
  readonly limits: ReadLimits
  readonly times: Times
}

export function limitsPage({ browser, agent, limits, times }: LimitsPage): Answer {
  const { member, formToken } = browser
  return memberPage({
    title: `Limits for ${agent.name}`,
    heading: html`Limits for <bdi>${agent.name}</bdi>`,
    member,
    current: 'agents',
    formToken,
    status: limits.ok ? 200 : 422,
    body: html`<section class="panel" aria-label="Limits">
      <p>
        It sees only the tools that you allow, and calls to other tools are rejected. Changes apply
        from its next call.
      </p>
      <form method="post" action="${AGENT_LIMITS_PATH}">
        ${formTokenField(formToken)} ${hiddenField('agent', agent.credentialId)}
        ${limitFields(shownLimits(limits, times.timeZone))}
        <div class="actions">
          <button>Save limits</button>
          <a class="button plain" href="${INTEGRATIONS_PATH}">Cancel</a>
        </div>
      </form>
    </section>`,
  })
}
