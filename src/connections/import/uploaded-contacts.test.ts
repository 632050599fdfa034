import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contact } from '../../../test/fixtures/network.ts'
import { batchGroups } from './uploaded-contacts.ts'
import type { ImportRow } from '../model/contact.ts'

const PHOTO = { photoId: 'x', mediaType: 'image/png' as const, bytes: new Uint8Array(1) }

function batch(row: number, hasPhoto = false): ImportRow[] {
  const plain = { row, line: row, contact: contact({ name: `Person ${row}` }) }
  return [hasPhoto ? { ...plain, photo: PHOTO } : plain]
}

/** The rows of each group. */
async function rowsOfGroups(batches: AsyncIterable<readonly ImportRow[]>): Promise<number[][]> {
  const groups: number[][] = []
  for await (const group of batchGroups(batches, 3))
    groups.push(group.flatMap((rows) => rows.map(({ row }) => row)))
  return groups
}

test('batches are grouped in order, and one with photos is alone', async () => {
  async function* batches() {
    for (const row of [1, 2, 3, 4]) yield batch(row)
    for (const row of [5, 6]) yield batch(row, true)
    yield batch(7)
  }
  assert.deepEqual(await rowsOfGroups(batches()), [[1, 2, 3], [4], [5], [6], [7]])
})

test('the batches before a damaged part of a file are not lost', async () => {
  async function* batches() {
    yield batch(1)
    yield batch(2)
    throw new Error('damaged')
  }
  const groups = batchGroups(batches(), 3)
  assert.equal((await groups.next()).value?.length, 2)
  await assert.rejects(groups.next(), /damaged/)
})
