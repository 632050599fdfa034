/** A recorded change in a few lines: which fields it was about, and what they were and became. */

import { truncate } from './result-page.ts'

export interface ChangedField {
  readonly field: string
  /** Left out where there was, or is, nothing. */
  readonly before?: string
  readonly after?: string
}

/** Fields that are the same before and after are left out, and of lists what is on both sides. */
export function summarizeChange(before: object | null, after: object | null): ChangedField[] {
  // Both were written as JSON objects by whoever recorded the change.
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

/** They follow from a change, or serve to take it back, and tell nothing of it. */
const BOOKKEEPING = new Set([
  'version',
  'created_at',
  'updated_at',
  'truncated',
  'source',
  'sources',
  'counts_from',
])

/** Characters of one value, in JSON. */
const MAX_SHOWN = 120

function textOf(value: unknown, other: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return itemsOf(value, other).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Those that the other side has not. */
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
