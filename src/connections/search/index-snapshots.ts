/**
 * The table `search_snapshots`: a network's search index at a version, so that a node does not have to read every row.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { memberStatement } from '../../db/statement.ts'
import { openSegment, type Segment } from './index/segment.ts'
import type { MemberReader, SaveStep } from '../../db/database.ts'

interface IndexSnapshot {
  readonly version: number
  readonly segment: Segment
}

/** Bytes per row: each takes less than a millisecond of the main thread. */
const PART_BYTES = 256 * 1024

/** Undefined if there is none, it is being replaced, or another release wrote it. */
export async function readSnapshot(reader: MemberReader): Promise<IndexSnapshot | undefined> {
  const first = await reader.get(PART, { part: 0 })
  if (!first) return undefined
  const { parts, version } = first
  const data = [first.data]
  for (let part = 1; part < parts; part += 1) {
    await nextTurn()
    const next = await reader.get(PART, { part })
    if (next?.version !== version) return undefined
    data.push(next.data)
  }
  const segment = openSegment(joined(data))
  return segment && { version, segment }
}

function joined(parts: readonly Uint8Array[]): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(parts.reduce((sum, { length }) => sum + length, 0))
  const bytes = new Uint8Array(buffer)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return buffer
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
const PART = memberStatement<
  { part: number },
  { parts: number; version: number; data: Uint8Array }
>()(`
  select parts, version, data from search_snapshots
  where member_id = :member_id and part = :part`)

const STORED_VERSION = memberStatement<{ part: number }, { version: number }>()(
  'select version from search_snapshots where member_id = :member_id and part = :part',
)

const DROP_REST = memberStatement<{ parts: number }>()(
  'delete from search_snapshots where member_id = :member_id and part >= :parts',
)

const FLOOR = memberStatement<object, { search_floor: number }>()(
  'select search_floor from networks where member_id = :member_id',
)
