/** A few odd files must not hold up the imports of others: every reader of contact files takes linear time. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FILES, readFile } from './support/growing-files.ts'
import { superlinear } from './support/growth.ts'

const MODULE = new URL('./support/growing-files.ts', import.meta.url).href

/** Generous: what is asserted is how the time grows. */
const TIMEOUT_MS = 1_800_000

for (const [name, make] of FILES)
  test(`${name}: the file is read to its end`, async () => {
    assert.ok((await readFile(make(3))) > 0)
  })

test(
  'no reader of contact files takes more than linear time',
  { timeout: TIMEOUT_MS },
  async () => {
    assert.deepEqual(await superlinear({ module: MODULE, names: [...FILES.keys()] }, ['x']), [])
  },
)
