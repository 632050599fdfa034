/** The form that creates an API token. */

import { t } from '../../languages/message.ts'
import { MAX_CREDENTIAL_NAME_LENGTH } from '../../access/validate-name.ts'
import { DAY } from '../../base/clock.ts'
import { formKeyField, selectField, textField } from '../../html/form.ts'
import { attributes, html, type Html } from '../../html/html.ts'
import { disclosure } from '../../ui/sections.ts'
import { isWorthShowing, limitFields, shownLimits } from '../../oauth/consent/limits-form.ts'
import { type Proof, CONFIRM_PATH } from './confirm-new-token.ts'
import { proofByPasskey, proofFields } from './proof-fields.ts'
import { LIFETIMES, NEW_AGENT, OWN_CLIENT, type TokenDraft } from './token-draft.ts'
import { INTEGRATIONS_PATH } from '../../html/site-map.ts'
import { NEW_TOKEN_ID } from './client-instructions.ts'
import type { CloudAgent } from '../../access/cloud-agent.ts'
import type { FieldErrors } from '../../forms/field-errors.ts'
import type { Times } from '../../ui/time.ts'

interface TokenForm {
  readonly times: Times
  readonly draft: TokenDraft
  readonly errors: FieldErrors
  readonly cloudAgents: readonly CloudAgent[]
  readonly proof: Proof
}

/** Collapsed by default; a link to the form expands it. */
export function tokenForm(form: TokenForm): Html {
  const { draft, errors, cloudAgents, times, proof } = form
  const isSent = Object.keys(errors).length > 0 || proof.kind === 'confirmed'
  const body = html`<div>
    <form id="${NEW_TOKEN_ID}" method="post" action="${INTEGRATIONS_PATH}">
      ${formKeyField()}
      ${textField({
        name: 'name',
        label: t('Name'),
        value: draft.name,
        error: errors['name'],
        hint: t('A name that helps you recognize it, such as where it is used.'),
        autocomplete: 'off',
        required: true,
        maxLength: MAX_CREDENTIAL_NAME_LENGTH,
      })}
      ${selectField({
        name: 'holder',
        label: t('Used by'),
        options: holders(cloudAgents),
        value: draft.holder,
        error: errors['holder'],
        hint: t('A cloud agent runs on its own. Its changes are listed under its name.'),
      })}
      <div class="if-new">
        ${textField({
          name: 'agent_name',
          label: t('Name of the new cloud agent'),
          value: draft.agent_name,
          error: errors['agent_name'],
          autocomplete: 'off',
          maxLength: MAX_CREDENTIAL_NAME_LENGTH,
        })}
      </div>
      ${selectField({
        name: 'expires',
        label: t('Expires'),
        options: lifetimes(times),
        value: draft.expires,
        error: errors['expires'],
      })}
      ${limitsSection(draft, times)} ${proofFields(proof, errors, PROOF_TEXTS)}
      ${proof.kind === 'provider' ? '' : html`<div class="actions"><button>Create token</button></div>`}
    </form>
    ${proofByPasskey(proof, CONFIRM_PATH)}
  </div>`
  return disclosure(t('New token'), body, { isOpen: isSent })
}

function limitsSection({ limits }: TokenDraft, { timeZone }: Times): Html {
  const shown = shownLimits(limits, timeZone)
  return html`<details ${attributes({ open: isWorthShowing(shown) })}>
    <summary>Limit what it may do</summary>
    ${limitFields(shown)}
  </details>`
}

const PROOF_TEXTS = {
  confirmed: () => html`You confirmed it’s you. Create the token within 5 minutes.`,
  atProvider: (provider: string) =>
    html`Confirm it’s you at ${provider} before you create a token.`,
}

function holders(cloudAgents: readonly CloudAgent[]) {
  return [
    { value: OWN_CLIENT, label: t('My own AI client') },
    ...cloudAgents.map(({ agentId, name }) => ({
      value: agentId,
      label: t('Cloud agent {name}', { name }),
    })),
    { value: NEW_AGENT, label: t('New cloud agent') },
  ]
}

function lifetimes(times: Times) {
  return Object.entries(LIFETIMES).map(([value, days]) => ({
    value,
    label:
      days === null
        ? t('Never')
        : t('In {days} days, on {value}', { days, value: times.longDay(times.now + days * DAY) }),
  }))
}
