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

test('under node --watch, the modules that a thread imports are not taken for its answer', async (context) => {
  process.env['WATCH_REPORT_DEPENDENCIES'] = '1'
  context.after(() => delete process.env['WATCH_REPORT_DEPENDENCIES'])
  const thread = startThread()
  assert.deepEqual(await thread.ask('answer', { receive: (message) => message }), {
    answer: 'hello',
  })
  await thread.end()
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

test('a computation that takes too much CPU time ends its thread, one that waits does not', async () => {
  const thread = startThread()
  const looping = thread.ask('loop', { ...ANSWER, cpuLimitMs: 50 })
  await assert.rejects(looping, { reason: 'took longer than 0.05 seconds' })
  const idle = startThread()
  const waiting = idle.ask('wait', { receive: () => undefined, cpuLimitMs: 60_000 })
  await idle.ask('answer', ANSWER)
  await idle.end(new Error('enough'))
  await assert.rejects(waiting, { message: 'enough' })
})

test('a pool has at most so many threads, one per key, and gives them to the next computation', async () => {
  let started = 0
  const start = () => {
    started += 1
    return startThread()
  }
  const pool = new ThreadPool<string>(start, { size: 2, idleTimeoutMs: 60_000 })
  const order: string[] = []
  const run = (key: string) =>
    pool.run(key, async (thread) => {
      order.push(key)
      assert.equal(await ask(thread, 'answer'), 'hello')
    })
  await Promise.all(['a', 'a', 'a', 'b', 'c'].map(run))
  assert.deepEqual([started, order.slice(0, 3)], [2, ['a', 'b', 'c']])
  assert.deepEqual(pool.usage, { size: 2, used: 0, waiting: 0 })
  await pool.close()
})

test('a pool replaces a thread that has ended, and keeps only as many idle ones as it may', async () => {
  const pool = new ThreadPool<string>(startThread, { size: 2, idleTimeoutMs: 60_000, maxIdle: 1 })
  const [one, other] = [await pool.take('a'), await pool.take('b')]
  await one[Symbol.asyncDispose]()
  await other[Symbol.asyncDispose]()
  assert.equal(other.thread.isRunning, false)
  const again = await pool.take('b')
  assert.equal(again.thread, one.thread)
  const ending = again.thread.end()
  await again[Symbol.asyncDispose]()
  await ending
  await using last = await pool.take('b')
  assert.notEqual(last.thread, one.thread)
  await pool.close()
})

test('a pool ends a thread that no one needs', async () => {
  const pool = new ThreadPool<string>(startThread, { size: 1, idleTimeoutMs: 1 })
  const { thread } = await pool.run('a', async (taken) => ({ thread: taken }))
  await thread.close()
  await using next = await pool.take('a')
  assert.notEqual(next.thread, thread)
  await pool.close()
})
