/** The page "Notifications": reminders by email, devices, the calendar feed and webhooks, each with its last and next message. */

import { phrase, t } from '../../languages/message.ts'
import { FEED_PARTS, type FeedPart, type FeedState } from '../../reminders/calendar-feed.ts'
import { checkBox, formKeyField, hiddenField } from '../../html/form.ts'
import { html, NOTHING, type Html } from '../../html/html.ts'
import { assetPath } from '../../html/assets.ts'
import { memberPage } from '../../html/member-layout.ts'
import { DEVICES_PATH, FEED_PATH, PUSH_WORKER_PATH } from '../../html/site-map.ts'
import { besideExample } from '../../ui/example.ts'
import { copyable, itemList, panel } from '../../ui/sections.ts'
import { timesOf, type Times } from '../../ui/time.ts'
import { clockText, remindersPanel, type ReminderState } from './reminders-panel.ts'
import {
  deliveryState,
  endpointActions,
  webhooksPanel,
  type WebhookState,
} from './webhooks-panel.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { Answer } from '../../http/response.ts'

/** A secret that is shown once. */
export type CreatedSecret =
  | { readonly kind: 'feed'; readonly address: string }
  | { readonly kind: 'webhook'; readonly name: string; readonly secret: string }

interface NotificationsView extends ReminderState, WebhookState {
  readonly browser: SignedInRequest
  readonly now: number
  readonly feed: FeedState
  /** Null if this server has no secret to derive its key from. */
  readonly pushKey: string | null
  readonly notice?: Html
  readonly created?: CreatedSecret | undefined
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
function devicesPanel({ endpoints, pushKey }: NotificationsView, times: Times): Html {
  const devices = endpoints.filter(({ kind }) => kind === 'push')
  const items = devices.map(
    (device) =>
      html`<li>
        <div>
          <h3><bdi>${device.name}</bdi></h3>
          ${deliveryState(device, times)}
        </div>
        ${endpointActions(device)}
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
            ${formKeyField()} ${hiddenField('subscription', '')}
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

function feedPanel({ feed }: NotificationsView, times: Times): Html {
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
      ${formKeyField()}
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
