/** Waits for what another part of the program does in the background. */

import { setTimeout as sleep } from 'node:timers/promises'

const FIRST_PAUSE_MS = 5
const LONGEST_PAUSE_MS = 500

/**
 * Asks until `find` returns a value other than undefined and false. Pauses grow with the wait: without them, a slow machine
 * reaches a rate limit, which the fixed clock of a test never lifts. The test runner's timeout ends a wait without result.
 */
export async function until<T>(
  find: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(1.2 * pause, LONGEST_PAUSE_MS)) {
    const found = await find()
    if (found !== undefined && found !== false) return found
    await sleep(pause)
  }
}
