/** The pages "Custom fields": all fields with a form for a new one, and the page of one field. */

import { formError, formKeyField, formTokenField } from '../../html/form.ts'
import { attributes, html, type Html } from '../../html/html.ts'
import { icon } from '../../html/icon.ts'
import { memberPage } from '../../html/member-layout.ts'
import { customFieldId, type CustomField } from '../../connections/model/custom-fields.ts'
import { changeNotice } from '../activity/change-notice.ts'
import { listPath } from '../connections/list-path.ts'
import { confirmButton } from '../ui/confirm-button.ts'
import { countOf } from '../ui/count-of.ts'
import { fieldControls, KIND_LABELS, type FieldDraft } from './field-form.ts'
import {
  CONNECTIONS_PATH,
  CUSTOM_FIELD_ORDER_PATH,
  CUSTOM_FIELDS_PATH,
  customFieldPath,
} from '../../html/site-map.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { FieldErrors } from '../../sign-in/session/field-errors.ts'
import type { DescribedChange } from '../activity/described-change.ts'

interface FormView {
  readonly browser: SignedInRequest
  readonly draft: FieldDraft
  readonly errors?: FieldErrors
  /** An error about the form as a whole. */
  readonly problem?: string | undefined
  readonly status?: number
}

interface ListView extends FormView {
  readonly fields: readonly CustomField[]
  /** The number of people with a value, by the number of the field. */
  readonly counts: ReadonlyMap<string, number>
  readonly noticed?: DescribedChange | undefined
}

export function customFieldsPage(view: ListView): Answer {
  const { browser, fields, draft, errors = {}, problem, noticed } = view
  const { member, formToken } = browser
  const notice = noticed
    ? changeNotice({ described: noticed, back: 'custom-fields', formToken })
    : ''
  return memberPage({
    title: 'Custom fields',
    actions: ALL_CONNECTIONS,
    member,
    current: 'connections',
    formToken,
    status: view.status ?? 200,
    body: html`${notice}
      <section class="panel" aria-label="Fields">
        ${fields.length === 0 ? NONE : fieldTable(view)}
      </section>
      <form
        class="panel"
        method="post"
        action="${CUSTOM_FIELDS_PATH}"
        aria-labelledby="new-heading"
      >
        <h2 id="new-heading">Add a custom field</h2>
        ${formError(problem)} ${formTokenField(formToken)} ${formKeyField()}
        ${fieldControls(draft, errors)}
        <div class="actions"><button>Add field</button></div>
      </form>`,
  })
}

const ALL_CONNECTIONS = html`<a class="button plain" href="${CONNECTIONS_PATH}">All connections</a>`

const NONE = html`<p class="empty">
  No custom fields yet. Add one for what you want to know about people. Imports add one for each
  unknown column.
</p>`

function fieldTable({ fields, counts, browser }: ListView): Html {
  const rows = fields.map((field, index) =>
    fieldRow(field, counts.get(String(field.fieldId)) ?? 0, {
      isFirst: index === 0,
      isLast: index === fields.length - 1,
    }),
  )
  return html`<form method="post" action="${CUSTOM_FIELD_ORDER_PATH}" aria-label="Order">
    ${formTokenField(browser.formToken)}
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col" class="extra">Kind</th>
          <th scope="col" class="number">People</th>
          ${fields.length > 1 ? html`<th scope="col" class="order">Order</th>` : ''}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
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
  const label = `with ${name}`
  return html`<tr id="${id}">
    <td>
      <a href="${customFieldPath(id)}"><bdi>${name}</bdi></a>
    </td>
    <td class="extra">
      ${KIND_LABELS[kind]}
      ${choices.length === 0 ? '' : html`<small><bdi>${choices.join(', ')}</bdi></small>`}
    </td>
    <td class="number">
      ${count === 0 ? '0' : html`<a href="${path}">${count}<span class="unseen"> ${label}</span></a>`}
    </td>
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
      ${icon(`arrow-${to}`)}<span class="unseen">Move ${name} ${to}</span>
    </button>`
  return html`${button('up', isFirst)} ${button('down', isLast)}`
}

interface FieldView extends FormView {
  /** As stored. */
  readonly field: CustomField
  /** The number of people with a value. */
  readonly count: number
}

export function customFieldPage(view: FieldView): Answer {
  const { browser, field, draft, errors = {}, problem, status = 200 } = view
  const { member, formToken } = browser
  const { name, fieldId } = field
  const id = customFieldId(fieldId)
  return memberPage({
    title: `Custom field ${name}`,
    heading: html`Custom field <bdi>${name}</bdi>`,
    actions: html`<a class="button plain" href="${CUSTOM_FIELDS_PATH}">All custom fields</a>`,
    member,
    current: 'connections',
    formToken,
    status,
    body: html`<form
        class="panel"
        method="post"
        action="${customFieldPath(id)}"
        aria-label="Custom field"
      >
        ${formError(problem)} ${formTokenField(formToken)} ${fieldControls(draft, errors)}
        <p class="quiet">The kind and the choices can only change if every value fits.</p>
        <div class="actions">
          <button>Save</button>
          <a class="button plain" href="${CUSTOM_FIELDS_PATH}">Cancel</a>
        </div>
      </form>
      ${deleteSection(view)}`,
  })
}

function deleteSection({
  field: { name, fieldId },
  count,
  browser: { formToken },
}: FieldView): Html {
  const id = customFieldId(fieldId)
  const lost = count === 0 ? 'No one has a value.' : `${people(count)} a value, which disappears.`
  return html`<section class="panel" aria-labelledby="delete">
    <h2 id="delete">Delete</h2>
    <div class="with-act">
      <p class="quiet">
        ${lost} You can undo this for 30 days. Then the field and its values are permanently
        deleted.
      </p>
      ${confirmButton({
        verb: 'Delete',
        name,
        text: `${lost} You can undo this for 30 days.`,
        action: customFieldPath(id, 'delete'),
        field: 'field_id',
        id,
        formToken,
      })}
    </div>
  </section>`
}

function people(count: number): string {
  return count === 1 ? '1 person has' : `${countOf(count, 'connection')} have`
}
