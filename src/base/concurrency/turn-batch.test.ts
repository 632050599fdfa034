import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from 'node:test'
import { atEndOfTurn } from './turn-batch.ts'

test('one item in a turn runs at once', async () => {
  const runs: string[] = []
  const { add } = atEndOfTurn((name: string) => runs.push(name))
  add('a')
  assert.deepEqual(runs, ['a'])
  await nextTurn()
  add('b')
  assert.deepEqual(runs, ['a', 'b'])
})

test('what arrives after others runs in order at the end of the turn, and proceeds in step', async () => {
  const steps: string[] = []
  const { add } = atEndOfTurn((name: string) => {
    steps.push(`${name} starts`)
    void Promise.resolve().then(() => steps.push(`${name} continues`))
  })
  add('a')
  add('b')
  add('c')
  assert.deepEqual(steps, ['a starts'])
  await nextTurn()
  assert.deepEqual(steps.slice(2), ['b starts', 'c starts', 'b continues', 'c continues'])
})

test('after a turn with several items, the first of the next turn waits for the others', async () => {
  const runs: string[] = []
  const { add } = atEndOfTurn((name: string) => runs.push(name))
  add('a')
  add('b')
  await nextTurn()
  add('c')
  assert.deepEqual(runs, ['a', 'b'])
  await nextTurn()
  add('d')
  assert.deepEqual(runs, ['a', 'b', 'c', 'd'])
})

test('what arrives while a batch runs belongs to the next one', async () => {
  const runs: string[] = []
  const { add } = atEndOfTurn((name: string) => {
    runs.push(name)
    if (name === 'b') add('d')
  })
  add('a')
  add('b')
  add('c')
  await nextTurn()
  assert.deepEqual(runs, ['a', 'b', 'c'])
  await nextTurn()
  assert.deepEqual(runs, ['a', 'b', 'c', 'd'])
})

test('a crowd is spread over turns in the order of arrival, and later items wait behind it', async () => {
  const runs: number[] = []
  const { add } = atEndOfTurn((nth: number) => runs.push(nth))
  for (let nth = 0; nth < 80; nth++) add(nth)
  const after: number[] = []
  for (let turn = 0; turn < 3; turn++) {
    await nextTurn()
    after.push(runs.length)
    if (turn === 0) add(80)
  }
  // The first runs at once.
  assert.deepEqual(after, [33, 65, 81])
  assert.deepEqual(
    runs,
    Array.from({ length: 81 }, (_, nth) => nth),
  )
})

test('a turn in which a connection was accepted is short', async () => {
  const runs: number[] = []
  const { add, shortenTurn } = atEndOfTurn((nth: number) => runs.push(nth))
  for (let nth = 0; nth < 20; nth++) add(nth)
  const after: number[] = []
  for (const accepts of [true, true, false, true]) {
    if (accepts) shortenTurn()
    await nextTurn()
    after.push(runs.length)
  }
  assert.deepEqual(after, [3, 5, 20, 20])
})

test('each item runs in the context in which it arrived', async () => {
  const context = new AsyncLocalStorage<string>()
  const seen: unknown[] = []
  const { add } = atEndOfTurn((name: string) => seen.push([name, context.getStore()]))
  for (const name of ['a', 'b', 'c']) context.run(name, () => add(name))
  await nextTurn()
  assert.deepEqual(seen, [
    ['a', 'a'],
    ['b', 'b'],
    ['c', 'c'],
  ])
})
