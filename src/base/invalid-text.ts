/** Text that no database and no JSON reader agrees on: NUL and halves of surrogate pairs. */

/** Where in a JSON value such text stands (RFC 6901 pointer), or undefined when it is nowhere. */
export function findBrokenText(value: unknown, pointer = ''): string | undefined {
  if (typeof value === 'string') return isBrokenText(value) ? pointer : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, item] of Object.entries(value)) {
    const found = isBrokenText(name) ? pointer : findBrokenText(item, `${pointer}/${name}`)
    if (found !== undefined) return found
  }
  return undefined
}

export function isBrokenText(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed()
}

export const BROKEN_TEXT = 'must not contain NUL or half of a surrogate pair'
