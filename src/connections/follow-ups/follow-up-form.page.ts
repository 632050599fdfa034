/** The form of a follow-up: its fields, and how what was typed is saved. */

import { isDay, requireDayInRange } from '../../dates/calendar-day.ts'
import { dateText } from '../../dates/format-date.ts'
import { splitDueTime } from '../../dates/time-of-day.ts'
import { dayInZone } from '../../dates/time-zone.ts'
import { phrase, t } from '../../languages/message.ts'
import { checkAll } from '../../base/check-all.ts'
import { RequestError } from '../../base/request-error.ts'
import {
  FOLLOW_UPS,
  followUpPeople,
  newFollowUp,
  publicFollowUpId,
  requireFollowUp,
  type FollowUp,
} from './follow-ups.ts'
import { recordNew, recordRemoved } from '../../records/record-rows.ts'
import { requireConnection } from '../editing/require-connection.ts'
import { changeFollowUps } from './change-follow-ups.ts'
import { checkDay, readDay } from '../../forms/date-field.ts'
import { bareField, segments, textField } from '../../html/form.ts'
import { attributes, html, type Html } from '../../html/html.ts'
import { CONNECTION_SUGGESTIONS_PATH } from '../../html/site-map.ts'
import { readTyped, required, type FieldValues, fieldState } from '../../forms/field-errors.ts'
import { USUAL_RECURRENCES } from '../../dates/recurrence.ts'
import { readRecurrence, recurrenceText } from '../../dates/recurrence-text.ts'
import {
  FollowUpInput,
  readFields,
  readPlan,
  requireRecurrence,
  firstDueDay,
} from './follow-up-schemas.ts'
import type { DateContext } from '../../dates/read-date.ts'
import type { EntryForm, FieldsUse, Typed } from '../../ui/entry-form.ts'

export const FOLLOW_UP_ENTRY: EntryForm = {
  kind: 'follow-ups',
  act: 'follow-up',
  one: phrase('follow-up'),
  controls: {
    text: 'follow_up',
    day: 'due_day',
    due_on: 'due_on',
    time: 'due_time',
    recurrence: 'recurrence',
  },
  fields: followUpFields,
  async require(reader, entryId) {
    const followUp = await requireFollowUp(reader, entryId)
    if (followUp.completedAt !== null)
      throw new RequestError(
        'not_found',
        t('{followUpId} is completed.', { followUpId: publicFollowUpId(followUp.followUpId) }),
      )
    return { people: followUpPeople(followUp), values: followUpValues(followUp) }
  },
  async add(changing, id, typed) {
    const plan = readPlan(await readFollowUp(typed, changing))
    const person = id === '' ? undefined : await requireConnection(changing.tx, id)
    const draft = newFollowUp({ ...plan, connectionId: person?.connectionId ?? null }, changing.now)
    return (await recordNew(FOLLOW_UPS, changing, [draft])).activityId
  },
  async save(changing, entryId, typed) {
    const due_on = typed['due_on'] || (typed['day'] ?? '')
    const fields = readFields(await readFollowUp({ ...typed, due_on }, changing))
    const before = await requireFollowUp(changing.tx, entryId)
    return (await changeFollowUps(changing, [before], { fields })).activityId
  },
  remove: async (changing, entryId) =>
    recordRemoved(FOLLOW_UPS, changing, [await requireFollowUp(changing.tx, entryId)]),
}

/** As its form has them. */
export function followUpValues({ text, dueOn, dueTime, recurrence }: FollowUp): Typed {
  return { text, due_on: dueOn, time: dueTime, recurrence }
}

/** What to do and when. A date that is written counts more than one of the usual days. */
function followUpFields(state: FieldValues, use?: FieldsUse): Html {
  const text = fieldState(state, 'follow_up', t('What to do'))
  const due = fieldState(state, 'due_on', t('Due date'))
  const time = fieldState(state, 'due_time', t('Time (optional)'))
  const recurrence = fieldState(state, 'recurrence', t('Repeat'))
  const isMore = [time, recurrence].some(
    ({ value, error }) => (value !== '' && value !== 'none') || error !== undefined,
  )
  const isEdited = use === 'opened'
  // The stored day is one of the choices, so that the others need one click.
  const day = state.typed['due_day'] || (isEdited ? due.value : 'tomorrow')
  const isStored = isEdited && isDay(day)
  const usual = [TODAY, ...QUICK_DAYS.slice(0, isEdited ? 2 : undefined)].map(([label, value]) => ({
    label: t(label),
    value,
  }))
  const options = isStored ? [{ label: dateText(day), value: day }, ...usual] : usual
  const other = { ...due, value: due.value === day ? '' : due.value, placeholder: t('Another day') }
  const isAlone = use === 'alone'
  const placeholder = isAlone ? t('Add follow-up') : text.label
  const mentions = isAlone ? CONNECTION_SUGGESTIONS_PATH : undefined
  const autofocus = isEdited || (isAlone && text.value !== '')
  const asked = { ...text, placeholder, required: true }
  return html`${bareField({ ...asked, autocomplete: 'off', autofocus, mentions })}
    <div class="bar">
      ${segments({ name: 'due_day', label: t('Due'), options, value: day })}
      ${bareField({ ...other, autocomplete: 'off', isDate: true })}
    </div>
    <details ${attributes({ open: isMore })}>
      <summary>Time and repeat</summary>
      <div class="pair">${textField({ ...time, type: 'time' })} ${recurrenceField(recurrence)}</div>
    </details>`
}

const TODAY = [phrase('Today'), 'today'] as const

/** From today. */
export const QUICK_DAYS = [
  [phrase('Tomorrow'), 'tomorrow'],
  [phrase('In a week'), 'in 7 days'],
  [phrase('In a month'), 'in a month'],
] as const

/** Takes a recurrence in words, with suggestions. */
function recurrenceField(field: ReturnType<typeof fieldState>): Html {
  const known = readRecurrence(field.value)
  const value = known === undefined ? field.value : recurrenceText(known)
  const suggestions = USUAL_RECURRENCES.map(recurrenceText).filter((text) => text !== '')
  return html`${textField({ ...field, value, autocomplete: 'off', list: 'recurrence-texts', hint: t('Empty for once.') })}
    <datalist id="recurrence-texts">
      ${suggestions.map((text) => html`<option value="${text}"></option>`)}
    </datalist>`
}

/** The time that is written with the day replaces the one in its field, which may be that of before. */
async function readFollowUp(
  given: Typed,
  context: DateContext,
): Promise<FollowUpInput & { readonly due_on: string }> {
  const typed: Typed = { ...given, ...splitDueTime(given['due_on'] ?? '', context) }
  const today = dayInZone(context.timeZone, context.now)
  const written =
    typed['due_on']?.trim() ||
    (firstDueDay({ recurrence: typed['recurrence'] }, today) ?? typed['day'] ?? '')
  const due_on = readDay(written, context, 'next-first')
  const text = (typed['text'] ?? '').trim()
  const [time, recurrence] = [typed['time'] || 'none', typed['recurrence']?.trim() || 'none']
  const input = { text, due_on, time, recurrence }
  await checkAll(
    required('text', text),
    required('due_on', due_on),
    () => readTyped(FollowUpInput, input),
    checkDay('due_on', due_on, context, 'next-first'),
    () => requireDayInRange(due_on, 'due_on'),
    () => requireRecurrence(recurrence),
  )
  return { ...readTyped(FollowUpInput, input), due_on }
}
