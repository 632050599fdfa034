/** Waits for what another part of the program does in the background. */

import { setTimeout as sleep } from 'node:timers/promises'

const FIRST_PAUSE_MS = 5
const LONGEST_PAUSE_MS = 500
/** Many times what the slowest machine needs. */
const PATIENCE_MS = 240_000

/**
 * Asks until `find` returns a value other than undefined and false. Pauses grow with the wait: without them, a slow machine
 * reaches a rate limit, which the fixed clock of a test never lifts. A wait without result fails long before the test runner's
 * timeout, so that the other tests still run.
 */
export async function until<T>(
  find: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  let pause = FIRST_PAUSE_MS
  for (let waited = 0; waited < PATIENCE_MS; waited += pause) {
    const found = await find()
    if (found !== undefined && found !== false) return found
    pause = Math.min(1.2 * pause, LONGEST_PAUSE_MS)
    await sleep(pause)
  }
  throw new Error(`waited ${PATIENCE_MS / 1000} s without a result for ${find.toString()}`)
}
