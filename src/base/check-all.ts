/** Runs several checks so that a form reports all its errors at once. */

import { RequestError } from './request-error.ts'
import type { SchemaProblem } from './schema.ts'

/**
 * Runs every check and combines their errors. For each field, the first error counts. Errors without field details and
 * errors of other types are rethrown immediately.
 *
 * @throws {RequestError} any error of a check; several errors are combined into one.
 */
export async function checkAll(...checks: readonly (() => unknown)[]): Promise<void> {
  const errors: RequestError[] = []
  for (const check of checks) {
    try {
      await check()
    } catch (error) {
      if (!(error instanceof RequestError) || error.details.errors === undefined) throw error
      errors.push(error)
    }
  }
  const [first, ...others] = errors
  if (!first) return
  if (others.length === 0) throw first
  throw new RequestError(first.code, errors.map(({ message }) => message).join(' '), {
    errors: firstOfEach(errors.flatMap(({ details }) => details.errors ?? [])),
  })
}

function firstOfEach(problems: readonly SchemaProblem[]): SchemaProblem[] {
  const fields = new Map<string, SchemaProblem>()
  for (const problem of problems)
    if (!fields.has(problem.pointer)) fields.set(problem.pointer, problem)
  return [...fields.values()]
}
