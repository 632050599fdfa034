import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSharedWorld } from '../../test/fixtures/network.ts'
import { bytesOf, readWhole } from '../../test/fixtures/reading.ts'
import { RECENT_EXPORTS } from '../../test/fixtures/contact-files/recent-exports.ts'

test('importing the exports of many programs again changes nothing', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const files = await Promise.all(
    RECENT_EXPORTS.map(({ text }) => readWhole(typeof text === 'string' ? bytesOf(text) : text)),
  )
  for (const [index, { contacts, format }] of files.entries())
    await member.import(contacts, { source: format, jobId: index + 1 })
  const again = []
  for (const [index, { contacts, format }] of files.entries())
    again.push(...(await member.import(contacts, { source: format, jobId: files.length + index })))
  assert.ok(again.length > 40)
  assert.deepEqual(new Set(again), new Set(['unchanged']))
})
