import { jsonOf } from '../../base/parse-text.ts'

/**
 * The list or object that a text encodes as JSON, because some clients encode arguments twice. Undefined for any other
 * text.
 */
export function parseEncodedJson(value: unknown): unknown {
  return typeof value === 'string' && /^\s*[[{]/.test(value) ? jsonOf(value) : undefined
}
