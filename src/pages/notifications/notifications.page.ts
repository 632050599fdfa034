/** The page "Notifications": reminders by email, devices, the calendar feed and webhooks, each with its last and next message. */

import { weekdayName } from '../../dates/format-date.ts'
import { phrase, t } from '../../languages/message.ts'
import { nextSummaryAt } from '../../reminders/summary-time.ts'
import {
  EMAIL_FREQUENCIES,
  type EmailFrequency,
  type ReminderSettings,
} from '../../reminders/reminder-settings.ts'
import { FEED_PARTS, type FeedPart, type FeedState } from '../../reminders/calendar-feed.ts'
import { CAUSES, type Cause } from '../../deliveries/notice.ts'
import { deliveryErrorText } from '../../deliveries/outgoing-request.ts'
import { WEBHOOK_FORMATS, type WebhookFormat } from '../../deliveries/webhook-request.ts'
import { fieldState, type FieldValues } from '../../forms/field-errors.ts'
import {
  formError,
  formKeyField,
  formTokenField,
  hiddenField,
  selectField,
  textField,
} from '../../html/form.ts'
import { attributes, html, NOTHING, type Html } from '../../html/html.ts'
import { assetPath } from '../../html/assets.ts'
import { memberPage } from '../../html/member-layout.ts'
import {
  ACCOUNT_PATH,
  DEVICES_PATH,
  FEED_PATH,
  PUSH_WORKER_PATH,
  REMINDERS_PATH,
  REMOVE_ENDPOINT_PATH,
  TEST_ENDPOINT_PATH,
  webhookPath,
  WEBHOOKS_PATH,
} from '../../html/site-map.ts'
import { besideExample } from '../../ui/example.ts'
import { copyable, disclosure, itemList, panel } from '../../ui/sections.ts'
import { timesOf, type Times } from '../../ui/time.ts'
import type { Endpoint } from '../../deliveries/endpoint-store.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { Answer } from '../../http/response.ts'

/** A secret that is shown once. */
export type CreatedSecret =
  | { readonly kind: 'feed'; readonly address: string }
  | { readonly kind: 'webhook'; readonly name: string; readonly secret: string }

interface NotificationsView {
  readonly browser: SignedInRequest
  readonly now: number
  readonly settings: ReminderSettings
  readonly feed: FeedState
  readonly endpoints: readonly Endpoint[]
  /** Null if this server sends no email. */
  readonly email: { readonly address: string | null; readonly sentAt: number | null } | null
  /** Null if this server has no secret to derive its key from. */
  readonly pushKey: string | null
  readonly notice?: Html
  readonly created?: CreatedSecret | undefined
  /** The rejected form of a webhook. */
  readonly fields: FieldValues
  readonly problem?: string | undefined
}

export function notificationsPage(view: NotificationsView): Answer {
  const { browser, now, notice = NOTHING, fields, problem, created } = view
  const times = timesOf(browser, now)
  const isRejected = problem !== undefined || Object.keys(fields.errors).length > 0
  return memberPage({
    title: t('Notifications'),
    browser,
    current: 'notifications',
    status: isRejected ? 422 : 200,
    head: html`<script type="module" src="${assetPath('push.js')}"></script>`,
    body: html`${notice} ${created ? createdSecret(created) : NOTHING}
    ${besideExample(
      t('At {time}, when something is due:', { time: clockText(view.settings.minute) }),
      exampleRows(),
      html`${remindersPanel(view, times)} ${devicesPanel(view, times)} ${feedPanel(view, times)}
      ${webhooksPanel(view, times)}`,
    )}`,
  })
}

function exampleRows() {
  return [
    {
      person: 'Jonas Vogelsang',
      title: t('Coffee at the harbor'),
      text: 'Jonas Vogelsang',
      end: '10:00',
    },
    {
      person: 'Lucía Etxeberria',
      title: t('Send the deck'),
      text: 'Lucía Etxeberria',
      end: t('2 days late'),
    },
    {
      person: 'Mareike Dombrowski',
      title: 'Mareike Dombrowski',
      text: t('Birthday'),
      end: t('tomorrow'),
    },
  ]
}

function createdSecret(created: CreatedSecret): Html {
  const body =
    created.kind === 'feed'
      ? html`<p>Add this address to your calendar app. You can't see it again.</p>
          ${copyable(created.address, t('the address'))}`
      : html`<p>
            <bdi>${created.name}</bdi> gets messages from now on. This secret signs them. You can't
            see it again.
          </p>
          ${copyable(created.secret, t('the secret'))}`
  const title =
    created.kind === 'feed' ? t('Calendar address created') : t('Webhook secret created')
  return panel('created', title, body)
}

