/**
 * Queries for the keys by which imports match one member's connections: rows of a table, except for those that large
 * imports add, which are in sorted runs (`key-run-store.ts`).
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { memberStatement } from '../../db/statement.ts'
import {
  joinParts,
  MAX_SORTED,
  mergeRuns,
  numbersOf,
  sortedRun,
  withoutPairs,
  type KeyRun,
} from './key-run.ts'
import { findInRuns, findRemoved, readRemoved, readRuns, saveRemoved } from './key-run-store.ts'
import { pairOf, type ConnectionKey, type FoundKey } from './connection-key.ts'
import type { MemberReader, MemberTransaction, Rows } from '../../db/database.ts'

/** The connections that have one of these keys, including deleted ones, in the order they were added. */
export async function findByKeys(
  reader: MemberReader,
  keys: readonly string[],
): Promise<readonly FoundKey[]> {
  if (keys.length === 0) return []
  const distinct = [...new Set(keys)]
  const found = await reader.all(BY_KEYS, { keys: distinct })
  const inRuns = await findInRuns(reader, distinct)
  if (inRuns.length === 0) return found
  const removed = await findRemoved(reader, inRuns)
  const left = inRuns.filter((one) => !removed.has(pairOf(one)))
  return [...found, ...left].sort((one, other) => one.connection_id - other.connection_id)
}

/** Adds keys by which imports match connections. Those that a connection has already are ignored. */
export async function addKeys(
  tx: MemberTransaction,
  keys: readonly ConnectionKey[],
): Promise<void> {
  await tx.insertMany({ ...rowsOf(keys), onConflict: 'ignore' })
}

/**
 * Adds the keys of new connections, each of them once. PostgreSQL takes twice as long if it has to ignore keys that are
 * there.
 */
export async function addKeysOfNew(
  tx: MemberTransaction,
  keys: readonly ConnectionKey[],
): Promise<void> {
  await tx.insertMany(rowsOf(keys))
}

function rowsOf(keys: readonly ConnectionKey[]): Rows {
  return {
    table: 'connection_keys',
    columns: ['key', 'connection_id'],
    // In index order, so that neighboring keys are written to the same page.
    rows: keys.toSorted(byKey).map(({ key, connectionId }) => [key, connectionId]),
  }
}

/** Removes keys from connections, so that imports no longer match them by these. */
export async function dropKeys(
  tx: MemberTransaction,
  keys: readonly ConnectionKey[],
): Promise<void> {
  if (keys.length === 0) return
  await tx.deleteMany({
    table: 'connection_keys',
    key: ['key', 'connection_id'],
    rows: keys.map(({ key, connectionId }) => [key, connectionId]),
  })
  const inRuns = await findInRuns(tx, [...new Set(keys.map(({ key }) => key))])
  if (inRuns.length === 0) return
  const pairs = new Set(inRuns.map(pairOf))
  await saveRemoved(
    tx,
    keys.filter(({ key, connectionId }) => pairs.has(pairOf({ key, connection_id: connectionId }))),
  )
}

function byKey(one: ConnectionKey, other: ConnectionKey): number {
  return one.key < other.key ? -1 : one.key > other.key ? 1 : 0
}

/** Every key that a connection of the network has. */
export async function readAllKeys(reader: MemberReader): Promise<KeyRun> {
  const runs = await readRuns(reader)
  const rows = await readKeyRows(reader)
  const inRuns = await mergeRuns(runs.map(({ keys }) => keys))
  return mergeRuns([withoutPairs(inRuns, await readRemoved(reader)), rows])
}

/** Keys per statement. Takes SQLite about a millisecond. */
const KEYS_READ = 2000

/** The keys of the network that are rows of the table, not in runs. */
export async function readKeyRows(reader: MemberReader, page = KEYS_READ): Promise<KeyRun> {
  const runs: KeyRun[] = []
  let pages: KeyRun[] = []
  for (let after = FIRST; ;) {
    const read = await readPage(reader, after, page)
    pages.push(numbersOf(read))
    const last = lastOf(read)
    const isDone = !last || read.length < page
    if (isDone || pages.length * page > MAX_SORTED - page) {
      runs.push(sortedRun(joinParts(pages)))
      pages = []
    }
    if (isDone) return mergeRuns(runs)
    after = last
    await nextTurn()
  }
}

async function readPage(
  reader: MemberReader,
  after: PageEnd,
  limit: number,
): Promise<readonly ConnectionKey[]> {
  const page = await reader.get(PAGE, { ...after, limit })
  const ids = page?.ids?.split(' ') ?? []
  const keys = page?.keys?.split(' ') ?? []
  return keys.map((key, at) => ({ key, connectionId: Number(ids[at]) }))
}

/** How many keys are rows of the table, at most `limit`. */
export async function countKeyRows(reader: MemberReader, limit: number): Promise<number> {
  return (await reader.get(COUNT, { limit }))?.count ?? 0
}

/** The first keys that are rows of the table. */
export async function firstKeyRows(
  reader: MemberReader,
  limit: number,
): Promise<readonly FoundKey[]> {
  return reader.all(FIRST_ROWS, { limit })
}

/** Deletes all rows of the table up to this one. */
export async function deleteKeyRows(tx: MemberTransaction, last: FoundKey): Promise<void> {
  await tx.run(DELETE_FIRST, { last_key: last.key, last_id: last.connection_id })
}

/** In the order of the primary key, which a page may not be in. */
function lastOf(keys: readonly ConnectionKey[]): PageEnd | undefined {
  let last: ConnectionKey | undefined
  for (const one of keys)
    if (
      !last ||
      one.key > last.key ||
      (one.key === last.key && one.connectionId > last.connectionId)
    )
      last = one
  return last && { last_key: last.key, last_id: last.connectionId }
}

interface PageEnd {
  readonly last_key: string
  readonly last_id: number
}

const FIRST: PageEnd = { last_key: '', last_id: 0 }

/** Both separated by spaces and in the same order; null without any. */
interface KeyPage {
  readonly keys: string | null
  readonly ids: string | null
}

/** By primary key, as are the others. Two texts are read faster than a row per key. */
const PAGE = memberStatement<PageEnd & { limit: number }, KeyPage>()(`
  select string_agg(k.key, ' ') as keys, string_agg(cast(k.connection_id as text), ' ') as ids
  from (
    select key, connection_id from connection_keys
    where member_id = :member_id and (key, connection_id) > (:last_key, :last_id)
    order by key, connection_id limit :limit) k`)

const COUNT = memberStatement<{ limit: number }, { count: number }>()(`
  select count(*) as count from (
    select 1 from connection_keys where member_id = :member_id limit :limit) k`)

const FIRST_ROWS = memberStatement<{ limit: number }, FoundKey>()(`
  select key, connection_id from connection_keys
  where member_id = :member_id order by key, connection_id limit :limit`)

const DELETE_FIRST = memberStatement<PageEnd>()(`
  delete from connection_keys
  where member_id = :member_id and (key, connection_id) <= (:last_key, :last_id)`)

const BY_KEYS = memberStatement<{ keys: readonly string[] }, FoundKey>()(`
  select k.key, k.connection_id from connection_keys k each (key = :keys...text)
  where k.member_id = :member_id order by k.connection_id`)
