/** The follow-ups on the page of a connection, and the forms that add notes, follow-ups and interactions. */

import { t } from '../../languages/message.ts'
import { NOTHING, attributes, html, type Html } from '../../html/html.ts'
import { type EntryForm, FOLLOW_UP_ENTRY } from './entry-forms.ts'
import { fieldState, NOTHING_TYPED } from '../../forms/field-errors.ts'
import { type FollowUp, publicFollowUpId } from '../../connections/follow-ups/follow-ups.ts'
import { type ConnectionAction } from '../../html/site-map.ts'
import { formKeyField, formTokenField, textArea, textField } from '../../html/form.ts'
import { entryDeleteForm, entryEditForm, editPath, moveForm } from './entry-edit.ts'
import { INTERACTION_ENTRY } from './interaction-entry.ts'
import { editLink, itemList, panel } from '../ui/sections.ts'
import { RECURRENCE_WORDS } from '../ui/recurrence.ts'
import { weekdayDate } from '../ui/calendar-date.ts'
import { listFollowUps } from '../../connections/follow-ups/follow-up-list.ts'
import type { MemberReader } from '../../db/database.ts'
import { actionPath, type PersonView } from './person-view.ts'

/** The rest are listed on the follow-ups page. */
const MAX_FOLLOW_UPS = 20

/** The open follow-ups, with buttons to complete them. */
export async function followUpPanel(db: MemberReader, person: PersonView): Promise<Html> {
  const { connectionId } = person
  const { followUps, hasMore } = await listFollowUps(
    db,
    { status: 'open', connectionId },
    MAX_FOLLOW_UPS,
  )
  const items = followUps.map(({ followUp }) => followUpItem(followUp, person))
  const isEdited = person.edit?.startsWith('f_') === true
  return panel(
    'follow-ups',
    items.length === 0 ? t('Follow-ups') : t('Next'),
    html`${itemList(items)}
    ${hasMore ? html`<p class="quiet">More follow-ups are due later.</p>` : ''}
    ${isEdited ? NOTHING : addForm(FOLLOW_UP_ENTRY, 'follow-up', person)}`,
  )
}

function followUpItem(followUp: FollowUp, person: PersonView): Html {
  const { publicId, browser, times, view, edit } = person
  const { followUpId, text, dueOn, recurrence } = followUp
  const tone = dueOn < times.today ? 'danger' : dueOn === times.today ? 'warning' : ''
  const id = publicFollowUpId(followUpId)
  const place = { id: publicId, entry_id: id, back: '', view }
  if (edit === id) {
    const values = { text, due_on: dueOn, recurrence }
    return html`<li id="${id}">
      <div class="editing">
        ${entryEditForm({ form: FOLLOW_UP_ENTRY, place, browser, values })}
        ${entryDeleteForm({ form: FOLLOW_UP_ENTRY, place, browser })}
      </div>
    </li>`
  }
  return html`<li id="${id}">
    <div>
      <p><bdi>${text}</bdi></p>
      <small>
        <span class="badge ${tone}">${weekdayDate(dueOn)}</span> ${t(RECURRENCE_WORDS[recurrence])}
      </small>
    </div>
    <div class="actions">
      <form method="post" action="${actionPath(person, 'done')}">
        ${formTokenField(browser.formToken)}
        <button class="plain" name="follow_up_id" value="${id}">
          <span>Done<span class="unseen"> ${text}</span></span>
        </button>
      </form>
      ${moveForm({ place, browser }, text)} ${editLink(editPath(person, id), text)}
    </div>
  </li>`
}

/** The form for a note, always open; not while another note is edited, whose fields have the same names. */
export function notePanel(view: PersonView): Html {
  const { browser, invalid, edit } = view
  if (edit?.startsWith('n_') === true) return NOTHING
  const action = actionPath(view, 'note')
  const state = invalid ?? NOTHING_TYPED
  const isOpen = (state.typed['note_on'] ?? '') !== '' || 'note_on' in state.errors
  return html`<form
    id="write"
    class="panel write"
    method="post"
    action="${action}"
    data-draft="${browser.member.memberId}"
    aria-label="Add a note"
  >
    ${formTokenField(browser.formToken)} ${formKeyField()}
    ${textArea(fieldState(state, 'note', t('Note')))}
    <div class="actions">
      <button>Add note</button>
      <details ${attributes({ open: isOpen })}>
        <summary>Date</summary>
        ${textField({ ...fieldState(state, 'note_on', t('Day')), autocomplete: 'off', isDate: 'past' })}
      </details>
    </div>
  </form>`
}

/** Not while another interaction is edited, whose fields have the same names. */
export function contactPanel(view: PersonView): Html {
  if (view.edit?.startsWith('i_') === true) return NOTHING
  const form = addForm(INTERACTION_ENTRY, 'contact', view)
  return html`<section id="contact-panel" class="panel" aria-label="Log a contact">
    ${form}
  </section>`
}

/** Open if it was rejected or a link opened it. */
function addForm(
  { one, controls, fields, labels }: EntryForm,
  act: ConnectionAction,
  view: PersonView,
): Html {
  const { browser, invalid, edit } = view
  const isRejected = invalid !== undefined && (controls['text'] ?? '') in invalid.typed
  const [summary, button] = labels?.map((label) => t(label)) ?? [
    t('Add a {one}', { one: t(one) }),
    t('Add {one}', { one: t(one) }),
  ]
  return html`<details ${attributes({ open: isRejected || edit === act })}>
    <summary>${summary}</summary>
    <form method="post" action="${actionPath(view, act)}" data-draft="${browser.member.memberId}">
      ${formTokenField(browser.formToken)} ${formKeyField()} ${fields(invalid ?? NOTHING_TYPED)}
      <div class="actions"><button>${button}</button></div>
    </form>
  </details>`
}
