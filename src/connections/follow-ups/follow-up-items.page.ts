/** Follow-ups on pages: on the page of a connection, on the page *Today*, and in the list of follow-ups. */

import { t, phrase } from '../../languages/message.ts'
import { recurrenceText } from '../../dates/recurrence-text.ts'
import { dayCount } from '../../dates/calendar-day.ts'
import { nearDayText, weekdayDateText } from '../../dates/format-date.ts'
import { localTimeAt } from '../../dates/time-zone.ts'
import { isPast, type FollowUp, publicFollowUpId, followUpPeople } from './follow-ups.ts'
import { attributes, html, type Html, NOTHING } from '../../html/html.ts'
import {
  entryDeleteForm,
  entryEditForm,
  editPath,
  stateFields,
  type EntryAt,
} from '../../ui/entry-form.ts'
import { FOLLOW_UP_ENTRY, followUpValues } from './follow-up-form.page.ts'
import { formTokenField, hiddenField } from '../../html/form.ts'
import { itemList, panel } from '../../ui/sections.ts'
import { listFollowUps, type ListedFollowUp } from './follow-up-list.ts'
import { actionPath, type PersonView } from '../person/person-view.page.ts'
import { publicConnectionId } from '../model/connection.ts'
import { icon } from '../../html/icon.ts'
import { COMPLETE_FOLLOW_UP_PATH, connectionPath, entryPath } from '../../html/site-map.ts'
import { face } from '../../html/face.ts'
import { laterMenu } from '../../ui/later-menu.ts'
import { type TaskPage, taskRow, logLink } from '../../ui/task-row.ts'
import type { Times } from '../../ui/time.ts'
import type { MemberReader } from '../../db/database.ts'

/** When it is due from today, as `6 days late` or `today 15:30`, with the date in full as its title, and how often it recurs. */
function dueWhen(followUp: FollowUp, { now, timeZone, today }: Times): Html {
  const { dueOn, dueTime, recurrence } = followUp
  const isOver = isPast(followUp, localTimeAt(timeZone, now))
  const late = dayCount(today) - dayCount(dueOn)
  const day = late > 0 ? lateText(late) : nearDayText(dueOn, today)
  const time = html`<time
    ${attributes({ class: isOver && 'late', datetime: dueOn, title: weekdayDateText(dueOn) })}
    >${day} ${dueTime}</time
  >`
  return recurrence === 'none' ? time : html`${recurrenceText(recurrence)} · ${time}`
}

/** Days after which months are counted. */
const MONTHS_FROM = 60

function lateText(days: number): string {
  if (days < MONTHS_FROM) return t('{days, plural, one {# day late} other {# days late}}', { days })
  const months = Math.floor(days / 30.4)
  return t('{months, plural, one {# month late} other {# months late}}', { months })
}

/** The rest are listed on the follow-ups page. */
const MAX_FOLLOW_UPS = 20

/** The open follow-ups, with buttons to complete them; absent if there are none. */
export async function followUpPanel(db: MemberReader, person: PersonView): Promise<Html> {
  const { connectionId } = person
  const { followUps, hasMore } = await listFollowUps(
    db,
    { status: 'open', people: [connectionId] },
    MAX_FOLLOW_UPS,
  )
  if (followUps.length === 0) return NOTHING
  const items = followUps.map(({ followUp }) => followUpItem(followUp, person))
  const more = hasMore ? html`<p class="quiet">More follow-ups are due later.</p>` : NOTHING
  return panel('follow-ups', t('Next'), html`${itemList(items, NOTHING, 'tasks')} ${more}`)
}

function followUpItem(followUp: FollowUp, person: PersonView): Html {
  const { publicId, browser, times, view, edit } = person
  const { followUpId, text } = followUp
  const id = publicFollowUpId(followUpId)
  const place = { id: publicId, entry_id: id, back: '', view }
  if (edit === id) {
    const values = followUpValues(followUp)
    return html`<li id="${id}">
      <div class="editing">
        ${entryEditForm({ form: FOLLOW_UP_ENTRY, place, browser, values })}
        ${entryDeleteForm({ form: FOLLOW_UP_ENTRY, place, browser })}
      </div>
    </li>`
  }
  const path = editPath(person, id)
  const editing = html`<a class="button plain" href="${path}"
    >Edit<span class="unseen"> ${text}</span></a
  >`
  return taskRow({
    key: id,
    tick: tickForm(id, text, actionPath(person, 'done'), browser),
    path,
    title: html`<b><bdi>${text}</bdi></b>`,
    when: dueWhen(followUp, times),
    actions: moveForm({ place, browser }, text, [undefined, editing]),
  })
}

/** The row of a follow-up on the page *Today* and in the list of follow-ups. */
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
      tick: tickForm(key, what, COMPLETE_FOLLOW_UP_PATH, page.browser, back),
      badge: person ? face({ name: person.name, photo }) : html`<span class="no-face"></span>`,
      path: person ? `${connectionPath(id)}#${key}` : edit,
      title: html`<b><bdi>${text}</bdi></b> ${person && html`<bdi>${person.name}</bdi>`}`,
      when: dueWhen(followUp, page.times),
      actions: html`${doneAct(key)} ${log}
      ${moveForm({ place: { id, entry_id: key, back, view: '' }, browser: page.browser }, what, [log, editing])}`,
    },
    page,
  )
}

function tickForm(
  key: string,
  what: string,
  action: string,
  { formToken }: Pick<TaskPage['browser'], 'formToken'>,
  back?: string,
): Html {
  return html`<form id="tick-${key}" method="post" action="${action}">
    ${formTokenField(formToken)} ${back !== undefined && hiddenField('back', back)}
    <button class="tick" name="follow_up_id" value="${key}" title="${t('Done')}" data-key="d">
      ${icon('check')}<span class="unseen">Done: ${what}</span>
    </button>
  </form>`
}

/** Names the tick and its key among the actions that are shown on hover. */
function doneAct(key: string): Html {
  return html`<button
    class="plain act done"
    form="tick-${key}"
    name="follow_up_id"
    value="${key}"
    tabindex="-1"
    aria-hidden="true"
  >
    ${icon('check')}<span>${t('Done')}</span><kbd>d</kbd>
  </button>`
}

/** Renders the menu that puts off a follow-up, with links before and after its form. Enter in the field takes the typed date. */
function moveForm(
  edit: EntryAt,
  what: string,
  [before, after]: readonly (Html | undefined)[] = [],
): Html {
  const { place } = edit
  const quick = QUICK_DAYS.map(
    ([label, day], at) =>
      html`<button class="plain" name="day" value="${day}" ${attributes({ autofocus: at === 0 })}>
        ${t(label)}
      </button>`,
  )
  const form = html`<form
    method="post"
    action="${entryPath(place.id, 'follow-ups', place.entry_id, 'move')}"
  >
    ${stateFields(edit)} ${quick}
    <div class="typed">
      <input
        type="text"
        name="due_on"
        aria-label="Another day for ${what}"
        placeholder="Another day"
        autocomplete="off"
        data-date
      />
      <button class="plain">Move</button>
    </div>
  </form>`
  return laterMenu({
    id: place.entry_id,
    label: t('Later'),
    what,
    log: before,
    form: html`${form} ${after}`,
  })
}

/** From today. */
const QUICK_DAYS = [
  [phrase('Tomorrow'), 'tomorrow'],
  [phrase('Next week'), 'in 7 days'],
  [phrase('Next month'), 'in a month'],
] as const
