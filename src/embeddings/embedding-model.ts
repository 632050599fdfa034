/** Turns texts into vectors, so that texts with similar meaning are close together. */

export interface EmbeddingModel {
  /** Whether it runs in this process: it is free, and no text leaves the machine. */
  readonly isLocal: boolean
  /** Vectors of another name are not comparable with these. */
  readonly name: string
  /**
   * The cosine, 0 to 1, from which a text answers a question whose words no one has: what is vaguely similar answers a
   * question about something unknown. No two models distribute cosines alike.
   */
  readonly minCosine: number
  /**
   * One vector a text, in their order, each of length 1; or none but zeros for a text that tells the model nothing.
   *
   * @throws {RequestError} `unavailable` when the model is a service that does not respond.
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>
}

/** The vector made as long as 1; zeros stay zeros. */
export function normalized(vector: Float32Array): Float32Array {
  let square = 0
  for (const component of vector) square += component * component
  if (square === 0) return vector
  const length = Math.sqrt(square)
  return vector.map((component) => component / length)
}
