/** Validates form input against the schema of the equivalent tool. */

import {
  INVALID_TEXT,
  findInvalidText,
  checkSchema,
  type SchemaProblem,
} from '../../base/schema.ts'
import { RequestError } from '../../base/request-error.ts'
import type { Static, TSchema } from 'typebox'

/**
 * Omits empty fields.
 *
 * @throws {RequestError} `invalid_request` when a field is not valid, with an error for each.
 */
export function readTyped<S extends TSchema>(schema: S, fields: object): Static<S> {
  const typed = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))
  const checked = checkSchema(schema, typed)
  if (!checked.ok) throw inputError(checked.problems)
  const broken = findInvalidText(checked.value)
  if (broken !== undefined) throw inputError([{ pointer: broken, detail: INVALID_TEXT }])
  return checked.value
}

/** The error of an empty required field. */
export function isRequired(field: string): RequestError {
  return inputError([{ pointer: `/${field}`, detail: 'is required' }])
}

/** A check for `checkAll`. */
export function required(field: string, text: string): () => void {
  return () => {
    if (text.trim() === '') throw isRequired(field)
  }
}

/** Errors of list items are reported at the list. */
function inputError(problems: readonly SchemaProblem[]): RequestError {
  const errors = problems.map(({ pointer, detail }) => ({
    pointer: pointer.split('/').slice(0, 2).join('/'),
    detail,
  }))
  return new RequestError('invalid_request', 'The form has errors. Fix the marked fields.', {
    errors,
  })
}
