/** Turns validation errors into messages for the fields of a form. */

import { RequestError } from '../../base/request-error.ts'

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
