/** Summarizes a recorded change: the affected fields with their old and new values. */

import { truncate } from './result-page.ts'

export interface ChangedField {
  readonly field: string
  /** Omitted if there is no value. */
  readonly before?: string
  readonly after?: string
}

/** Omits fields that did not change and list items that are on both sides. */
export function summarizeChange(before: object | null, after: object | null): ChangedField[] {
  // `recordChange` wrote both as JSON objects.
  const [were, are] = [before ?? {}, after ?? {}] as [Fields, Fields]
  const fields = new Set([...Object.keys(were), ...Object.keys(are)])
  return [...fields]
    .filter((field) => !BOOKKEEPING.has(field))
    .filter((field) => JSON.stringify(were[field]) !== JSON.stringify(are[field]))
    .map((field) => changedField(field, were[field], are[field]))
    .filter((changed) => changed.before !== undefined || changed.after !== undefined)
}

function changedField(field: string, was: unknown, is: unknown): ChangedField {
  const [before, after] = [textOf(was, is), textOf(is, was)]
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
])

/** Maximum length of one value as JSON. Characters. */
const MAX_SHOWN = 120

function textOf(value: unknown, other: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return itemsOf(value, other).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Items that are missing from the other side. */
function itemsOf(items: readonly unknown[], other: unknown): string[] {
  const others = new Set(Array.isArray(other) ? other.map((item) => JSON.stringify(item)) : [])
  return items
    .filter((item) => !others.has(JSON.stringify(item)))
    .map((item) => (typeof item === 'string' ? item : JSON.stringify(item)))
}

function shortened(text: string): string {
  const beginning = truncate(text, MAX_SHOWN)
  return beginning === text ? text : `${beginning}…`
}
