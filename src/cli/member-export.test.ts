/** weft member export, run in the test process and stopped early. */

import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { createSeparateStore } from '../../test/support/store.ts'
import { createMember } from '../members/member.ts'
import { runProgram } from './program.ts'

test('a stopped export says so and leaves no incomplete file', async () => {
  await using store = await createSeparateStore()
  const fields = { username: 'ada', name: 'Ada Lovelace' }
  await store.database.write((tx) => createMember(tx, fields, store.clock.now()))
  const before = await readdir(store.folder)
  const stderr = new PassThrough()
  const code = await runProgram(
    ['node', 'weft', 'member', 'export', 'ada', '--to', join(store.folder, 'ada.zip')],
    {
      environment: { WEFT_DATABASE: store.address },
      stdin: Readable.from([]),
      stdout: new PassThrough(),
      stderr,
      onStop: (stop) => stop('SIGINT'),
    },
  )
  assert.equal(code, 130)
  assert.match(await text(stderr.end()), /was stopped\. .*ada\.zip was not written/)
  assert.deepEqual(await readdir(store.folder), before)
})
