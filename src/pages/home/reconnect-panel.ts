/** The box *Reconnect* of home: who to contact again, and why. */

import { phrase, t } from '../../languages/message.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { formKeyField, formTokenField, hiddenField } from '../../html/form.ts'
import { html, NOTHING, type Html } from '../../html/html.ts'
import { connectionPath, logContactPath } from '../../html/site-map.ts'
import { workLine } from '../person/facts.ts'
import { personLink } from '../ui/person-link.ts'
import { itemList, panel } from '../ui/sections.ts'
import type { Reconnect } from '../../connections/cadence/reconnects.ts'

/** Absent if it is empty. */
export function reconnectPanel(reconnects: readonly Reconnect[], formToken: string): Html {
  if (reconnects.length === 0) return NOTHING
  const items = reconnects.map((one) => reconnectItem(one, formToken))
  return panel('reconnect', t('Reconnect'), itemList(items))
}

function reconnectItem({ connection, reason }: Reconnect, formToken: string): Html {
  const id = publicConnectionId(connection.connectionId)
  const { name } = connection
  const buttons = SNOOZES.map(
    ([label, until]) =>
      html`<button class="plain" name="paused_until" value="${until}">${t(label)}</button>`,
  )
  return html`<li>
    <div>
      <h3>${personLink(connection)}</h3>
      ${workLine(connection)}
      <small>${reason}</small>
    </div>
    <div class="actions">
      <a class="button plain" href="${logContactPath(id)}"
        ><span>Log<span class="unseen"> a contact with ${name}</span></span></a
      >
      <details class="later">
        <summary class="button plain">
          <span>Snooze<span class="unseen"> ${name}</span></span>
        </summary>
        <form method="post" action="${connectionPath(id, 'cadence')}">
          ${formTokenField(formToken)} ${formKeyField()} ${hiddenField('back', 'home')}
          <div class="actions">${buttons}</div>
        </form>
      </details>
    </div>
  </li>`
}

/** From today. */
const SNOOZES = [
  [phrase('1 week'), 'in 7 days'],
  [phrase('1 month'), 'in a month'],
  [phrase('3 months'), 'in 3 months'],
] as const
