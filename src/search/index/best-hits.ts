/** The best hits of a search, in the order of results. */

/** The position of a hit in the order of results: higher scores first, then lower IDs. */
export interface HitPosition {
  readonly score: number
  readonly connectionId: number
}

export interface SelectedHit extends HitPosition {
  /** The number of the person in the layout. */
  readonly at: number
  /** Whether every required word is a whole word of the name. */
  readonly isNamed: boolean
  /** A bit mask of the words of the query that it has. */
  readonly matched: number
  /** The share of the required words that it has, weighed by rarity. */
  readonly share: number
}

/** Keeps the best hits after a position, sorted, and counts all. */
export class BestHits {
  readonly hits: SelectedHit[] = []
  total = 0
  /** Whether anyone, on any page, has every required word as a whole word of their name. */
  isNamed = false
  /** Lower scores are not among the best. */
  floor = 0
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

  /** Counts a hit; returns whether it may be among the best, so that only those are described. */
  count(score: number, connectionId: number): boolean {
    this.total += 1
    const worst = this.#worst
    if (worst && compareTo(worst, score, connectionId) < 0) return false
    return !this.#after || compareTo(this.#after, score, connectionId) < 0
  }

  /** Adds a hit for which `count` was true. */
  add(hit: SelectedHit): void {
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
    if (hits.length < this.#limit) return
    this.#worst = hits.at(-1)
    this.floor = this.#worst?.score ?? 0
  }
}

/** Negative if the position comes before this score and ID, positive if after. */
function compareTo(position: HitPosition, score: number, connectionId: number): number {
  return score - position.score || position.connectionId - connectionId
}
