/** Options of tests that need not run, or not as often, on both engines. */

import { TEST_ENGINE } from './store.ts'

/** For a test whose statements other tests run on PostgreSQL, in a file that has to run on both engines. */
export const onOneEngine = { skip: TEST_ENGINE !== 'sqlite' && 'does not depend on the engine' }

/**
 * The runs of a property about computed values, whose statements are the same in each run: all on SQLite, and a third on
 * PostgreSQL, where a run costs four times as much.
 */
export function runsOf(property: number): number {
  return TEST_ENGINE === 'sqlite' ? property : Math.ceil(property / 3)
}
