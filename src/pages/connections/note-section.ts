/** The notes of a connection, newest first, and the form that adds one. */

import { formKeyField, formTokenField, textArea, textField } from '../../html/form.ts'
import { LINE_BREAK, attributes, html, joinHtml, type Html } from '../../html/html.ts'
import { calendarDate } from '../ui/calendar-date.ts'
import { editLink } from '../ui/edit-link.ts'
import { fieldState, type DetailsView } from './details-view.ts'
import { pager } from '../ui/pager.ts'
import { connectionPath, entryPath } from '../../html/site-map.ts'
import { publicNoteId } from '../../connections/model/snapshot.ts'
import type { Note } from '../../connections/model/note-store.ts'
import type { NoteAuthor } from '../../connections/notes/note-authors.ts'

export const NOTES_ON_A_PAGE = 10

export function noteSection(view: DetailsView): Html {
  const { publicId, notes, notesCursor } = view
  const path = connectionPath(publicId)
  const last = notes.notes.length - 1
  const next = notes.hasMore
    ? `${path}?notes=${encodeURIComponent(notes.cursorAfter(last))}#notes`
    : undefined
  const items = notes.notes.map(({ note }) => item(note, view))
  return html`<section class="panel" aria-labelledby="notes">
    <h2 id="notes">Notes</h2>
    ${noteForm(view)}
    ${
      items.length === 0
        ? ''
        : html`<ul class="items">
            ${items}
          </ul>`
    }
    ${pager({ isFirst: notesCursor === undefined, first: `${path}#notes`, next, labels: NOTE_PAGES })}
  </section>`
}

const NOTE_PAGES = { first: 'Newest notes', next: 'Older notes' }

function item(note: Note, { publicId, authors, notesCursor, times }: DetailsView): Html {
  const { noteId, text, happenedOn, createdAt } = note
  const id = publicNoteId(noteId)
  const lines = text.split('\n').map((line) => html`${line}`)
  const day = happenedOn === null ? '' : html`On ${calendarDate(happenedOn)} · `
  const query = notesCursor === undefined ? '' : `?notes=${encodeURIComponent(notesCursor)}`
  return html`<li id="${id}">
    <div>
      <p dir="auto">${joinHtml(lines, LINE_BREAK)}</p>
      <small>${day}${origin(note, authors.get(noteId))} ${times.ago(createdAt)}</small>
    </div>
    <div class="actions">${editLink(entryPath(publicId, 'notes', id) + query, 'note')}</div>
  </li>`
}

function origin({ origin: source }: Note, author: NoteAuthor | undefined): Html {
  if (source === 'import') return html`Imported`
  if (!author) return html`Written`
  return author.isMember ? html`By you ·` : html`By <bdi>${author.name}</bdi> ·`
}

function noteForm({ publicId, browser, invalid }: DetailsView): Html {
  const isOpen = invalid !== undefined && 'note' in invalid.typed
  return html`<details ${attributes({ open: isOpen })}>
    <summary>Add a note</summary>
    <form method="post" action="${connectionPath(publicId, 'note')}">
      ${formTokenField(browser.formToken)} ${formKeyField()}
      ${textArea(fieldState(invalid, 'note', 'Note'))}
      ${textField({
        ...fieldState(invalid, 'note_on', 'Day'),
        label: 'Date (optional)',
        type: 'date',
      })}
      <div class="actions"><button>Add note</button></div>
    </form>
  </details>`
}
