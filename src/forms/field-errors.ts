/** Checks of what was typed into a form, and their errors beside the fields. */

import { t } from '../languages/message.ts'
import { RequestError } from '../base/request-error.ts'
import { INVALID_TEXT, findInvalidText, checkSchema, type SchemaProblem } from '../base/schema.ts'
import type { Static, TSchema } from 'typebox'

/** By field name: the text that follows the label of the field in a sentence. */
export type FieldErrors = Readonly<Record<string, string>>

/** Runs a check and returns its field errors; empty if it passes. */
export function errorsOf(check: () => unknown): FieldErrors {
  try {
    check()
    return {}
  } catch (error) {
    return fieldErrors(error)
  }
}

/** Rethrows an error that names no field, because it cannot be fixed in the form. */
export function fieldErrors(error: unknown): FieldErrors {
  const errors = error instanceof RequestError ? (error.details.errors ?? []) : []
  if (errors.length === 0) throw error
  return Object.fromEntries(errors.map(({ pointer, detail }) => [pointer.slice(1), detail]))
}

/** The error beside a field, as a sentence that begins with its label. */
export function errorSentence(label: string, detail: string | undefined): string | undefined {
  return detail === undefined ? undefined : `${label} ${detail}.`
}

/** What was typed into a form, and its errors, by field name. */
export interface FieldValues {
  readonly typed: Readonly<Record<string, string>>
  readonly errors: FieldErrors
  /** Before the IDs of the controls of a form whose names are also those of another form of the page. */
  readonly prefix?: string
}

export const NOTHING_TYPED: FieldValues = { typed: {}, errors: {} }

/** What a control shows of a form: its value, and its error. */
export function fieldState({ typed, errors, prefix }: FieldValues, name: string, label: string) {
  const id = prefix === undefined ? undefined : prefix + name
  return { id, name, label, value: typed[name] ?? '', error: errorSentence(label, errors[name]) }
}

/**
 * Validates fields against the schema of the equivalent tool. Omits empty ones.
 *
 * @throws {RequestError} `invalid_request` when a field is not valid, with an error for each.
 */
export function readTyped<S extends TSchema>(schema: S, fields: object): Static<S> {
  const typed = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))
  const checked = checkSchema(schema, typed)
  if (!checked.ok) throw inputError(...checked.problems)
  const broken = findInvalidText(checked.value)
  if (broken !== undefined) throw inputError({ pointer: broken, detail: INVALID_TEXT })
  return checked.value
}

/** A check for `checkAll`: fails if a required field is empty. */
export function required(field: string, text: string): () => void {
  return () => {
    if (text.trim() === '') throw fieldError(field, t('is required'))
  }
}

/** The error of one field. */
export function fieldError(field: string, detail: string): RequestError {
  return inputError({ pointer: `/${field}`, detail })
}

/** Errors of list items are reported at the list. */
function inputError(...problems: readonly SchemaProblem[]): RequestError {
  const errors = problems.map(({ pointer, detail }) => ({
    pointer: pointer.split('/').slice(0, 2).join('/'),
    detail,
  }))
  return new RequestError('invalid_request', t('The form has errors. Fix the marked fields.'), {
    errors,
  })
}
