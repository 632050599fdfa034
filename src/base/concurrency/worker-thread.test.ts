import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ThreadTask } from '../../../test/fixtures/answering-thread.ts'
import { ThreadPool } from './thread-pool.ts'
import { ThreadLimitExceeded, WorkerThread } from './worker-thread.ts'

const MODULE = '../../../test/fixtures/answering-thread'

function startThread(heapMebibytes?: number) {
  const heap = heapMebibytes === undefined ? {} : { heapMebibytes }
  return new WorkerThread(import.meta.url, MODULE, { data: 'hello', ...heap })
}

interface Message {
  readonly answer?: string
  readonly report?: string
}

const ANSWER = { receive: ({ answer }: Message) => answer }

function ask(thread: WorkerThread, task: ThreadTask, timeLimitMs?: number): Promise<string> {
  return thread.ask(task, { ...ANSWER, ...(timeLimitMs !== undefined && { timeLimitMs }) })
}

test('a thread has its data and answers one question after another', async () => {
  const thread = startThread()
  assert.equal(await ask(thread, 'answer'), 'hello')
  assert.equal(thread.asked, 0)
  assert.equal(await ask(thread, 'report'), 'whole')
  assert.ok(thread.isRunning)
  await thread.end()
  assert.equal(thread.isRunning, false)
})

for (const task of ['loop', 'backtrack'] as const)
  test(`a thread that never ends is ended after the time limit: ${task}`, async () => {
    const thread = startThread()
    await ask(thread, 'answer')
    const answers = [ask(thread, task, 100), ask(thread, 'answer')]
    for (const answer of answers)
      await assert.rejects(answer, (error) => {
        assert.ok(error instanceof ThreadLimitExceeded)
        assert.match(error.message, /^The computation took longer than 0.1 seconds, so it was/)
        return error.code === 'unavailable'
      })
    await thread.ended
  })

test('a thread that fills its heap ends alone, with the limit as the reason', async () => {
  await assert.rejects(ask(startThread(16), 'fill'), {
    name: 'RequestError',
    reason: 'needed more memory than it may use',
  })
})

test('everyone who waits for a thread gets the reason why it ended', async () => {
  const failing = startThread()
  await assert.rejects(ask(failing, 'throw'), { name: 'TypeError', message: 'broken' })
  await assert.rejects(ask(failing, 'answer'), { message: 'broken' })
  const leaving = new AbortController()
  const signal = leaving.signal
  const stopped = startThread()
  const answers = [stopped.ask('loop', { ...ANSWER, signal }), ask(stopped, 'answer')]
  leaving.abort(new Error('gone'))
  for (const answer of answers) await assert.rejects(answer, { message: 'gone' })
  await assert.rejects(startThread().ask('answer', { ...ANSWER, signal }), { message: 'gone' })
  const closing = startThread()
  await assert.rejects(ask(closing, 'close'), { message: `the thread ${MODULE} ended` })
  await closing.close()
})

test('a pool gives a thread to one caller at a time, and keeps only as many idle ones as it may', async () => {
  let started = 0
  const pool = new ThreadPool(
    () => {
      started += 1
      return startThread()
    },
    { idleTimeoutMs: 60_000, maxIdle: 1 },
  )
  const [one, other] = [pool.take(), pool.take()]
  assert.notEqual(one, other)
  pool.give(one)
  pool.give(other)
  await other.ended
  assert.equal(pool.take(), one)
  const ending = one.end()
  pool.give(one)
  assert.notEqual(pool.take(), one)
  await ending
  assert.equal(started, 3)
  await pool.close()
})

test('a pool ends a thread that no one needs', async () => {
  const pool = new ThreadPool(startThread, { idleTimeoutMs: 1, maxIdle: 1 })
  const thread = pool.take()
  pool.give(thread)
  await thread.close()
  assert.notEqual(pool.take(), thread)
  await pool.close()
})
