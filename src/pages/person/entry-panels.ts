/** The notes and follow-ups on the page of a connection, with the forms that add them. */

import { attributes, html, LINE_BREAK, type Html, joinHtml } from '../../html/html.ts'
import { type EntryForm, FOLLOW_UP_ENTRY, NOTE_ENTRY } from './entry-forms.ts'
import { NOTHING_TYPED } from '../../forms/field-errors.ts'
import { type FollowUp, publicFollowUpId } from '../../connections/follow-ups/follow-ups.ts'
import { connectionPath, type ConnectionAction, entryPath } from '../../html/site-map.ts'
import { formKeyField, formTokenField } from '../../html/form.ts'
import { editLink, itemList, panel } from '../ui/sections.ts'
import { type NoteAuthor, noteAuthors } from '../../connections/notes/note-authors.ts'
import { nextOf, pager } from '../ui/pager.ts'
import { RECURRENCE_WORDS } from '../ui/recurrence.ts'
import { listNotes } from '../../connections/notes/notes.ts'
import { weekdayDate, calendarDate } from '../ui/calendar-date.ts'
import { publicNoteId } from '../../connections/model/snapshot.ts'
import { listFollowUps } from '../../connections/follow-ups/follow-up-list.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { MemberReader } from '../../db/database.ts'
import type { InvalidForm } from '../ui/invalid-form.ts'
import type { Times } from '../ui/time.ts'
import type { Note } from '../../connections/model/note-store.ts'

/** The page of a connection. */
export interface PersonView {
  readonly browser: SignedInRequest
  readonly times: Times
  readonly publicId: string
  readonly connectionId: number
  /** The rejected form. */
  readonly invalid: InvalidForm | undefined
}

/** Further follow-ups are listed on the follow-ups page. */
const MAX_FOLLOW_UPS = 20
const NOTES_ON_A_PAGE = 10

/** The open follow-ups, with buttons to complete them. */
export async function followUpPanel(db: MemberReader, person: PersonView): Promise<Html> {
  const { connectionId } = person
  const { followUps, hasMore } = await listFollowUps(
    db,
    { status: 'open', connectionId },
    MAX_FOLLOW_UPS,
  )
  const items = followUps.map(({ followUp }) => followUpItem(followUp, person))
  return panel(
    'follow-ups',
    'Follow-ups',
    html`${itemList(items)}
    ${hasMore ? html`<p class="quiet">More follow-ups are due later.</p>` : ''}
    ${addForm(FOLLOW_UP_ENTRY, 'follow-up', person)}`,
  )
}

function followUpItem(followUp: FollowUp, { publicId, browser, times }: PersonView): Html {
  const { followUpId, text, dueOn, recurrence } = followUp
  const tone = dueOn < times.today ? 'danger' : dueOn === times.today ? 'warning' : ''
  const id = publicFollowUpId(followUpId)
  return html`<li id="${id}">
    <div>
      <p><bdi>${text}</bdi></p>
      <small>
        <span class="badge ${tone}">${weekdayDate(dueOn)}</span> ${RECURRENCE_WORDS[recurrence]}
      </small>
    </div>
    <div class="actions">
      <form method="post" action="${connectionPath(publicId, 'done')}">
        ${formTokenField(browser.formToken)}
        <button class="plain" name="follow_up_id" value="${id}">
          <span>Done<span class="unseen"> ${text}</span></span>
        </button>
      </form>
      ${editLink(entryPath(publicId, 'follow-ups', id), text)}
    </div>
  </li>`
}

/** The notes, newest first. */
export async function notePanel(
  db: MemberReader,
  person: PersonView,
  search: string,
): Promise<Html> {
  const { publicId, connectionId } = person
  const cursor = new URLSearchParams(search).get('notes') ?? undefined
  const page = await listNotes(db, connectionId, NOTES_ON_A_PAGE, cursor)
  const authors = await noteAuthors(db, connectionId)
  const query = cursor === undefined ? '' : `?notes=${encodeURIComponent(cursor)}`
  const items = page.notes.map(({ note }) => {
    const editPath = entryPath(publicId, 'notes', publicNoteId(note.noteId)) + query
    return noteItem(note, { author: authors.get(note.noteId), editPath, times: person.times })
  })
  const pages = pager({
    path: connectionPath(publicId),
    parameter: 'notes',
    id: 'notes',
    cursor,
    next: nextOf(page, page.notes.length),
    labels: { first: 'Newest notes', next: 'Older notes' },
  })
  const body = html`${addForm(NOTE_ENTRY, 'note', person)} ${itemList(items)} ${pages}`
  return panel('notes', 'Notes', body)
}

interface NoteView {
  readonly author: NoteAuthor | undefined
  readonly editPath: string
  readonly times: Times
}

function noteItem(note: Note, { author, editPath, times }: NoteView): Html {
  const { noteId, text, happenedOn, createdAt } = note
  const lines = text.split('\n').map((line) => html`${line}`)
  const day = happenedOn === null ? '' : html`On ${calendarDate(happenedOn)} · `
  return html`<li id="${publicNoteId(noteId)}">
    <div>
      <p dir="auto">${joinHtml(lines, LINE_BREAK)}</p>
      <small>${day}${origin(note, author)} ${times.ago(createdAt)}</small>
    </div>
    <div class="actions">${editLink(editPath, 'note')}</div>
  </li>`
}

function origin({ origin: source }: Note, author: NoteAuthor | undefined): Html {
  if (source === 'import') return html`Imported`
  if (!author) return html`Written`
  return author.isMember ? html`By you ·` : html`By <bdi>${author.name}</bdi> ·`
}

/** Open if it was rejected. */
function addForm(
  { one, controls, fields }: EntryForm,
  act: ConnectionAction,
  { publicId, browser, invalid }: PersonView,
): Html {
  const isOpen = invalid !== undefined && (controls['text'] ?? '') in invalid.typed
  return html`<details ${attributes({ open: isOpen })}>
    <summary>Add a ${one}</summary>
    <form method="post" action="${connectionPath(publicId, act)}">
      ${formTokenField(browser.formToken)} ${formKeyField()} ${fields(invalid ?? NOTHING_TYPED)}
      <div class="actions"><button>Add ${one}</button></div>
    </form>
  </details>`
}
