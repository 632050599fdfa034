/** Turns texts into vectors, so that texts with similar meaning are close together. */

export interface EmbeddingModel {
  /** Whether it runs in this process: it is free, and no text leaves the machine. */
  readonly isLocal: boolean
  /** Vectors are comparable only with those of a model with the same name. */
  readonly name: string
  /**
   * The minimum cosine, 0 to 1, at which a text answers a query whose words no one has. Below it, vaguely similar texts
   * would answer a query about an unknown subject. The distribution of cosines differs between models.
   */
  readonly minCosine: number
  /**
   * One vector per text, in order, each of length 1; all zeros for a text without known words.
   *
   * @throws {RequestError} `unavailable` when the model is a service that does not respond.
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>
  /** Instead of `embed`, for a question: empty if the model knows too few of its words to tell what it asks for. */
  embedQuestion?(text: string): Promise<Float32Array>
}

/** The vector scaled to length 1; a zero vector is unchanged. */
export function normalized(vector: Float32Array): Float32Array {
  let square = 0
  for (const component of vector) square += component * component
  if (square === 0) return vector
  const length = Math.sqrt(square)
  return vector.map((component) => component / length)
}
