import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAhead } from './read-ahead.ts'

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

test('every value comes once and in order, and the next one is read before it is asked for', async () => {
  const read: number[] = []
  const seen: number[][] = []
  for await (const value of readAhead(numbered(3, read))) seen.push([value, ...read])
  assert.deepEqual(seen, [
    [1, 1, 2],
    [2, 1, 2, 3],
    [3, 1, 2, 3, 0],
  ])
})

test('an error comes after the values before it', async () => {
  const seen: number[] = []
  const failure = new Error('damaged')
  await assert.rejects(async () => {
    for await (const value of readAhead(numbered(2, [], failure))) seen.push(value)
  }, failure)
  assert.deepEqual(seen, [1, 2])
})

test('a caller that stops ends the reading', async () => {
  const read: number[] = []
  for await (const _ of readAhead(numbered(9, read))) break
  assert.deepEqual(read, [1, 2, 0])
})
