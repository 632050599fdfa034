/** The controls of the form of a person, as fragments. The same when a connection is added and when it is edited. */

import { capitalized } from '../../languages/capitalized.ts'
import { phrase, t } from '../../languages/message.ts'
import { selectField, textArea, textField } from '../../html/form.ts'
import { attributes, html, joinHtml, NOTHING, type Html } from '../../html/html.ts'
import { icon } from '../../html/icon.ts'
import { CUSTOM_FIELDS_PATH } from '../../html/site-map.ts'
import { customFieldKey, detailName, NAME_DETAILS } from '../../contact-files/contact/details.ts'
import { NAME_LABELS } from '../../connections/person/detail-lines.ts'
import { labelText } from '../../connections/person/label-words.ts'
import type { CustomField } from '../../connections/custom-fields/custom-fields.ts'
import { expectedValue } from '../../connections/custom-fields/custom-values.ts'
import { FIELD_NAMES, type TextField } from '../../connections/model/connection.ts'
import {
  blankRow,
  controlName,
  ROW_FORMS,
  ROW_KINDS,
  SUGGESTIONS,
  isBlank,
  type Row,
  type RowControl,
  type RowKind,
} from './draft/form-rows.ts'
import { inWords } from './draft/draft-dates.ts'
import { type FieldErrors, errorSentence, fieldState } from '../../forms/field-errors.ts'
import type { PersonDraft } from './draft/person-draft.ts'

interface PersonForm {
  readonly draft: PersonDraft
  /** Every custom field of the network. */
  readonly fields: readonly CustomField[]
  readonly errors: FieldErrors
  /** The note and the tags of a new person, behind “More fields” like all but the name, the company and how to reach them. */
  readonly told?: Html
}

/** `label` is that of the button that submits the form; `notice` is above the fields. */
export function personControls(stored: PersonForm, label: string, notice = NOTHING): Html {
  const { told } = stored
  const form = { ...stored, draft: inWords(stored.draft, stored.fields) }
  const line = (field: TextField, hint?: string) =>
    textField({
      ...stateOf(form, FIELD_NAMES[field], t(TEXT_LABELS[field])),
      ...(hint !== undefined && { hint }),
      autocomplete: 'off',
      autofocus: told !== undefined && field === 'name',
      spellcheck: false,
    })
  const rows = (kind: RowKind) => rowList(form, kind)
  const usual = html`<div class="pair">
    ${line('location', t('Such as Berlin, Germany.'))}
    ${line('birthday', t('Such as 10 Dec 1815, or 10 Dec without the year.'))}
  </div>`
  const { filled = [], empty = [] } = Object.groupBy(
    [
      ...(told
        ? [
            { names: ['note', 'tags'], field: told },
            { names: [FIELD_NAMES.title], field: line('title') },
            { names: USUAL, field: usual },
          ]
        : []),
      { names: ['organizations'], field: rows('organizations') },
      {
        names: [FIELD_NAMES.profileUrl],
        field: line('profileUrl', t('A URL on LinkedIn or another site.')),
      },
      ...(['links', 'handles', 'addresses'] as const).map((kind) => ({
        names: [kind],
        field: rows(kind),
      })),
      {
        names: [FIELD_NAMES.connectedOn],
        field: line('connectedOn', t('Such as 21 Nov 2026.')),
      },
      ...(['dates', 'relations'] as const).map((kind) => ({ names: [kind], field: rows(kind) })),
      ...form.fields.map(customPart(form)),
    ],
    ({ names }) => (isFilled(form, names) ? 'filled' : 'empty'),
  )
  const work = told
    ? line('company')
    : html`<div class="pair">${line('title')} ${line('company')}</div>`
  return html`${defaultButton(label)} ${notice} ${line('name')} ${work} ${rows('emails')}
    ${rows('phones')} ${told ? NOTHING : usual} ${filled.map(({ field }) => field)}
    <details class="more-fields" ${attributes({ open: hasNameError(form) })}>
      <summary>More fields</summary>
      ${empty.map(({ field }) => field)}
      <div class="pair">${line('givenName')} ${line('familyName')}</div>
      ${furtherNames(form)}
      ${form.fields.length > 0 && html`<p><a href="${CUSTOM_FIELDS_PATH}">Manage custom fields</a></p>`}
    </details>
    ${suggestionLists()}`
}

/** True if one of these fields has a value or an error. */
function isFilled({ draft, errors }: PersonForm, names: readonly string[]): boolean {
  const isOne = (name: string) => names.some((one) => name === one || name.startsWith(`${one}-`))
  const texts = Object.entries(draft.texts).filter(([, text]) => text !== '')
  const lists = ROW_KINDS.filter((kind) => {
    const [first, ...others] = draft.rows[kind]
    // A usual list begins with an empty row.
    return others.length > 0 || (first && !(isBlank(kind, first) && ROW_FORMS[kind].isUsual))
  })
  return [...texts.map(([name]) => name), ...lists, ...Object.keys(errors)].some(isOne)
}

/** Behind “More fields” when a person is added. */
const USUAL = ['location', 'birthday']

/** The parts of a name, which most imported people have, are open only with an error. */
function hasNameError({ errors }: PersonForm): boolean {
  return [FIELD_NAMES.givenName, FIELD_NAMES.familyName, ...NAME_DETAILS.map(detailName)].some(
    (name) => name in errors,
  )
}

/** Enter presses the first button of a form, which must not be one that removes a row. */
function defaultButton(label: string): Html {
  return html`<button class="unseen" tabindex="-1" aria-hidden="true">${label}</button>`
}

