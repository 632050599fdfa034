/**
 * All matching keys of a network in memory, for a large import: it finds people without the database, and saves its own
 * keys as sorted runs. Runs of one size are merged, eight at a time, so that a network has few of them and each key is
 * written a few times.
 */

import { addHolders, highOf, lowOf, mergeRuns, runOf, type KeyRun } from '../model/key-run.ts'
import { deleteRuns, forgetRemoved, insertRun, type StoredRun } from '../model/key-run-store.ts'
import { pairOf, readPair } from '../model/connection-key.ts'
import { KeyFilter } from './key-filter.ts'
import type { KeyChanges } from './key-changes.ts'
import type { FoundKey } from '../model/connection-key.ts'
import type { MemberTransaction } from '../../db/database.ts'

/** Runs of one size that are merged. */
const MERGED_RUNS = 8
/** Keys of the largest run of the smallest size. */
const SMALL_RUN = 8192

interface Parts {
  readonly runs: readonly StoredRun[]
  /** The keys that are rows of the table. */
  readonly rows: KeyRun
  /** Pairs (`pairOf`) of keys in `runs` and `rows` and the connections that no longer have them. */
  readonly removed: ReadonlySet<string>
}

export class KeyIndex {
  readonly #parts: Parts
  readonly #filter: KeyFilter

  /** `filter`, if it is given, has all keys of the other parts. */
  constructor(parts: Parts, filter?: KeyFilter) {
    this.#parts = parts
    const all = [parts.rows, ...parts.runs.map(({ keys }) => keys)]
    const count = all.reduce((sum, { high }) => sum + high.length, 0)
    if (filter?.suffices(count)) this.#filter = filter
    else {
      this.#filter = new KeyFilter(count)
      for (const run of all) this.#filter.addAll(run)
    }
  }

  /** The connections that have one of these keys, including deleted ones, unordered. `changes` are those since the index. */
  find(keys: readonly string[], changes?: KeyChanges): readonly FoundKey[] {
    const { runs, rows, removed } = this.#parts
    const before: FoundKey[] = []
    const since: FoundKey[] = []
    const done = new Set<string>()
    const ids: number[] = []
    for (const key of keys) {
      const high = highOf(key)
      const low = lowOf(key)
      ids.length = 0
      changes?.addHolders(high, low, ids)
      const isNew = ids.length > 0
      if ((!isNew && !this.#filter.mayHave(high)) || done.has(key)) continue
      done.add(key)
      for (const connection_id of ids) since.push({ key, connection_id })
      ids.length = 0
      addHolders(rows, high, low, ids)
      for (const run of runs) addHolders(run.keys, high, low, ids)
      for (const connection_id of ids) before.push({ key, connection_id })
    }
    const found = removed.size === 0 ? before : before.filter((one) => !removed.has(pairOf(one)))
    const left = changes?.withoutRemoved(found) ?? found
    return since.length === 0 ? left : [...left, ...since]
  }

  /** Saves keys as a run. Returns the index with them, which is valid once the transaction is committed. */
  async save(tx: MemberTransaction, changes: KeyChanges): Promise<KeyIndex> {
    const removed = new Set(this.#parts.removed)
    const again: FoundKey[] = []
    for (const pair of [...removed, ...changes.everRemoved]) {
      const one = readPair(pair)
      if (!changes.has(one)) continue
      removed.delete(pair)
      again.push(one)
    }
    await forgetRemoved(tx, again)
    for (const pair of changes.removed) removed.add(pair)
    return this.#withRun(tx, changes.added, removed)
  }

  /** Saves rows of the table as a run. Connections may have lost one of these keys in another run, and got it back. */
  async saveRows(tx: MemberTransaction, rows: readonly FoundKey[]): Promise<KeyIndex> {
    const removed = new Set(this.#parts.removed)
    await forgetRemoved(
      tx,
      rows.filter((one) => removed.delete(pairOf(one))),
    )
    const keys = rows.map(({ key, connection_id: connectionId }) => ({ key, connectionId }))
    return this.#withRun(tx, runOf(keys), removed)
  }

  async #withRun(
    tx: MemberTransaction,
    added: KeyRun,
    removed: ReadonlySet<string>,
  ): Promise<KeyIndex> {
    if (added.high.length === 0) return new KeyIndex({ ...this.#parts, removed }, this.#filter)
    this.#filter.addAll(added) // harmless if the transaction fails
    const stored = this.#parts.runs
    const merged = await mergeSimilar([...stored.map((run) => run.keys), added])
    const kept = stored.filter((run) => merged.includes(run.keys))
    await deleteRuns(
      tx,
      stored.filter((run) => !kept.includes(run)),
    )
    let number = Math.max(0, ...stored.map((run) => run.number))
    const runs = [...kept]
    for (const run of merged)
      if (!kept.some((one) => one.keys === run)) runs.push(await insertRun(tx, (number += 1), run))
    return new KeyIndex({ ...this.#parts, runs, removed }, this.#filter)
  }
}

/** Merges all runs of a size until there are fewer than eight. */
async function mergeSimilar(runs: readonly KeyRun[]): Promise<readonly KeyRun[]> {
  const bySize = Map.groupBy(runs, sizeOf)
  const many = [...bySize.values()].find((some) => some.length >= MERGED_RUNS)
  if (!many) return runs
  const others = runs.filter((run) => !many.includes(run))
  return mergeSimilar([...others, await mergeRuns(many)])
}

/** Each size has eight times as many keys as the one before it. */
function sizeOf({ high }: KeyRun): number {
  return Math.max(0, Math.ceil(Math.log(high.length / SMALL_RUN) / Math.log(MERGED_RUNS)))
}
