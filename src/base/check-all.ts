/** Several checks at once, so that a person corrects a form in one go. */

import { RequestError } from './request-error.ts'
import type { SchemaProblem } from './schema.ts'

/**
 * Runs every check, and refuses with the problems of all that refuse. Of two problems with one field the first counts.
 *
 * @throws Refusal of the one check that refuses, or one with the problems of several; any other error as it is, and a
 * refusal that names no field.
 */
export async function checkAll(...checks: readonly (() => unknown)[]): Promise<void> {
  const refusals: RequestError[] = []
  for (const check of checks) {
    try {
      await check()
    } catch (error) {
      if (!(error instanceof RequestError) || error.details.errors === undefined) throw error
      refusals.push(error)
    }
  }
  const [first, ...others] = refusals
  if (!first) return
  if (others.length === 0) throw first
  throw new RequestError(first.code, refusals.map(({ message }) => message).join(' '), {
    errors: firstOfEach(refusals.flatMap(({ details }) => details.errors ?? [])),
  })
}

function firstOfEach(problems: readonly SchemaProblem[]): SchemaProblem[] {
  const fields = new Map<string, SchemaProblem>()
  for (const problem of problems)
    if (!fields.has(problem.pointer)) fields.set(problem.pointer, problem)
  return [...fields.values()]
}
