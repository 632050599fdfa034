/** Where `/ask` looks for answers: each source searches what it knows, and the best of all of them are given. */

export interface AskSource {
  /** Best first, at most `limit`; scores of different sources are compared with each other. */
  search(query: string, limit: number): Promise<AskResult[]>
}

/** One result as NLWeb 0.55 has it, with the members that its flat form has had from the beginning. */
export interface AskResult {
  readonly '@type': 'Item'
  readonly name: string
  readonly url: string
  /** Which part of Weft it comes from, as a question may name it: `members`, `docs`. */
  readonly site: string
  /** 1 to 100: how much of the question it answers. */
  readonly score: number
  /** One line of plain text. */
  readonly description: string
  /** By the words of schema.org. */
  readonly schema_object: object
}
