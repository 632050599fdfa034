/** A form that was rejected: its values, and its errors beside the controls. */

import { hasCode, type RequestError } from '../base/request-error.ts'
import { fieldErrors, type FieldErrors, type FieldValues } from '../forms/field-errors.ts'

export interface InvalidForm {
  readonly status: number
  /** By the name of the control. */
  readonly typed: Readonly<Record<string, string>>
  readonly errors: FieldErrors
  /** An error about the form as a whole. */
  readonly problem?: string
}

/**
 * The form with the errors of its controls, which are named by argument.
 *
 * @throws {RequestError} `error` itself, when it cannot be corrected in the form.
 */
export function invalidForm(
  error: unknown,
  controls: Readonly<Record<string, string>>,
  body: URLSearchParams,
): InvalidForm {
  if (!hasCode(error, 'invalid_request', 'not_found', 'conflict')) throw error
  const found = (error.details.errors ?? []).flatMap(({ pointer, detail }) => {
    const control = controls[pointer.slice(1)]
    return control === undefined ? [] : [[control, detail] as const]
  })
  const sent = Object.values(controls).filter((control) => body.has(control))
  return {
    status: error.code === 'not_found' ? 404 : 422,
    typed: Object.fromEntries(sent.map((control) => [control, body.get(control) ?? ''])),
    errors: Object.fromEntries(found),
    ...(found.length === 0 && { problem: error.message }),
  }
}

/** A rejected form as its page shows it: the errors beside the fields, or one about the form as a whole. */
export function rejectedForm(
  error: RequestError,
  typed: FieldValues['typed'],
): { readonly fields: FieldValues; readonly problem?: string } {
  const { errors = [], hint } = error.details
  if (errors.length > 0) return { fields: { typed, errors: fieldErrors(error) } }
  const problem = hint === undefined ? error.message : `${error.message} ${hint}`
  return { fields: { typed, errors: {} }, problem }
}
