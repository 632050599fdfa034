/** What a follow-up is about, when it is due and how often it recurs, as people read and type it. */

import { t } from '../../languages/message.ts'
import { USUAL_RECURRENCES } from '../../dates/recurrence.ts'
import { readRecurrence, recurrenceText } from '../../dates/recurrence-text.ts'
import { localTimeAt } from '../../dates/time-zone.ts'
import { isPast, type FollowUp } from '../../connections/follow-ups/follow-ups.ts'
import { textField } from '../../html/form.ts'
import { html, type Html } from '../../html/html.ts'
import type { ListedFollowUp } from '../../connections/follow-ups/follow-up-list.ts'
import { personLink } from './person-link.ts'
import { weekdayDate } from './calendar-date.ts'
import type { Times } from './time.ts'
import { fieldState, type FieldValues } from '../../forms/field-errors.ts'

/** The person and what to do; only what to do without a person. */
export function followUpHeading({ followUp, name, photo }: ListedFollowUp): Html {
  const { connectionId, text } = followUp
  if (connectionId === null || name === null) return html`<h3><bdi>${text}</bdi></h3>`
  return html`<h3>${personLink({ connectionId, name, photo })}</h3>
    <p><bdi>${text}</bdi></p>`
}

/** The date with its time, in copper from that day on, and the recurrence. */
export function dueLine(followUp: FollowUp, { now, timeZone, today }: Times): Html {
  const { dueOn, dueTime, recurrence } = followUp
  const isOver = isPast(followUp, localTimeAt(timeZone, now))
  const tone = isOver || dueOn === today ? 'warning' : ''
  return html`<small>
    <span class="badge ${tone}">${weekdayDate(dueOn)} ${dueTime}</span>
    ${recurrenceText(recurrence)}
  </small>`
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