const FREQUENCY_LABELS: Readonly<Record<EmailFrequency, string>> = {
  daily: phrase('Every day'),
  weekly: phrase('Once a week'),
  off: phrase('Never'),
}

const MEETING_CHOICES = ['', '10', '30', '60'] as const
const AGENT_CHOICES = ['', '20', '100', '500'] as const
const BIRTHDAY_CHOICES = [0, 1, 2, 3, 7, 14] as const

function remindersPanel(view: NotificationsView, times: Times): Html {
  const { browser, settings } = view
  const hours = Array.from({ length: 24 }, (_, hour) => String(hour * 60))
  const body = html`${emailState(view, times)}
    <form method="post" action="${REMINDERS_PATH}" data-save>
      ${formTokenField(browser.formToken)} ${emailFields(view)}
      ${selectField({
        name: 'minute',
        label: t('Time'),
        hint: t('In the time zone {zone}, which your browser reports.', { zone: times.timeZone }),
        value: String(settings.minute),
        options: hours.map((value) => ({ value, label: clockText(Number(value)) })),
      })}
      ${announcementFields(settings)}
      ${checkBox('initials_only', t('Show initials instead of names outside of Weft'), settings.initialsOnly)}
      <div class="actions"><button class="unscripted">Save</button></div>
    </form>`
  return panel('reminders', t('Reminders'), body)
}

/** Without a mail server, they keep what was chosen. */
function emailFields({ settings, email }: NotificationsView): Html {
  if (email === null)
    return html`${hiddenField('email', settings.email)}
    ${hiddenField('weekday', String(settings.weekday))}`
  return html`${selectField({
      name: 'email',
      label: t('Summary by email'),
      value: settings.email,
      options: EMAIL_FREQUENCIES.map((value) => ({ value, label: t(FREQUENCY_LABELS[value]) })),
    })}
    <div class="if-weekly">
      ${selectField({
        name: 'weekday',
        label: t('Day of a weekly email'),
        value: String(settings.weekday),
        options: [1, 2, 3, 4, 5, 6, 7].map((day) => ({
          value: String(day),
          label: weekdayName(day % 7),
        })),
      })}
    </div>`
}

function announcementFields(settings: ReminderSettings): Html {
  return html`${selectField({
    name: 'birthday_days',
    label: t('Announce birthdays'),
    value: String(settings.birthdayDays),
    options: BIRTHDAY_CHOICES.map((days) => ({
      value: String(days),
      label: t('{days, plural, =0 {On the day} one {# day before} other {# days before}}', {
        days,
      }),
    })),
  })}
  ${selectField({
    name: 'meeting_minutes',
    label: t('Announce meetings on devices'),
    value: settings.meetingMinutes === null ? '' : String(settings.meetingMinutes),
    options: MEETING_CHOICES.map((value) => ({
      value,
      label: value === '' ? t('Never') : t('{minutes} minutes before', { minutes: value }),
    })),
  })}
  ${selectField({
    name: 'agent_changes',
    label: t('Announce changes by agents'),
    hint: t('In the summary of the next day.'),
    value: settings.agentChanges === null ? '' : String(settings.agentChanges),
    options: AGENT_CHOICES.map((value) => ({
      value,
      label: value === '' ? t('Never') : t('More than {count} a day', { count: value }),
    })),
  })}`
}

function emailState({ settings, email }: NotificationsView, times: Times): Html {
  if (email === null)
    return html`<p class="notice">
      This server sends no email: ask your administrator to set up a mail server. Until then,
      reminders go to your devices, calendar feed and webhooks.
    </p>`
  if (email.address === null)
    return html`<p class="notice warning">
      Your account has no email address. <a href="${ACCOUNT_PATH}">Add one</a> to get summaries.
    </p>`
  if (settings.email === 'off') return NOTHING
  const { minute } = settings
  const next = nextSummaryAt({ timeZone: times.timeZone, minute }, times.now)
  const last =
    email.sentAt === null ? html`Nothing sent yet` : html`Last sent ${times.ago(email.sentAt)}`
  return html`<p><small>${last}. The next check is ${times.moment(next)}.</small></p>`
}

