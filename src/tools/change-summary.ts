/** Summarizes a recorded change: the affected fields with their old and new values. */

import * as Type from '../base/type.ts'
import { freeText } from './free-text.ts'
import { truncate } from './result-json.ts'

export interface ChangedField {
  readonly field: string
  /** Omitted if there is no value. */
  readonly before?: string
  readonly after?: string
}

/** As tools return them. */
export const ChangedFields = Type.Array(
  Type.Object(
    {
      field: Type.String(),
      before: Type.Optional(freeText('note', Type.String())),
      after: Type.Optional(freeText('note', Type.String())),
    },
    { additionalProperties: false },
  ),
  { description: 'Long values are truncated' },
)

/** Maximum length of a summary. */
export const MAX_CHANGED_FIELDS = 12

/** The text of a value or of an item of a list; undefined for the usual one: a string as it is, JSON for the rest. */
export type ValueText = (field: string, value: unknown) => string | undefined

/** Omits fields that did not change and list items that are on both sides. */
export function summarizeChange(
  before: object | null,
  after: object | null,
  textOf: ValueText = () => undefined,
): ChangedField[] {
  // `recordChange` wrote both as JSON objects.
  const [were, are] = [before ?? {}, after ?? {}] as [Fields, Fields]
  const fields = new Set([...Object.keys(were), ...Object.keys(are)])
  return [...fields]
    .filter((field) => !BOOKKEEPING.has(field))
    .filter((field) => JSON.stringify(were[field]) !== JSON.stringify(are[field]))
    .map((field) => changedField(field, were[field], are[field], textOf))
    .filter((changed) => changed.before !== undefined || changed.after !== undefined)
}

function changedField(field: string, was: unknown, is: unknown, text: ValueText): ChangedField {
  const textOf = (value: unknown) => text(field, value) ?? plainText(value)
  const [before, after] = [valueText(was, is, textOf), valueText(is, was, textOf)]
  return {
    field,
    ...(before !== '' && { before: shortened(before) }),
    ...(after !== '' && { after: shortened(after) }),
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Derived fields and fields that only an undo needs. */
const BOOKKEEPING = new Set([
  'version',
  'created_at',
  'updated_at',
  'truncated',
  'source',
  'sources',
  'counts_from',
  'imported',
])

/** Maximum length of one value as JSON. Characters. */
const MAX_SHOWN = 120

function valueText(value: unknown, other: unknown, textOf: (value: unknown) => string): string {
  if (value === null || value === undefined) return ''
  if (!Array.isArray(value)) return textOf(value)
  return missingItems(value, other).map(textOf).join(', ')
}

function missingItems(items: readonly unknown[], other: unknown): unknown[] {
  const others = new Set(Array.isArray(other) ? other.map((item) => JSON.stringify(item)) : [])
  return items.filter((item) => !others.has(JSON.stringify(item)))
}

function plainText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function shortened(text: string): string {
  const beginning = truncate(text, MAX_SHOWN)
  return beginning === text ? text : `${beginning}…`
}
