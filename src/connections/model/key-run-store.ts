/** Queries for runs of matching keys (`key-run.ts`) and for the keys that connections have lost since. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { memberStatement } from '../../db/statement.ts'
import {
  addHolders,
  decodeRun,
  encodePart,
  encodeRun,
  entryOf,
  filterRun,
  highOf,
  joinParts,
  lowOf,
  partWith,
  partsFor,
  type KeyRun,
} from './key-run.ts'
import { pairOf, type ConnectionKey, type FoundKey } from './connection-key.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

/** A stored run. Later runs have higher numbers. */
export interface StoredRun {
  readonly number: number
  /** How many parts it is stored in. */
  readonly parts: number
  readonly keys: KeyRun
}

/** A part has one number, so that one statement finds parts of several runs. */
const MAX_PARTS = 65_536

function slotOf(run: number, part: number): number {
  return run * MAX_PARTS + part
}

/** The connections that have one of these keys in a run, including keys that they have lost since. */
export async function findInRuns(
  reader: MemberReader,
  keys: readonly string[],
): Promise<readonly FoundKey[]> {
  const runs = await reader.all(RUNS, {})
  if (runs.length === 0) return []
  const bySlot = new Map<number, string[]>()
  for (const key of keys)
    for (const { run, parts } of runs) {
      const slot = slotOf(run, partWith(highOf(key), parts))
      const there = bySlot.get(slot)
      if (there) there.push(key)
      else bySlot.set(slot, [key])
    }
  const found: FoundKey[] = []
  const slots = [...bySlot.keys()].sort((one, other) => one - other)
  for (let at = 0; at < slots.length; at += PARTS_READ) {
    const rows = await reader.all(PARTS_OF, { slots: slots.slice(at, at + PARTS_READ) })
    for (const { slot, keys: bytes } of rows) {
      const part = decodeRun(bytes)
      for (const key of bySlot.get(slot) ?? []) {
        const ids: number[] = []
        addHolders(part, highOf(key), lowOf(key), ids)
        for (const connection_id of ids) found.push({ key, connection_id })
      }
    }
  }
  return found
}

/** The pairs of these that are in a run but that connections have lost since. */
export async function findRemoved(
  reader: MemberReader,
  found: readonly FoundKey[],
): Promise<ReadonlySet<string>> {
  if (found.length === 0) return NONE
  const rows = await reader.all(REMOVED, { keys: [...new Set(found.map(({ key }) => key))] })
  return new Set(rows.map(pairOf))
}

const NONE: ReadonlySet<string> = new Set()

/** All keys that are in a run but that connections have lost since. */
export function readRemoved(reader: MemberReader): Promise<readonly FoundKey[]> {
  return reader.all(ALL_REMOVED, {})
}

/** Keys that are in a run. */
export async function saveRemoved(
  tx: MemberTransaction,
  keys: readonly ConnectionKey[],
): Promise<void> {
  if (keys.length === 0) return
  await tx.insertMany({
    table: 'removed_connection_keys',
    columns: ['key', 'connection_id'],
    rows: keys.map(({ key, connectionId }) => [key, connectionId]),
    onConflict: 'ignore',
  })
}

/** These keys of runs are valid again. */
export async function forgetRemoved(
  tx: MemberTransaction,
  keys: readonly FoundKey[],
): Promise<void> {
  if (keys.length === 0) return
  await tx.deleteMany({
    table: 'removed_connection_keys',
    key: ['key', 'connection_id'],
    rows: keys.map(({ key, connection_id }) => [key, connection_id]),
  })
}

/** Parts per statement: at most 800 kB. */
const PARTS_READ = 32

/** All runs of the network, in the order of their numbers. */
export async function readRuns(reader: MemberReader): Promise<readonly StoredRun[]> {
  const runs: StoredRun[] = []
  for (const { run, parts } of await reader.all(RUNS, {})) {
    const read: KeyRun[] = []
    for await (const { keys } of partsOf(reader, run)) read.push(decodeRun(keys))
    runs.push({ number: run, parts, keys: joinParts(read) })
  }
  return runs
}

async function* partsOf(reader: MemberReader, run: number): AsyncGenerator<PartRow> {
  const end = slotOf(run + 1, 0)
  for (let from = slotOf(run, 0); from < end; from += PARTS_READ) {
    const rows = await reader.all(PARTS, { from, until: Math.min(from + PARTS_READ, end) })
    yield* rows
    if (rows.length < PARTS_READ) return
    await nextTurn()
  }
}

