/** The row of a follow-up on the page *Today* and in the list of follow-ups, with the menu that puts it off. */

import { t } from '../../languages/message.ts'
import { tokenize } from '../../base/tokenize.ts'
import { recurrenceText } from '../../dates/recurrence-text.ts'
import { dayCount } from '../../dates/calendar-day.ts'
import { nearDayText, weekdayDateText } from '../../dates/format-date.ts'
import { localTimeAt } from '../../dates/time-zone.ts'
import { isPast, type FollowUp, publicFollowUpId, followUpPeople } from './follow-ups.ts'
import { attributes, html, type Html } from '../../html/html.ts'
import { editedEntry, stateFields, type EntryPlace } from '../../ui/entry-form.ts'
import { withQuery } from '../../ui/with-query.ts'
import { FOLLOW_UP_ENTRY, followUpValues, QUICK_DAYS } from './follow-up-form.page.ts'
import { hiddenField } from '../../html/form.ts'
import { type ListedFollowUp } from './follow-up-list.ts'
import { publicConnectionId } from '../model/connection.ts'
import { icon } from '../../html/icon.ts'
import { COMPLETE_FOLLOW_UP_PATH, connectionPath, entryPath } from '../../html/site-map.ts'
import { face } from '../../html/face.ts'
import { laterMenu, logLink, taskRow, type TaskPage } from '../../ui/task-row.ts'
import type { Times } from '../../ui/time.ts'

/** When it is due from today, as `6 days late` or `today · 15:30`, with the date in full as its title, and how often it recurs. */
export function dueWhen(followUp: FollowUp, { now, timeZone, today }: Times): Html {
  const { dueOn, dueTime, recurrence } = followUp
  const isOver = isPast(followUp, localTimeAt(timeZone, now))
  const late = dayCount(today) - dayCount(dueOn)
  const day = late > 0 ? lateText(late) : nearDayText(dueOn, today)
  const time = html`<time
    ${attributes({ class: isOver && 'late', datetime: dueOn, title: weekdayDateText(dueOn) })}
    >${dueTime === '' ? day : `${day} · ${dueTime}`}</time
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

/** The row of a follow-up on the page *Today* and in the list of follow-ups, or the form that edits it there. */
export function followUpRow({ followUp, name, photo }: ListedFollowUp, page: TaskPage): Html {
  const { followUpId, text, connectionId } = followUp
  const { back } = page
  const key = publicFollowUpId(followUpId)
  const id = followUpPeople(followUp).map(publicConnectionId).join('')
  const place = { id, entry_id: key, back, view: '' }
  const person = connectionId !== null && name !== null ? { name, photo } : undefined
  if (page.edit === key) {
    const values = followUpValues(followUp)
    const about = person && html`${face(person)} <bdi>${person.name}</bdi>`
    return editedEntry({ form: FOLLOW_UP_ENTRY, place, values, about }, { id: key })
  }
  const what = name === null ? text : `${text}, ${name}`
  const log = person && logLink(key, person.name, back)
  return taskRow(
    {
      key,
      tick: tickForm(key, what, COMPLETE_FOLLOW_UP_PATH, back),
      path: withQuery(back, { edit: key }),
      title: html`<b><bdi>${text}</bdi></b>`,
      about: person && personLink(id, person, text),
      when: dueWhen(followUp, page.times),
      actions: html`${doneAct(key)} ${log} ${moveForm(place, what, log)}`,
    },
    page,
  )
}

/** A text that names the person has only the face beside it. */
function personLink(id: string, person: Parameters<typeof face>[0], text: string): Html {
  const { name } = person
  const [said, named] = [text, name].map((one) => ` ${tokenize(one).join(' ')} `)
  const isNamed = said?.includes(named ?? '') === true
  return html`<a ${attributes({ class: 'about', href: connectionPath(id), title: isNamed && name })}
    >${face(person)} <bdi ${attributes({ class: isNamed && 'unseen' })}>${name}</bdi></a
  >`
}

export function tickForm(key: string, what: string, action: string, back?: string): Html {
  return html`<form id="tick-${key}" method="post" action="${action}">
    ${back !== undefined && hiddenField('back', back)}
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

/** Renders the menu that snoozes a follow-up, with a link before its form. Enter in the field takes the typed date. */
export function moveForm(place: EntryPlace, what: string, log?: Html): Html {
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
    ${stateFields(place)} ${quick}
    <div class="typed">
      <input
        type="text"
        name="due_on"
        aria-label="Another day for ${what}"
        placeholder="Another day"
        autocomplete="off"
        data-date
      />
      <button class="plain">Snooze</button>
    </div>
  </form>`
  return laterMenu({
    id: place.entry_id,
    what,
    log,
    form,
  })
}
