/** Converts objects to lists of `name=value`. */

import { isPlainObject } from '../../base/schema.ts'

/** The list for an object. Null and the empty string become `name=`; other values that are not strings become JSON. */
function pairsOf(value: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(value).map(([name, one]) => `${name}=${textOf(one)}`)
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The list, or undefined if the value is neither an object nor a list with objects in it. */
export function readPairs(value: unknown): unknown[] | undefined {
  if (isPlainObject(value)) return pairsOf(value)
  if (!Array.isArray(value)) return undefined
  return value.flatMap((item: unknown) => (isPlainObject(item) ? pairsOf(item) : [item]))
}
