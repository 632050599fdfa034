/** The form of a custom field: what was typed, its controls and its errors. */

import { phrase, t } from '../../languages/message.ts'
import { selectField, textArea, textField } from '../../html/form.ts'
import { html, type Html } from '../../html/html.ts'
import {
  CUSTOM_FIELD_KINDS,
  type CustomFieldKind,
} from '../../contact-files/contact/field-definition.ts'
import { MAX_TEXT_LENGTH } from '../../base/limits.ts'
import { type FieldErrors, fieldState } from '../../forms/field-errors.ts'
import type { CustomField } from '../../connections/custom-fields/custom-fields.ts'

export interface FieldDraft {
  readonly name: string
  readonly kind: CustomFieldKind
  /** One per line. */
  readonly choices: string
}

export const EMPTY_FIELD: FieldDraft = { name: '', kind: 'text', choices: '' }

export const KIND_LABELS: Readonly<Record<CustomFieldKind, string>> = {
  text: phrase('Text'),
  number: phrase('Number'),
  date: phrase('Date'),
  choice: phrase('Choice'),
  url: phrase('URL'),
}

export function fieldDraftOf({ name, kind, choices }: CustomField): FieldDraft {
  return { name, kind, choices: choices.join('\n') }
}

/** A kind that does not exist is a text. */
export function readFieldDraft(form: URLSearchParams): FieldDraft {
  const kind = CUSTOM_FIELD_KINDS.find((one) => one === form.get('kind')) ?? 'text'
  return { name: form.get('name') ?? '', kind, choices: form.get('choices') ?? '' }
}

/** The choices of a draft, without empty lines. Other kinds have none. */
export function choicesOf({ kind, choices }: FieldDraft): string[] {
  if (kind !== 'choice') return []
  return choices
    .split('\n')
    .map((choice) => choice.trim())
    .filter((choice) => choice !== '')
}

export function fieldControls(draft: FieldDraft, errors: FieldErrors): Html {
  const state = (name: keyof FieldDraft, label: string) =>
    fieldState({ typed: { ...draft }, errors }, name, label)
  const kinds = CUSTOM_FIELD_KINDS.map((kind) => ({ value: kind, label: t(KIND_LABELS[kind]) }))
  return html`<div class="pair">
      ${textField({ ...state('name', t('Name')), autocomplete: 'off', maxLength: MAX_TEXT_LENGTH })}
      ${selectField({ ...state('kind', t('Kind')), options: kinds })}
    </div>
    <div class="if-choice">
      ${textArea({ ...state('choices', t('Choices')), hint: t('One per line.') })}
    </div>`
}
