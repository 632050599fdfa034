/** The webhooks of a member, the form for another, and when a message last arrived. */

import { phrase, t } from '../../languages/message.ts'
import { CAUSES, type Cause } from '../../deliveries/notice.ts'
import { deliveryErrorText } from '../../deliveries/outgoing-request.ts'
import { WEBHOOK_FORMATS, type WebhookFormat } from '../../deliveries/webhook-request.ts'
import { fieldState, type FieldValues } from '../../forms/field-errors.ts'
import { checkBox, formError, formKeyField, selectField, textField } from '../../html/form.ts'
import { html, NOTHING, type Html } from '../../html/html.ts'
import {
  REMOVE_ENDPOINT_PATH,
  TEST_ENDPOINT_PATH,
  webhookPath,
  WEBHOOKS_PATH,
} from '../../html/site-map.ts'
import { disclosure, itemList, panel } from '../../ui/sections.ts'
import type { Endpoint } from '../../deliveries/endpoint-store.ts'
import type { Times } from '../../ui/time.ts'

export interface WebhookState {
  readonly endpoints: readonly Endpoint[]
  /** The rejected form of a webhook. */
  readonly fields: FieldValues
  readonly problem?: string | undefined
}

export const CAUSE_LABELS: Readonly<Record<Cause, string>> = {
  summary: phrase('Summary of the day'),
  'follow_up.due': phrase('Follow-up due'),
  'reconnect.due': phrase('Get in touch'),
  'birthday.soon': phrase('Birthday ahead'),
  'meeting.upcoming': phrase('Meeting ahead'),
  'import.finished': phrase('Import finished'),
  'export.finished': phrase('Export finished'),
  'job_change.found': phrase('New jobs found'),
  'agent.changed': phrase('An agent changed much'),
}

const FORMAT_LABELS: Readonly<Record<WebhookFormat, string>> = {
  standard: 'Standard Webhooks',
  ntfy: 'ntfy',
  slack: 'Slack',
  telegram: 'Telegram',
  home_assistant: 'Home Assistant',
}

export function webhooksPanel(state: WebhookState, times: Times): Html {
  const { endpoints, fields, problem } = state
  const webhooks = endpoints.filter(({ kind }) => kind === 'webhook')
  const items = webhooks.map(
    (webhook) =>
      html`<li>
        <div>
          <h3>
            <a href="${webhookPath(webhook.endpointId)}"><bdi>${webhook.name}</bdi></a>
          </h3>
          <p class="quiet">${webhook.addressHint}</p>
          ${deliveryState(webhook, times)}
        </div>
        ${endpointActions(webhook)}
      </li>`,
  )
  const isOpen = problem !== undefined || Object.keys(fields.errors).length > 0
  const body = html`${itemList(items)}
    <p class="quiet">For ntfy, Slack, Telegram, Home Assistant and your own programs.</p>
    ${disclosure(t('Add a webhook'), webhookForm(state), { isOpen })}`
  return panel('webhooks', t('Webhooks'), body)
}

function webhookForm({ fields, problem }: WebhookState): Html {
  return html`<form method="post" action="${WEBHOOKS_PATH}">
    ${formKeyField()} ${formError(problem)}
    ${textField({
      ...fieldState(fields, 'address', t('Address')),
      hint: t('A public https address, such as https://ntfy.sh/my-topic.'),
      inputmode: 'url',
      autocomplete: 'off',
      spellcheck: false,
      required: true,
    })}
    ${selectField({
      ...fieldState(fields, 'format', t('Format')),
      hint: t('Home Assistant accepts calls from outside only if its webhook is not local.'),
      options: WEBHOOK_FORMATS.map((value) => ({ value, label: FORMAT_LABELS[value] })),
    })}
    ${textField({ ...fieldState(fields, 'name', t('Name')), autocomplete: 'off' })}
    ${textField({
      ...fieldState(fields, 'header', t('Header')),
      hint: t('Optional, such as Authorization: Bearer abc. Sent with each message.'),
      autocomplete: 'off',
      spellcheck: false,
    })}
    ${causeFields(['summary', 'follow_up.due'], fields)}
    <div class="actions"><button class="plain">Add webhook</button></div>
  </form>`
}

export function causeFields(chosen: readonly Cause[], { errors }: FieldValues): Html {
  const error = errors['causes']
  const boxes = CAUSES.map((cause) =>
    checkBox('cause', t(CAUSE_LABELS[cause]), chosen.includes(cause), cause),
  )
  return html`<fieldset>
    <legend>Send for</legend>
    ${error === undefined ? NOTHING : html`<p class="error">${t('Choose at least one.')}</p>`}
    ${boxes}
  </fieldset>`
}

/** When a message last arrived, or why none does. */
export function deliveryState(endpoint: Endpoint, times: Times): Html {
  const { deliveredAt, endedAt, nextAttemptAt } = endpoint
  const error = endpoint.error === null ? null : deliveryErrorText(endpoint.error)
  const last =
    deliveredAt === null
      ? html`Nothing delivered yet.`
      : html`Last delivered ${times.ago(deliveredAt)}.`
  if (endedAt !== null)
    return html`<p class="error">
        Stopped ${times.ago(endedAt)}: ${error ?? ''}. Remove it, or send a test to resume.
      </p>
      <small>${last}</small>`
  if (error === null) return html`<small>${last}</small>`
  const next = nextAttemptAt === null ? NOTHING : html`Next attempt ${times.moment(nextAttemptAt)}.`
  return html`<p class="error">The last attempt failed: ${error}. ${next}</p>
    <small>${last}</small>`
}

/** The buttons that test and remove an endpoint. */
export function endpointActions({ endpointId, name }: Endpoint): Html {
  return html`<div class="actions">
    <form method="post" action="${TEST_ENDPOINT_PATH}">
      <button class="plain" name="endpoint_id" value="${endpointId}">
        <span>Send test<span class="unseen"> ${name}</span></span>
      </button>
    </form>
    <form method="post" action="${REMOVE_ENDPOINT_PATH}">
      <button class="plain" name="endpoint_id" value="${endpointId}">
        <span>Remove<span class="unseen"> ${name}</span></span>
      </button>
    </form>
  </div>`
}
