/**
 * The table `search_snapshots`: a network's search index at a version, so that a node does not have to read every row.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { memberStatement } from '../../db/statement.ts'
import { openSegment, storedLength, type Segment } from './index/segment.ts'
import type { MemberReader, SaveStep } from '../../db/database.ts'

interface IndexSnapshot {
  readonly version: number
  readonly segment: Segment
}

/** Bytes per row: each takes less than a millisecond of the main thread. */
const PART_BYTES = 256 * 1024

/** Undefined if there is none, it is being replaced, or another release wrote it. */
export async function readSnapshot(reader: MemberReader): Promise<IndexSnapshot | undefined> {
  let bytes: Uint8Array<SharedArrayBuffer> | undefined
  let [version, count, at] = [0, 0, 0]
  for await (const part of readParts(reader)) {
    if (!bytes) {
      const length = storedLength(part.data)
      if (length === undefined) return undefined
      bytes = new Uint8Array(new SharedArrayBuffer(length))
      version = part.version
    }
    const isNext = part.part === count && part.version === version
    if (!isNext || at + part.data.length > bytes.length) return undefined
    bytes.set(part.data, at)
    at += part.data.length
    count += 1
    if (count < part.parts) continue
    const segment = openSegment(bytes.buffer)
    return segment && { version, segment }
  }
  return undefined
}

/** Parts that are read by one statement. */
const PARTS_READ = 16

/** The next parts are read while the caller copies some. */
async function* readParts(reader: MemberReader) {
  const read = (from: number) => reader.all(PARTS, { from, until: from + PARTS_READ })
  let next = read(0)
  try {
    for (let from = PARTS_READ; ; from += PARTS_READ) {
      const parts = await next
      const isLast = parts.length < PARTS_READ
      if (!isLast) next = read(from)
      yield* parts
      if (isLast) return
      await nextTurn()
    }
  } finally {
    await next.catch(() => {})
  }
}

/** Writes in parts, so that other writes do not wait; readers ignore an incomplete snapshot. */
export async function writeSnapshot(
  write: SaveStep,
  { version, segment }: IndexSnapshot,
): Promise<void> {
  const bytes = new Uint8Array(segment.buffer)
  const parts = Math.ceil(bytes.length / PART_BYTES)
  for (let part = 0; part < parts; part += 1)
    await write(async (tx) => {
      const network = await tx.get(FLOOR, {})
      if (!network || version < network.search_floor) return
      const stored = await tx.get(STORED_VERSION, { part })
      if (stored && stored.version > version) return
      // A copy: the buffer is shared, and databases bind only plain ones.
      const data = bytes.slice(part * PART_BYTES, (part + 1) * PART_BYTES)
      await tx.insertMany({
        table: 'search_snapshots',
        columns: ['part', 'parts', 'version', 'data'],
        rows: [[part, parts, version, Buffer.from(data)]],
        onConflict: 'replace',
      })
      if (part === parts - 1) await tx.run(DROP_REST, { parts })
    })
}

/** By primary key, as are the next three. */
const PARTS = {
  ...memberStatement<
    { from: number; until: number },
    { part: number; parts: number; version: number; data: Uint8Array }
  >()(`
  select part, parts, version, data from search_snapshots
  where member_id = :member_id and part >= :from and part < :until order by part`),
  binary: { part: 'number', parts: 'number', version: 'number', data: 'bytes' },
} as const

const STORED_VERSION = memberStatement<{ part: number }, { version: number }>()(
  'select version from search_snapshots where member_id = :member_id and part = :part',
)

const DROP_REST = memberStatement<{ parts: number }>()(
  'delete from search_snapshots where member_id = :member_id and part >= :parts',
)

const FLOOR = memberStatement<object, { search_floor: number }>()(
  'select search_floor from networks where member_id = :member_id',
)
