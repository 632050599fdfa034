/** Jobs as tasks, in every state. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Type from '../../base/type.ts'
import { CREDENTIAL } from '../../../test/fixtures/credential.ts'
import { createStore } from '../../../test/support/store.ts'
import { endJob, saveCheckpoint, type Outcome } from '../../jobs/job-lease.ts'
import { claimJob } from '../../jobs/claim-job.ts'
import { defineJob } from '../../jobs/job.ts'
import { startJob } from '../../jobs/start-job.ts'
import { createMember } from '../../members/member.ts'
import { NO_LIMITS } from '../../http/caller.ts'
import { jobTasks, startedTask } from './job-tasks.ts'
import type { ToolCaller } from './tool-caller.ts'

const COUNTING = defineJob({
  kind: 'counting',
  tool: 'whoami',
  title: 'Counting',
  description: 'Counts.',
  input: Type.Object({}),
  credits: 0,
  run: async () => null,
})

const PUBLIC_URL = 'https://weft.example'

/** Ada with one job that waits, and its task. */
async function createWorld() {
  const store = await createStore()
  const { database, clock } = store
  const { memberId } = await database.write((tx) =>
    createMember(tx, { username: 'ada', name: 'Ada Lovelace' }, clock.now()),
  )
  const start = { definition: COUNTING, input: {}, credentialId: null, charge: false, quota: 10 }
  const { job } = await database
    .member(memberId)
    .write((tx) => startJob(tx, { ...start, now: clock.now() }))
  const by = callerOf(memberId)
  let woken = 0
  const wake = () => void (woken += 1)
  const tasks = jobTasks({ database, clock, publicUrl: PUBLIC_URL, wake })
  const taskId = String(job.job_id)
  return {
    by,
    tasks,
    taskId,
    woken: () => woken,
    see: () => tasks.find(by, taskId),
    started: () => startedTask(store, { caller: by.caller, now: clock.now() }, { task_id: taskId }),
    /** Lets a worker claim it, report 3 of 10, and end it if `end` is given. */
    async run(outcome?: Outcome) {
      const claim = { worker: 'here', jobId: job.job_id, now: clock.now() }
      const hold = await claimJob(database, claim)
      assert.ok(hold)
      clock.advance(1000)
      await database.member(memberId).write(async (tx) => {
        const progress = { done: 3, total: 10, message: null }
        await saveCheckpoint(tx, hold, null, progress, clock.now())
        if (outcome) await endJob(tx, hold, outcome, clock.now())
      })
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

function callerOf(memberId: number): ToolCaller {
  return {
    caller: {
      memberId,
      username: 'ada',
      name: 'Ada Lovelace',
      timeZone: 'UTC',
      credential: CREDENTIAL,
      limits: NO_LIMITS,
    },
    requestId: 'req_1',
  }
}

test('a queued or running job is a working task with its progress and poll interval', async () => {
  await using world = await createWorld()
  const { taskId } = world
  const waiting = {
    taskId,
    status: 'working',
    createdAt: '2026-11-21T12:00:00.000Z',
    lastUpdatedAt: '2026-11-21T12:00:00.000Z',
    ttlMs: null,
    pollIntervalMs: 1000,
  }
  assert.deepEqual(await world.see(), waiting)
  assert.deepEqual(await world.started(), waiting)
  await world.run()
  assert.deepEqual(await world.see(), {
    ...waiting,
    statusMessage: '3 of 10',
    pollIntervalMs: 3000,
  })
})

test('a job that succeeded is a completed task with the result of the call', async () => {
  await using world = await createWorld()
  await world.run({ state: 'succeeded', result: { counted: 3 } })
  const task = await world.see()
  assert.equal(task?.status, 'completed')
  assert.equal(task.lastUpdatedAt, '2026-11-21T12:00:01.000Z')
  const structuredContent = {
    task_id: world.taskId,
    state: 'succeeded',
    terminal: true,
    poll: `${PUBLIC_URL}/api/jobs/${world.taskId}`,
    retry_after_s: 0,
    result: { counted: 3 },
  }
  assert.deepEqual(task.result, {
    content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
    structuredContent,
  })
})

test('a job with invalid input is a failed call; a job with an internal error is a failed task', async () => {
  {
    await using world = await createWorld()
    const error = { code: 'unreadable_file', title: 'Unreadable', detail: 'No contacts in it.' }
    await world.run({ state: 'failed', error })
    const task = await world.see()
    assert.equal(task?.status, 'completed')
    const told = { code: 'unreadable_file', message: 'No contacts in it.' }
    assert.deepEqual(task.result, {
      content: [{ type: 'text', text: JSON.stringify({ error: told }) }],
      isError: true,
      _meta: { 'weft/error': told },
    })
  }
  await using world = await createWorld()
  const error = { code: 'internal', title: 'Ours', detail: 'It broke three times.' }
  await world.run({ state: 'failed', error })
  const task = await world.see()
  assert.equal(task?.status, 'failed')
  assert.deepEqual(task.error, { code: -32603, message: 'It broke three times.' })
})

test('canceling ends a queued job and wakes the worker of a running one', async () => {
  {
    await using world = await createWorld()
    assert.equal(await world.tasks.cancel(world.by, world.taskId), true)
    assert.equal((await world.see())?.status, 'cancelled')
    assert.equal(world.woken(), 0)
  }
  await using world = await createWorld()
  await world.run()
  assert.equal(await world.tasks.cancel(world.by, world.taskId), true)
  assert.equal(world.woken(), 1)
})

test('another member does not find the task', async () => {
  await using world = await createWorld()
  const stranger = callerOf(world.by.caller.memberId + 1)
  assert.equal(await world.tasks.find(stranger, world.taskId), undefined)
  assert.equal(await world.tasks.cancel(stranger, world.taskId), false)
  assert.equal(await world.tasks.update(stranger, world.taskId, {}), false)
  assert.equal((await world.see())?.status, 'working')
})
