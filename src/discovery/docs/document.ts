/** One page of the documentation. */

export interface Document {
  /** The last part of the path `/docs/<name>`. */
  readonly name: string
  readonly title: string
  /** One sentence about the content. */
  readonly summary: string
  readonly url: string
  readonly markdown: string
}
