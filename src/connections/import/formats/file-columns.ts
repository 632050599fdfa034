// How a format reads each column of a file, for the preview of an import.

import type { ContactDraft } from '../../model/contact.ts'

export interface FileColumn {
  /** As in the file. */
  readonly name: string
  /** The field that the column becomes; null when it is ignored. */
  readonly becomes: keyof ContactDraft | null
}

/**
 * Probes the actual reader, so the preview matches the import. For each column it reads a row where only that column
 * has a value and, for columns that only matter together with others, a row where only that column is empty. Covers
 * the first `maxColumns` columns, because a file may have any number.
 */
export function meaningsOf(
  columns: readonly string[],
  maxColumns: number,
  draftOf: (cells: readonly string[]) => ContactDraft,
): FileColumn[] {
  const [blank, full] = [columns.map(() => ''), columns.map(() => PROBE)]
  const [ofBlank, ofFull] = [draftOf(blank), draftOf(full)]
  return columns.slice(0, maxColumns).map((name, at) => ({
    name,
    becomes:
      meaningOf(ofBlank, draftOf(blank.with(at, PROBE))) ??
      meaningOf(ofFull, draftOf(full.with(at, ''))),
  }))
}

/** Valid as text and as a date. */
const PROBE = '2000-02-03'

/** Prefers a field of its own over the full name, which such a column is also part of. */
function meaningOf(one: ContactDraft, other: ContactDraft): FileColumn['becomes'] {
  const fields = Object.keys(one) as (keyof ContactDraft)[]
  const differing = fields.filter(
    (field) => JSON.stringify(one[field]) !== JSON.stringify(other[field]),
  )
  return differing.find((field) => field !== 'fullName') ?? differing[0] ?? null
}
