/** Notes, follow-ups and interactions as entries of a page: what their forms have in common, and how they edit and delete one. */

import { t } from '../languages/message.ts'
import { hash } from 'node:crypto'
import type { DateContext } from '../dates/read-date.ts'
import type { MemberReader } from '../db/database.ts'
import type { ConnectionAction, EntryKind } from '../html/site-map.ts'
import { attributes, html, NOTHING, type Html } from '../html/html.ts'
import { formKeyField, hiddenField } from '../html/form.ts'
import { connectionPath, entryPath, FOLLOW_UPS_PATH } from '../html/site-map.ts'
import { todayPathIn } from './return-to.ts'
import type { FieldValues } from '../forms/field-errors.ts'
import type { Changing } from '../tools/tool.ts'

/** Texts by argument. */
export type Typed = Readonly<Record<string, string>>

/** A change by a member whose dates in words count from their day. */
export type EntryChange = Changing & Pick<DateContext, 'timeZone'>

/** Fields that add an entry without a person to a list, or that were opened in place and take the focus. */
export type FieldsUse = 'alone' | 'opened'

export interface EntryForm {
  /** Its part in the paths of its pages. */
  readonly kind: EntryKind
  /** The path of the form that adds one, below that of the connection. */
  readonly act: ConnectionAction
  /** What it is called: `note`. */
  readonly one: string
  /** The control of each argument. */
  readonly controls: Readonly<Record<string, string>>
  /** Controls that only the form that adds one has. */
  readonly addControls?: Readonly<Record<string, string>>
  readonly fields: (state: FieldValues, use?: FieldsUse) => Html
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

/** What was typed into the form, by argument. */
export function typedIn({ controls }: Pick<EntryForm, 'controls'>, body: URLSearchParams): Typed {
  return Object.fromEntries(
    Object.entries(controls).map(([name, control]) => [name, (body.get(control) ?? '').trim()]),
  )
}

/** The same texts by the names of the controls. */
export function shownIn({ controls }: Pick<EntryForm, 'controls'>, values: Typed): Typed {
  return Object.fromEntries(
    Object.entries(controls).map(([name, control]) => [control, values[name] ?? '']),
  )
}

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
  /** As stored. */
  readonly values: Typed
  /** The person it is about, where the page lists entries of several. */
  readonly about?: Html | undefined
  /** What was typed, if it was rejected. */
  readonly rejected?: FieldValues | undefined
}

/**
 * The form with the stored values, or those that were rejected, and the button that deletes the entry, which can be undone.
 * `prefix` begins the IDs of its controls.
 */
export function entryEditForm(edit: EntryEdit, prefix = ''): Html {
  const { form, place, values, about, rejected } = edit
  const one = t(form.one)
  const state = rejected ?? { typed: shownIn(form, values), errors: {} }
  return html`<form
    class="in-place"
    method="post"
    action="${pathOf(edit)}"
    aria-label="${t('Edit {one}', { one })}"
  >
    ${stateFields(place)} ${hiddenField('version', versionOf(values))}
    ${about && html`<p class="about">${about}</p>`} ${form.fields({ ...state, prefix }, 'opened')}
    <div class="bar">
      <button>Save</button>
      <a class="button quiet" href="${backPath(place)}">Cancel</a>
      <button class="plain danger" formaction="${pathOf(edit)}/delete" formnovalidate>
        Delete ${one}
      </button>
    </div>
  </form>`
}

/** The entry in its list while it is edited. */
export function editedEntry(
  edit: EntryEdit,
  {
    sign = NOTHING,
    ...named
  }: { readonly id: string; readonly class?: string; readonly sign?: Html },
): Html {
  return html`<li ${attributes({ ...named, 'data-keys': true })}>
    ${entryEditForm(edit, 'edited-')} ${sign}
  </li>`
}

function pathOf({ form, place }: Pick<EntryEdit, 'form' | 'place'>): string {
  return entryPath(place.id, form.kind, place.entry_id)
}

/** The hidden fields of a form about an entry. */
export function stateFields({ back, view }: EntryPlace): Html {
  return html`${formKeyField()} ${hiddenField('back', back)} ${hiddenField('view', view)}`
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
  { publicId, view }: { readonly publicId: string; readonly view: string },
  entryId: string,
): string {
  const query = new URLSearchParams(view)
  query.set('edit', entryId)
  return `${connectionPath(publicId)}?${query.toString()}`
}
