/**
 * Erases deleted and overwritten data from the file. `secure_delete` overwrites rows with zeros in their transaction. Three
 * locations keep some data longer: full-text indexes, which only mark entries as deleted until their segments are merged;
 * pages that passed rows to a neighbor, whose free space may hold a copy; and the write-ahead log, which keeps its pages
 * until it restarts (see decisions/0014).
 */

import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { statement } from '../../statement.ts'
import type { EraseOptions, Transaction, WriteOptions } from '../../database.ts'

type Write = <T>(work: (tx: Transaction) => Promise<T>, options: WriteOptions) => Promise<T>

/** Resolves with false if the indexes needed more than `maxSteps`. */
export async function eraseFromIndexes(
  write: Write,
  { maxSteps = Infinity, signal }: EraseOptions,
): Promise<boolean> {
  let left = maxSteps
  const mayContinue = () => left > 0 && signal?.aborted !== true
  for (const index of INDEXES) {
    let hasMore = await write((tx) => startMerge(tx, index), BULK)
    for (; hasMore && mayContinue(); left -= 1)
      hasMore = await write((tx) => continueMerge(tx, index), BULK)
    if (hasMore) return false
  }
  return true
}

/** Maximum size in bytes for a rewrite; more would block writers too long. Measured: 0.2 s for 32 MB, 5 s for 256. */
export const MAX_VACUUM_BYTES = 64 * 1024 * 1024

/** How long to wait for locks of others before giving up. Milliseconds. */
const LOCK_TIMEOUT_MS = 5000

/** Returns false if the file could not be rewritten, because it was locked or the disk is full. */
export async function vacuum(path: string): Promise<boolean> {
  const workerData = { path, lockTimeoutMs: LOCK_TIMEOUT_MS }
  const thread = new Worker(
    new URL(`./vacuum-thread${extname(import.meta.url)}`, import.meta.url),
    { workerData },
  )
  try {
    await once(thread, 'exit')
    return true
  } catch {
    return false
  }
}

const BULK = { bulk: true }

/** Maximum pages per step: a few milliseconds of the writer. */
const PAGES = 64

/** Returns false if the index contains no deleted entries. */
async function startMerge(tx: Transaction, index: IndexStatements): Promise<boolean> {
  const found = await tx.get(index.tombstones, {})
  if (found?.is_any !== 1) return false
  await tx.run(index.merge, { pages: -PAGES })
  return true
}

/** A step without work changes fewer than two rows (https://sqlite.org/fts5.html#the_merge_command). */
async function continueMerge(tx: Transaction, index: IndexStatements): Promise<boolean> {
  const before = await tx.get(CHANGES, {})
  await tx.run(index.merge, { pages: PAGES })
  const after = await tx.get(CHANGES, {})
  return (after?.changes ?? 0) - (before?.changes ?? 0) >= 2
}

type IndexStatements = ReturnType<typeof statementsOf>

/**
 * A negative page count merges all segments into one, even a single segment with deleted entries; a positive count
 * continues the merge. Deletions are stored on separate pages: those of segment `n` start at (n + 2^16) * 2^37, after all
 * others.
 */
function statementsOf(index: string) {
  return {
    merge: statement<{ pages: number }>(
      `insert into ${index} (${index}, rank) values ('merge', :pages)`,
    ),
    tombstones: statement<object, { is_any: number }>(
      `select exists (select 1 from ${index}_data where id >= 1 << 53) as is_any`,
    ),
  }
}

const INDEXES = ['directory_search'].map(statementsOf)

const CHANGES = statement<object, { changes: number }>('select total_changes() as changes')
