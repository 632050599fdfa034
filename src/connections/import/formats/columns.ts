// Finds a format's columns by header name once per file, so that reading a cell is one array access.

import type { ContactDraft } from '../../model/contact.ts'

/** How a format reads a header that it recognizes. */
export interface ColumnReading {
  /** How many of the columns it recognizes. */
  readonly score: number
  readonly draftOf: (cells: readonly string[]) => ContactDraft
}

/** The index of the first column with one of these names, or -1. */
export function columnNamed(header: readonly string[], names: readonly string[]): number {
  for (const name of names) {
    const index = header.indexOf(name)
    if (index !== -1) return index
  }
  return -1
}

/** The indexes of all columns with one of these names, in the order of the names. */
export function columnsNamed(header: readonly string[], names: readonly string[]): number[] {
  return names.map((name) => header.indexOf(name)).filter((index) => index !== -1)
}

/** The text of a cell; empty when the column is missing or the row is too short. */
export function cell(cells: readonly string[], index: number): string {
  return index === -1 ? '' : (cells[index] ?? '')
}

/** City, region and country, as far as known, on one line. */
export function joinLocation(parts: readonly string[]): string {
  const known = parts.map((part) => part.trim()).filter((part) => part !== '')
  return [...new Set(known)].join(', ')
}
