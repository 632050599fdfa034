/** What a follow-up is about, when it is due and how often it recurs, as people read and type it. */

import { t } from '../../languages/message.ts'
import { USUAL_RECURRENCES } from '../../dates/recurrence.ts'
import { readRecurrence, recurrenceText } from '../../dates/recurrence-text.ts'
import { dayCount } from '../../dates/calendar-day.ts'
import { nearDayText, weekdayDateText } from '../../dates/format-date.ts'
import { localTimeAt } from '../../dates/time-zone.ts'
import { isPast, type FollowUp } from './follow-ups.ts'
import { textField } from '../../html/form.ts'
import { attributes, html, type Html } from '../../html/html.ts'
import type { Times } from '../../ui/time.ts'
import { fieldState, type FieldValues } from '../../forms/field-errors.ts'

/** When it is due from today, as `6 days late` or `today 15:30`, with the date in full as its title, and how often it recurs. */
export function dueWhen(followUp: FollowUp, { now, timeZone, today }: Times): Html {
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

/** Takes a recurrence in words, with suggestions. */
export function recurrenceField(state: FieldValues, name: string): Html {
  const field = fieldState(state, name, t('Repeat'))
  const known = readRecurrence(field.value)
  const value = known === undefined ? field.value : recurrenceText(known)
  const suggestions = USUAL_RECURRENCES.map(recurrenceText).filter((text) => text !== '')
  return html`${textField({ ...field, value, autocomplete: 'off', list: `${name}-texts`, hint: t('Empty for once.') })}
    <datalist id="${name}-texts">
      ${suggestions.map((text) => html`<option value="${text}"></option>`)}
    </datalist>`
}
