/** A note in the timeline of a connection, or the form that edits it in place. */

import { t } from '../../languages/message.ts'
import { NOTHING, attributes, html, type Html } from '../../html/html.ts'
import { publicNoteId, type Note } from './notes.ts'
import { authorName, entryActions, sign } from '../../ui/entry-signs.ts'
import { undoButton, type TitledChange } from '../../ui/change-notice.ts'
import { nearDay } from '../../ui/calendar-date.ts'
import { editLink } from '../../ui/sections.ts'
import { NOTE_ENTRY } from './note-form.page.ts'
import { noteHtml } from './note-text.page.ts'
import { editedEntry, editPath } from '../../ui/entry-form.ts'
import { viewPath, type PersonView } from '../person/person-view.page.ts'
import type { NoteAuthor } from './note-authors.ts'
import type { Mentioned } from '../told-contacts/mentions.ts'

/** A note in the timeline of its connection. */
export interface NoteEntry {
  readonly note: Note
  /** Undefined if it was imported, or its addition is no longer in the activity log. */
  readonly author: NoteAuthor | undefined
  /** Its addition, if it can be undone. */
  readonly added: TitledChange | undefined
}

/** `noticed` is the change of the notice, which already has an undo button. */
export function noteItem(
  view: PersonView,
  { note, author, added, mentioned }: NoteEntry & { readonly mentioned: Mentioned },
  noticed: TitledChange | undefined,
): Html {
  const { publicId, times, view: pageQuery, edit } = view
  const id = publicNoteId(note.noteId)
  const { text, happenedOn, createdAt } = note
  const isByAgent = author?.isMember === false
  const named = { id, class: isByAgent ? 'by-agent' : undefined }
  if (edit === id) {
    const place = { id: publicId, entry_id: id, back: '', view: pageQuery }
    const values = { text, on: happenedOn ?? '' }
    return editedEntry({ form: NOTE_ENTRY, place, values }, { id, sign: sign('note', 'people') })
  }
  const day = happenedOn === null ? times.ago(createdAt) : nearDay(happenedOn, times.today)
  const back = viewPath(view)
  const isOffered = added && added.change.activityId !== noticed?.change.activityId
  return html`<li ${attributes(named)}>
    <div>
      <div class="note-text">${noteHtml(text, mentioned)}</div>
      <small>${writtenBy(note, author)}${day}</small>
    </div>
    ${entryActions(id, [
      editLink(editPath(view, id), t('note')),
      isOffered ? undoButton(added, back) : NOTHING,
    ])}
    ${sign('note', 'people')}
  </li>`
}

function writtenBy({ origin }: Note, author: NoteAuthor | undefined): Html {
  if (origin === 'import') return html`Imported · `
  return author
    ? html`By ${authorName({ name: author.name, isByAgent: !author.isMember })} · `
    : NOTHING
}
