/**
 * Property tests draw the same values in every run, so that a failure is caused by the change
 * under test. `WEFT_TEST_SEED` draws others; test/run.ts turns `random` into a number and prints it.
 */

import { env } from 'node:process'
import { configureGlobal } from 'fast-check'

const SEED = 20_261_122

export function seedPropertyTests(): void {
  const given = env['WEFT_TEST_SEED'] ?? ''
  const seed = given === '' ? SEED : Number(given)
  if (!Number.isSafeInteger(seed)) throw new Error('WEFT_TEST_SEED must be an integer')
  configureGlobal({ seed })
}
