/** Splits lists of cards and other items with a size. */

interface Limits {
  readonly count: number
  readonly bytes: number
}

/** Parts of at most so many items and bytes. A larger item is a part of its own. */
export function* chunksWithin<Item extends { readonly bytes: number }>(
  items: Iterable<Item>,
  limits: Limits,
): Generator<readonly Item[]> {
  let chunk: Item[] = []
  let bytes = 0
  for (const item of items) {
    const isFull = chunk.length === limits.count || bytes + item.bytes > limits.bytes
    if (isFull && chunk.length > 0) {
      yield chunk
      chunk = []
      bytes = 0
    }
    chunk.push(item)
    bytes += item.bytes
  }
  if (chunk.length > 0) yield chunk
}
