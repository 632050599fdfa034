/** One TypeBox schema is the check, the TypeScript type and the published JSON Schema. This is the check. */

import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'

/** One thing wrong with a value: where (RFC 6901 pointer) and a sentence a person can act on. */
export interface SchemaProblem {
  readonly pointer: string
  readonly detail: string
}

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: SchemaProblem[] }

/** A body of a thousand mistakes gets no longer answer than this. */
const MOST_PROBLEMS = 20

/** A name the caller sent is quoted back no longer than this. */
const MOST_QUOTED = 60

const compiled = new WeakMap<TSchema, Validator>()

/** Checks `value` as it is: nothing is coerced, nothing is filled in. Compiles a schema at its first use. */
export function checkSchema<S extends TSchema>(schema: S, value: unknown): Checked<Static<S>> {
  const validator = validatorOf(schema)
  if (validator.Check(value)) return { ok: true, value: value as Static<S> }
  return { ok: false, problems: describeProblems(validator, value) }
}

function validatorOf(schema: TSchema): Validator {
  let validator = compiled.get(schema)
  if (!validator) {
    validator = Compile<TSchema>(schema)
    compiled.set(schema, validator)
  }
  return validator
}

function describeProblems(validator: Validator, value: unknown): SchemaProblem[] {
  const problems: SchemaProblem[] = []
  for (const error of validator.Errors(value)) {
    if (error.keyword === 'boolean' || error.keyword === 'anyOf') continue
    const params = error.params as Record<string, unknown>
    const lists = [params['additionalProperties'], params['requiredProperties']]
    const names = lists.find(Array.isArray) as string[] | undefined
    if (names) {
      for (const name of names)
        problems.push({
          pointer: `${error.instancePath}/${escapePointer(name)}`,
          detail: about(error.keyword),
        })
    } else {
      problems.push({
        pointer: error.instancePath,
        detail: sentence(error.keyword, params, error.message),
      })
    }
    if (problems.length >= MOST_PROBLEMS) break
  }
  if (problems.length === 0)
    problems.push({ pointer: '', detail: 'does not have the expected shape' })
  return problems
}

function about(keyword: string): string {
  return keyword === 'required' ? 'is required' : 'is not a known field'
}

function sentence(keyword: string, params: Record<string, unknown>, message: string): string {
  const { limit, allowedValues, comparison, type } = params
  switch (keyword) {
    case 'enum':
      return `must be one of ${(allowedValues as unknown[]).map((item) => JSON.stringify(item)).join(', ')}`
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`
    case 'type':
      return `must be ${article(Array.isArray(type) ? type.join(' or ') : String(type))}`
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${String(limit)} characters`
    case 'maxLength':
      return `must have at most ${String(limit)} characters`
    case 'minItems':
      return `must have at least ${String(limit)} ${limit === 1 ? 'item' : 'items'}`
    case 'maxItems':
      return `must have at most ${String(limit)} ${limit === 1 ? 'item' : 'items'}`
    case 'minimum':
    case 'maximum':
      return `must be ${comparison === '>=' ? 'at least' : 'at most'} ${String(limit)}`
    default:
      return message
  }
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}

function escapePointer(name: string): string {
  const short = name.length > MOST_QUOTED ? `${name.slice(0, MOST_QUOTED)}…` : name
  return short.replaceAll('~', '~0').replaceAll('/', '~1')
}
