/** Files in which half of the rows are damaged: each row is read correctly or reported, and no row affects another. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAMAGED_FORMATS, damagedFile, readDamaged } from '../../test/support/damaged-files.ts'

for (const format of DAMAGED_FORMATS)
  test(`no row of a damaged ${format} file is lost or misread`, async () => {
    const { outcomes, problems } = await readDamaged(damagedFile(format, 600, 7))
    assert.deepEqual(problems, [])
    for (const count of Object.values(outcomes)) assert.ok(count >= 10, JSON.stringify(outcomes))
  })
