/** Detects text that databases and JSON parsers handle inconsistently: NUL and lone surrogates. */

/** RFC 6901 pointer to the first such text in a JSON value; undefined if there is none. */
export function findInvalidText(value: unknown, pointer = ''): string | undefined {
  if (typeof value === 'string') return isInvalidText(value) ? pointer : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, item] of Object.entries(value)) {
    const found = isInvalidText(name) ? pointer : findInvalidText(item, `${pointer}/${name}`)
    if (found !== undefined) return found
  }
  return undefined
}

function isInvalidText(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed()
}

export const INVALID_TEXT = 'must not contain NUL or half of a surrogate pair'
