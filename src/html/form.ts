/** Form controls, as fragments. Labels, hints and errors are linked to their inputs for screen readers. */

import { t } from '../languages/message.ts'
import { randomBytes } from 'node:crypto'
import { isDay } from '../dates/calendar-day.ts'
import { dateText } from '../dates/format-date.ts'
import { FORM_KEY, isSecretField } from '../http/form-guard.ts'
import { NOTHING, attributes, html, rawHtml, type Html } from './html.ts'

interface Field {
  readonly name: string
  /** Unique on the page; the name if it is not given. */
  readonly id?: string | undefined
  readonly label: string
  /** The error about the submitted value. */
  readonly error?: string | undefined
  readonly hint?: string
}

interface TextField extends Field {
  readonly type?: 'text' | 'email' | 'password' | 'date' | 'time'
  readonly value?: string
  readonly autocomplete?: string
  readonly required?: boolean
  readonly autofocus?: boolean
  readonly maxLength?: number
  /** The browser keeps what was typed and asks for more. */
  readonly minLength?: number
  readonly inputmode?: 'text' | 'email' | 'url' | 'numeric' | 'search'
  readonly spellcheck?: false
  /** The path of the people to suggest after an @. */
  readonly mentions?: string | undefined
  /** The ID of a `datalist` with suggestions. */
  readonly list?: string | undefined
  /** The path that proposes a value for what is typed as the name, and the hint once there is one, with `…` for it. */
  readonly proposed?: { readonly by: string; readonly hint: string }
  readonly placeholder?: string
  /** Takes dates in words; a script adds the browser's picker. */
  readonly isDate?: boolean | 'past'
}

interface TextArea extends Field {
  readonly value: string
  /** The path of the people to suggest after an @. */
  readonly mentions?: string
  readonly autofocus?: boolean
  readonly placeholder?: string
}

interface FileField extends Field {
  /** Accepted file extensions and media types, as `.csv,.zip`. */
  readonly accept: string
}

interface SelectField extends Field {
  readonly options: readonly SelectOption[]
  /** The value of the selected option; the first option if none matches. */
  readonly value: string
}

interface SelectOption {
  readonly value: string
  readonly label: string
}

/** A new key for a form that must not be submitted twice; see forms/submission.ts. */
export function formKeyField(): Html {
  return hiddenField(FORM_KEY, randomBytes(16).toString('base64url'))
}

/** A hidden value. */
export function hiddenField(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}" />`
}

/** Tells password managers whose password a form is about. */
export function loginField(login: string): Html {
  return html`<input type="text" name="login" value="${login}" autocomplete="username" hidden />`
}

/** A one-line input with its label, error and hint. */
export function textField(field: TextField): Html {
  return labelled(field, html`<input ${attributes(inputOf(field))} />`)
}

/** A one-line input with its error. What it is for is in its placeholder, and its label for screen readers. */
export function bareField(field: TextField & { readonly placeholder: string }): Html {
  const { label, placeholder } = field
  return html`<input ${attributes({ ...inputOf(field), 'aria-label': label, placeholder })} />
    ${errorOf(field)}`
}

function inputOf(field: TextField) {
  const { name, id = name, type = 'text', isDate, value } = field
  if (type === 'password' && !isSecretField(name)) throw new Error(`${name} is not a secret field`)
  return {
    id,
    name,
    type,
    // A stored date is shown as it can be typed.
    value: isDate !== undefined && isDay(value ?? '') ? dateText(value ?? '') : value,
    autocomplete: field.autocomplete,
    required: field.required,
    autofocus: field.autofocus,
    maxlength: field.maxLength,
    minlength: field.minLength,
    inputmode: field.inputmode,
    list: field.list,
    spellcheck: field.spellcheck === false ? 'false' : undefined,
    placeholder: field.placeholder ?? dateExample(isDate),
    'data-mentions': field.mentions,
    'data-date': isDate !== undefined,
    'data-proposed-by': field.proposed?.by,
    'data-proposed-hint': field.proposed?.hint,
    ...described(field),
  }
}

