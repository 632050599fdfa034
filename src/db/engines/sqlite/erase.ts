/**
 * Takes out of the file what was deleted or overwritten. Rows go with their transaction: `secure_delete` writes zeros
 * over them. Three places keep some of it longer: full-text indexes, which only remember that entries are deleted until
 * their segments are merged; pages that gave rows to a neighbor, whose free room may hold a copy; and the write-ahead
 * log, whose pages stay until it is begun anew (see decisions/0014).
 */

import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { statement } from '../../statement.ts'
import type { EraseOptions, Transaction, WriteOptions } from '../../database.ts'

type Write = <T>(work: (tx: Transaction) => Promise<T>, options: WriteOptions) => Promise<T>

/** Resolves with false where there was more to do in the indexes than `mostSteps`. */
export async function eraseFromIndexes(
  write: Write,
  { mostSteps = Infinity, signal }: EraseOptions,
): Promise<boolean> {
  let left = mostSteps
  const mayGoOn = () => left > 0 && signal?.aborted !== true
  for (const index of INDEXES) {
    let isMore = await write((tx) => begin(tx, index), BULK)
    for (; isMore && mayGoOn(); left -= 1) isMore = await write((tx) => goOn(tx, index), BULK)
    if (isMore) return false
  }
  return true
}

/** In use, in bytes: more would keep writers waiting for longer than they should. Measured, 0.2 s for 32 MB, 5 s for 256. */
export const MAX_VACUUM_BYTES = 64 * 1024 * 1024

/** How long others may hold the file before it is left as it is; milliseconds. */
const LOCK_TIMEOUT_MS = 5000

/** False where the file could not be written anew, because others kept it or there was no room. */
export async function vacuum(path: string): Promise<boolean> {
  const workerData = { path, longestLock: LOCK_TIMEOUT_MS }
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

/** Pages that one step rewrites at most: a few milliseconds of the writer. */
const PAGES = 64

/** False where every deleted entry is out of the index already. */
async function begin(tx: Transaction, index: IndexStatements): Promise<boolean> {
  const found = await tx.get(index.tombstones, {})
  if (found?.is_any !== 1) return false
  await tx.run(index.merge, { pages: -PAGES })
  return true
}

/** A step that had nothing to do changes fewer than two rows (https://sqlite.org/fts5.html#the_merge_command). */
async function goOn(tx: Transaction, index: IndexStatements): Promise<boolean> {
  const before = await tx.get(CHANGES, {})
  await tx.run(index.merge, { pages: PAGES })
  const after = await tx.get(CHANGES, {})
  return (after?.changes ?? 0) - (before?.changes ?? 0) >= 2
}

type IndexStatements = ReturnType<typeof statementsOf>

/**
 * A negative number of pages has all segments merged into one, even a single one that has deleted entries, and a
 * positive one goes on with that. Which entries are deleted is written on pages of their own: those of segment `n` begin
 * at (n + 2^16) * 2^37, beyond every other.
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

const INDEXES = ['directory_search', 'connection_search'].map(statementsOf)

const CHANGES = statement<object, { changes: number }>('select total_changes() as changes')
