// Finds a format's columns in a header by name, once per file; a cell is then one array access.

import type { ContactDraft } from '../../model/contact.ts'

/** What a format makes of a header it knows. */
export interface ColumnReading {
  /** How many of the header's columns it understands. */
  readonly score: number
  readonly draftOf: (cells: readonly string[]) => ContactDraft
}

/** The index of the first column with one of these names; -1 when there is none. */
export function columnNamed(header: readonly string[], names: readonly string[]): number {
  for (const name of names) {
    const index = header.indexOf(name)
    if (index !== -1) return index
  }
  return -1
}

/** The indexes of every column with one of these names, in the order of the names. */
export function columnsNamed(header: readonly string[], names: readonly string[]): number[] {
  return names.map((name) => header.indexOf(name)).filter((index) => index !== -1)
}

/** The text of a cell; empty for a column that is missing and for a row that is too short. */
export function cell(cells: readonly string[], index: number): string {
  return index === -1 ? '' : (cells[index] ?? '')
}

/** City, region and country, as far as known, on one line. */
export function placeOf(parts: readonly string[]): string {
  const known = parts.map((part) => part.trim()).filter((part) => part !== '')
  return [...new Set(known)].join(', ')
}