function dateExample(isDate: TextField['isDate']): string | undefined {
  if (isDate === 'past') return t('Yesterday or 5 Mar 2026')
  return isDate === true ? t('Next Friday or 5 Mar 2027') : undefined
}

/** A multi-line input with its label, error and hint. */
export function textArea(field: TextArea): Html {
  const { name, id = name, value, mentions, placeholder, autofocus } = field
  const more = { placeholder, autofocus, 'data-mentions': mentions }
  const area = { id, name, ...more, ...described(field) }
  return labelled(field, html`<textarea ${attributes(area)}>${value}</textarea>`)
}

/** A required file input with its label, error and hint. A script writes the name of the chosen file. */
export function fileField(field: FileField): Html {
  const { name, accept } = field
  const input = { id: name, name, type: 'file', accept, required: true, ...described(field) }
  return labelled(
    field,
    html`<div class="drop">
      <input ${attributes(input)} />
      <span class="button plain" aria-hidden="true">Choose a file</span>
      <small aria-hidden="true">or drop it here</small>
    </div>`,
  )
}

/** A drop-down list with its label, error and hint. */
export function selectField(field: SelectField): Html {
  const { name, options, value: chosen } = field
  const choices = options.map(
    ({ value, label }) =>
      html`<option ${attributes({ value, selected: value === chosen })}>${label}</option>`,
  )
  const select = { id: name, name, ...described(field) }
  return labelled(
    field,
    html`<select ${attributes(select)}>
      ${choices}
    </select>`,
  )
}

/** Choices in one line, of which one is chosen. */
export function segments({ name, label, options, value: chosen }: SelectField): Html {
  return html`<fieldset class="seg">
    <legend class="unseen">${label}</legend>
    ${options.map(
      ({ value, label: shown }) =>
        html`<label
          ><input
            type="radio"
            name="${name}"
            ${attributes({ value, checked: value === chosen })}
          />${shown}</label
        >`,
    )}
  </fieldset>`
}

/** A box that sends `value` if it is checked. */
export function checkBox(name: string, label: string, checked: boolean, value = 'yes'): Html {
  return html`<label class="check">
    <input ${attributes({ id: `${name}-${value}`, type: 'checkbox', name, value, checked })} />
    ${label}
  </label>`
}

/** Moves `autofocus` to the first invalid control; unchanged if everything is valid. */
export function focusFirstInvalid(body: Html): Html {
  const invalid = ' aria-invalid="true"'
  const markup = body.toString()
  if (!markup.includes(invalid)) return body
  // Safe: only moves an attribute. Text is escaped, so quotes and ` aria-invalid="true"` occur only where a tag has them.
  return rawHtml(
    markup
      // regex-ok: each tag is read once, because text has no unescaped `<`
      .replaceAll(/(<(?:[^>"]|"[^"]*")*?) autofocus(?=[ />])/g, '$1')
      .replace(invalid, `${invalid} autofocus`),
  )
}

/** An error about the form as a whole, shown above it; empty if there is none. */
export function formError(text: string | undefined): Html {
  return text === undefined ? NOTHING : html`<p class="notice danger" role="alert">${t(text)}</p>`
}

/** A control with its label above, and its error and hint below. */
function labelled({ name, id = name, label, error, hint }: Field, control: Html): Html {
  return html`<div class="field">
    <label for="${id}">${label}</label>
    ${control} ${errorOf({ name, id, error })}
    ${hint === undefined ? '' : html`<p class="hint" id="${id}-hint">${hint}</p>`}
  </div>`
}

function errorOf({ name, id = name, error }: Pick<Field, 'name' | 'id' | 'error'>): Html {
  return error === undefined ? NOTHING : html`<p class="error" id="${id}-error">${t(error)}</p>`
}

/** The attributes that link the control to its error and hint. */
function described({ name, id = name, error, hint }: Field) {
  const errorId = error === undefined ? undefined : `${id}-error`
  const hintId = hint === undefined ? undefined : `${id}-hint`
  const describedBy = [errorId, hintId].filter((one) => one !== undefined).join(' ')
  return {
    'aria-describedby': describedBy === '' ? undefined : describedBy,
    'aria-invalid': error === undefined ? undefined : 'true',
  }
}
