/** `/user/notifications/webhooks/<id>`: a webhook with its latest deliveries, its causes and its secret. */

import { t } from '../../languages/message.ts'
import * as Type from '../../base/type.ts'
import { deliveryErrorText } from '../../deliveries/outgoing-request.ts'
import { isCurrentSecret, rotateSecret } from '../../deliveries/webhooks.ts'
import { listDeliveries, redeliver, type Delivery } from '../../deliveries/delivery-store.ts'
import { changeEndpoint, requireEndpoint, type Endpoint } from '../../deliveries/endpoint-store.ts'
import { isCause } from '../../deliveries/notice.ts'
import { NOTHING_TYPED } from '../../forms/field-errors.ts'
import { formRoute, pageRoute } from '../../forms/page-route.ts'
import { submitOnce } from '../../forms/submission.ts'
import { formError, formKeyField } from '../../html/form.ts'
import { html, NOTHING, type Html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { NOTIFICATIONS_PATH, webhookPath } from '../../html/site-map.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { countOf } from '../../ui/numbers.ts'
import { buttonLink, emptyNote, itemList, panel } from '../../ui/sections.ts'
import { timesOf, type Times } from '../../ui/time.ts'
import { causeFields, CAUSE_LABELS, deliveryState } from './webhooks-panel.ts'
import {
  createdSecrets,
  NOTIFICATION_NOTICES,
  type NotificationDeps,
} from './notifications.route.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { Route } from '../../http/route.ts'

const BY_ID = Type.Object({ endpoint_id: Type.String() })
const MAX_DELIVERIES = 50

export function webhookRoutes(deps: NotificationDeps): Route[] {
  return [showRoute(deps), causesRoute(deps), redeliverRoute(deps), rotateRoute(deps)]
}

function showRoute(deps: NotificationDeps): Route {
  return pageRoute(deps, {
    path: webhookPath(':endpoint_id'),
    params: BY_ID,
    async handle({ params, browser, db, now }) {
      const endpoint = await requireEndpoint(db, Number(params.endpoint_id))
      const deliveries = await listDeliveries(db, endpoint.endpointId, MAX_DELIVERIES)
      return webhookPage({ endpoint, deliveries, browser, times: timesOf(browser, now) })
    },
  })
}

function causesRoute(deps: NotificationDeps): Route {
  return formRoute(deps, {
    path: webhookPath(':endpoint_id', 'causes'),
    params: BY_ID,
    async handle({ params, body, browser, db, now }) {
      const endpoint = await requireEndpoint(db, Number(params.endpoint_id))
      const causes = body.getAll('cause').filter(isCause)
      if (causes.length === 0) {
        const deliveries = await listDeliveries(db, endpoint.endpointId, MAX_DELIVERIES)
        const times = timesOf(browser, now)
        return webhookPage({
          endpoint,
          deliveries,
          browser,
          times,
          problem: t('Choose at least one.'),
        })
      }
      await db.write((tx) => changeEndpoint(tx, endpoint, { causes }))
      return seeOther(NOTIFICATION_NOTICES.pathTo('saved'))
    },
  })
}

function redeliverRoute(deps: NotificationDeps): Route {
  return formRoute(deps, {
    path: webhookPath(':endpoint_id', 'redeliver'),
    params: BY_ID,
    async handle({ params, body, db, now }) {
      const endpointId = Number(params.endpoint_id)
      await db.write(async (tx) => {
        const endpoint = await requireEndpoint(tx, endpointId)
        if (endpoint.endedAt !== null) await changeEndpoint(tx, endpoint, {})
        await redeliver(tx, endpointId, body.get('delivery_id') ?? '', now)
      })
      return seeOther(webhookPath(endpointId))
    },
  })
}

function rotateRoute(deps: NotificationDeps): Route {
  const secrets = createdSecrets(deps.publicUrl)
  return formRoute(deps, {
    path: webhookPath(':endpoint_id', 'rotate'),
    params: BY_ID,
    async handle({ params, browser, db, now, submission }) {
      const endpointId = Number(params.endpoint_id)
      const { name } = await requireEndpoint(db, endpointId)
      // A second rotation would end the secret that the receiver has.
      const secret = await db.write((tx) =>
        submitOnce(
          tx,
          submission,
          () => rotateSecret(deps, tx, endpointId, now),
          async (earlier) =>
            isCurrentSecret(deps, tx.memberId, await requireEndpoint(tx, endpointId), earlier),
        ),
      )
      return secrets.redirect(browser.member, { kind: 'webhook', name, secret })
    },
  })
}

interface WebhookView {
  readonly endpoint: Endpoint
  readonly deliveries: readonly Delivery[]
  readonly browser: SignedInRequest
  readonly times: Times
  readonly problem?: string
}

function webhookPage({ endpoint, deliveries, browser, times, problem }: WebhookView): Answer {
  const { endpointId, name, addressHint, causes } = endpoint
  return memberPage({
    title: name,
    heading: html`<bdi>${name}</bdi>`,
    browser,
    current: 'notifications',
    status: problem === undefined ? 200 : 422,
    actions: buttonLink(NOTIFICATIONS_PATH, t('All notifications')),
    body: html`${formError(problem)}
    ${panel(
      'deliveries',
      t('Deliveries'),
      html`<p class="quiet">${addressHint}</p>
        ${deliveryState(endpoint, times)} ${deliveryList(deliveries, endpointId, times)}`,
    )}
    ${panel(
      'causes',
      t('Causes'),
      html`<form method="post" action="${webhookPath(endpointId, 'causes')}">
        ${causeFields(causes, NOTHING_TYPED)}
        <div class="actions"><button>Save</button></div>
      </form>`,
    )}
    ${panel(
      'secret',
      t('Secret'),
      html`<p class="quiet">
          Each message is signed as Standard Webhooks describe. After a change, both secrets sign
          for 24 hours.
        </p>
        <form method="post" action="${webhookPath(endpointId, 'rotate')}">
          ${formKeyField()}
          <button class="plain">Create another secret</button>
        </form>`,
    )}`,
  })
}

const STATES: Readonly<Record<Delivery['state'], () => string>> = {
  queued: () => t('Queued'),
  sent: () => t('Delivered'),
  failed: () => t('Failed'),
  dropped: () => t('Not sent'),
}

function deliveryList(deliveries: readonly Delivery[], endpointId: number, times: Times): Html {
  const items = deliveries.map((delivery) => {
    const { deliveryId, cause, notice, state, attempts, error, createdAt } = delivery
    const again = html`<form method="post" action="${webhookPath(endpointId, 'redeliver')}">
      <button class="plain" name="delivery_id" value="${deliveryId}">Send again</button>
    </form>`
    return html`<li>
      <div>
        <h3>${causeText(cause)}</h3>
        <p><bdi>${notice.title}</bdi></p>
        <small>
          ${STATES[state]()}, ${countOf(attempts, 'attempt')}, ${times.ago(createdAt)}
          ${error === null ? '' : html`<br />${deliveryErrorText(error)}`}
        </small>
      </div>
      ${state === 'queued' ? NOTHING : again}
    </li>`
  })
  return itemList(items, emptyNote(t('No messages yet. Send a test.')))
}

function causeText(cause: string): string {
  return isCause(cause) ? t(CAUSE_LABELS[cause]) : cause
}
