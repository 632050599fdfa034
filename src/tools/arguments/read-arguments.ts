/** Reads the arguments of a tool call: converts unambiguous values, validates, and explains rejected ones. */

import { INVALID_TEXT, findInvalidText } from '../../base/invalid-text.ts'
import { checkSchema, type SchemaProblem } from '../../base/schema.ts'
import { coerceArguments } from './coerce.ts'
import { explainProblems, type Explanation } from './explain.ts'
import { partOf } from './schema-part.ts'
import type { DateContext } from '../../base/date-text.ts'
import type { Static, TSchema } from 'typebox'

type ReadArguments<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly explanation: Explanation }

/** The tool whose arguments are read. */
interface Callable<Input extends TSchema> {
  readonly name: string
  readonly input: Input
}

export function readArguments<Input extends TSchema>(
  { name, input }: Callable<Input>,
  given: unknown,
  context: DateContext,
): ReadArguments<Static<Input>> {
  const schema = partOf(input)
  const { value, problems } = coerceArguments(schema, given ?? {}, context)
  const all = [...problems, ...remaining(input, value, problems)]
  // No problems remain, so the value matches the schema.
  if (all.length === 0) return { ok: true, value: value as Static<Input> }
  return { ok: false, explanation: explainProblems(name, schema, given, all) }
}

/** Each value is reported once. */
function remaining(
  input: TSchema,
  value: unknown,
  reported: readonly SchemaProblem[],
): SchemaProblem[] {
  const checked = checkSchema(input, value)
  if (!checked.ok)
    return checked.problems.filter(
      ({ pointer }) => !reported.some((problem) => problem.pointer === pointer),
    )
  const broken = findInvalidText(value)
  return broken === undefined ? [] : [{ pointer: broken, detail: INVALID_TEXT }]
}
