/** Who asked how often in a fixed window, in bounded memory. */

/** Begins with the first request of a key; until it ends, all of them are counted in it. */
export interface FixedWindow {
  /** Requests so far. */
  used: number
  /** Milliseconds since 1970. */
  readonly endsAt: number
}

/** Finds the window of a key that `now` falls into, or begins it. */
export type FindWindow = (key: string, now: number) => FixedWindow

/**
 * Windows of `length` milliseconds in two generations of at most `mostKeys`. A window that is asked for is in the
 * younger one; when that is full or a whole length old it becomes the older one, and what the older one held is
 * forgotten. So nothing is swept, and a flood of new keys displaces those first that have not asked for longest:
 * whoever keeps asking stays counted.
 */
export function fixedWindows(length: number, mostKeys: number): FindWindow {
  let younger = new Map<string, FixedWindow>()
  let older = new Map<string, FixedWindow>()
  let turnsAt = 0
  const makeRoom = (now: number) => {
    if (younger.size < mostKeys && isWithin(turnsAt, now, length)) return
    older = younger
    younger = new Map()
    turnsAt = now + length
  }
  return (key, now) => {
    const young = younger.get(key)
    if (young && isWithin(young.endsAt, now, length)) return young
    const old = older.get(key)
    const found = old && isWithin(old.endsAt, now, length) ? old : { used: 0, endsAt: now + length }
    makeRoom(now)
    younger.set(key, found)
    return found
  }
}

/** A clock that is set back must leave nobody in a window that ends in an hour. */
function isWithin(end: number, now: number, length: number): boolean {
  return now < end && end - now <= length
}
