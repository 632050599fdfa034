/** The pages "Custom fields": all fields with a form for a new one, and the page of one field. */

import { t } from '../../languages/message.ts'
import { formError, formKeyField } from '../../html/form.ts'
import { type FieldDraft, fieldControls, KIND_LABELS } from './field-form.ts'
import { icon } from '../../html/icon.ts'
import { attributes, type Html, html } from '../../html/html.ts'
import {
  customFieldId,
  readCustomFields,
  type CustomField,
} from '../../connections/custom-fields/custom-fields.ts'
import { changeNotice } from '../../ui/change-notice.ts'
import {
  CONNECTIONS_PATH,
  customFieldPath,
  CUSTOM_FIELDS_PATH,
  CUSTOM_FIELD_ORDER_PATH,
} from '../../html/site-map.ts'
import { actionPanel, buttonLink, table, emptyNote } from '../../ui/sections.ts'
import { memberPage } from '../../html/member-layout.ts'
import { countCustomValues } from '../../connections/custom-fields/custom-values.ts'
import { countOf } from '../../ui/numbers.ts'
import { confirmButton } from '../../ui/confirm-button.ts'
import { listPath } from '../../connections/people/list-path.page.ts'
import type { DescribedChange } from '../activity/described-change.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { MemberDatabase } from '../../db/database.ts'
import type { FieldErrors } from '../../forms/field-errors.ts'
import type { Answer } from '../../http/response.ts'

interface FormView {
  readonly browser: SignedInRequest
  readonly draft: FieldDraft
  readonly errors?: FieldErrors
  /** An error about the form as a whole. */
  readonly problem?: string
  readonly status?: number
}

export async function showList(
  db: MemberDatabase,
  view: FormView & { readonly noticed?: DescribedChange | undefined },
): Promise<Answer> {
  const { browser, draft, errors = {}, problem, noticed, status = 200 } = view
  const fields = await readCustomFields(db)
  const counts = await countCustomValues(db)
  const rows = fields.map((field, index) =>
    fieldRow(field, counts.get(String(field.fieldId)) ?? 0, {
      isFirst: index === 0,
      isLast: index === fields.length - 1,
    }),
  )
  return memberPage({
    title: t('Custom fields'),
    actions: buttonLink(CONNECTIONS_PATH, t('All people')),
    browser,
    current: 'connections',
    status,
    body: html`${changeNotice(noticed, { back: 'custom-fields', browser })}
      <section class="panel" aria-label="Fields">
        ${fields.length === 0 ? emptyNote(t('No custom fields yet. Add one for what you want to know about people. Imports add one for each unknown column.')) : fieldTable(rows)}
      </section>
      <form
        class="panel"
        method="post"
        action="${CUSTOM_FIELDS_PATH}"
        aria-labelledby="new-heading"
      >
        <h2 id="new-heading">Add a custom field</h2>
        ${formError(problem)} ${formKeyField()} ${fieldControls(draft, errors)}
        <div class="actions"><button>Add field</button></div>
      </form>`,
  })
}

function fieldTable(rows: readonly Html[]): Html {
  const order = rows.length > 1 ? ([[t('Order'), 'order']] as const) : []
  const headings = [t('Name'), [t('Kind'), 'extra'], [t('People'), 'number'], ...order] as const
  return html`<form method="post" action="${CUSTOM_FIELD_ORDER_PATH}" aria-label="Order">
    ${table(headings, rows)}
  </form>`
}

interface Place {
  readonly isFirst: boolean
  readonly isLast: boolean
}

function fieldRow(field: CustomField, count: number, place: Place): Html {
  const { fieldId, name, kind, choices } = field
  const id = customFieldId(fieldId)
  const path = listPath({ field: id })
  const people = html`<a href="${path}">${count}<span class="unseen"> with ${name}</span></a>`
  return html`<tr id="${id}">
    <td>
      <a href="${customFieldPath(id)}"><bdi>${name}</bdi></a>
    </td>
    <td class="extra">
      ${t(KIND_LABELS[kind])}
      ${choices.length === 0 ? '' : html`<small><bdi>${choices.join(', ')}</bdi></small>`}
    </td>
    <td class="number">${count === 0 ? '0' : people}</td>
    ${place.isFirst && place.isLast ? '' : html`<td class="order">${moveButtons(field, place)}</td>`}
  </tr>`
}

function moveButtons({ fieldId, name }: CustomField, { isFirst, isLast }: Place): Html {
  const button = (to: 'up' | 'down', isEnd: boolean) =>
    html`<button
      class="quiet"
      name="${to}"
      value="${customFieldId(fieldId)}"
      ${attributes({ disabled: isEnd })}
    >
      ${icon(`arrow-${to}`)}<span class="unseen"
        >${to === 'up' ? html`Move ${name} up` : html`Move ${name} down`}</span
      >
    </button>`
  return html`${button('up', isFirst)} ${button('down', isLast)}`
}

/** `field` is as stored. */
export async function showField(
  db: MemberDatabase,
  { name, fieldId }: CustomField,
  { browser, draft, errors = {}, problem, status = 200 }: FormView,
): Promise<Answer> {
  const id = customFieldId(fieldId)
  const count = (await countCustomValues(db)).get(String(fieldId)) ?? 0
  return memberPage({
    title: t('Custom field {name}', { name }),
    heading: html`Custom field <bdi>${name}</bdi>`,
    actions: buttonLink(CUSTOM_FIELDS_PATH, t('All custom fields')),
    browser,
    current: 'connections',
    status,
    body: html`<form
        class="panel"
        method="post"
        action="${customFieldPath(id)}"
        aria-label="Custom field"
      >
        ${formError(problem)} ${fieldControls(draft, errors)}
        <p class="quiet">The kind and the choices can only change if every value fits.</p>
        <div class="actions">
          <button>Save</button>
          <a class="button plain" href="${CUSTOM_FIELDS_PATH}">Cancel</a>
        </div>
      </form>
      ${deletePanel({ id, name, count })}`,
  })
}

interface DeletableField {
  readonly id: string
  readonly name: string
  /** The number of people with a value. */
  readonly count: number
}

function deletePanel({ id, name, count }: DeletableField): Html {
  const text = `${lossOf(count)} ${t('You can undo this for 30 days.')}`
  const action = customFieldPath(id, 'delete')
  return actionPanel(
    'delete',
    t('Delete'),
    `${text} ${t('Then the field and its values are permanently deleted.')}`,
    confirmButton({ verb: t('Delete'), name, text, action, field: 'field_id', id }),
  )
}

function lossOf(count: number): string {
  if (count === 0) return t('No one has a value.')
  if (count === 1) return t('1 person has a value, which disappears.')
  return t('{people} have a value, which disappears.', { people: countOf(count, 'person') })
}
