/** The vectors of one member's network in memory, and nearest-neighbor search in them. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { dotProducts, queryVectorOf, type QueryVector } from './dot-products.ts'
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

/** Connections per turn of the event loop, less than a millisecond. Other requests run between turns. */
const SLICE = 4000
/** Components that are compared at a time, and per turn of the event loop. */
const BLOCK = 128 * 1024
const BLOCKS_PER_TURN = 16

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
  const compared = vectorsOf(network, among)
  const { length } = compared ?? network.owners
  const best = new Nearest(network, most, minCosine)
  const asked = queryVectorOf(question)
  const size = Math.max(1, Math.floor(BLOCK / network.dimensions))
  for (let from = 0, blocks = 1; from < length; from += size, blocks += 1) {
    if (blocks % BLOCKS_PER_TURN === 0) await nextTurn()
    signal?.throwIfAborted()
    compareVectors(network, asked, { compared, from, until: Math.min(from + size, length) }, best)
  }
  return best.finish()
}

interface Near {
  readonly id: number
  readonly cosine: number
}

/** Keeps the nearest connections. Vectors are added by connection, in ascending order. */
class Nearest {
  readonly #network: NetworkVectors
  readonly #most: number
  readonly #minCosine: number
  readonly #best: Near[] = []
  /** Results from now on have a higher one. */
  #floor = 0
  #owner = 0
  /** Cosine of the nearest vector of this owner. */
  #cosine = 0

  constructor(network: NetworkVectors, most: number, minCosine: number) {
    this.#network = network
    this.#most = most
    this.#minCosine = minCosine
  }

  add(vector: number, product: number): void {
    const { owners, scales } = this.#network
    const owner = owners[vector] ?? 0
    const cosine = product * (scales[vector] ?? 0)
    if (owner === this.#owner) {
      this.#cosine = Math.max(this.#cosine, cosine)
      return
    }
    this.#keep()
    this.#owner = owner
    this.#cosine = cosine
  }

  /** The IDs, nearest first. */
  finish(): number[] {
    this.#keep()
    return this.#best.map(({ id }) => id)
  }

  #keep(): void {
    // A cosine is no number if an endpoint returned none.
    if (!(this.#cosine > this.#floor && this.#cosine >= this.#minCosine)) return
    const best = this.#best
    const near = { id: this.#network.ids[this.#owner] ?? 0, cosine: this.#cosine }
    let place = best.length
    while (place > 0 && (best[place - 1]?.cosine ?? 0) < near.cosine) place -= 1
    best.splice(place, 0, near)
    if (best.length > this.#most) best.pop()
    if (best.length === this.#most) this.#floor = best.at(-1)?.cosine ?? 0
  }
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

function compareVectors(
  { dimensions, components }: NetworkVectors,
  question: QueryVector,
  { compared, from, until }: Compared,
  best: Nearest,
): void {
  let vectors = components.subarray(from * dimensions, until * dimensions)
  if (compared) {
    vectors = new Int8Array(vectors.length)
    for (let index = from; index < until; index += 1) {
      const start = (compared[index] ?? 0) * dimensions
      vectors.set(components.subarray(start, start + dimensions), (index - from) * dimensions)
    }
  }
  const products = dotProducts(question, vectors)
  for (let index = from; index < until; index += 1) {
    const vector = compared ? (compared[index] ?? 0) : index
    best.add(vector, (products[index - from] ?? 0) * question.unit)
  }
}

function scaleOf(components: Int8Array, from: number, dimensions: number): number {
  let square = 0
  for (let at = from; at < from + dimensions; at += 1) square += (components[at] ?? 0) ** 2
  return square === 0 ? 0 : 1 / Math.sqrt(square)
}
