/** The forms that edit, move and delete a note or a follow-up, on its own page and in place. */

import { phrase, t } from '../../languages/message.ts'
import { hash } from 'node:crypto'
import { attributes, html, type Html } from '../../html/html.ts'
import { laterMenu } from '../../ui/later-menu.ts'
import { formKeyField, formTokenField, hiddenField } from '../../html/form.ts'
import { connectionPath, entryPath, FOLLOW_UPS_PATH } from '../../html/site-map.ts'
import { todayPathIn } from '../../ui/return-to.ts'
import type { FieldValues } from '../../forms/field-errors.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { EntryForm, Typed } from './entry-forms.ts'
import type { PersonView } from '../../connections/person/person-view.page.ts'

/** An entry, and the page that linked to its form. */
export interface EntryPlace {
  /** ID of the connection; empty for a follow-up without one. */
  readonly id: string
  readonly entry_id: string
  readonly back: string
  /** The query of the page of the connection, such as the part of the timeline that it shows. */
  readonly view: string
}

interface EntryEdit {
  readonly form: EntryForm
  readonly place: EntryPlace
  readonly browser: Pick<SignedInRequest, 'formToken'>
  /** As stored. */
  readonly values: Typed
  /** What was typed, if it was rejected. */
  readonly rejected?: FieldValues | undefined
}

/** The form with the stored values, or those that were rejected. */
export function entryEditForm(edit: EntryEdit, className?: string): Html {
  const { form, place, values, rejected } = edit
  const typed = Object.fromEntries(
    Object.entries(form.controls).map(([name, control]) => [control, values[name] ?? '']),
  )
  const state = rejected ?? { typed, errors: {} }
  const shown = { class: className, 'aria-label': t('Edit {one}', { one: t(form.one) }) }
  return html`<form ${attributes(shown)} method="post" action="${pathOf(edit)}">
    ${stateFields(edit)} ${hiddenField('version', versionOf(values))} ${form.fields(state)}
    <div class="actions">
      <button>Save</button>
      <a class="button plain" href="${backPath(place)}">Cancel</a>
    </div>
  </form>`
}

/** The button that deletes the entry; the change can be undone. */
export function entryDeleteForm(edit: Omit<EntryEdit, 'values'>): Html {
  return html`<form method="post" action="${pathOf(edit)}/delete">
    ${stateFields(edit)}
    <button class="plain danger">Delete ${t(edit.form.one)}</button>
  </form>`
}

/** Opens the ways to put off a follow-up. Enter in the field takes the typed date. The links are before and after the form. */
export function moveForm(
  edit: Omit<EntryEdit, 'values' | 'form'>,
  what: string,
  [before, after]: readonly (Html | undefined)[] = [],
): Html {
  const { place } = edit
  const quick = QUICK_DAYS.map(
    ([label, day], at) =>
      html`<button class="plain" name="day" value="${day}" ${attributes({ autofocus: at === 0 })}>
        ${t(label)}
      </button>`,
  )
  const form = html`<form
    method="post"
    action="${entryPath(place.id, 'follow-ups', place.entry_id, 'move')}"
  >
    ${stateFields(edit)} ${quick}
    <div class="typed">
      <input
        type="text"
        name="due_on"
        aria-label="Another day for ${what}"
        placeholder="Another day"
        autocomplete="off"
        data-date
      />
      <button class="plain">Move</button>
    </div>
  </form>`
  return laterMenu({
    id: place.entry_id,
    label: t('Later'),
    what,
    log: before,
    form: html`${form} ${after}`,
  })
}

/** From today. */
const QUICK_DAYS = [
  [phrase('Tomorrow'), 'tomorrow'],
  [phrase('Next week'), 'in 7 days'],
  [phrase('Next month'), 'in a month'],
] as const

function pathOf({ form, place }: Pick<EntryEdit, 'form' | 'place'>): string {
  return entryPath(place.id, form.kind, place.entry_id)
}

function stateFields({ place, browser }: Pick<EntryEdit, 'place' | 'browser'>): Html {
  return html`${formTokenField(browser.formToken)} ${formKeyField()}
  ${hiddenField('back', place.back)} ${hiddenField('view', place.view)}`
}

/** What was loaded, so that a form does not overwrite a later change. */
export function versionOf(values: Typed): string {
  return hash('sha256', JSON.stringify(Object.entries(values)), 'base64url')
}

/** The page to which an entry's form returns, at the entry. */
export function backPath({ id, back, view, entry_id }: EntryPlace): string {
  const today = todayPathIn(back)
  if (today !== undefined) return today
  if (id === '') return FOLLOW_UPS_PATH
  return `${connectionPath(id)}${view === '' ? '' : `?${view}`}#${entry_id}`
}

/** The page of the connection with the form that edits this entry or field. */
export function editPath(
  { publicId, view }: Pick<PersonView, 'publicId' | 'view'>,
  entryId: string,
): string {
  const query = new URLSearchParams(view)
  query.set('edit', entryId)
  return `${connectionPath(publicId)}?${query.toString()}#${entryId}`
}
