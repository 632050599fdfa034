// Splits the values that Google joins in one cell.

/** Splits a cell at `:::`, which Google writes between values. */
export function joinedValues(text: string): readonly string[] {
  return text.includes(':::')
    ? text.split(':::').map((one) => one.trim())
    : text === ''
      ? []
      : [text]
}

/** Returns the first value of a cell that is not blank, or an empty text. */
export function first(text: string): string {
  return (
    joinedValues(text)
      .map((one) => one.trim())
      .find((one) => one !== '') ?? ''
  )
}

/**
 * The values of columns that belong together, each with its part of every column. Null if the cells hold different numbers
 * of values, because their parts cannot be matched.
 */
export function joinedParts(cells: readonly string[]): readonly (readonly string[])[] | null {
  const parts = cells.map(joinedValues)
  const counts = new Set(parts.map(({ length }) => length))
  counts.delete(0)
  const [count = 0] = counts
  if (counts.size > 1) return null
  return Array.from({ length: count }, (_, index) => parts.map((texts) => texts[index] ?? ''))
}
