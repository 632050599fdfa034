import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from 'node:test'
import { createLog } from '../../base/log.ts'
import { requestCancel, startJob } from '../../jobs/start-job.ts'
import { JobWorker } from '../../jobs/worker.ts'
import { undoTool } from '../../tools/undo.tool.ts'
import { linkedinCsv } from '../../../test/support/invented.ts'
import { fileImportJob } from './file-import.job.ts'
import { listConnectionsTool } from '../search/list-connections.tool.ts'
import { createWorld, type Acting } from '../../../test/fixtures/network.ts'
import { importUndoer } from './undo-import.ts'
import type { ToolOutcome } from '../../tools/tool-outcome.ts'
import type { PageOfConnections } from '../search/connection-page.ts'

const undo = undoTool({ undoers: [importUndoer] })

/** Many batches, so that the import is still running after the first progress report. */
const ROWS = 12_000

async function isEmpty(member: Acting): Promise<boolean> {
  const { connections } = await member.ask<PageOfConnections>(listConnectionsTool)
  return connections.length === 0
}

test('a stopped import is in the activity log and can be undone once it no longer runs', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const { database, clock } = world
  const { db } = member
  const now = clock.now()
  const { job } = await db.write((tx) =>
    startJob(tx, {
      definition: fileImportJob,
      input: { content: [...linkedinCsv(ROWS, 1)].join('') },
      credentialId: null,
      charge: false,
      quota: 0,
      now,
    }),
  )
  const jobs = [fileImportJob]
  await using worker = new JobWorker({ database, jobs, clock, log: createLog('silent') })
  let stopping: Promise<ToolOutcome> | undefined
  const stop = async () => {
    while (await isEmpty(member)) await nextTurn() // the first progress is reported before its commit
    const early = await member.call(undo, { activity_id: 'a_1' })
    await db.write((tx) => requestCancel(tx, job.job_id, now))
    return early
  }
  const ended = await worker.runToEnd(db.memberId, job.job_id, () => {
    stopping ??= stop()
  })
  const early = await stopping
  assert.equal(early?.ok, false)
  assert.equal(early.error.code, 'conflict')
  assert.match(early.error.message, /still running/)
  assert.equal(ended.state, 'cancelled')
  assert.equal(await isEmpty(member), false)
  await member.ask(undo, { activity_id: 'a_1' })
  assert.equal(await isEmpty(member), true)
})