const TEXT_LABELS: Readonly<Record<TextField, string>> = {
  name: phrase('Name'),
  givenName: phrase('Given name'),
  familyName: phrase('Family name'),
  title: phrase('Title'),
  company: phrase('Company'),
  location: phrase('Location'),
  profileUrl: phrase('Profile'),
  birthday: phrase('Birthday'),
  connectedOn: phrase('Connected on'),
}

function stateOf({ draft, errors }: PersonForm, name: string, label: string) {
  return fieldState({ typed: draft.texts, errors }, name, label)
}

/** Open when one of them has a value or an error. */
function furtherNames(form: PersonForm): Html {
  const states = NAME_DETAILS.map((field) =>
    stateOf(form, detailName(field), t(NAME_LABELS[field])),
  )
  const isOpen = states.some(({ value, error }) => value !== '' || error !== undefined)
  return html`<details ${attributes({ open: isOpen })}>
    <summary>More name fields</summary>
    <div class="pair">
      ${states.map((state) => textField({ ...state, autocomplete: 'off', spellcheck: false }))}
    </div>
  </details>`
}

// Rows

function rowList(form: PersonForm, kind: RowKind): Html {
  const { legend, one, hint, isUsual = false, isLine = false } = ROW_FORMS[kind]
  const stored = form.draft.rows[kind]
  const rows = stored.length === 0 && isUsual ? [blankRow(kind)] : stored
  const error = form.errors[kind]
  const hintId = hint === undefined ? undefined : `${kind}-hint`
  return html`<fieldset
    ${attributes({ class: ['rows', isLine && 'lines', isUsual && 'usual'].filter(Boolean).join(' '), 'aria-describedby': hintId })}
  >
    <legend ${attributes({ class: isUsual && 'unseen' })}>${t(legend)}</legend>
    ${error === undefined ? '' : html`<p class="error">${capitalized(error)}.</p>`}
    ${hint === undefined ? '' : html`<p class="hint" id="${hintId ?? ''}">${t(hint)}</p>`}
    ${rows.map((row, index) => rowOf(form, kind, row, index))}
    <template>${rowOf({ ...form, errors: {} }, kind, blankRow(kind), 'new')}</template>
    <button class="plain" name="add_row" value="${kind}">Add ${t(one)}</button>
  </fieldset>`
}

function rowOf(form: PersonForm, kind: RowKind, row: Row, index: number | 'new'): Html {
  const { one, rest, controls } = ROW_FORMS[kind]
  const [first] = controls
  const known = controls.filter(({ name }) => name !== 'formatted' || row[name] !== '')
  const isKept = ({ name, isRare = false }: RowControl) =>
    rest === undefined || name === first.name || (isBlank(kind, row) ? !isRare : row[name] !== '')
  const { kept = [], rare = [] } = Object.groupBy(known, (control) =>
    isKept(control) ? 'kept' : 'rare',
  )
  const pair = (shown: readonly RowControl[]) =>
    html`<div class="pair">
      ${shown.map((control) => rowControl(form, kind, row, index, control))}
    </div>`
  const open = rare.some(({ name }) => controlName(kind, index, name) in form.errors)
  const number = index === 'new' ? '' : ` ${index + 1}`
  return html`<div class="row">
    <div>
      ${pair(kept)}
      ${
        rest !== undefined &&
        html`<details ${attributes({ open })}>
          <summary>${t(rest)}</summary>
          ${pair(rare)}
        </details>`
      }
    </div>
    <button class="quiet" name="remove_row" value="${kind}-${index}">
      ${icon('cross')}<span class="unseen">Remove ${t(one)}${number}</span>
    </button>
  </div>`
}

function rowControl(
  { errors }: PersonForm,
  kind: RowKind,
  row: Row,
  index: number | 'new',
  { name: control, label: source, kind: type, options = [], suggestions, hint }: RowControl,
): Html {
  const label = t(source)
  const name = controlName(kind, index, control)
  const error = errorSentence(label, errors[name])
  const field = { name, label, value: row[control] ?? '', error, ...(hint && { hint: t(hint) }) }
  if (type === 'choice')
    return selectField({
      ...field,
      options: options.map((one) => ({ value: one.value, label: t(one.label) })),
    })
  if (type === 'lines') return textArea(field)
  const list = suggestions && suggestionsId(suggestions)
  return textField({ ...field, autocomplete: 'off', spellcheck: false, list, placeholder: ' ' })
}

function suggestionsId(name: keyof typeof SUGGESTIONS): string {
  return `${name}-suggestions`
}

function suggestionLists(): Html {
  const lists = Object.entries(SUGGESTIONS).map(
    ([name, texts]) =>
      html`<datalist id="${suggestionsId(name as keyof typeof SUGGESTIONS)}">
        ${texts.map((text) => html`<option value="${labelText(text)}"></option>`)}
      </datalist>`,
  )
  return joinHtml(lists, ' ')
}

// Custom fields

function customPart(form: PersonForm) {
  return (field: CustomField) => {
    const name = customFieldKey(field.fieldId)
    return { names: [name], field: customControl(field, stateOf(form, name, field.name)) }
  }
}

type Control = ReturnType<typeof stateOf>

function customControl(field: CustomField, control: Control): Html {
  const { kind } = field
  if (kind === 'text') return textArea(control)
  if (kind === 'choice') return selectField({ ...control, options: choicesFor(field, control) })
  const hint = `${capitalized(expectedValue(field))}.`
  return textField({ ...control, hint, autocomplete: 'off', spellcheck: false })
}

/** A stored value that is no longer a choice stays selectable, so that saving the form does not change it. */
function choicesFor({ choices }: CustomField, { value }: Control) {
  const isOther = value !== '' && !choices.includes(value)
  const values = isOther ? [value, ...choices] : choices
  return [{ value: '', label: t('None') }, ...values.map((one) => ({ value: one, label: one }))]
}
