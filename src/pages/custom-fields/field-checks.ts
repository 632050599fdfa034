/** Checks of the form of a custom field, and the errors that are shown in it. */

import { RequestError } from '../../base/request-error.ts'
import { MAX_CHOICES } from '../../connections/custom-fields/custom-field-changes.ts'
import { customFieldNameKey, readCustomFields } from '../../connections/model/custom-fields.ts'
import { isRequired } from '../ui/form-input.ts'
import { choicesOf, type FieldDraft } from './field-form.ts'
import type { MemberReader } from '../../db/database.ts'
import type { FieldErrors } from '../../sign-in/session/field-errors.ts'

/** The form adds a field; with the name of one that exists it would change that one. */
export async function requireFreeName(reader: MemberReader, { name }: FieldDraft): Promise<void> {
  if (name.trim() === '') throw isRequired('name')
  const key = customFieldNameKey(name)
  if ((await readCustomFields(reader)).some((field) => field.key === key))
    throw invalid('name', 'is the name of another field')
}

/** @throws {RequestError} `invalid_request` when a field of the kind choice has no choices, or too many. */
export function checkedChoices(draft: FieldDraft): string[] {
  const choices = choicesOf(draft)
  if (draft.kind === 'choice' && choices.length === 0) throw invalid('choices', 'are required')
  if (choices.length > MAX_CHOICES) throw invalid('choices', `are limited to ${MAX_CHOICES}`)
  return choices
}

function invalid(field: keyof FieldDraft, detail: string): RequestError {
  return new RequestError('invalid_request', 'The form has errors. Fix the marked fields.', {
    errors: [{ pointer: `/${field}`, detail }],
  })
}

/** Rethrows errors that cannot be corrected in the form. */
export function refusalOf(error: unknown): {
  readonly status: number
  readonly errors: FieldErrors
  readonly problem?: string
} {
  if (!(error instanceof RequestError) || !CORRECTABLE.has(error.code)) throw error
  const status = error.code === 'conflict' ? 409 : 422
  const found = error.details.errors ?? []
  const errors = Object.fromEntries(
    found.map(({ pointer, detail }) => [
      pointer === '/rename_to' ? 'name' : pointer.slice(1),
      detail,
    ]),
  )
  if (found.length > 0) return { status, errors }
  const { hint } = error.details
  return {
    status,
    errors,
    problem: hint === undefined ? error.message : `${error.message} ${hint}`,
  }
}

const CORRECTABLE: ReadonlySet<string> = new Set(['invalid_request', 'conflict'])
