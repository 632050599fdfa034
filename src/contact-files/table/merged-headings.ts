// Headings above the header, which spreadsheets merge over several columns.

import { targetNamed } from '../columns/header-words.ts'

/**
 * The names of columns that repeat, with the headings above them: _Phone_ and _Email_ below _Work_ and below _Home_ become
 * `Work Phone`, `Work Email`, `Home Phone` and `Home Email`.
 */
export function withHeadings(
  names: readonly string[],
  above: readonly string[],
): readonly string[] {
  const headings = spread(above, names.length)
  const [first = ''] = names
  const isSideBySide = first !== '' && names.includes(first, 1)
  if (isSideBySide || new Set(headings).size < 3) return names
  return names.map((name, at) => {
    const heading = headings[at] ?? ''
    const isRepeated = name !== '' && names.indexOf(name) !== names.lastIndexOf(name)
    if (
      !isRepeated ||
      heading === '' ||
      headings[names.indexOf(name)] === headings[names.lastIndexOf(name)]
    )
      return name
    const full = `${heading} ${name}`
    const isFirst = names.indexOf(name) === at
    return isFirst && !hasLabel(full) ? name : full
  })
}

function hasLabel(name: string): boolean {
  const target = targetNamed(name)
  return target !== null && 'label' in target && target.label !== undefined
}

/** Each heading over the columns up to the next one. Empty for a line that is no row of headings. */
function spread(above: readonly string[], width: number): readonly string[] {
  const texts = above.map((cell) => cell.trim())
  const isRow = texts.length <= width && texts.every((text) => text.length <= MAX_HEADING_LENGTH)
  if (!isRow) return []
  let heading = ''
  return Array.from({ length: width }, (_, at) => (heading = texts[at] || heading))
}

const MAX_HEADING_LENGTH = 40 // characters
