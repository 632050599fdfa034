/** What is wrong with the fields of a form, as those say it who check the values. */

import { RequestError } from '../../base/request-error.ts'

/** By the name of the field: what follows its label in a sentence. */
export type FieldErrors = Readonly<Record<string, string>>

/** Of a check that refuses by naming fields; none where it does not refuse. */
export function errorsOf(check: () => unknown): FieldErrors {
  try {
    check()
    return {}
  } catch (error) {
    return fieldErrors(error)
  }
}

/** Throws whatever names no field: nobody could correct it in the form. */
export function fieldErrors(error: unknown): FieldErrors {
  const errors = error instanceof RequestError ? (error.details.errors ?? []) : []
  if (errors.length === 0) throw error
  return Object.fromEntries(errors.map(({ pointer, detail }) => [pointer.slice(1), detail]))
}
