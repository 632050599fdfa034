import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { KeyedSemaphore } from './keyed-semaphore.ts'
import { RequestError } from '../request-error.ts'

/** Work that ends on command. */
function work(semaphore: KeyedSemaphore<string>, started: string[]) {
  return (key: string, name = key, signal?: AbortSignal) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const done = semaphore.run(
      key,
      () => {
        started.push(name)
        return promise
      },
      signal,
    )
    return { done, end: resolve }
  }
}

/** Lets every promise that can settle do so. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('neither a key nor all keys together hold too many permits', async () => {
  const started: string[] = []
  const start = work(new KeyedSemaphore({ permits: 2, permitsPerKey: 1 }), started)
  const works = [start('a', 'a1'), start('a', 'a2'), start('b', 'b1'), start('c', 'c1')]
  await settled()
  assert.deepEqual(started, ['a1', 'b1'])
  for (const one of works) one.end()
  await Promise.all(works.map(({ done }) => done))
  assert.deepEqual(started.toSorted(), ['a1', 'a2', 'b1', 'c1'])
})

test('keys take turns, so a long queue of one key does not block the others', async () => {
  const started: string[] = []
  const start = work(new KeyedSemaphore({ permits: 1 }), started)
  const works = [start('a', 'a1'), start('a', 'a2'), start('a', 'a3'), start('b', 'b1')]
  works.push(start('b', 'b2'))
  for (const one of works) one.end()
  await Promise.all(works.map(({ done }) => done))
  assert.deepEqual(started, ['a1', 'b1', 'a2', 'b2', 'a3'])
})

test('when the queue of a key is full, further callers are rejected and other keys still wait', async () => {
  const started: string[] = []
  const start = work(new KeyedSemaphore({ permits: 1, waitingPerKey: 1 }), started)
  const works = [start('a'), start('a'), start('b')]
  await assert.rejects(start('a').done, (error) => {
    assert.ok(error instanceof RequestError)
    assert.deepEqual([error.code, error.status], ['rate_limited', 429])
    return (error.details.retryAfter ?? 0) > 0
  })
  for (const one of works) one.end()
  await Promise.all(works.map(({ done }) => done))
  assert.deepEqual(started, ['a', 'b', 'a'])
})

test('a caller that aborts while waiting frees its position in the queue and never starts', async () => {
  const started: string[] = []
  const start = work(new KeyedSemaphore({ permits: 1, waitingPerKey: 1 }), started)
  const first = start('a', 'first')
  const leaving = new AbortController()
  const gone = start('a', 'gone', leaving.signal)
  leaving.abort()
  await assert.rejects(gone.done, { name: 'AbortError' })
  const next = start('a', 'next')
  first.end()
  next.end()
  await Promise.all([first.done, next.done])
  assert.deepEqual(started, ['first', 'next'])
  await assert.rejects(start('a', 'late', leaving.signal).done, { name: 'AbortError' })
})

test('failed work releases its permit', async () => {
  const semaphore = new KeyedSemaphore<string>({ permits: 1 })
  await assert.rejects(
    semaphore.run('a', () => Promise.reject(new Error('no'))),
    /no/,
  )
  assert.equal(await semaphore.run('a', async () => 'yes'), 'yes')
})

test('for any sequence of arrivals and aborts, limits hold and all remaining callers are served', async () => {
  const call = fc.record({ key: fc.constantFrom('a', 'b', 'c'), leaves: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(
      fc.array(call, { maxLength: 30 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 3 }),
      async (calls, permits, permitsPerKey) => {
        const semaphore = new KeyedSemaphore<string>({ permits, permitsPerKey })
        const held: string[] = []
        const outcomes = calls.map(async ({ key, leaves }) => {
          const leaving = new AbortController()
          const running = semaphore.run(
            key,
            async () => {
              held.push(key)
              assert.ok(held.length <= permits)
              assert.ok(held.filter((one) => one === key).length <= permitsPerKey)
              await settled()
              held.splice(held.indexOf(key), 1)
            },
            leaving.signal,
          )
          if (leaves) setImmediate(() => leaving.abort())
          const [outcome] = await Promise.allSettled([running])
          assert.ok(leaves || outcome.status === 'fulfilled')
        })
        await Promise.all(outcomes)
        assert.deepEqual(held, [])
      },
    ),
    { numRuns: 50 },
  )
})
