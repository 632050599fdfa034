import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ReadAhead } from './read-ahead.ts'

async function* numbered(last: number, read: number[], failure?: Error) {
  try {
    for (let next = 1; next <= last; next += 1) {
      read.push(next)
      yield next
    }
    if (failure) throw failure
  } finally {
    read.push(0)
  }
}

const any = () => true

test('every value comes once and in order, and the next one is read before it is asked for', async () => {
  const read: number[] = []
  await using values = new ReadAhead(numbered(3, read))
  const seen: number[][] = []
  for (let value = await values.take(); value !== undefined; value = await values.take())
    seen.push([value, ...read])
  assert.deepEqual(seen, [
    [1, 1, 2],
    [2, 1, 2, 3],
    [3, 1, 2, 3, 0],
  ])
  assert.equal(await values.take(), undefined)
})

test('a value is ready once it has been read, and stays if it is not wanted', async () => {
  await using values = new ReadAhead(numbered(2, []))
  assert.equal(values.takeReady(any), undefined)
  await nextTurn()
  assert.equal(
    values.takeReady((value) => value !== 1),
    undefined,
  )
  assert.equal(values.takeReady(any), 1)
  assert.equal(values.takeReady(any), undefined)
  await nextTurn()
  assert.equal(await values.take(), 2)
  await nextTurn()
  assert.equal(values.takeReady(any), undefined)
})

test('an error comes after the values before it', async () => {
  const failure = new Error('damaged')
  await using values = new ReadAhead(numbered(2, [], failure))
  assert.equal(await values.take(), 1)
  await nextTurn()
  assert.equal(values.takeReady(any), 2)
  await nextTurn()
  assert.equal(values.takeReady(any), undefined)
  await assert.rejects(values.take(), failure)
})

test('a caller that stops ends the reading', async () => {
  const read: number[] = []
  {
    await using values = new ReadAhead(numbered(9, read))
    await values.take()
  }
  assert.deepEqual(read, [1, 2, 0])
})