function devicesPanel({ browser, endpoints, pushKey }: NotificationsView, times: Times): Html {
  const devices = endpoints.filter(({ kind }) => kind === 'push')
  const items = devices.map(
    (device) =>
      html`<li>
        <div>
          <h3><bdi>${device.name}</bdi></h3>
          ${deliveryState(device, times)}
        </div>
        ${endpointActions(device, browser.formToken)}
      </li>`,
  )
  const add =
    pushKey === null
      ? html`<p class="quiet">
          Ask your administrator to set WEFT_SECRET_KEY to use notifications.
        </p>`
      : html`<form
            method="post"
            action="${DEVICES_PATH}"
            hidden
            data-push-key="${pushKey}"
            data-worker="${PUSH_WORKER_PATH}"
            data-failed="${t('Your browser did not allow notifications. Change that in its settings.')}"
          >
            ${formTokenField(browser.formToken)} ${formKeyField()}
            ${hiddenField('subscription', '')}
            <p role="status"></p>
            <button class="plain">Notify me on this device</button>
          </form>
          <p class="quiet" data-push-missing hidden>
            This browser has no notifications. On an iPhone, first add Weft to the home screen.
          </p>`
  const body = html`${itemList(items)}
    <div class="with-act">
      <p class="quiet">What is due appears on this device, also while Weft is closed.</p>
      ${add}
    </div>`
  return panel('devices', t('Phones and computers'), body)
}

const PART_LABELS: Readonly<Record<FeedPart, string>> = {
  follow_ups: phrase('Follow-ups'),
  reconnects: phrase('Get in touch'),
  birthdays: phrase('Birthdays'),
  anniversaries: phrase('Anniversaries'),
}

function feedPanel({ browser, feed }: NotificationsView, times: Times): Html {
  const { isActive, parts, readAt } = feed
  const boxes = FEED_PARTS.map((part) =>
    checkBox(part, t(PART_LABELS[part]), !isActive || parts.includes(part)),
  )
  const state = !isActive
    ? NOTHING
    : html`<p>
        <small>
          ${readAt === null ? t('No app has read it yet.') : html`Last read ${times.ago(readAt)}.`}
        </small>
      </p>`
  const body = html`<p class="quiet">
      Shows your reminders in a calendar app. Anyone with the address can read them. Google Calendar
      may take a day to show changes.
    </p>
    ${state}
    <form method="post" action="${FEED_PATH}">
      ${formTokenField(browser.formToken)} ${formKeyField()}
      <fieldset>
        <legend>Show</legend>
        ${boxes}
      </fieldset>
      <div class="actions">
        ${
          isActive
            ? html`<button class="plain" name="act" value="change">Save</button>
                <button class="plain" name="act" value="create">Replace address</button>
                <button class="plain" name="act" value="revoke">Remove address</button>`
            : html`<button class="plain" name="act" value="create">Create address</button>`
        }
      </div>
    </form>`
  return panel('calendar-feed', t('Calendar feed'), body)
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

function webhooksPanel(view: NotificationsView, times: Times): Html {
  const { browser, endpoints, fields, problem } = view
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
        ${endpointActions(webhook, browser.formToken)}
      </li>`,
  )
  const isOpen = problem !== undefined || Object.keys(fields.errors).length > 0
  const body = html`${itemList(items)}
    <p class="quiet">For ntfy, Slack, Telegram, Home Assistant and your own programs.</p>
    ${disclosure(t('Add a webhook'), webhookForm(view), { isOpen })}`
  return panel('webhooks', t('Webhooks'), body)
}

function webhookForm({ browser, fields, problem }: NotificationsView): Html {
  return html`<form method="post" action="${WEBHOOKS_PATH}">
    ${formTokenField(browser.formToken)} ${formKeyField()} ${formError(problem)}
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

function checkBox(name: string, label: string, checked: boolean, value = 'yes'): Html {
  return html`<label class="check">
    <input ${attributes({ id: `${name}-${value}`, type: 'checkbox', name, value, checked })} />
    ${label}
  </label>`
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

function endpointActions({ endpointId, name }: Endpoint, formToken: string): Html {
  return html`<div class="actions">
    <form method="post" action="${TEST_ENDPOINT_PATH}">
      ${formTokenField(formToken)}
      <button class="plain" name="endpoint_id" value="${endpointId}">
        <span>Send test<span class="unseen"> ${name}</span></span>
      </button>
    </form>
    <form method="post" action="${REMOVE_ENDPOINT_PATH}">
      ${formTokenField(formToken)}
      <button class="plain" name="endpoint_id" value="${endpointId}">
        <span>Remove<span class="unseen"> ${name}</span></span>
      </button>
    </form>
  </div>`
}

function clockText(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}
