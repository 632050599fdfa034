/** What the forms of notes and follow-ups show and do: the operations of the tools. */

import { checkAll } from '../../base/check-all.ts'
import { RequestError } from '../../base/request-error.ts'
import { publicFollowUpId, requireFollowUp } from '../../connections/follow-ups/follow-ups.ts'
import {
  FollowUpInput,
  deleteFollowUp,
  readDueDay,
  setFollowUp,
} from '../../connections/follow-ups/set-follow-up.ts'
import { requireDay } from '../../contact-files/contact/calendar-day.ts'
import { NoteInput } from '../../connections/notes/add-note.ts'
import { deleteNote, editNote, requireNote } from '../../connections/notes/notes.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { selectField, textArea, textField } from '../../html/form.ts'
import { html, type Html } from '../../html/html.ts'
import { fieldState, type InvalidForm } from '../connections/details-view.ts'
import { readTyped, required } from '../ui/form-input.ts'
import { RECURRENCE_OPTIONS } from '../ui/recurrence.ts'
import type { MemberReader } from '../../db/database.ts'
import type { EntryKind } from '../../html/site-map.ts'
import type { Changing } from '../ui/manual-change.ts'

/** Texts by argument. */
export type Typed = Readonly<Record<string, string>>

export interface EntryForm {
  readonly kind: EntryKind
  /** What it is called: `note`. */
  readonly one: string
  /** In operation IDs. */
  readonly operation: string
  /** The form field of each argument. */
  readonly controls: Readonly<Record<string, string>>
  fields(state: InvalidForm): Html
  /** @throws {RequestError} `not_found` when it does not exist or cannot be edited. */
  require(
    reader: MemberReader,
    entryId: string,
  ): Promise<{ readonly connectionId: number; readonly values: Typed }>
  /** Returns the activity ID; undefined if nothing changed. */
  save(changing: Changing, entryId: string, typed: Typed): Promise<number | undefined>
  /** Returns the activity ID. */
  remove(changing: Changing, entryId: string): Promise<number>
}

export const NOTE_ENTRY: EntryForm = {
  kind: 'notes',
  one: 'note',
  operation: 'Note',
  controls: { text: 'note', on: 'note_on' },
  fields: (state) =>
    html`${textArea(fieldState(state, 'note', 'Note'))}
    ${textField({
      ...fieldState(state, 'note_on', 'Day'),
      label: 'Date (optional)',
      type: 'date',
    })}`,
  async require(reader, entryId) {
    const { connectionId, text, happenedOn } = await requireNote(reader, entryId)
    return { connectionId, values: { text, on: happenedOn ?? '' } }
  },
  async save(changing, entryId, { text = '', on = '' }) {
    const before = await requireNote(changing.tx, entryId)
    const note = { connection_id: publicConnectionId(before.connectionId), text, on }
    await checkAll(
      required('text', text),
      () => readTyped(NoteInput, note),
      () => on === '' || requireDay(on, 'on'),
    )
    const happenedOn = on === '' ? null : requireDay(on, 'on')
    return editNote(changing, before, { ...before, text, happenedOn })
  },
  async remove({ tx, now, record }, entryId) {
    return record(await deleteNote(tx, await requireNote(tx, entryId), now))
  },
}

export const FOLLOW_UP_ENTRY: EntryForm = {
  kind: 'follow-ups',
  one: 'follow-up',
  operation: 'FollowUp',
  controls: { text: 'follow_up', due_on: 'due_on', recurrence: 'recurrence' },
  fields: (state) =>
    html`${textField({ ...fieldState(state, 'follow_up', 'What to do'), autocomplete: 'off' })}
      <div class="pair">
        ${textField({ ...fieldState(state, 'due_on', 'Due date'), type: 'date' })}
        ${selectField({
          ...fieldState(state, 'recurrence', 'Repeat'),
          options: RECURRENCE_OPTIONS,
        })}
      </div>`,
  async require(reader, entryId) {
    const followUp = await requireFollowUp(reader, entryId)
    const { connectionId, text, dueOn, recurrence, completedAt } = followUp
    if (completedAt !== null)
      throw new RequestError('not_found', `${publicFollowUpId(followUp.followUpId)} is completed.`)
    return { connectionId, values: { text, due_on: dueOn, recurrence } }
  },
  async save(changing, follow_up_id, typed) {
    const { text = '', due_on = '' } = typed
    const input = { ...typed, follow_up_id }
    await checkAll(
      required('text', text),
      required('due_on', due_on),
      () => readTyped(FollowUpInput, input),
      () => readDueDay(due_on),
    )
    return (await setFollowUp(changing, readTyped(FollowUpInput, input))).activityId
  },
  remove: async (changing, entryId) => (await deleteFollowUp(changing, entryId)).activityId,
}
