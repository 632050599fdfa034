/** The events to which a member's agents have subscribed, each with its last delivery and a button to end it. */

import { t } from '../../languages/message.ts'
import { hiddenField } from '../../html/form.ts'
import { html, NOTHING, type Html } from '../../html/html.ts'
import { REMOVE_ENDPOINT_PATH } from '../../html/site-map.ts'
import { itemList, panel } from '../../ui/sections.ts'
import { deliveryState } from './webhooks-panel.ts'
import type { Endpoint } from '../../deliveries/endpoint-store.ts'
import type { Times } from '../../ui/time.ts'

export function subscriptionList(subscriptions: readonly Endpoint[], times: Times): Html {
  if (subscriptions.length === 0) return NOTHING
  const items = subscriptions.map((subscription) => {
    const { endpointId, format, addressHint, expiresAt } = subscription
    return html`<li>
      <div>
        <h3><code>${format}</code></h3>
        <p class="quiet">${addressHint}</p>
        ${deliveryState(subscription, times)}
        ${expiresAt === null ? NOTHING : html`<small>Ends ${times.moment(expiresAt)}.</small>`}
      </div>
      <form method="post" action="${REMOVE_ENDPOINT_PATH}">
        ${hiddenField('back', 'agents')}
        <button class="plain" name="endpoint_id" value="${endpointId}">
          <span>End<span class="unseen"> ${format}</span></span>
        </button>
      </form>
    </li>`
  })
  return panel('subscriptions', t('Events that wake agents'), itemList(items))
}
