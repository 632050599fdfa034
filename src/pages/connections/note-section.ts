/** The notes of a connection, newest first, and the form that adds one. */

import { formKeyField, formTokenField, textArea, textField } from '../../html/form.ts'
import { LINE_BREAK, attributes, html, joinHtml, type Html } from '../../html/html.ts'
import { calendarDate } from '../ui/calendar-date.ts'
import { fieldState, type DetailsView } from './details-view.ts'
import { pager } from '../ui/pager.ts'
import { connectionPath } from '../../html/site-map.ts'
import type { Times } from '../ui/time.ts'
import type { Note } from '../../connections/model/note-store.ts'

export const NOTES_ON_A_PAGE = 10

export function noteSection(view: DetailsView): Html {
  const { publicId, notes, isNewestNotes, times } = view
  const path = connectionPath(publicId)
  const last = notes.notes.length - 1
  const next = notes.hasMore
    ? `${path}?notes=${encodeURIComponent(notes.cursorAfter(last))}#notes`
    : undefined
  const items = notes.notes.map(({ note }) => item(note, times))
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
    ${pager({ isFirst: isNewestNotes, first: `${path}#notes`, next, labels: NOTE_PAGES })}
  </section>`
}

const NOTE_PAGES = { first: 'Newest notes', next: 'Older notes' }

function item({ text, happenedOn, origin, createdAt }: Note, times: Times): Html {
  const lines = text.split('\n').map((line) => html`${line}`)
  const about = happenedOn === null ? '' : html`About ${calendarDate(happenedOn)} · `
  return html`<li>
    <div>
      <p dir="auto">${joinHtml(lines, LINE_BREAK)}</p>
      <small>${about}${origin === 'import' ? 'Imported' : 'Written'} ${times.ago(createdAt)}</small>
    </div>
  </li>`
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
