/** Reads the arguments of a tool call: converts unambiguous values, validates, and explains rejected ones. */

import {
  INVALID_TEXT,
  isPlainObject,
  findInvalidText,
  checkSchema,
  type SchemaProblem,
} from '../../base/schema.ts'
import { explainProblems, type Explanation } from './explain-arguments.ts'
import { isArgumentName, underKnownNames } from './misnamed-arguments.ts'
import { choicesMeantBy, plainName } from './argument-synonyms.ts'
import { PAIRS_KEYWORD, propertyNamed, SHORT_KEYWORD, type SchemaPart } from './schema-part.ts'
import {
  type DateContext,
  readDateText,
  readDaysText,
  readYearlessDate,
} from '../../dates/read-date.ts'
import type { Static, TSchema } from 'typebox'
import { isDay } from '../../dates/calendar-day.ts'
import { DAY_KEYWORD, TIME_KEYWORD } from './date-argument.ts'
import { readTime, splitDueTime } from '../../dates/time-of-day.ts'
import { parseEncodedJson } from './encoded-json.ts'

type ReadArguments<Value> =
  /** `notes`: what was changed, for the caller. */
  | { readonly ok: true; readonly value: Value; readonly notes: readonly string[] }
  | { readonly ok: false; readonly explanation: Explanation }

/** The tool whose arguments are read. */
interface Callable<Input extends TSchema> {
  readonly name: string
  readonly input: Input
}

