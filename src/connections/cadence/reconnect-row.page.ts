/** The row of the page *Today* for a person to contact again. */

import { phrase, t } from '../../languages/message.ts'
import { dayCount } from '../../dates/calendar-day.ts'
import { publicConnectionId } from '../model/connection.ts'
import { formKeyField, hiddenField } from '../../html/form.ts'
import { attributes, html, joinHtml, type Html } from '../../html/html.ts'
import { connectionPath } from '../../html/site-map.ts'
import { face } from '../../html/face.ts'
import { laterMenu, logLink, taskRow, type TaskPage } from '../../ui/task-row.ts'
import { dueReason, shortReason } from './reconnect-reason.ts'
import type { Listed } from '../model/connection.ts'
import type { Reconnect } from './reconnects.ts'

/** `day`: the one whose list has the row, YYYY-MM-DD. */
export function reconnectRow(reconnect: Reconnect, page: TaskPage, day: string): Html {
  const { connection, reason, cause } = reconnect
  const { today } = page.times
  const when = html`<bdi
    ${attributes({ class: isLongLate(reconnect, today) && 'late', title: reason })}
    >${day > today ? dueReason(reconnect, today) : shortReason(cause, today)}</bdi
  >`
  return personRow(connection, when, page)
}

function personRow(connection: Listed, when: Html, page: TaskPage): Html {
  const id = publicConnectionId(connection.connectionId)
  const { name } = connection
  const work = [connection.title, connection.company]
    .filter((part) => part !== null)
    .map((part) => html`<bdi>${part}</bdi>`)
  const log = logLink(id, name, page.back)
  const buttons = SNOOZES.map(
    ([label, until], at) =>
      html`<button
        class="plain"
        name="paused_until"
        value="${until}"
        ${attributes({ autofocus: at === 0 })}
      >
        ${t(label)}
      </button>`,
  )
  const form = html`<form method="post" action="${connectionPath(id, 'cadence')}">
    ${formKeyField()} ${hiddenField('back', page.back)} ${buttons}
  </form>`
  return taskRow(
    {
      key: id,
      isPerson: true,
      badge: face(connection),
      path: connectionPath(id),
      title: html`<b><bdi>${name}</bdi></b> <span>${joinHtml(work, ', ')}</span>`,
      when,
      actions: html`${log} ${laterMenu({ id, what: name, form, log })}`,
    },
    page,
  )
}

/** True if the person has been overdue for longer than their cadence. */
function isLongLate({ lastContactOn, dueOn }: Reconnect, today: string): boolean {
  if (lastContactOn === null || dueOn === null) return false
  return dayCount(today) - dayCount(dueOn) > dayCount(dueOn) - dayCount(lastContactOn)
}

/** From today. */
const SNOOZES = [
  [phrase('1 week'), 'in 7 days'],
  [phrase('1 month'), 'in a month'],
  [phrase('3 months'), 'in 3 months'],
] as const
