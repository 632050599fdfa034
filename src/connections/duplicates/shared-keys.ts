/** Connections that share a key by which imports match people: email, profile URL, or name and company. */

import { emptyRun, isIdentity, mergeRuns, withoutPairs, type KeyRun } from '../model/key-run.ts'
import { readKeyRows } from '../model/key-store.ts'
import { readRemoved, readRuns } from '../model/key-run-store.ts'
import { NO_POSITION, positionOf, type PeopleTable } from './people-table.ts'
import type { Bucket } from './buckets.ts'
import type { MemberReader } from '../../db/database.ts'

/** The keys of people that more than one connection has, and perhaps a few others, sorted. */
export async function readSharedKeys(reader: MemberReader): Promise<KeyRun> {
  const runs = await readRuns(reader)
  const rows = await readKeyRows(reader)
  const removed = await readRemoved(reader)
  return sharedKeysIn([...runs.map(({ keys }) => withoutPairs(keys, removed)), rows])
}

/** As `readSharedKeys`, of all these runs. Most keys belong to one connection, so only the others are merged. */
export function sharedKeysIn(runs: readonly KeyRun[]): Promise<KeyRun> {
  const repeated = new RepeatedKeys(runs.reduce((sum, { high }) => sum + high.length, 0))
  for (const run of runs) repeated.add(run)
  return mergeRuns(runs.map((run) => repeated.keysOf(run)))
}

/** The people who share each key, in the order of the keys. */
export function sharedKeyBuckets({ high, low, ids }: KeyRun, table: PeopleTable): Bucket[] {
  const buckets: Bucket[] = []
  for (let from = 0, to = 1; from < ids.length; from = to, to += 1) {
    while (to < ids.length && high[to] === high[from] && low[to] === low[from]) to += 1
    if (to - from > 1) buckets.push(positionsOf(table, ids.subarray(from, to)))
  }
  return buckets
}

function positionsOf(table: PeopleTable, ids: Uint32Array): number[] {
  const positions: number[] = []
  for (const id of ids) {
    const position = positionOf(table, id)
    if (position !== NO_POSITION) positions.push(position)
  }
  return positions
}

/**
 * Finds the keys that are there more than once, and a few others: two bits for every value of the first bits of a key,
 * about 16 values per key.
 */
class RepeatedKeys {
  readonly #shift: number
  readonly #once: Uint32Array
  readonly #repeated: Uint32Array

  constructor(keys: number) {
    const bits = Math.min(30, Math.max(10, Math.ceil(Math.log2(16 * (keys + 1)))))
    this.#shift = 32 - bits
    this.#once = new Uint32Array(2 ** (bits - 5))
    this.#repeated = new Uint32Array(2 ** (bits - 5))
  }

  add({ high, low }: KeyRun): void {
    for (let at = 0; at < high.length; at += 1) {
      if (!isIdentity(low[at] ?? 0)) continue
      const place = (high[at] ?? 0) >>> this.#shift
      const bit = 1 << (place & 31)
      const word = place >>> 5
      if (((this.#once[word] ?? 0) & bit) === 0) this.#once[word] = (this.#once[word] ?? 0) | bit
      else this.#repeated[word] = (this.#repeated[word] ?? 0) | bit
    }
  }

  /** The keys of a run that may be there more than once. */
  keysOf(run: KeyRun): KeyRun {
    const { high, low, ids } = run
    const kept = emptyRun(high.length)
    let length = 0
    for (let at = 0; at < high.length; at += 1) {
      const place = (high[at] ?? 0) >>> this.#shift
      if (((this.#repeated[place >>> 5] ?? 0) & (1 << (place & 31))) === 0) continue
      if (!isIdentity(low[at] ?? 0)) continue
      kept.high[length] = high[at] ?? 0
      kept.low[length] = low[at] ?? 0
      kept.ids[length] = ids[at] ?? 0
      length += 1
    }
    return {
      high: kept.high.subarray(0, length),
      low: kept.low.subarray(0, length),
      ids: kept.ids.subarray(0, length),
    }
  }
}
