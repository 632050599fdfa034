/** The list or object that a text encodes, because some clients encode arguments twice. Undefined for anything else. */
export function parseEncodedJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return undefined
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}
