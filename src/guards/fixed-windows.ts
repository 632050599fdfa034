/** Fixed-window request counters in bounded memory. */

/** Begins with the first request of a key and counts all requests until it ends. */
export interface FixedWindow {
  /** Requests counted so far. */
  used: number
  /** Milliseconds since 1970. At most one window length after now. */
  endsAt: number
}

/** Returns the key's current window, or starts a new one. */
export type FindWindow = (key: string, now: number) => FixedWindow

/**
 * Windows of `length` milliseconds in two generations of at most `maxKeys` each. Every lookup moves a window to the
 * younger generation. When that is full, or is one window length old, it becomes the older generation and the previous
 * older one is dropped. This needs no sweep. Under a flood of new keys, the least recently used keys are dropped first,
 * so active clients stay counted.
 */
export function fixedWindows(length: number, maxKeys: number): FindWindow {
  let younger = new Map<string, FixedWindow>()
  let older = new Map<string, FixedWindow>()
  let turnsAt = 0
  const makeRoom = (now: number) => {
    if (younger.size < maxKeys && isWithin(turnsAt, now, length)) return
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

/** If the clock is set back, no key may stay in a window that ends too far in the future. */
function isWithin(end: number, now: number, length: number): boolean {
  return now < end && end - now <= length
}
