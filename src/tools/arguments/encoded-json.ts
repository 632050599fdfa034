/**
 * The list or object that a text encodes as JSON, because some clients encode arguments twice. Undefined for any other
 * text.
 */
export function parseEncodedJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return undefined
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}
