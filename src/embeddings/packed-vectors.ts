/** The stored format of a connection's vectors: one byte per component, which hardly changes a cosine. */

/**
 * Returns the number of vectors, then their components, each vector scaled so that its largest component is 127. Zero
 * vectors are skipped.
 */
export function packVectors(vectors: readonly Float32Array[]): Uint8Array {
  const telling = vectors
    .filter((vector) => vector.some((component) => component !== 0))
    .slice(0, MAX_VECTORS)
  const dimensions = telling[0]?.length ?? 0
  const packed = new Int8Array(1 + telling.length * dimensions)
  packed[0] = telling.length
  for (const [index, vector] of telling.entries()) {
    const largest = vector.reduce((most, component) => Math.max(most, Math.abs(component)), 0)
    for (let at = 0; at < dimensions; at += 1)
      packed[1 + index * dimensions + at] = Math.round(((vector[at] ?? 0) / largest) * 127)
  }
  return new Uint8Array(packed.buffer)
}

/** The maximum of a signed byte. */
const MAX_VECTORS = 127

interface PackedVectors {
  readonly count: number
  readonly dimensions: number
  /** The components of all vectors, one vector after another. */
  readonly components: Int8Array
}

export function unpackVectors(packed: Uint8Array): PackedVectors {
  const count = packed[0] ?? 0
  const components = new Int8Array(packed.buffer, packed.byteOffset, packed.byteLength).subarray(1)
  return { count, dimensions: count === 0 ? 0 : components.length / count, components }
}
