/** Options of tests that need not run, or not as often, on both engines. */

import { TEST_ENGINE } from './store.ts'

/** For a test whose statements other tests run on PostgreSQL, in a file that has to run on both engines. */
export const onOneEngine = { skip: TEST_ENGINE !== 'sqlite' && 'does not depend on the engine' }

/**
 * The runs of a property about computed values, whose statements are the same in each run: all on SQLite, and a third on
 * PostgreSQL.
 */
export function runsOf(onSqlite: number): number {
  return TEST_ENGINE === 'sqlite' ? onSqlite : Math.ceil(onSqlite / 3)
}
