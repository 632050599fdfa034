/** The part of the edit form for further parts of the name and for custom fields. */

import { selectField, textArea, textField } from '../../html/form.ts'
import { html, NOTHING, type Html } from '../../html/html.ts'
import { customFieldKey, detailName, detailOf } from '../../connections/model/details.ts'
import { NAME_LABELS } from '../../connections/model/detail-lines.ts'
import { expectedValue, type CustomField } from '../../connections/model/custom-fields.ts'
import type { Details } from '../../connections/model/details.ts'
import type { FieldErrors } from '../../sign-in/session/field-errors.ts'

/** The text of every control, by its name. */
export type DetailDraft = Readonly<Record<string, string>>

const NAMES = ['namePrefix', 'middleName', 'nameSuffix', 'nickname', 'pronouns'] as const

export function detailDraftOf(details: Details, fields: readonly CustomField[]): DetailDraft {
  const names = NAMES.map((field) => [detailName(field), details[field] ?? ''])
  const values = fields.map(({ fieldId }) => {
    const key = customFieldKey(fieldId)
    return [key, detailOf(details, key) ?? '']
  })
  return Object.fromEntries([...names, ...values]) as DetailDraft
}

export function readDetailDraft(
  form: URLSearchParams,
  fields: readonly CustomField[],
): DetailDraft {
  const controls = Object.keys(detailDraftOf({}, fields))
  return Object.fromEntries(
    controls.map((name) => [name, (form.get(name) ?? '').replaceAll('\r\n', '\n')]),
  )
}

/** The differences from the stored connection, as the argument `details`; undefined if there are none. */
export function detailEditsOf(
  draft: DetailDraft,
  details: Details,
  fields: readonly CustomField[],
): string[] | undefined {
  const shown = detailDraftOf(details, fields)
  const isChanged = (name: string) => (draft[name] ?? '').trim() !== shown[name]
  const edited = (name: string) => (draft[name] ?? '').trim()
  const names = NAMES.map(detailName).filter(isChanged)
  const custom = fields.filter(({ fieldId }) => isChanged(customFieldKey(fieldId)))
  if (names.length + custom.length === 0) return undefined
  const values = custom.map(({ fieldId, name }) => [name, edited(customFieldKey(fieldId))])
  // As JSON, texts stay what they are.
  return [
    ...names.map((name) => `${name}=${JSON.stringify(edited(name))}`),
    ...(values.length > 0 ? [`custom=${JSON.stringify(Object.fromEntries(values))}`] : []),
  ]
}

/** Errors of `details/custom/Tier` are shown at the control of that field. */
export function detailErrors(errors: FieldErrors, fields: readonly CustomField[]): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([name, detail]) => {
      const field = fields.find((one) => name === `details/custom/${one.name}`)
      return [field ? customFieldKey(field.fieldId) : name.replace(/^details\//, ''), detail]
    }),
  )
}

interface DetailControls {
  /** Further parts of the name. */
  readonly names: Html
  /** Empty for a network without custom fields. */
  readonly custom: Html
}

export function detailControls(
  draft: DetailDraft,
  fields: readonly CustomField[],
  errors: FieldErrors,
): DetailControls {
  const state = (name: string, label: string) => {
    const detail = errors[name]
    const error = detail === undefined ? undefined : `${label} ${detail}.`
    return { name, label, value: draft[name] ?? '', error }
  }
  const [prefix, middle, suffix, nickname, pronouns] = NAMES.map((field) =>
    textField({ ...state(detailName(field), NAME_LABELS[field]), autocomplete: 'off' }),
  )
  const custom = fields.map((field) =>
    customControl(field, state(customFieldKey(field.fieldId), field.name)),
  )
  return {
    names: html`<div class="pair">${prefix} ${middle} ${suffix}</div>
      <div class="pair">${nickname} ${pronouns}</div>`,
    custom:
      custom.length === 0
        ? NOTHING
        : html`<h2>Custom fields</h2>
            ${custom}`,
  }
}

interface Control {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly error: string | undefined
}

function customControl(field: CustomField, control: Control): Html {
  if (field.kind === 'text') return textArea(control)
  if (field.kind === 'choice')
    return selectField({ ...control, options: choicesFor(field, control) })
  const expected = expectedValue(field)
  const hint = `${expected.charAt(0).toUpperCase()}${expected.slice(1)}.`
  return textField({ ...control, hint, autocomplete: 'off', spellcheck: false })
}

/** A stored value that is no longer a choice stays selectable, so that saving the form does not change it. */
function choicesFor({ choices }: CustomField, { value }: Control) {
  const isOther = value !== '' && !choices.includes(value)
  const values = isOther ? [value, ...choices] : choices
  return [{ value: '', label: 'None' }, ...values.map((one) => ({ value: one, label: one }))]
}
