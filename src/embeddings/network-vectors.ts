/** The vectors of one member's network in memory, and nearest-neighbor search in them. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { unpackVectors } from './packed-vectors.ts'

export interface NetworkVectors {
  readonly dimensions: number
  readonly ids: readonly number[]
  /** For each vector, the index of its connection, ascending. */
  readonly owners: Int32Array
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
  const total = kept.reduce((sum, { count }) => sum + count, 0)
  const owners = new Int32Array(total)
  const components = new Int8Array(total * dimensions)
  const scales = new Float32Array(total)
  let vector = 0
  for (const [index, one] of kept.entries()) {
    if (index > 0 && index % SLICE === 0) await nextTurn()
    components.set(one.components, vector * dimensions)
    for (const until = vector + one.count; vector < until; vector += 1) {
      owners[vector] = index
      scales[vector] = scaleOf(components, vector * dimensions, dimensions)
    }
  }
  const ids = kept.map(({ connectionId }) => connectionId)
  return { dimensions, ids, owners, components, scales }
}

/** The approximate size in memory, in bytes. */
export function bytesOf({ components, scales, owners, ids }: NetworkVectors): number {
  return components.byteLength + scales.byteLength + owners.byteLength + 8 * ids.length
}

/** Connections or vectors per turn of the event loop, less than a millisecond. Other requests run between turns. */
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
  const { ids } = network
  const compared = vectorsOf(network, among)
  const { length } = compared ?? network.owners
  const cosines = new Float64Array(ids.length)
  for (let from = 0; from < length; from += SLICE) {
    if (from > 0) await nextTurn()
    signal?.throwIfAborted()
    const until = Math.min(from + SLICE, length)
    compareVectors(network, question, { compared, from, until }, cosines)
  }
  const best: Near[] = []
  for (let index = 0; index < cosines.length; index += 1) {
    const cosine = cosines[index] ?? 0
    if (cosine > 0 && cosine >= minCosine) keepBest(best, { id: ids[index] ?? 0, cosine }, most)
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

/** The vectors of some connections; undefined for all. */
function vectorsOf(
  { ids, owners }: NetworkVectors,
  among: ReadonlySet<number> | undefined,
): Int32Array | undefined {
  if (!among) return undefined
  const vectors: number[] = []
  for (const [vector, owner] of owners.entries())
    if (among.has(ids[owner] ?? 0)) vectors.push(vector)
  return Int32Array.from(vectors)
}

interface Compared {
  /** Undefined for all vectors. */
  readonly compared: Int32Array | undefined
  readonly from: number
  readonly until: number
}

/**
 * Raises the cosine of each connection to that of its nearest vector. Four vectors at a time, because their sums do not wait
 * for each other, and each component of the question is read once for all four.
 */
function compareVectors(
  { dimensions, owners, components, scales }: NetworkVectors,
  question: Float32Array,
  { compared, from, until }: Compared,
  cosines: Float64Array,
): void {
  const vectorAt = (index: number) => {
    // Comparing the last vector twice changes nothing.
    const at = Math.min(index, until - 1)
    return compared ? (compared[at] ?? 0) : at
  }
  const raise = (vector: number, sum: number) => {
    const owner = owners[vector] ?? 0
    cosines[owner] = Math.max(cosines[owner] ?? 0, sum * (scales[vector] ?? 0))
  }
  for (let index = from; index < until; index += 4) {
    const [one, two] = [vectorAt(index), vectorAt(index + 1)]
    const [three, four] = [vectorAt(index + 2), vectorAt(index + 3)]
    let [ofOne, ofTwo, ofThree, ofFour] = [0, 0, 0, 0]
    for (let at = 0; at < dimensions; at += 1) {
      const asked = question[at] ?? 0
      ofOne += (components[one * dimensions + at] ?? 0) * asked
      ofTwo += (components[two * dimensions + at] ?? 0) * asked
      ofThree += (components[three * dimensions + at] ?? 0) * asked
      ofFour += (components[four * dimensions + at] ?? 0) * asked
    }
    raise(one, ofOne)
    raise(two, ofTwo)
    raise(three, ofThree)
    raise(four, ofFour)
  }
}

function scaleOf(components: Int8Array, from: number, dimensions: number): number {
  let square = 0
  for (let at = from; at < from + dimensions; at += 1) square += (components[at] ?? 0) ** 2
  return square === 0 ? 0 : 1 / Math.sqrt(square)
}
