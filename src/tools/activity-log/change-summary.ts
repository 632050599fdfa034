/** Summarizes a recorded change: the affected fields with their old and new values. */

import * as Type from '../../base/type.ts'
import { freeText } from '../free-text.ts'
import { truncate } from '../result-pages.ts'

export interface ChangedField {
  readonly field: string
  /** Omitted if there is no value. */
  readonly before?: string
  readonly after?: string
}

/** As tools return them. */
export const ChangedFields = Type.Array(
  Type.Closed({
    field: Type.String(),
    before: Type.Optional(freeText('note', Type.String())),
    after: Type.Optional(freeText('note', Type.String())),
  }),
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

/**
 * The changed fields of one or several subjects, without the IDs of what was added or removed. Of several, values that
 * differ are left out.
 */
export function summarizeEach(before: object | null, after: object | null): ChangedField[] {
  const [were, are] = [partsOf(before), partsOf(after)]
  const each = Array.from({ length: Math.max(were.length, are.length) }, (_, index) =>
    summarizeChange(were[index] ?? null, are[index] ?? null).filter(
      (one) => !IDS.has(one.field) || (one.before !== undefined && one.after !== undefined),
    ),
  )
  const [first = [], ...others] = each
  if (others.length === 0) return first
  return [...new Set(each.flat().map(({ field }) => field))].map((field) => {
    const all = each.map((changes) => changes.find((one) => one.field === field))
    const [one, ...more] = all
    return one && more.every((other) => isSameChange(one, other)) ? one : { field }
  })
}

function isSameChange(one: ChangedField, other: ChangedField | undefined): boolean {
  return one.before === other?.before && one.after === other?.after
}

/** The states of several subjects, as bulk changes record them, or of one. */
function partsOf(state: object | null): readonly object[] {
  const { connections, follow_ups } = (state ?? {}) as Record<string, unknown>
  const several = connections ?? follow_ups
  if (Array.isArray(several)) return several as object[]
  return state ? [state] : []
}

const IDS: ReadonlySet<string> = new Set(['connection_id', 'follow_up_id', 'note_id'])

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
  'tags_source',
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
