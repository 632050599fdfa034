/** Validates values against TypeBox schemas, which are also the TypeScript types and the published JSON Schemas. */

import type { Static, TSchema } from 'typebox'
// `typebox/compile` would load a hundred more modules, for converting and repairing values.
import { Compile, type Validator } from 'typebox/schema'

/** One validation error: the location (RFC 6901 pointer) and an actionable message. */
export interface SchemaProblem {
  readonly pointer: string
  readonly detail: string
}

type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: SchemaProblem[] }

/** Maximum number of reported errors. TypeBox itself stops at eight. */
const MAX_PROBLEMS = 20

/** Maximum length of a client-supplied name in an error message. */
const MAX_QUOTED_LENGTH = 60

const compiled = new WeakMap<TSchema, Validator>()

/** Validates `value` without coercion or defaults. Compiles each schema on first use. */
export function checkSchema<S extends TSchema>(schema: S, value: unknown): Checked<Static<S>> {
  const validator = validatorOf(schema)
  if (validator.Check(value)) return { ok: true, value: value as Static<S> }
  return { ok: false, problems: describeProblems(validator, value) }
}

function validatorOf(schema: TSchema): Validator {
  let validator = compiled.get(schema)
  if (!validator) {
    validator = Compile(schema)
    compiled.set(schema, validator)
  }
  return validator
}

function describeProblems(validator: Validator, value: unknown): SchemaProblem[] {
  const problems: SchemaProblem[] = []
  const [, errors] = validator.Errors(value)
  for (const error of errors) {
    const params = error.params as Record<string, unknown>
    if (error.keyword === 'required') {
      const names = params['requiredProperties'] as string[]
      for (const name of names)
        problems.push({
          pointer: `${error.instancePath}/${escapePointer(name)}`,
          detail: 'is required',
        })
    } else if (error.keyword === 'boolean') {
      // Each unknown field has its own error, before the summary error.
      problems.push({ pointer: shortened(error.instancePath), detail: 'is not a known field' })
    } else if (isAlternative(problems.at(-1), error.instancePath, params)) {
      orNull(problems)
    } else if (!SUMS_UP.has(error.keyword)) {
      const detail = sentence(error.keyword, params, error.message)
      problems.push({ pointer: error.instancePath, detail })
    }
    if (problems.length >= MAX_PROBLEMS) break
  }
  if (problems.length === 0) problems.push({ pointer: '', detail: 'does not match the schema' })
  return problems.slice(0, MAX_PROBLEMS)
}

/** These summarize errors that were already reported in full. */
const SUMS_UP: ReadonlySet<string> = new Set(['anyOf', 'additionalProperties'])

/** Whether the last error concerns a value that may also be null. */
function isAlternative(
  last: SchemaProblem | undefined,
  pointer: string,
  { type }: Record<string, unknown>,
): boolean {
  return type === 'null' && last?.pointer === pointer
}

function orNull(problems: SchemaProblem[]): void {
  const last = problems.pop()
  if (last) problems.push({ ...last, detail: `${last.detail}, or null` })
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
  if (type === 'null') return type
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}

function escapePointer(name: string): string {
  return shortened(name.replaceAll('~', '~0').replaceAll('/', '~1'))
}

function shortened(text: string): string {
  return text.length > MAX_QUOTED_LENGTH
    ? `${text.slice(0, MAX_QUOTED_LENGTH).toWellFormed()}…`
    : text
}

/** RFC 6901 pointer to the first such text in a JSON value; undefined if there is none. */
export function findInvalidText(value: unknown, pointer = ''): string | undefined {
  if (typeof value === 'string') return isInvalidText(value) ? pointer : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, item] of Object.entries(value)) {
    const found = isInvalidText(name) ? pointer : findInvalidText(item, `${pointer}/${name}`)
    if (found !== undefined) return found
  }
  return undefined
}

function isInvalidText(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed()
}

/** True if the text has a character that people can see: a letter, digit, mark of punctuation, symbol or emoji. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text)
}

// Some letters are invisible, such as U+3164 HANGUL FILLER, and so is the symbol U+2800 BRAILLE PATTERN BLANK.
const VISIBLE = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u

export const INVALID_TEXT = 'must not contain NUL or half of a surrogate pair'

/** True for an object that is not an array. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
