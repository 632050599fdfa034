// What a format makes of each column of a file, for telling it before anything is imported.

import type { ContactDraft } from '../../model/contact.ts'

export interface FileColumn {
  /** As the file names it. */
  readonly name: string
  /** Null for a column that is not taken. */
  readonly becomes: keyof ContactDraft | null
}

/**
 * Found out from the reader itself, so that it is what will happen: it reads a row in which a column is the only one
 * with a value and, for what only stands beside something else, one in which it is the only one without. Of the first
 * `most`: a file may have any number.
 */
export function meaningsOf(
  columns: readonly string[],
  most: number,
  draftOf: (cells: readonly string[]) => ContactDraft,
): FileColumn[] {
  const [blank, full] = [columns.map(() => ''), columns.map(() => PROBE)]
  const [ofBlank, ofFull] = [draftOf(blank), draftOf(full)]
  return columns.slice(0, most).map((name, at) => ({
    name,
    becomes:
      meaningOf(ofBlank, draftOf(blank.with(at, PROBE))) ??
      meaningOf(ofFull, draftOf(full.with(at, ''))),
  }))
}

/** A text, and a day too. */
const PROBE = '2000-02-03'

/** A column that has a field of its own is part of the full name as well. */
function meaningOf(one: ContactDraft, other: ContactDraft): FileColumn['becomes'] {
  const fields = Object.keys(one) as (keyof ContactDraft)[]
  const differing = fields.filter(
    (field) => JSON.stringify(one[field]) !== JSON.stringify(other[field]),
  )
  return differing.find((field) => field !== 'fullName') ?? differing[0] ?? null
}
