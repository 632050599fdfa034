/** Text that no database and no JSON reader agrees on: NUL and halves of surrogate pairs. */

/** Where in a JSON value such text stands (RFC 6901 pointer), or undefined when it is nowhere. */
export function findInvalidText(value: unknown, pointer = ''): string | undefined {
  if (typeof value === 'string') return isInvalidText(value) ? pointer : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, item] of Object.entries(value)) {
    const found = isInvalidText(name) ? pointer : findInvalidText(item, `${pointer}/${name}`)
    if (found !== undefined) return found
  }
  return undefined
}

export function isInvalidText(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed()
}

export const INVALID_TEXT = 'must not contain NUL or half of a surrogate pair'