/** `number` must be new. */
export async function insertRun(
  tx: MemberTransaction,
  number: number,
  keys: KeyRun,
): Promise<StoredRun> {
  const parts = partsFor(keys.high.length)
  for (let from = 0; from < parts; from += PARTS_READ) {
    const length = Math.min(PARTS_READ, parts - from)
    await tx.insertMany({
      table: 'connection_key_runs',
      columns: ['slot', 'keys'],
      rows: Array.from({ length }, (_, index) => [
        slotOf(number, from + index),
        encodePart(keys, from + index, parts),
      ]),
    })
    await nextTurn()
  }
  return { number, parts, keys }
}

/** Runs that others replace. */
export async function deleteRuns(tx: MemberTransaction, runs: readonly StoredRun[]): Promise<void> {
  if (runs.length === 0) return
  await tx.deleteMany({
    table: 'connection_key_runs',
    key: ['slot'],
    rows: runs.flatMap(({ number, parts }) =>
      Array.from({ length: parts }, (_, part) => [slotOf(number, part)]),
    ),
  })
}

/**
 * Replaces connections in all runs: `replacements` has the connection that gets the keys of another, or null if no one
 * does. Keys that the other had lost stay lost.
 */
export async function replaceInRuns(
  tx: MemberTransaction,
  replacements: ReadonlyMap<number, number | null>,
): Promise<void> {
  const others = [...replacements.values()].filter((id) => id !== null)
  const removed = await tx.all(REMOVED_OF, { ids: [...replacements.keys(), ...others] })
  const lost = new Map(
    removed.map((one) => [entryOf(highOf(one.key), lowOf(one.key), one.connection_id), one]),
  )
  const found = new Set<FoundKey>()
  for (const { run } of await tx.all(RUNS, {}))
    for await (const { slot, keys: bytes } of partsOf(tx, run)) {
      const { high, low, ids } = decodeRun(bytes)
      if (!ids.some((id) => replacements.has(id))) continue
      const after = ids.map((id, at) => {
        const replacement = replacements.get(id)
        if (replacement === undefined) return id
        const [ofHigh = 0, ofLow = 0] = [high[at], low[at]]
        if (replacement === null || lost.has(entryOf(ofHigh, ofLow, id))) return NO_ONE
        const again = lost.get(entryOf(ofHigh, ofLow, replacement))
        if (again) found.add(again)
        return replacement
      })
      const keys = filterRun({ high, low, ids: after }, (at) => after[at] !== NO_ONE)
      await tx.run(REPLACE_PART, { slot, keys: encodeRun(keys) })
    }
  await tx.run(FORGET_OF, { ids: [...replacements.keys()] })
  await forgetRemoved(tx, [...found])
}

/** No connection has this number. */
const NO_ONE = 0

interface PartRow {
  readonly slot: number
  readonly keys: Uint8Array
}

/** By primary key, as are the others unless they say so. */
const RUNS = memberStatement<object, { run: number; parts: number }>()(`
  select slot / ${MAX_PARTS} as run, count(*) as parts from connection_key_runs
  where member_id = :member_id group by slot / ${MAX_PARTS} order by slot / ${MAX_PARTS}`)

const PARTS_OF = memberStatement<{ slots: readonly number[] }, PartRow>()(`
  select r.slot, r.keys from connection_key_runs r each (slot = :slots...bigint)
  where r.member_id = :member_id`)

const PARTS = {
  ...memberStatement<{ from: number; until: number }, PartRow>()(`
  select slot, keys from connection_key_runs
  where member_id = :member_id and slot >= :from and slot < :until order by slot`),
  binary: { slot: 'number', keys: 'bytes' },
} as const

const REPLACE_PART = memberStatement<{ slot: number; keys: Uint8Array }>()(
  'update connection_key_runs set keys = :keys where member_id = :member_id and slot = :slot',
)

const REMOVED = memberStatement<{ keys: readonly string[] }, FoundKey>()(`
  select r.key, r.connection_id from removed_connection_keys r each (key = :keys...text)
  where r.member_id = :member_id`)

const ALL_REMOVED = memberStatement<object, FoundKey>()(
  'select key, connection_id from removed_connection_keys where member_id = :member_id',
)

/** Scans the member's removed keys. */
const REMOVED_OF = memberStatement<{ ids: readonly number[] }, FoundKey>()(`
  select key, connection_id from removed_connection_keys
  where member_id = :member_id and connection_id in (:ids...bigint)`)

/** Like the one above. */
const FORGET_OF = memberStatement<{ ids: readonly number[] }>()(`
  delete from removed_connection_keys
  where member_id = :member_id and connection_id in (:ids...bigint)`)
