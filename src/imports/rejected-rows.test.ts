import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../../test/fixtures/network.ts'
import { collect } from '../../test/fixtures/reading.ts'
import { storeText } from '../jobs/store-upload.ts'
import { rejectedRows } from './rejected-rows.ts'

const NAMELESS = [2, 3, 5, 6, 8]

test('rejected rows are read in steps, each row once and in order', async () => {
  await using world = await createWorld()
  const { db } = await world.join()
  const rows = Array.from({ length: 8 }, (_, at) =>
    NAMELESS.includes(at + 1) ? ',Captain' : `Person ${at},Captain`,
  )
  const text = ['Name,Title', ...rows].join('\n')
  const about = { filename: null, contentType: 'text/plain', text, now: world.clock.now() }
  const { upload_id: uploadId } = await db.write((tx) => storeText(tx, about))
  const { signal } = new AbortController()
  for (const most of [1, 2, 5, 100]) {
    const steps = await collect(rejectedRows(db, { uploadId, reading: {}, most }, signal))
    assert.deepEqual(
      steps.flat().map(({ row }) => row),
      NAMELESS,
    )
    assert.ok(steps.every((step) => step.length <= most))
  }
})