/** Returns the arguments that the tool runs with, or an explanation of every problem. */
export function readArguments<Input extends TSchema>(
  { name, input }: Callable<Input>,
  given: unknown,
  context: DateContext,
): ReadArguments<Static<Input>> {
  const schema: SchemaPart = input
  const { value, problems, notes } = coerceArguments(schema, given ?? {}, context)
  const all = [...problems, ...remaining(input, value, problems)]
  // No problems remain, so the value matches the schema.
  if (all.length === 0) return { ok: true, value: value as Static<Input>, notes }
  return { ok: false, explanation: explainProblems(name, schema, value, all) }
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

interface Coerced {
  readonly value: unknown
  /** Problems that a schema cannot detect, such as ambiguous dates. */
  readonly problems: readonly SchemaProblem[]
  readonly notes: readonly string[]
}

function coerceArguments(schema: SchemaPart, given: unknown, context: DateContext): Coerced {
  const problems: SchemaProblem[] = []
  const notes: string[] = []
  return {
    value: coerce(schema, given, { pointer: '', context, problems, notes }),
    problems,
    notes,
  }
}

/** The position of a value, and the context of the call. */
interface ValueContext {
  readonly pointer: string
  readonly context: DateContext
  readonly problems: SchemaProblem[]
  readonly notes: string[]
}

function coerce(schema: SchemaPart, value: unknown, at: ValueContext): unknown {
  if (schema[DAY_KEYWORD]) return readDay(schema, value, at)
  if (schema[TIME_KEYWORD]) return typeof value === 'string' ? (readTime(value) ?? value) : value
  switch (schema.type) {
    case 'object':
      return readObject(schema, value, at)
    case 'array':
      return readList(schema, value, at)
    case 'string':
      return schema.enum
        ? readChoice(schema.enum, readText(schema, value))
        : readText(schema, value)
    case 'integer':
    case 'number':
      return readNumber(schema.type, value)
    case 'boolean':
      return readBoolean(value)
    case undefined:
    default:
      return value
  }
}

function readObject(schema: SchemaPart, value: unknown, at: ValueContext): unknown {
  const fields = isPlainObject(value) ? value : (parseEncodedJson(value) ?? value)
  if (!isPlainObject(fields)) return readShort(schema, fields, at)
  const given = Object.entries(fields).filter(
    ([name, field]) => !isNotGiven(field) || schema.required?.includes(name) === true,
  )
  return Object.fromEntries(
    Object.entries(withTime(schema, asList(schema, Object.fromEntries(given)), at)).map(
      ([name, field]) => {
        const property = propertyNamed(schema, name)
        if (!property) return [name, field]
        const read = coerce(property, field, within(at, name))
        return [name, name === 'limit' ? atMost(property, read, at) : read]
      },
    ),
  )
}

/** The time in a due date, as `time`, unless that is given. */
function withTime(
  schema: SchemaPart,
  fields: Record<string, unknown>,
  { context }: ValueContext,
): Record<string, unknown> {
  const { due_on, time } = fields
  if (typeof due_on !== 'string' || time !== undefined || !propertyNamed(schema, 'time'))
    return fields
  return { ...fields, ...splitDueTime(due_on, context) }
}

/** Models that have one item often leave out the list: the fields of an item stand for a list with only this item. */
function asList(schema: SchemaPart, fields: Record<string, unknown>): Record<string, unknown> {
  const { properties = {}, required: [only = '', ...others] = [] } = schema
  const item = properties[only]?.items
  const names = Object.keys(fields)
  const isItem = item?.type === 'object' && others.length === 0 && names.length > 0
  if (isItem && names.every((name) => isArgumentName(item, name))) return { [only]: [fields] }
  return { ...underKnownNames(schema, fields) }
}

/** The largest page instead of a larger one, and says so. */
function atMost({ maximum }: SchemaPart, value: unknown, { notes }: ValueContext): unknown {
  if (maximum === undefined || !Number.isInteger(value) || Number(value) <= maximum) return value
  notes.push(`limit was ${Number(value)}; at most ${maximum} are returned.`)
  return maximum
}

/** A text or a list in place of an object with one main field. */
function readShort(schema: SchemaPart, value: unknown, at: ValueContext): unknown {
  const field = schema[SHORT_KEYWORD]
  if (field === undefined || (typeof value !== 'string' && !Array.isArray(value))) return value
  return readObject(schema, { [field]: value }, at)
}

function isNotGiven(value: unknown): boolean {
  return value === null || value === '' || value === undefined
}

function within(at: ValueContext, step: string | number): ValueContext {
  return { ...at, pointer: `${at.pointer}/${step}` }
}

/** A single item stands for a list of one. */
function readList(schema: SchemaPart, value: unknown, at: ValueContext): unknown {
  const { items = {} } = schema
  const pairs = schema[PAIRS_KEYWORD] ? readPairs(parseEncodedJson(value) ?? value) : undefined
  const list = pairs ?? (Array.isArray(value) ? value : listOf(items, value))
  return list?.map((item: unknown, index) => coerce(items, item, within(at, index))) ?? value
}

/** The list of `name=value`, or undefined if the value is neither an object nor a list with objects in it. */
function readPairs(value: unknown): unknown[] | undefined {
  if (isPlainObject(value)) return pairsOf(value)
  if (!Array.isArray(value)) return undefined
  return value.flatMap((item: unknown) => (isPlainObject(item) ? pairsOf(item) : [item]))
}

/** Null becomes `name=`; other values that are not strings become JSON. */
function pairsOf(value: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(value).map(
    ([name, one]) =>
      `${name}=${typeof one === 'string' ? one : one == null ? '' : JSON.stringify(one)}`,
  )
}

function listOf(items: SchemaPart, value: unknown): unknown[] | undefined {
  const parsed = parseEncodedJson(value)
  if (Array.isArray(parsed)) return parsed
  if (items.type === 'object') {
    const item = isPlainObject(value) ? value : parsed
    return isPlainObject(item) ? [item] : undefined
  }
  if (typeof value === 'number') return [value]
  return typeof value === 'string' ? (idsIn(items, value) ?? [value]) : undefined
}

/** `c_1, c_2`: items whose pattern contains no comma. */
function idsIn({ pattern }: SchemaPart, value: string): string[] | undefined {
  if (pattern?.startsWith('^') !== true) return undefined
  const parts = value.split(',').map((part) => part.trim())
  // regex-ok: our own schemas, whose patterns are IDs and `\S`
  const id = new RegExp(pattern, 'u')
  return parts.every((part) => id.test(part)) ? parts : undefined
}

/** Other capitals, spaces for underscores, the plural, or another word for a choice. */
function readChoice(choices: readonly unknown[], value: unknown): unknown {
  if (typeof value !== 'string' || choices.includes(value)) return value
  const plain = plainName(value)
  const words = [plain, singular(plain)]
  const meant = words.concat(words.flatMap(choicesMeantBy))
  return meant.find((one) => choices.includes(one)) ?? value
}

function singular(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.length > 2 && word.endsWith('s') ? word.slice(0, -1) : word
}

/** Whole numbers for texts, such as job IDs; spaces around IDs; a list with only one text. */
function readText(schema: SchemaPart, value: unknown): unknown {
  const { pattern } = schema
  if (Array.isArray(value) && value.length === 1 && typeof value[0] === 'string')
    return readText(schema, value[0])
  if (Number.isSafeInteger(value)) return String(value)
  if (typeof value !== 'string' || pattern === undefined) return value
  // regex-ok: our own schemas, whose patterns are IDs and `\S`
  const regExp = new RegExp(pattern, 'u')
  return !regExp.test(value) && regExp.test(value.trim()) ? value.trim() : value
}

function readNumber(type: 'integer' | 'number', value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[+-]?\d{1,15}(\.\d{1,6})?\s*$/.test(value)) return value
  const number = Number(value)
  return type === 'number' || Number.isSafeInteger(number) ? number : value
}

function readBoolean(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const plain = value.trim().toLowerCase()
  return plain === 'true' ? true : plain === 'false' ? false : value
}

function readDay(schema: SchemaPart, given: unknown, at: ValueContext): unknown {
  // 20260305 is a date.
  const value = Number.isSafeInteger(given) ? String(given) : given
  if (typeof value !== 'string' || isDay(value)) return value
  const kind = schema[DAY_KEYWORD]
  if (kind === 'birthday') {
    const yearless = readYearlessDate(value, at.context)
    if (yearless !== undefined) return yearless
  }
  const meant =
    kind === 'day' || kind === 'days' ? undefined : kind === 'birthday' ? 'latest' : kind
  const reading =
    kind === 'days' ? readDaysText(value, at.context) : readDateText(value, at.context, meant)
  if (reading.ok) return reading.day
  at.problems.push({ pointer: at.pointer, detail: reading.problem })
  return value
}
