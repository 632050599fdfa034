/** The vectors of one member's network in memory, and nearest-neighbor search in them. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { unpackVectors } from './packed-vectors.ts'

export interface NetworkVectors {
  readonly dimensions: number
  readonly ids: readonly number[]
  /** The index of the first vector of each connection. The last entry is the number of vectors. */
  readonly starts: readonly number[]
  readonly components: Int8Array
  /** For each vector, the factor that normalizes it to length 1. */
  readonly scales: Float32Array
}

export interface StoredVectors {
  readonly connectionId: number
  readonly packed: Uint8Array
}

/** Skips vectors with other dimensions than the first one, because a provider can change a model under the same name. */
export async function gatherVectors(stored: readonly StoredVectors[]): Promise<NetworkVectors> {
  const all = stored
    .map(({ connectionId, packed }) => ({ connectionId, ...unpackVectors(packed) }))
    .filter(({ count }) => count > 0)
  const dimensions = all[0]?.dimensions ?? 0
  const kept = all.filter((one) => one.dimensions === dimensions)
  const starts = [0]
  for (const { count } of kept) starts.push((starts.at(-1) ?? 0) + count)
  const total = starts.at(-1) ?? 0
  const components = new Int8Array(total * dimensions)
  const scales = new Float32Array(total)
  for (const [index, one] of kept.entries()) {
    if (index > 0 && index % SLICE === 0) await nextTurn()
    const start = starts[index] ?? 0
    components.set(one.components, start * dimensions)
    for (let vector = start; vector < start + one.count; vector += 1)
      scales[vector] = scaleOf(components, vector * dimensions, dimensions)
  }
  return {
    dimensions,
    ids: kept.map(({ connectionId }) => connectionId),
    starts,
    components,
    scales,
  }
}

/** The approximate size in memory, in bytes. */
export function bytesOf({ components, scales, ids }: NetworkVectors): number {
  return components.byteLength + scales.byteLength + 16 * ids.length
}

/** Connections per turn of the event loop, about a millisecond. Other requests run between turns. */
const SLICE = 4000

interface NearestOptions {
  readonly most: number
  /** The minimum cosine similarity of a result; 0 by default. */
  readonly minCosine?: number
  /** Only these connections are searched. */
  readonly among?: ReadonlySet<number> | undefined
  readonly signal?: AbortSignal
}

/**
 * Returns the IDs of the nearest connections, best first. A connection ranks by its nearest vector. Results have at least
 * the similarity `minCosine` and, if given, are in `among`. Ties are ordered by ID, so results are deterministic.
 */
export async function nearest(
  network: NetworkVectors,
  question: Float32Array,
  { most, minCosine = 0, among, signal }: NearestOptions,
): Promise<number[]> {
  if (question.length !== network.dimensions) return []
  const best: Near[] = []
  for (let from = 0; from < network.ids.length; from += SLICE) {
    if (from > 0) await nextTurn()
    signal?.throwIfAborted()
    const until = Math.min(from + SLICE, network.ids.length)
    for (let index = from; index < until; index += 1) {
      const id = network.ids[index] ?? 0
      if (among && !among.has(id)) continue
      const cosine = cosineOf(network, index, question)
      if (cosine >= minCosine) keepBest(best, { id, cosine }, most)
    }
  }
  return best.map(({ id }) => id)
}

interface Near {
  readonly id: number
  readonly cosine: number
}

function keepBest(best: Near[], near: Near, most: number): void {
  const least = best.length < most ? 0 : (best.at(-1)?.cosine ?? 0)
  if (near.cosine <= least) return
  let place = best.length
  while (place > 0 && (best[place - 1]?.cosine ?? 0) < near.cosine) place -= 1
  best.splice(place, 0, near)
  if (best.length > most) best.pop()
}

/** The highest similarity of the connection's vectors, or 0. */
function cosineOf(network: NetworkVectors, index: number, question: Float32Array): number {
  const { starts, dimensions, components, scales } = network
  const until = starts[index + 1] ?? 0
  let most = 0
  for (let vector = starts[index] ?? 0; vector < until; vector += 1) {
    const from = vector * dimensions
    let sum = 0
    for (let at = 0; at < dimensions; at += 1)
      sum += (components[from + at] ?? 0) * (question[at] ?? 0)
    most = Math.max(most, sum * (scales[vector] ?? 0))
  }
  return most
}

function scaleOf(components: Int8Array, from: number, dimensions: number): number {
  let square = 0
  for (let at = from; at < from + dimensions; at += 1) square += (components[at] ?? 0) ** 2
  return square === 0 ? 0 : 1 / Math.sqrt(square)
}
