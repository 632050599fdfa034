/** A word of a query, and the terms of the index that match it. */

export interface QueryWord {
  /** As normalized. */
  readonly text: string
  /** A stop word beside other words: it counts where it matches, but is not required. */
  readonly isOptional: boolean
  /** Required even where other words are missing. */
  readonly isFilter?: boolean
  readonly terms: readonly QueryTerm[]
}

export interface QueryTerm {
  readonly term: string
  /** See `FACTOR`. */
  readonly factor: number
  /** Whether longer terms that begin with it match, too. */
  readonly isPrefix?: boolean
  /** Maximum number of typos if nothing else matches. */
  readonly edits?: number
  /** Used only when no connection matches every word otherwise. */
  readonly isWeak?: boolean
  /** A bit mask of the fields in which it counts; all by default. */
  readonly fields?: number
}
