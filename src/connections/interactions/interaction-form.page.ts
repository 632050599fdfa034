/** The form of an interaction: its fields, and how what was typed is logged. */

import { splitDueTime } from '../../dates/time-of-day.ts'
import { phrase, t } from '../../languages/message.ts'
import { checkAll } from '../../base/check-all.ts'
import { InteractionInput, logInteraction } from './log-interaction.ts'
import {
  dayOfInteraction,
  INTERACTION_KINDS,
  INTERACTIONS,
  requireInteraction,
  type InteractionKind,
} from './interaction-store.ts'
import { recordRemoved } from '../../records/record-rows.ts'
import { checkDay, readDay } from '../../forms/date-field.ts'
import { fieldState, readTyped, type FieldValues } from '../../forms/field-errors.ts'
import { bareField, segments, textField } from '../../html/form.ts'
import { attributes, html, type Html } from '../../html/html.ts'
import type { Along } from '../../records/undo-rows.ts'
import type { DateContext } from '../../dates/read-date.ts'
import type { EntryChange, EntryForm, FieldsUse, Typed } from '../../ui/entry-form.ts'

export const INTERACTION_ENTRY: EntryForm = {
  kind: 'interactions',
  act: 'contact',
  one: phrase('logged contact'),
  controls: { text: 'contact_text', on: 'contact_on', kind: 'contact_kind' },
  addControls: { due_on: 'remind_on' },
  fields: contactFields,
  async require(reader, entryId) {
    const one = await requireInteraction(reader, entryId)
    const values = { text: one.text ?? '', on: dayOfInteraction(one), kind: one.kind }
    return { people: one.people, values }
  },
  add: (changing, connectionId, typed) => logTyped(changing, [connectionId], typed),
  async save(changing, interaction_id, typed) {
    const before = await requireInteraction(changing.tx, interaction_id)
    const { on, ...input } = await readInteraction(typed, changing)
    // The same day keeps its time.
    const moved = on === undefined || on === dayOfInteraction(before) ? {} : { on }
    const after = { text: '', ...input, ...moved, interaction_id }
    return (await logInteraction(callOf(changing), after)).activityId
  },
  remove: async (changing, entryId) =>
    recordRemoved(INTERACTIONS, changing, [await requireInteraction(changing.tx, entryId)]),
}

/** The kind and the day in one line, and what was said. */
export function contactFields(state: FieldValues, use?: FieldsUse): Html {
  const chosen = state.typed['contact_kind'] || 'call'
  const on = fieldState(state, 'contact_on', t('Date'))
  const text = fieldState(state, 'contact_text', t('Text'))
  // Events come from imports and calendars.
  const kinds = INTERACTION_KINDS.filter((kind) => kind !== 'event' || chosen === kind)
  const options = kinds.map((value) => ({ value, label: t(INTERACTION_LABELS[value]) }))
  const said = t('What was said (optional)')
  return html`<div class="bar">
      ${segments({ name: 'contact_kind', label: t('Kind'), options, value: chosen })}
      ${bareField({ ...on, placeholder: t('Today'), autocomplete: 'off', isDate: true })}
    </div>
    <textarea
      name="contact_text"
      rows="2"
      ${attributes({ autofocus: use === 'opened', 'aria-invalid': text.error && 'true' })}
      aria-label="${said}"
      placeholder="${said}"
    >
${text.value}</textarea>
    ${text.error !== undefined && html`<p class="error">${text.error}</p>`}`
}

/**
 * Logs one interaction with all of the people, and plans the next one on `due_on`. `along` is what the caller changed as a
 * part of it. Returns the activity ID.
 */
export async function logTyped(
  changing: EntryChange,
  people: string[],
  typed: Typed,
  along?: Along,
): Promise<number | undefined> {
  const split = splitDueTime(typed['due_on'] ?? '', changing)
  const typedDue = split?.due_on ?? typed['due_on'] ?? ''
  await checkAll(checkDay('due_on', typedDue, changing, 'next-first'))
  const input = await readInteraction(typed, changing)
  const due_on = readDay(typedDue, changing, 'next-first')
  const planned =
    due_on.trim() === '' ? {} : { follow_up: { due_on, ...(split && { time: split.time }) } }
  return (await logInteraction(callOf(changing), { ...input, ...planned, people }, along))
    .activityId
}

/** Only for a new one: when to get in touch again. */
export function remindField(state: FieldValues): Html {
  const remind = fieldState(state, 'remind_on', t('Follow up on'))
  return html`<details ${attributes({ open: remind.value !== '' })}>
    <summary>Follow up</summary>
    ${textField({ ...remind, autocomplete: 'off', isDate: true })}
  </details>`
}

function callOf<Context extends DateContext>(changing: Context) {
  return { ...changing, caller: { timeZone: changing.timeZone } }
}

async function readInteraction(
  { kind = '', on: typedDay = '', text = '' }: Typed,
  context: DateContext,
): Promise<InteractionInput> {
  const on = readDay(typedDay || 'today', context, 'latest')
  const input = { kind, on, text }
  await checkAll(
    () => readTyped(InteractionInput, input),
    checkDay('on', typedDay, context, 'latest'),
  )
  return readTyped(InteractionInput, input)
}

export const INTERACTION_LABELS: Readonly<Record<InteractionKind, string>> = {
  call: phrase('Call'),
  meeting: phrase('Meeting'),
  message: phrase('Message'),
  email: phrase('Email'),
  event: phrase('Event'),
  other: phrase('Other'),
}
