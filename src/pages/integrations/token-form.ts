/** The form that makes an API token. */

import { DAY } from '../../base/clock.ts'
import { formTokenField, selectField, textField } from '../../html/form.ts'
import { html } from '../../html/html.ts'
import { INTEGRATIONS_PATH, NEW_TOKEN_ID } from './paths.ts'
import { LIFETIMES, NEW_AGENT, OWN_CLIENT, type TokenDraft } from './token-draft.ts'
import type { CloudAgent } from '../../access/cloud-agent.ts'
import type { FieldErrors } from '../../sign-in/field-errors.ts'
import type { Times } from '../time.ts'
import type { Shown } from './overview.ts'

export interface TokenForm extends Shown {
  readonly draft: TokenDraft
  readonly errors: FieldErrors
  readonly cloudAgents: readonly CloudAgent[]
}

/** As `checkVisibleName` has it. */
const LONGEST_NAME = 80

/** Folded away until it is wanted; a link to the form unfolds it. */
export function tokenForm({ draft, errors, cloudAgents, formToken, times }: TokenForm): string {
  const isSent = Object.keys(errors).length > 0
  return html`<details ${isSent ? 'open' : ''}>
    <summary class="button plain">New token</summary>
    <form id="${NEW_TOKEN_ID}" method="post" action="${INTEGRATIONS_PATH}">
      !${formTokenField(formToken)}
      !${textField({
        name: 'name',
        label: 'Name',
        value: draft.name,
        error: errors['name'],
        hint: 'What you will know it by, such as where it is used.',
        autocomplete: 'off',
        required: true,
        maxLength: LONGEST_NAME,
      })}
      !${selectField({
        name: 'holder',
        label: 'Held by',
        options: holders(cloudAgents),
        value: draft.holder,
        error: errors['holder'],
        hint: 'A cloud agent is one that runs somewhere by itself. What it changes is listed under its name.',
      })}
      <div class="if-new">
        !${textField({
          name: 'agent_name',
          label: 'Name of the new cloud agent',
          value: draft.agent_name,
          error: errors['agent_name'],
          autocomplete: 'off',
          maxLength: LONGEST_NAME,
        })}
      </div>
      !${selectField({
        name: 'expires',
        label: 'Expires',
        options: lifetimes(times),
        value: draft.expires,
        error: errors['expires'],
      })}
      <div class="actions"><button>Make token</button></div>
    </form>
  </details>`
}

function holders(cloudAgents: readonly CloudAgent[]) {
  return [
    { value: OWN_CLIENT, label: 'My own AI client' },
    ...cloudAgents.map(({ agentId, name }) => ({
      value: agentId,
      label: `The cloud agent ${name}`,
    })),
    { value: NEW_AGENT, label: 'A new cloud agent' },
  ]
}

function lifetimes(times: Times) {
  return Object.entries(LIFETIMES).map(([value, days]) => ({
    value,
    label: days === null ? 'Never' : `In ${days} days, on ${times.longDay(times.now + days * DAY)}`,
  }))
}
