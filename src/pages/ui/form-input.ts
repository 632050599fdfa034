/** What was typed into a form, checked against the schema by which a tool takes the same. */

import { INVALID_TEXT, findInvalidText } from '../../base/invalid-text.ts'
import { RequestError } from '../../base/request-error.ts'
import { checkSchema, type SchemaProblem } from '../../base/schema.ts'
import type { Static, TSchema } from 'typebox'

/** Refuses `invalid_request` with what is wrong with each field. Fields that are left empty are left out. */
export function readTyped<S extends TSchema>(schema: S, fields: object): Static<S> {
  const typed = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))
  const checked = checkSchema(schema, typed)
  if (!checked.ok) throw refusal(checked.problems)
  const broken = findInvalidText(checked.value)
  if (broken !== undefined) throw refusal([{ pointer: broken, detail: INVALID_TEXT }])
  return checked.value
}

export function isRequired(field: string): RequestError {
  return refusal([{ pointer: `/${field}`, detail: 'is required' }])
}

/** A check for `checkAll`. */
export function required(field: string, text: string): () => void {
  return () => {
    if (text.trim() === '') throw isRequired(field)
  }
}

/** A list's items have their errors at the list. */
function refusal(problems: readonly SchemaProblem[]): RequestError {
  const errors = problems.map(({ pointer, detail }) => ({
    pointer: pointer.split('/').slice(0, 2).join('/'),
    detail,
  }))
  return new RequestError('invalid_request', 'Something that was typed has to be corrected.', {
    errors,
  })
}
