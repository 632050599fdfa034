/**
 * Erases what `secure_delete` leaves: entries of full-text indexes until their segments are merged, copies in the free
 * space of pages, and the write-ahead log (decisions/0014).
 */

import { WorkerThread } from '../../../base/worker-thread.ts'
import { statement } from '../../statement.ts'
import type { EraseOptions, Transaction, WriteOptions } from '../../database.ts'

type Write = <T>(work: (tx: Transaction) => Promise<T>, options: WriteOptions) => Promise<T>

/** Resolves with false if more than `maxSteps` are needed. */
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

/** Bytes: 5 s for 256 MB, during which writers wait. */
export const MAX_VACUUM_BYTES = 64 * 1024 * 1024

/** Milliseconds. */
const LOCK_TIMEOUT_MS = 5000

/** Returns false if the file is locked or the disk is full. */
export async function vacuum(path: string): Promise<boolean> {
  const data = { path, lockTimeoutMs: LOCK_TIMEOUT_MS }
  const thread = new WorkerThread(import.meta.url, './vacuum-thread', { data })
  try {
    await thread.answer({ receive: () => true })
    await thread.close()
    return true
  } catch {
    return false
  }
}

const BULK = { bulk: true }

/** Pages per step: a few milliseconds. */
const PAGES = 64

/** Returns false if no entry is deleted. */
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
 * A negative page count merges all segments into one, and a positive one continues. Deletions are on pages of their own:
 * those of segment `n` start at (n + 2^16) * 2^37, after all others.
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
