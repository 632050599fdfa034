/**
 * The table `search_snapshots`: a network's search index at a version, so that a node does not have to read every row.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { memberStatement } from '../../../db/statement.ts'
import { openSegment, storedLength, type Segment } from '../../../search/index/segment.ts'
import type { MemberReader, SaveStep } from '../../../db/database.ts'

interface IndexSnapshot {
  readonly version: number
  readonly segment: Segment
}

/** Bytes per row: each takes less than a millisecond of the main thread. */
const PART_BYTES = 256 * 1024

/** Undefined if there is none, it is being replaced, or another release wrote it. */
export async function readSnapshot(reader: MemberReader): Promise<IndexSnapshot | undefined> {
  const received = new ReceivedSnapshot()
  for (let from = 0; ; from += PARTS_READ) {
    const parts = await reader.all(PARTS, { from, until: from + PARTS_READ })
    for (const part of parts) received.add(part)
    if (parts.length < PARTS_READ || received.isInvalid) return received.snapshot
    await nextTurn()
  }
}

/** Parts that are read by one statement, which takes some milliseconds. */
const PARTS_READ = 16

interface SnapshotPart {
  readonly part: number
  readonly parts: number
  readonly version: number
  readonly data: Uint8Array
}

/** Joins the parts of a snapshot in memory that threads can share. */
class ReceivedSnapshot {
  /** Whether the parts are not those of one snapshot of this release. */
  isInvalid = false
  #bytes = new Uint8Array(new SharedArrayBuffer(0))
  #version = 0
  #parts = 0
  #count = 0
  #length = 0

  /** In their order. */
  add({ part, parts, version, data }: SnapshotPart): void {
    if (part === 0) this.#begin({ part, parts, version, data })
    else if (this.#count === this.#parts) return // of a longer snapshot before
    const isNext = part === this.#count && version === this.#version
    if (!isNext || this.#length + data.length > this.#bytes.length) this.isInvalid = true
    if (this.isInvalid) return
    this.#bytes.set(data, this.#length)
    this.#length += data.length
    this.#count += 1
  }

  /** Undefined if it is invalid or not complete. */
  get snapshot(): IndexSnapshot | undefined {
    if (this.isInvalid || this.#count === 0 || this.#count < this.#parts) return undefined
    const segment = openSegment(this.#bytes.buffer)
    return segment && { version: this.#version, segment }
  }

  #begin({ parts, version, data }: SnapshotPart): void {
    const length = storedLength(data)
    this.isInvalid = length === undefined
    this.#bytes = new Uint8Array(new SharedArrayBuffer(length ?? 0))
    this.#version = version
    this.#parts = parts
  }
}

/** The version of the stored index; undefined without one. */
export async function storedVersion(reader: MemberReader): Promise<number | undefined> {
  return (await reader.get(STORED_VERSION, { part: 0 }))?.version
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
const PARTS = memberStatement<{ from: number; until: number }, SnapshotPart>()(`
  select part, parts, version, data from search_snapshots
  where member_id = :member_id and part >= :from and part < :until order by part`)

const STORED_VERSION = memberStatement<{ part: number }, { version: number }>()(
  'select version from search_snapshots where member_id = :member_id and part = :part',
)

const DROP_REST = memberStatement<{ parts: number }>()(
  'delete from search_snapshots where member_id = :member_id and part >= :parts',
)

const FLOOR = memberStatement<object, { search_floor: number }>()(
  'select search_floor from networks where member_id = :member_id',
)
