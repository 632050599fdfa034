/** Validates values against JSON Schemas, which are also the TypeScript types and the published schemas. */

import { phrase, t } from '../languages/message.ts'
import type { Static, TSchema } from './type.ts'

/** One validation error: the location (RFC 6901 pointer) and an actionable message. */
export interface SchemaProblem {
  readonly pointer: string
  readonly detail: string
}

type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: SchemaProblem[] }

/** The keywords of JSON Schema 2020-12 that are checked. Others, such as `format`, only describe. */
interface Keywords {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Keywords[]
  readonly properties?: Readonly<Record<string, Keywords>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  readonly patternProperties?: Readonly<Record<string, Keywords>>
  readonly minProperties?: number
  readonly items?: Keywords
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
}

/** Maximum number of reported errors. */
const MAX_PROBLEMS = 20

/** Maximum length of a client-supplied name in an error message. */
const MAX_QUOTED_LENGTH = 60

/** Validates `value` without coercion or defaults. */
export function checkSchema<S extends TSchema>(schema: S, value: unknown): Checked<Static<S>> {
  const problems: SchemaProblem[] = []
  check(schema, value, '', problems)
  if (problems.length === 0) return { ok: true, value: value as Static<S> }
  return { ok: false, problems: problems.slice(0, MAX_PROBLEMS) }
}

/** Adds the problems of the value. A value of the wrong type has one. */
function check(schema: Keywords, value: unknown, pointer: string, problems: SchemaProblem[]): void {
  if (problems.length >= MAX_PROBLEMS) return
  const { type, anyOf } = schema
  const report = (detail: string) => problems.push({ pointer, detail })
  if (type !== undefined && !isOfTypes(type, value))
    report(`must be ${article(typeof type === 'string' ? type : type.join(' or '))}`)
  else if (schema.enum && !schema.enum.includes(value))
    report(
      t('must be one of {choices}', {
        choices: schema.enum.map((one) => JSON.stringify(one)).join(', '),
      }),
    )
  else if ('const' in schema && schema.const !== value)
    report(`must be ${JSON.stringify(schema.const)}`)
  else if (anyOf) checkAlternatives(anyOf, value, pointer, problems)
  else if (typeof value === 'string') checkText(schema, value, report)
  else if (typeof value === 'number') checkNumber(schema, value, report)
  else if (Array.isArray(value)) {
    checkLength(schema, value.length, report)
    const { items } = schema
    if (items)
      for (const [at, item] of value.entries()) check(items, item, `${pointer}/${at}`, problems)
  } else if (isPlainObject(value)) checkFields(schema, value, pointer, problems)
}

function isOfTypes(type: string | readonly string[], value: unknown): boolean {
  return typeof type === 'string' ? isOfType(type, value) : type.some((one) => isOfType(one, value))
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'object':
      return isPlainObject(value)
    case 'array':
      return Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return Number.isFinite(value)
    case 'null':
      return value === null
    default:
      return typeof value === type
  }
}

/** Reports what each alternative lacks. */
function checkAlternatives(
  anyOf: readonly Keywords[],
  value: unknown,
  pointer: string,
  problems: SchemaProblem[],
): void {
  const found = anyOf.map((schema) => {
    const own: SchemaProblem[] = []
    check(schema, value, pointer, own)
    return own
  })
  if (found.some((own) => own.length === 0)) return
  const all = found.filter((_own, at) => anyOf[at]?.type !== 'null').flat()
  const last = all.at(-1)
  if (all.length < found.flat().length && last?.pointer === pointer)
    all.splice(-1, 1, { pointer, detail: t('{detail}, or null', { detail: last.detail }) })
  problems.push(...all)
}

type Report = (detail: string) => void

/** Lengths count Unicode code points. */
function checkText(schema: Keywords, text: string, report: Report): void {
  const { minLength = 0, maxLength, pattern } = schema
  if (text.length < minLength || (minLength > 1 && Array.from(text).length < minLength))
    report(
      minLength === 1
        ? t('must not be empty')
        : t('must have at least {minLength} characters', { minLength }),
    )
  if (maxLength !== undefined && text.length > maxLength)
    if (text.length > 2 * maxLength || Array.from(text).length > maxLength)
      report(t('must have at most {maxLength} characters', { maxLength }))
  // regex-ok: our own schemas, whose patterns take linear time
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text))
    report(`must match pattern "${pattern}"`)
}

function checkNumber({ minimum, maximum }: Keywords, value: number, report: Report): void {
  if (minimum !== undefined && value < minimum) report(t('must be at least {minimum}', { minimum }))
  if (maximum !== undefined && value > maximum) report(t('must be at most {maximum}', { maximum }))
}

function checkLength({ minItems = 0, maxItems }: Keywords, length: number, report: Report): void {
  if (length < minItems) report(`must have at least ${minItems} ${inItems(minItems)}`)
  if (maxItems !== undefined && length > maxItems)
    report(`must have at most ${maxItems} ${inItems(maxItems)}`)
}

function inItems(count: number): string {
  return count === 1 ? 'item' : 'items'
}

function checkFields(
  schema: Keywords,
  fields: Readonly<Record<string, unknown>>,
  pointer: string,
  problems: SchemaProblem[],
): void {
  const { properties = {}, required = [], minProperties = 0, patternProperties } = schema
  const add = (name: string, detail: string) =>
    problems.push({ pointer: `${pointer}/${shortened(escapePointer(name))}`, detail })
  const names = Object.keys(fields)
  for (const name of required) if (!Object.hasOwn(fields, name)) add(name, t('is required'))
  if (schema.additionalProperties === false)
    for (const name of names)
      if (!Object.hasOwn(properties, name)) add(name, t('is not a known field'))
  if (names.length < minProperties)
    problems.push({
      pointer,
      detail: t('must have at least {minProperties} of its fields', { minProperties }),
    })
  for (const name of names) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    const at = `${pointer}/${escapePointer(name)}`
    if (property) check(property, fields[name], at, problems)
    for (const [pattern, part] of patternProperties ? Object.entries(patternProperties) : [])
      // regex-ok: our own schemas, whose patterns take linear time
      if (new RegExp(pattern, 'u').test(name)) check(part, fields[name], at, problems)
  }
}

function article(type: string): string {
  if (type === 'null') return type
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
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

export const INVALID_TEXT = phrase('must not contain NUL or half of a surrogate pair')

/** True for an object that is not an array. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
