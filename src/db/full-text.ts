/** Full-text search over the directory and over one member's connections: what is asked, whatever engine answers. */

/**
 * What is looked for: words already folded by `base/words`, of which the last may be the beginning of a word.
 * Matches come in tiers, best first, and within a tier in a fixed order, so that a page can stop early:
 * nothing is scored over all matches.
 */
export interface TextQuery {
  readonly words: readonly string[]
}

/** Where a page ended: the tier and the place inside it. */
export interface TextPosition {
  readonly tier: number
  readonly place: number
}

export interface DirectoryDocument {
  readonly memberId: number
  /** 0 to 4095, greater is better: known without any query. */
  readonly rank: number
  readonly username: string
  readonly name: string
  /** Everything else that can be found: headline, organization, title, location, skills. */
  readonly text: string
}

/** Tiers of a directory search: the whole name or username; every word in the name; every word anywhere. */
export interface DirectorySearch extends TextQuery {
  readonly after: TextPosition | null
  readonly limit: number
}

export interface ConnectionDocument {
  readonly connectionId: number
  readonly name: string
  readonly company: string | null
  readonly title: string | null
  readonly location: string | null
  readonly tags: readonly string[]
  readonly notes: readonly string[]
}

/** Tiers of a connection search: every word in the name; in name, company or title; anywhere. */
export interface ConnectionSearch extends TextQuery {
  /** Folded words that must all stand in that column; the last may be a beginning. */
  readonly company?: readonly string[]
  readonly title?: readonly string[]
  readonly location?: readonly string[]
  /** The folded key of one tag. */
  readonly tag?: string
  /** `YYYY-MM-DD`: connected on or after that day. */
  readonly connectedAfter?: string
  readonly after: TextPosition | null
  readonly limit: number
}

export type Found<Row> = Row & TextPosition

/** Words of a query beyond this many are not looked at. */
export const MAX_WORDS = 16

const MAX_RANK = 4095
/** Room for every member below the 12 bits of the rank: exact in a JavaScript number. */
const RANK_STEP = 2 ** 28

/** Where a member stands in the directory: a better rank first, then the smaller number. On every engine the same. */
export function directoryPosition({ rank, memberId }: DirectoryDocument): number {
  return (MAX_RANK - rank) * RANK_STEP + memberId
}
