/** Text in columns. Characters of Chinese, Japanese and Korean, and emoji, are two columns wide. */

import displayWidth from 'fast-string-width'
import { visible } from './terminal.ts'

/** Formats rows as an aligned table. Control characters become spaces, so that cells cannot move the cursor. */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const clean = [headings, ...rows].map((row) => row.map(visible))
  const widths = headings.map((_, column) =>
    clean.reduce((most, row) => Math.max(most, displayWidth(row[column] ?? '')), 0),
  )
  return clean
    .map((row) =>
      row
        .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - displayWidth(cell)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** As much of a text as fits into `columns`, without control characters. */
export function cutToWidth(text: string, columns: number): string {
  const plain = visible(text)
  if (displayWidth(plain) <= columns) return plain
  let kept = ''
  for (const { segment } of new Intl.Segmenter().segment(plain)) {
    if (displayWidth(kept + segment) > columns) break
    kept += segment
  }
  return kept
}
