/** Options of tests that need not run, or not as often, on both engines or in every run. */

import { env } from 'node:process'
import { TEST_ENGINE } from './store.ts'

/**
 * For a test whose statements other tests run on PostgreSQL, in a file that has to run on both engines. With `--all`, it runs
 * on both, too.
 */
export const onOneEngine = {
  skip:
    TEST_ENGINE !== 'sqlite' &&
    env['WEFT_TEST_ALL'] === undefined &&
    'does not depend on the engine; --all runs it',
}

/**
 * The runs of a property about computed values, whose statements are the same in each run: all with `--all`, otherwise half
 * of them on SQLite, and a sixth on PostgreSQL.
 */
export function runsOf(all: number): number {
  if (env['WEFT_TEST_ALL'] !== undefined) return all
  return Math.ceil(TEST_ENGINE === 'sqlite' ? all / 2 : all / 6)
}
