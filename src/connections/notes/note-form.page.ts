/** The form of a note: its fields, and how what was typed is saved. */

import { phrase, t } from '../../languages/message.ts'
import { checkAll } from '../../base/check-all.ts'
import { requireDay } from '../../dates/calendar-day.ts'
import { writeNotes } from './save-note.tool.ts'
import { requireNote, NOTES } from './notes.ts'
import { logToldContacts } from '../told-contacts/log-told-contacts.ts'
import { requireConnection } from '../editing/require-connection.ts'
import { NoteText } from '../editing/connection-input.ts'
import { PersonRef } from '../person/people-argument.ts'
import { CalendarDay } from '../../tools/arguments/date-argument.ts'
import * as Type from '../../base/type.ts'
import { recordChanged, recordRemoved } from '../../records/record-rows.ts'
import { publicConnectionId } from '../model/connection.ts'
import { checkDay, readDay } from '../../forms/date-field.ts'
import { textArea, textField } from '../../html/form.ts'
import { attributes, html } from '../../html/html.ts'
import { CONNECTION_SUGGESTIONS_PATH } from '../../html/site-map.ts'
import { readTyped, required, fieldState } from '../../forms/field-errors.ts'
import type { DateContext } from '../../dates/read-date.ts'
import type { Static } from 'typebox'
import type { EntryForm, Typed } from '../../ui/entry-form.ts'

const NoteInput = Type.Closed({
  connection_id: PersonRef,
  text: NoteText,
  on: Type.Optional(CalendarDay('Date it is about', 'latest')),
})

export const NOTE_ENTRY: EntryForm = {
  kind: 'notes',
  act: 'note',
  one: phrase('note'),
  controls: { text: 'note', on: 'note_on' },
  fields: (state, use) =>
    html`${textArea({ ...fieldState(state, 'note', t('Note')), mentions: CONNECTION_SUGGESTIONS_PATH, autofocus: use === 'opened', placeholder: t('What should you remember? Markdown works, @ links people.') })}
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
    const connection = await requireConnection(changing.tx, note.connection_id)
    const { connectionId } = connection
    const along = await logToldContacts(changing.tx, { connectionId, ...note }, changing)
    return (await writeNotes(changing, [connection], note, along)).activityId
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

async function readNote(
  connection_id: string,
  { text = '', on: typedDay = '' }: Typed,
  context: DateContext,
): Promise<Static<typeof NoteInput>> {
  const note = { connection_id, text, on: readDay(typedDay, context, 'latest') }
  await checkAll(
    required('text', text),
    () => readTyped(NoteInput, note),
    checkDay('on', typedDay, context, 'latest'),
  )
  return readTyped(NoteInput, note)
}
