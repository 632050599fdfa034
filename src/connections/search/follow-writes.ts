/**
 * Keeps the search index of a large network close to current while its member writes without searching, so that the next
 * search does not wait until thousands of changes are indexed.
 */

import type { Database } from '../../db/database.ts'
import type { OnCalled } from '../../tools/metered-call.ts'

/** Successful writes of a member between two checks: a quarter of the changes that are remembered. */
export const CALLS_BETWEEN_CHECKS = 256

/** Counts the writes of each member in this process. The caller leaves out reads. */
export function followWrites(database: Pick<Database, 'member'>, minPeople?: number): OnCalled {
  const calls = new Map<number, number>()
  return ({ memberId, outcome }) => {
    if (outcome !== 'ok') return
    const count = (calls.get(memberId) ?? 0) + 1
    if (count < CALLS_BETWEEN_CHECKS) {
      calls.set(memberId, count)
      return
    }
    calls.delete(memberId)
    // The next search tries again.
    import('./network-index.ts')
      .then(({ followIndex }) => followIndex(database.member(memberId), minPeople))
      .catch(() => {})
  }
}
