/** The sources of `/ask`. Each searches its own content, and the best results of all are returned. */

export interface AskSource {
  /** Best first, at most `limit`. Scores of different sources are comparable. */
  search(query: string, limit: number): Promise<AskResult[]>
}

/** A result of NLWeb 0.55, with the members of its earlier flat form. */
export interface AskResult {
  readonly '@type': 'Item'
  readonly name: string
  readonly url: string
  /** The part of Weft that it comes from, `members` or `docs`. */
  readonly site: string
  /** 1 to 100: how much of the question it matches. */
  readonly score: number
  /** One line of plain text. */
  readonly description: string
  readonly schema_object: object
}
