/** Repeats transactions after conflicts. */

import { setTimeout as sleep } from 'node:timers/promises'
import { isSerializationConflict, translateConflict } from './failures.ts'

/** Maximum attempts of a transaction that conflicts with another. */
const MAX_ATTEMPTS = 5
/** Milliseconds, multiplied by the attempt and a random factor, so that the same transactions do not collide again. */
const ATTEMPT_PAUSE = 10

/** Repeats a transaction that lost a conflict, which rolled it back completely. */
export async function retryConflicts<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      if (!isSerializationConflict(error)) throw error
      if (attempt === MAX_ATTEMPTS) throw translateConflict(error)
      await sleep(ATTEMPT_PAUSE * attempt * Math.random())
    }
  }
}
