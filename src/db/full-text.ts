/** Engine-independent interface of full-text search over the directory. */

/**
 * A query: tokens from `base/tokenize.ts`, of which the last may be a prefix. Matches come in tiers, best first, with a
 * fixed order in each tier, so that a page can stop early without scoring all matches.
 */
interface TextQuery {
  readonly words: readonly string[]
}

/** Where a page ended: the tier and the position in it. */
export interface TextPosition {
  readonly tier: number
  readonly place: number
}

export interface DirectoryDocument {
  readonly memberId: number
  /** 0 to 4095, higher is better; independent of the query. */
  readonly rank: number
  readonly username: string
  readonly name: string
  /** All other searchable text: headline, organization, title, location, skills. */
  readonly text: string
}

/** Tiers of a directory search: the full name or username; all words in the name; all words anywhere. */
export interface DirectorySearch extends TextQuery {
  readonly after: TextPosition | null
  readonly limit: number
}

export type Found<Row> = Row & TextPosition

/** Further words of a query are ignored. */
export const MAX_WORDS = 16

const MAX_RANK = 4095
/** Member numbers fit below the 12 bits of the rank: exact in a JavaScript number. */
const RANK_STEP = 2 ** 28

/** A member's position in the directory: higher rank first, then lower number. The same on every engine. */
export function directoryPosition({ rank, memberId }: DirectoryDocument): number {
  return (MAX_RANK - rank) * RANK_STEP + memberId
}
