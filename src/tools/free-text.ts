/**
 * Free text in tool results: notes, follow-ups, what other members write about themselves, and values in the activity
 * log. Such text may contain instructions that its author planted for an agent. Output schemas mark it, and `runTool`
 * withholds it from agents if their member chose that. Single-line fields (names, titles, companies, locations, tags)
 * are not free text: without them, an agent would be useless. See decision 0035.
 */

import type { TSchema } from 'typebox'
import type { AgentLimits } from '../http/caller.ts'

/** Not enumerable, so that published schemas omit it. */
const FREE_TEXT: unique symbol = Symbol('free text')

/** `note` may contain the text of a note. */
type FreeText = 'note' | 'text'

/** Marks a schema. A value that is not a string is withheld entirely. */
export function freeText<Schema extends TSchema>(kind: FreeText, schema: Schema): Schema {
  return { ...schema, [FREE_TEXT]: kind }
}

/** Replaces required text. Optional text is omitted, and nullable text becomes null. */
const WITHHELD = '[withheld by the member]'

/** The result without the text that the limits withhold. Only for limits that withhold some: see `withholdsNotes`. */
export function withholdText(limits: AgentLimits, schema: TSchema, output: object): object {
  const isWithheld = (kind: FreeText) => limits.withholdsText || kind === 'note'
  return copyOf(schema, output, isWithheld) as object
}

type IsWithheld = (kind: FreeText) => boolean

function copyOf(schema: TSchema, value: unknown, isWithheld: IsWithheld): unknown {
  const part = schema as Part
  const kind = part[FREE_TEXT]
  if (kind !== undefined && isWithheld(kind)) return replacementOf(part, value)
  if (Array.isArray(value) && part.items)
    return value.map((item) => copyOf(part.items as TSchema, item, isWithheld))
  return typeof value === 'object' && value !== null ? copyOfObject(part, value, isWithheld) : value
}

function copyOfObject(
  { properties = {}, required = [] }: Part,
  value: object,
  isWithheld: IsWithheld,
): object {
  const entries = Object.entries(value).flatMap(([name, member]) => {
    const schema = properties[name]
    if (!schema) return [[name, member] as const]
    const kind = (schema as Part)[FREE_TEXT]
    const isLeftOut = kind !== undefined && isWithheld(kind) && !required.includes(name)
    return isLeftOut ? [] : [[name, copyOf(schema, member, isWithheld)] as const]
  })
  return Object.fromEntries(entries)
}

function replacementOf({ anyOf, type }: Part, value: unknown): unknown {
  if (value === null || anyOf?.some((one) => (one as Part).type === 'null') === true) return null
  return type === 'array' ? [] : WITHHELD
}

interface Part {
  readonly [FREE_TEXT]?: FreeText
  readonly type?: string
  readonly items?: TSchema
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly TSchema[]
}
