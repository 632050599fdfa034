/** The hits of a search, and which of them are the best. */

/** Added to the score of those who have all required words, and twice to that of those who have the words themselves. */
export const ALL_WORDS = 2 ** 40

/** The position of a hit in the order of results: higher scores first, then lower IDs. */
export interface HitPosition {
  readonly score: number
  readonly connectionId: number
}

export interface IndexHit extends HitPosition {
  /** The number of the person in the layout. */
  readonly at: number
  /** A bit mask of the words of the query that it has in some way. */
  readonly matched: number
  /** A bit mask of those that it has, in other words or another spelling, too. */
  readonly having: number
  /** A bit mask of those that it has themselves. */
  readonly certain: number
  /** Whether it has every required word itself. The only judge of it, for tools, pages and suggestions. */
  readonly isComplete: boolean
  /** The share of the required words among `matched`, weighed by rarity. */
  readonly share: number
}

/** How well someone matches, regardless of which words. */
export function scoreWithin({ score }: HitPosition): number {
  return score >= ALL_WORDS ? score % ALL_WORDS : score
}

/** Keeps the best hits after a position, sorted. */
export class BestHits {
  readonly hits: IndexHit[] = []
  readonly #limit: number
  readonly #after: HitPosition | null
  /** The last of the best, once there are enough. */
  #worst: HitPosition | undefined

  constructor(limit: number, after: HitPosition | null) {
    this.#limit = limit
    this.#after = after
  }

  /** Whether a hit with this score and ID would be among the best so far, apart from the position after which they are. */
  mayTake(score: number, connectionId: number): boolean {
    return this.#worst === undefined || compareTo(this.#worst, score, connectionId) >= 0
  }

  /** Whether a hit with this score and ID is among the best so far, so that only those are described. */
  takes(score: number, connectionId: number): boolean {
    if (!this.mayTake(score, connectionId)) return false
    return !this.#after || compareTo(this.#after, score, connectionId) < 0
  }

  /** Adds a hit for which `takes` was true. */
  add(hit: IndexHit): void {
    const { hits } = this
    if (hits.length === this.#limit) hits.pop()
    let [low, high] = [0, hits.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const there = hits[middle]
      if (there && compareTo(there, hit.score, hit.connectionId) < 0) low = middle + 1
      else high = middle
    }
    hits.splice(low, 0, hit)
    if (hits.length === this.#limit) this.#worst = hits.at(-1)
  }
}

/** Negative if the position comes before this score and ID, positive if after. */
function compareTo(position: HitPosition, score: number, connectionId: number): number {
  return score - position.score || position.connectionId - connectionId
}
