/** What the forms of notes and follow-ups show and do: the operations of the tools. */

import { splitDueTime } from '../../dates/time-of-day.ts'
import { dayInZone } from '../../dates/time-zone.ts'
import { phrase, t } from '../../languages/message.ts'
import { checkAll } from '../../base/check-all.ts'
import { RequestError } from '../../base/request-error.ts'
import {
  FOLLOW_UPS,
  followUpPeople,
  publicFollowUpId,
  requireFollowUp,
  type FollowUp,
} from '../../connections/follow-ups/follow-ups.ts'
import {
  firstDueDay,
  FollowUpInput,
  readDueDay,
  requireRecurrence,
  setFollowUp,
} from '../../connections/follow-ups/set-follow-up.ts'
import { requireDay } from '../../dates/calendar-day.ts'
import { NoteInput, addNoteToConnection } from '../../connections/notes/save-note.tool.ts'
import { requireNote, NOTES } from '../../connections/notes/notes.ts'
import { recordChanged, recordRemoved } from '../../records/record-rows.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { checkDay, readDay } from '../../forms/date-field.ts'
import { textArea, textField } from '../../html/form.ts'
import { attributes, html, type Html } from '../../html/html.ts'
import { recurrenceField } from '../../connections/follow-ups/follow-up-items.page.ts'
import { readTyped, required, type FieldValues, fieldState } from '../../forms/field-errors.ts'
import type { DateContext } from '../../dates/read-date.ts'
import type { MemberReader } from '../../db/database.ts'
import type { EntryKind } from '../../html/site-map.ts'
import type { Changing } from '../../ui/manual-change.ts'
import type { Static } from 'typebox'

/** Texts by argument. */
export type Typed = Readonly<Record<string, string>>

/** A change by a member whose dates in words count from their day. */
export type EntryChange = Changing & Pick<DateContext, 'timeZone'>

export interface EntryForm {
  readonly kind: EntryKind
  /** What it is called: `note`. */
  readonly one: string
  readonly controls: Readonly<Record<string, string>>
  readonly fields: (state: FieldValues) => Html
  /** @throws {RequestError} `not_found` when it does not exist or cannot be edited. */
  require(
    reader: MemberReader,
    entryId: string,
  ): Promise<{ readonly people: readonly number[]; readonly values: Typed }>
  /** Returns the activity ID. A follow-up may have no connection: an empty ID. */
  readonly add: (
    changing: EntryChange,
    connectionId: string,
    typed: Typed,
  ) => Promise<number | undefined>
  /** Returns the activity ID; undefined if nothing changed. */
  save(changing: EntryChange, entryId: string, typed: Typed): Promise<number | undefined>
  /** Returns the activity ID. */
  remove(changing: Changing, entryId: string): Promise<number>
}

export const NOTE_ENTRY: EntryForm = {
  kind: 'notes',
  one: phrase('note'),
  controls: { text: 'note', on: 'note_on' },
  fields: (state) =>
    html`${textArea(fieldState(state, 'note', t('Note')))}
      <details ${attributes({ open: (state.typed['note_on'] ?? '') !== '' })}>
        <summary>Date</summary>
        ${textField({ ...fieldState(state, 'note_on', t('Day')), autocomplete: 'off', isDate: 'past' })}
      </details>`,
  async require(reader, entryId) {
    const { connectionId, text, happenedOn } = await requireNote(reader, entryId)
    return { people: [connectionId], values: { text, on: happenedOn ?? '' } }
  },
  async add(changing, connection_id, typed) {
    const note = await readNote(connection_id, typed, changing)
    return (await addNoteToConnection(changing, note)).activityId
  },
  async save(changing, entryId, typed) {
    const before = await requireNote(changing.tx, entryId)
    const id = publicConnectionId(before.connectionId)
    const { text, on } = await readNote(id, typed, changing)
    const happenedOn = on === undefined ? null : requireDay(on, 'on')
    return recordChanged(NOTES, changing, [{ before, after: { ...before, text, happenedOn } }])
  },
  async remove(changing, entryId) {
    return recordRemoved(NOTES, changing, [await requireNote(changing.tx, entryId)])
  },
}

export const FOLLOW_UP_ENTRY: EntryForm = {
  kind: 'follow-ups',
  one: phrase('follow-up'),
  controls: { text: 'follow_up', due_on: 'due_on', time: 'due_time', recurrence: 'recurrence' },
  fields: (state) =>
    html`${textField({ ...fieldState(state, 'follow_up', t('What to do')), autocomplete: 'off' })}
      <div class="pair">
        ${textField({ ...fieldState(state, 'due_on', t('Due date')), autocomplete: 'off', isDate: true })}
        ${textField({ ...fieldState(state, 'due_time', t('Time (optional)')), type: 'time' })}
      </div>
      ${recurrenceField(state, 'recurrence')}`,
  async require(reader, entryId) {
    const followUp = await requireFollowUp(reader, entryId)
    if (followUp.completedAt !== null)
      throw new RequestError(
        'not_found',
        t('{followUpId} is completed.', { followUpId: publicFollowUpId(followUp.followUpId) }),
      )
    return { people: followUpPeople(followUp), values: followUpValues(followUp) }
  },
  add: async (changing, connection_id, typed) => {
    const person = connection_id === '' ? {} : { connection_id }
    return (await setFollowUp(changing, await readFollowUp({ ...typed, ...person }, changing)))
      .activityId
  },
  save: async (changing, follow_up_id, typed) =>
    (await setFollowUp(changing, await readFollowUp({ ...typed, follow_up_id }, changing)))
      .activityId,
  remove: async (changing, entryId) =>
    recordRemoved(FOLLOW_UPS, changing, [await requireFollowUp(changing.tx, entryId)]),
}

/** As its form has them. */
export function followUpValues({ text, dueOn, dueTime, recurrence }: FollowUp): Typed {
  return { text, due_on: dueOn, time: dueTime, recurrence }
}

async function readNote(
  connection_id: string,
  { text: typed = '', on: typedDay = '' }: Typed,
  context: DateContext,
): Promise<Static<typeof NoteInput>> {
  // Browsers send line breaks as CRLF.
  const text = typed.replaceAll('\r\n', '\n').trim()
  const note = { connection_id, text, on: readDay(typedDay, context, 'latest') }
  await checkAll(
    required('text', text),
    () => readTyped(NoteInput, note),
    checkDay('on', typedDay, context, 'latest'),
  )
  return readTyped(NoteInput, note)
}

/** The time that is written with the day replaces the one in its field, which may be that of before. */
async function readFollowUp(
  given: Typed,
  context: DateContext,
): Promise<Static<typeof FollowUpInput>> {
  const typed: Typed = { ...given, ...splitDueTime(given['due_on'] ?? '', context) }
  const today = dayInZone(context.timeZone, context.now)
  const written = typed['due_on']?.trim() || (firstDueDay(typed['recurrence'], today) ?? '')
  const due_on = readDay(written, context, 'next-first')
  const text = (typed['text'] ?? '').trim()
  const [time, recurrence] = [typed['time'] || 'none', typed['recurrence']?.trim() || 'none']
  const input = { ...typed, text, due_on, time, recurrence }
  await checkAll(
    required('text', text),
    required('due_on', due_on),
    () => readTyped(FollowUpInput, input),
    checkDay('due_on', due_on, context, 'next-first'),
    () => readDueDay(due_on),
    () => requireRecurrence(recurrence),
  )
  return readTyped(FollowUpInput, input)
}
