/** The terms of a document, ready to be added to a segment. */

import type { FieldNumber } from '../index/search-fields.ts'

export interface AnalyzedDocument {
  readonly connectionId: number
  /** YYYYMMDD as a number; 0 for none. */
  readonly day: number
  /** Words in the name, at most 255. */
  readonly nameLength: number
  /** In the order of the fields. Several lists of one field may have a term in common. */
  readonly terms: readonly FieldTerms[]
}

export type FieldTerms = readonly [FieldNumber, readonly string[] | SharedTerms]

/** Terms of a text that many documents have: the same object for all of them, so that they are numbered once. */
export interface SharedTerms {
  readonly terms: readonly string[]
  /** Set by the builder that numbered them last. */
  numbered?: { readonly by: object; readonly numbers: readonly number[] }
}
