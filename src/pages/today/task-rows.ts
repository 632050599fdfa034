/** The rows of the page *Today* that ask for something: follow-ups, and people to contact again. */

import { phrase, t } from '../../languages/message.ts'
import { dayCount } from '../../dates/calendar-day.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { followUpPeople, publicFollowUpId } from '../../connections/follow-ups/follow-ups.ts'
import { formKeyField, formTokenField, hiddenField } from '../../html/form.ts'
import { attributes, html, joinHtml, NOTHING, type Html } from '../../html/html.ts'
import { icon } from '../../html/icon.ts'
import { COMPLETE_FOLLOW_UP_PATH, connectionPath, entryPath } from '../../html/site-map.ts'
import { moveForm } from '../person/entry-edit.ts'
import { dueWhen } from '../../connections/follow-ups/follow-up-items.page.ts'
import { face } from '../../html/face.ts'
import { laterMenu } from '../../ui/later-menu.ts'
import { logForm, logLink } from './log-form.ts'
import type { ListedFollowUp } from '../../connections/follow-ups/follow-up-list.ts'
import type { Reconnect } from '../../connections/cadence/reconnects.ts'
import type { TaskPage } from './task-page.ts'

interface TaskRow {
  /** Also the ID of the element. */
  readonly key: string
  /** True for a person without a follow-up: the reason is below the name on phones. */
  readonly isPerson?: boolean
  readonly tick?: Html
  readonly badge: Html
  readonly path: string
  readonly title: Html
  readonly when: Html
  readonly actions: Html
}

/** Keys press the buttons of the row that has the focus. The form that logs a contact is a row of its own. */
function taskRow(row: TaskRow, page: TaskPage): Html {
  const { key, isPerson = false, badge, path, when, actions } = row
  const isOpen = page.log?.key === key
  const kinds = [isOpen && 'open', isPerson && 'person-row'].filter((kind) => kind !== false)
  return html`<li
      ${attributes({ id: key, class: kinds.join(' ') || undefined, 'data-keys': true })}
    >
      ${row.tick} ${badge} <a class="t" href="${path}">${row.title}</a>
      <small class="when">${when}</small>
      <div class="acts">${actions}</div>
    </li>
    ${isOpen && page.log ? html`<li class="logging">${logForm(page.log, page)}</li>` : NOTHING}`
}

export function followUpRow({ followUp, name, photo }: ListedFollowUp, page: TaskPage): Html {
  const { followUpId, text, connectionId } = followUp
  const key = publicFollowUpId(followUpId)
  const what = name === null ? text : `${text}, ${name}`
  const id = followUpPeople(followUp).map(publicConnectionId).join('')
  const back = page.back
  const edit = `${entryPath(id, 'follow-ups', key)}?${new URLSearchParams({ back }).toString()}`
  const person = connectionId !== null && name !== null ? { id: connectionId, name } : undefined
  const log = person && logLink(key, person.name, page.back)
  const editing = html`<a class="button plain" href="${edit}"
    >Edit<span class="unseen"> ${what}</span></a
  >`
  return taskRow(
    {
      key,
      tick: tickForm(key, what, page),
      badge: person ? face({ name: person.name, photo }) : html`<span class="no-face"></span>`,
      path: person ? `${connectionPath(id)}#${key}` : edit,
      title: html`<b><bdi>${text}</bdi></b> ${person && html`<bdi>${person.name}</bdi>`}`,
      when: dueWhen(followUp, page.times),
      actions: html`${log}
      ${moveForm({ place: { id, entry_id: key, back, view: '' }, browser: page.browser }, what, [log, editing])}`,
    },
    page,
  )
}

function tickForm(key: string, what: string, { browser, back }: TaskPage): Html {
  return html`<form method="post" action="${COMPLETE_FOLLOW_UP_PATH}">
    ${formTokenField(browser.formToken)} ${hiddenField('back', back)}
    <button class="tick" name="follow_up_id" value="${key}" title="${t('Done')}" data-key="d">
      ${icon('check')}<span class="unseen">Done: ${what}</span>
    </button>
  </form>`
}

export function reconnectRow(reconnect: Reconnect, page: TaskPage): Html {
  const { connection, reason } = reconnect
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
    ${formTokenField(page.browser.formToken)} ${formKeyField()} ${hiddenField('back', page.back)}
    ${buttons}
  </form>`
  return taskRow(
    {
      key: id,
      isPerson: true,
      badge: face(connection),
      path: connectionPath(id),
      title: html`<b><bdi>${name}</bdi></b> <span>${joinHtml(work, ', ')}</span>`,
      when: html`<bdi ${attributes({ class: isLongLate(reconnect, page.times.today) && 'late' })}
        >${reason}</bdi
      >`,
      actions: html`${log} ${laterMenu({ id, label: t('Snooze'), what: name, form, log })}`,
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
