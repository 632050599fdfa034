/**
 * Runs short pieces of synchronous work on the main thread, at most some milliseconds per turn of the event loop. Requests
 * that arrive meanwhile are read between the turns. Keys take turns, so one with a hundred waiting pieces delays another
 * with one by at most one slice.
 */

/** Milliseconds per turn. */
const SLICE = 8

interface Piece {
  /** Never throws. */
  readonly run: () => void
}

export class TimeSlices<Key> {
  /** Milliseconds used in this turn. */
  #used = 0
  #isTurnScheduled = false
  /** Waiting pieces, in scheduling order. */
  readonly #waiting = new Map<Key, Piece[]>()
  readonly #now: () => number

  /** `now` returns milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Runs `work` now if this turn has time left, otherwise in a later turn. Rejects with what `work` throws. */
  run<T>(key: Key, work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = () => {
        const began = this.#now()
        try {
          resolve(work())
        } catch (error) {
          reject(error)
        }
        this.#used += this.#now() - began
      }
      if (this.#used < SLICE && this.#waiting.size === 0) run()
      else this.#enqueue(key, { run })
      this.#scheduleTurn()
    })
  }

  #enqueue(key: Key, piece: Piece): void {
    const pieces = this.#waiting.get(key)
    if (pieces) pieces.push(piece)
    else this.#waiting.set(key, [piece])
  }

  #scheduleTurn(): void {
    if (this.#isTurnScheduled) return
    this.#isTurnScheduled = true
    setImmediate(() => this.#startTurn())
  }

  #startTurn(): void {
    this.#isTurnScheduled = false
    this.#used = 0
    for (const [key, pieces] of this.#waiting) {
      if (this.#used >= SLICE) break
      const next = pieces.shift()
      this.#waiting.delete(key)
      // At the end, so that the other keys come first. The loop reaches it again.
      if (pieces.length > 0) this.#waiting.set(key, pieces)
      next?.run()
    }
    if (this.#waiting.size > 0) this.#scheduleTurn()
  }
}
