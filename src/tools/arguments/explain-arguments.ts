/**
 * Explains rejected arguments so that a model can correct them from the error alone: what was wrong, what is accepted, an
 * example, and for an ID the tool that provides it (from the argument's description).
 */

import { similarName } from '../../base/spelling/similar-name.ts'
import { isPlainObject, type SchemaProblem } from '../../base/schema.ts'
import { partAt, propertyNamed, stepsOf, type SchemaPart } from './schema-part.ts'

export interface Explanation {
  readonly message: string
  readonly hint: string
  readonly errors: readonly SchemaProblem[]
}

export function explainProblems(
  tool: string,
  schema: SchemaPart,
  given: unknown,
  problems: readonly SchemaProblem[],
): Explanation {
  const errors = problems.map((problem) => ({
    pointer: problem.pointer,
    detail: detailOf(tool, schema, given, problem),
  }))
  const said = errors.map(({ pointer, detail }) => `${nameAt(pointer)} ${detail}`)
  return {
    message: `Invalid arguments for ${tool}: ${said.join('. ')}.`,
    hint: `${exampleHint(tool, schema, problems, given)} No credits were charged.`,
    errors,
  }
}

/**
 * An example call: the given arguments that are valid, and examples for the others that are needed. Beside an argument that
 * the tool does not have, which may have limited what was asked, the example is one that concerns no one.
 */
export function exampleHint(
  tool: string,
  schema: SchemaPart,
  problems: readonly SchemaProblem[] = [],
  given: unknown = {},
): string {
  const isClear = problems.length > 0 && problems.every(({ detail }) => detail !== UNKNOWN)
  const kept = isClear && isPlainObject(given) ? validFields(schema, given, problems) : {}
  const needed = problems.filter(({ detail }) => detail !== UNKNOWN && !EXCLUDED.test(detail))
  // A cursor is from the last answer, so a call without one is the example.
  const concerned = needed
    .map(({ pointer }) => stepsOf(pointer)[0] ?? '')
    .filter((name) => name !== 'cursor')
  return `Example: ${tool} ${JSON.stringify(exampleCall(schema, concerned, kept))}.`
}

/** The arguments without a problem. */
function validFields(
  schema: SchemaPart,
  given: Readonly<Record<string, unknown>>,
  problems: readonly SchemaProblem[],
): Readonly<Record<string, unknown>> {
  const wrong = new Set(problems.map(({ pointer }) => stepsOf(pointer)[0]))
  return Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) =>
        propertyNamed(schema, name) !== undefined &&
        !wrong.has(name) &&
        JSON.stringify(value).length <= MAX_KEPT_VALUE,
    ),
  )
}

/** Characters of a given value in an example. */
const MAX_KEPT_VALUE = 200

/** How tools say that an argument must be left out. */
const EXCLUDED = /^(?:is not allowed|must not|must be alone)/

function nameAt(pointer: string): string {
  return pointer === '' ? 'arguments' : pointer.slice(1)
}

function detailOf(
  tool: string,
  schema: SchemaPart,
  given: unknown,
  { pointer, detail }: SchemaProblem,
): string {
  if (pointer === '') return objectOf(schema, detail)
  if (detail === UNKNOWN) return unknownField(tool, schema, pointer)
  const part = partAt(schema, pointer)
  const told = [detail === REQUIRED ? detail : typeOf(part, detail), valueAt(given, pointer)]
  return `${told.join('')}${describe(part)}`
}

/** As `checkSchema` reports them. */
const UNKNOWN = 'is not a known field'
const REQUIRED = 'is required'

function unknownField(tool: string, schema: SchemaPart, pointer: string): string {
  const steps = stepsOf(pointer)
  const name = steps.at(-1) ?? ''
  const parent = partAt(schema, pointer.slice(0, pointer.lastIndexOf('/'))) ?? schema
  const names = Object.keys(parent.properties ?? {})
  const meant = similarName(name, names)
  const where = steps.length === 1 ? `an argument of ${tool}` : 'a known field'
  const suggestion = meant === undefined ? '' : ` Did you mean ${meant}?`
  const list = names.length === 0 ? `${tool} takes no arguments` : `Accepted: ${namesOf(parent)}`
  return `is not ${where}.${suggestion} ${list}`
}

/** As `must be an object with these members: id (required)`. */
function objectOf(schema: SchemaPart, detail: string): string {
  const isEmpty = Object.keys(schema.properties ?? {}).length === 0
  return isEmpty ? 'must be an empty object' : `${detail} with these members: ${namesOf(schema)}`
}

function namesOf({ properties = {}, required = [] }: SchemaPart): string {
  const names = Object.keys(properties)
  return names.map((name) => (required.includes(name) ? `${name} (required)` : name)).join(', ')
}

/** An example is more useful to a reader than a pattern. */
function typeOf(part: SchemaPart | undefined, detail: string): string {
  if (part?.pattern === undefined || !detail.includes('pattern')) return detail
  return part.pattern === '\\S' ? 'must not be empty' : `must look like ${exampleText(part)}`
}

function valueAt(given: unknown, pointer: string): string {
  let value: unknown = given
  for (const step of stepsOf(pointer)) {
    if (!isPlainObject(value) && !Array.isArray(value)) return ''
    value = Object.hasOwn(value, step) ? (value as Record<string, unknown>)[step] : undefined
  }
  if (value === undefined) return ''
  const text = JSON.stringify(value) ?? ''
  return ` (was ${text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE).toWellFormed()}…` : text})`
}

/** Characters of a rejected value in an error. */
const MAX_VALUE = 60

function describe(part: SchemaPart | undefined): string {
  if (!part) return ''
  const example = exampleText(part)
  const { description } = part
  return description === undefined
    ? `. For example ${example}`
    : `. ${description}; for example ${example}`
}

function exampleText(part: SchemaPart): string {
  return JSON.stringify(exampleOf(part))
}

function exampleCall(
  schema: SchemaPart,
  concerned: readonly string[],
  kept: Readonly<Record<string, unknown>> = {},
): unknown {
  const names = [...(schema.required ?? []), ...concerned]
  const known = [...new Set(names)].flatMap((name) => {
    const part = propertyNamed(schema, name)
    return part ? [[name, exampleOf(part)] as const] : []
  })
  const wholes = (schema.examples ?? []).filter(isPlainObject)
  const whole = wholes.find((one) => concerned.every((name) => name in one)) ?? wholes[0] ?? {}
  const base = Object.keys(kept).length > 0 ? kept : whole
  return { ...base, ...Object.fromEntries(known.filter(([name]) => !(name in base))) }
}

function exampleOf(part: SchemaPart): unknown {
  const [given] = part.examples ?? part.enum ?? (part.default === undefined ? [] : [part.default])
  if (given !== undefined) return given
  switch (part.type) {
    case 'object':
      return exampleCall(part, [])
    case 'array':
      return [exampleOf(part.items ?? {})]
    case 'integer':
    case 'number':
      return part.minimum ?? 1
    case 'boolean':
      return true
    case undefined:
    default:
      return 'text'
  }
}
