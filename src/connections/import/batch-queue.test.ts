import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { contact } from '../../../test/fixtures/network.ts'
import { BatchQueue } from './batch-queue.ts'
import type { ImportRow } from '../model/contact.ts'

const PHOTO = { photoId: 'x', mediaType: 'image/png' as const, bytes: new Uint8Array(1) }

function batch(row: number, hasPhoto = false): ImportRow[] {
  const plain = { row, line: row, contact: contact({ name: `Person ${row}` }) }
  return [hasPhoto ? { ...plain, photo: PHOTO } : plain]
}

/** The rows of one transaction's batches. The next batch is read before the transaction continues. */
async function rowsOf(queue: BatchQueue): Promise<number[]> {
  const rows: number[] = []
  for (const one of queue) {
    rows.push(...one.map(({ row }) => row))
    await nextTurn()
  }
  return rows
}

test('transactions get the batches in order, and one with photos is alone', async () => {
  async function* batches() {
    for (const row of [1, 2, 3, 4]) yield batch(row)
    for (const row of [5, 6]) yield batch(row, true)
    yield batch(7)
  }
  await using queue = new BatchQueue(batches(), 3)
  const transactions: number[][] = []
  for (let first = await queue.first(); first; first = await queue.first()) {
    await nextTurn()
    const rows = await rowsOf(queue)
    queue.remove(rows.length)
    transactions.push(rows)
  }
  assert.deepEqual(transactions, [[1, 2, 3], [4], [5], [6], [7]])
})

test('a transaction that is retried gets the same batches, and the next one those that were not saved', async () => {
  async function* batches() {
    for (const row of [1, 2, 3]) yield batch(row)
  }
  await using queue = new BatchQueue(batches())
  await queue.first()
  await nextTurn()
  assert.deepEqual(
    [await rowsOf(queue), await rowsOf(queue)],
    [
      [1, 2, 3],
      [1, 2, 3],
    ],
  )
  queue.remove(2)
  assert.equal((await queue.first())?.[0]?.row, 3)
  assert.deepEqual(await rowsOf(queue), [3])
})

test('a transaction does not wait for a batch that is still being read', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  async function* batches() {
    yield batch(1)
    await promise
    yield batch(2)
  }
  await using queue = new BatchQueue(batches())
  await queue.first()
  assert.deepEqual(await rowsOf(queue), [1])
  queue.remove(1)
  resolve()
  assert.equal((await queue.first())?.[0]?.row, 2)
})

test('the batches before a damaged part of a file are not lost', async () => {
  async function* batches() {
    yield batch(1)
    yield batch(2)
    throw new Error('damaged')
  }
  await using queue = new BatchQueue(batches())
  await queue.first()
  await nextTurn()
  assert.deepEqual(await rowsOf(queue), [1, 2])
  queue.remove(2)
  await assert.rejects(queue.first(), /damaged/)
})
