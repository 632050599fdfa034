/** The parts of a form, as fragments. Labels, hints and errors are tied to their inputs for those who hear the page. */

import { FORM_TOKEN } from '../http/forms.ts'
import { html } from './html.ts'

export interface TextField {
  /** Of the input; also its id, so unique on its page. */
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'email' | 'password'
  readonly value?: string
  /** What is wrong with the value that was sent. */
  readonly error?: string
  readonly hint?: string
  readonly autocomplete?: string
  readonly required?: boolean
  readonly autofocus?: boolean
  readonly maxLength?: number
  readonly inputmode?: 'text' | 'email' | 'url' | 'numeric' | 'search'
  readonly spellcheck?: false
}

/** Every form that is sent by POST carries it; see `refuseForgedForm`. */
export function formTokenField(formToken: string): string {
  return hiddenField(FORM_TOKEN, formToken)
}

export function hiddenField(name: string, value: string): string {
  return html`<input type="hidden" name="${name}" value="${value}" />`
}

export function textField(field: TextField): string {
  const { name, label, type = 'text', value, error, hint } = field
  const hintId = hint === undefined ? undefined : `${name}-hint`
  const errorId = error === undefined ? undefined : `${name}-error`
  const describedBy = [errorId, hintId].filter((id) => id !== undefined).join(' ')
  const input = attributes({
    id: name,
    name,
    type,
    value,
    autocomplete: field.autocomplete,
    required: field.required,
    autofocus: field.autofocus,
    maxlength: field.maxLength,
    inputmode: field.inputmode,
    spellcheck: field.spellcheck === false ? 'false' : undefined,
    'aria-describedby': describedBy === '' ? undefined : describedBy,
    'aria-invalid': error === undefined ? undefined : 'true',
  })
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input !${input} />
    !${error === undefined ? '' : html`<p class="error" id="${errorId}">${error}</p>`}
    !${hint === undefined ? '' : html`<p class="hint" id="${hintId}">${hint}</p>`}
  </div>`
}

/** What is wrong with a form as a whole, above it; nothing when nothing is. */
export function formError(text: string | undefined): string {
  return text === undefined ? '' : html`<p class="notice danger" role="alert">${text}</p>`
}

type AttributeValue = string | number | boolean | undefined

/** `true` is an attribute without a value, `false` and undefined are none. */
function attributes(values: Readonly<Record<string, AttributeValue>>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([name, value]) => (value === true ? name : html`${name}="${value}"`))
    .join(' ')
}
