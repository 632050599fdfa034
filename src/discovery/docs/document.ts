/** One page of the documentation. */

export interface Document {
  /** As in `/docs/<name>`. */
  readonly name: string
  readonly title: string
  /** What a reader finds in it. */
  readonly summary: string
  readonly url: string
  readonly markdown: string
}
