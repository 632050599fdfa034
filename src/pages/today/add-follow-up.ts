/**
 * The field that adds a follow-up, as long as a row. What is read from its text is shown below it before it is saved: with
 * scripts while it is typed, otherwise when the form is sent.
 */

import { t } from '../../languages/message.ts'
import { nearDayText } from '../../dates/format-date.ts'
import { recurrenceText } from '../../dates/recurrence-text.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { FOLLOW_UP_ENTRY } from '../../connections/follow-ups/follow-up-form.page.ts'
import { face } from '../../html/face.ts'
import { formError, formKeyField, hiddenField } from '../../html/form.ts'
import { html, type Html } from '../../html/html.ts'
import { icon } from '../../html/icon.ts'
import { FOLLOW_UP_READING_PATH, FOLLOW_UPS_PATH } from '../../html/site-map.ts'
import { READ_PARTS, readFollowUp, type FollowUpReading, type ReadPart } from './read-follow-up.ts'
import type { FormRequest } from '../../forms/page-route.ts'
import type { InvalidForm } from '../../ui/invalid-form.ts'
import type { TaskPage } from '../../ui/task-row.ts'
import type { Typed } from '../../ui/entry-form.ts'

/** What was read from the text, what of it is shown, and what the member removed. */
export interface ShownReading {
  readonly reading: FollowUpReading
  readonly removed: readonly ReadPart[]
  /** Whether the form was sent before this was shown. */
  readonly isNew: boolean
}

/** The day and more appear with what is typed. */
export function addFollowUp(
  { back, times }: Pick<TaskPage, 'back' | 'times'>,
  invalid: InvalidForm | undefined,
  shown?: ShownReading,
): Html {
  return html`<li class="adding">
    <form
      class="in-place"
      method="post"
      action="${FOLLOW_UPS_PATH}"
      aria-label="Add follow-up"
      data-preview="${FOLLOW_UP_READING_PATH}"
    >
      ${icon('plus')} ${formKeyField()} ${hiddenField('back', back)} ${formError(invalid?.problem)}
      ${FOLLOW_UP_ENTRY.fields(invalid ?? NEW, 'alone')}
      <div class="actions"><button>Add follow-up</button></div>
      <output>${shown ? readingText(shown, times.today) : hiddenField('seen', '')}</output>
    </form>
  </li>`
}

/** On the page of a day, what is added is for this day. */
const NEW = { typed: { due_day: 'today' }, errors: {} }

/** What the text of a form says. A day that is written in its field counts more. */
export async function readShown({
  body,
  browser,
  db,
  now,
}: Pick<FormRequest, 'body' | 'browser' | 'db' | 'now'>): Promise<ShownReading> {
  const given = new Set([body.get('remove'), ...(body.get('not') ?? '').split(' ')])
  const removed = READ_PARTS.filter((part) => given.has(part))
  const isRead = (part: ReadPart) =>
    !removed.includes(part) && (part !== 'day' || !body.get('due_on')?.trim())
  const { timeZone } = browser
  const text = body.get('follow_up') ?? ''
  const reading = await readFollowUp(db, text, { timeZone, now, isRead })
  return { reading, removed, isNew: body.get('seen') !== seenOf(reading) }
}

/** What was read, as if it were typed into the fields, and the person. */
export function typedReading(shown: ShownReading | undefined): Typed & { readonly person: string } {
  const { text, dueOn, time, recurrence, person } = shown?.reading ?? {}
  return {
    person: person ? publicConnectionId(person.connectionId) : '',
    ...(text !== undefined && { text }),
    ...(dueOn !== undefined && { due_on: dueOn }),
    ...(time !== undefined && { time }),
    ...(recurrence !== undefined && { recurrence }),
  }
}

/** Identifies what is shown, so that nothing else is saved. */
function seenOf({ dueOn, time, recurrence, person }: FollowUpReading): string {
  const parts = [dueOn, time, recurrence, person && publicConnectionId(person.connectionId)]
  return parts.some((part) => part !== undefined) ? JSON.stringify(parts) : ''
}

/** A button for each part, which removes it. */
export function readingText({ reading, removed, isNew }: ShownReading, today: string): Html {
  const { dueOn, time, recurrence, person } = reading
  const when = [
    recurrence !== undefined && recurrenceText(recurrence),
    dueOn !== undefined && nearDayText(dueOn, today),
    time,
  ].filter((part) => part)
  const seen = seenOf(reading)
  return html`${hiddenField('seen', seen)} ${hiddenField('not', removed.join(' '))}
  ${when.length > 0 && partButton('day', html`${icon('calendar')} ${when.join(' · ')}`, dueOn !== undefined)}
  ${person && partButton('person', html`${face({ name: person.name, photo: person.details.photo })} <bdi>${person.name}</bdi>`)}
  ${isNew && seen !== '' && html`<small>Check this, then add it.</small>`}`
}

function partButton(part: ReadPart, label: Html, isDated = false): Html {
  return html`<button
    class="${isDated ? 'chip dated' : 'chip'}"
    name="remove"
    value="${part}"
    formnovalidate
    title="${t('Remove')}"
  >
    ${label} ${icon('cross')}<span class="unseen">${t('Remove')}</span>
  </button>`
}
