/**
 * The search index of all public profiles, in the memory of this node: built with the first question, brought up to date
 * with the recorded changes, and evicted with the indexes of members. Large directories are indexed in a thread.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import {
  MAX_MERGED_HERE,
  MERGE,
  mergeParts,
  openBuilt,
} from '../connections/search/index/build-index.ts'
import {
  bytesOfIndex,
  indexOf,
  hasManyChanges,
  mergeOf,
  replaceRanges,
  type VersionedIndex,
} from '../connections/search/index/versioned-index.ts'
import { HOUR, MINUTE } from '../base/clock.ts'
import { defineMemory, type Database } from '../db/database.ts'
import {
  readDirectoryChanges,
  readProfiles,
  readIndexedProfiles,
} from '../members/directory-changes.ts'
import { BUILD_PROFILES, segmentOf } from './build-profile-index.ts'
import { documentsOf } from './profile-document.ts'

/** What it needs of the database. */
type ProfileDatabase = Pick<Database, 'all' | 'anonymous' | 'compute' | 'memory'>

export interface ProfileIndexOptions {
  /** Larger directories are searched in the database: see decisions/0022. */
  readonly maxProfiles?: number
  /** Up to this many profiles are indexed on the main thread, in steps of a few milliseconds. */
  readonly maxBuiltHere?: number
  /** A question waits so long for an index that is being built. */
  readonly maxWaitMs?: number
}

const MAX_PROFILES = 100_000
const MAX_BUILT_HERE = 500
/** A larger index would evict those of members, and they would evict it. */
const MAX_SHARE_OF_MEMORY = 1 / 4
const MAX_WAIT_MS = 1000
const RETRY_TOO_LARGE_MS = HOUR
const RETRY_FAILED_MS = MINUTE

interface Held {
  readonly index?: VersionedIndex | undefined
  /** Concurrent questions share it. Never rejects. */
  readonly refresh?: Promise<void> | undefined
  /** In milliseconds of this process: until then, the database is searched. */
  readonly retryAt?: number
}

const MEMORY = defineMemory<Held>('profile-index')

/** The index if it is in memory; it may not be current. */
export function heldProfileIndex({ memory }: ProfileDatabase): VersionedIndex | undefined {
  return memory.read(MEMORY)?.index
}

/**
 * The index at this version or a later one. Undefined while a large directory is being indexed, or if it is too large or
 * cannot be indexed.
 */
export async function profileIndexAt(
  database: ProfileDatabase,
  version: number,
  options: ProfileIndexOptions = {},
): Promise<VersionedIndex | undefined> {
  const until = performance.now() + (options.maxWaitMs ?? MAX_WAIT_MS)
  for (;;) {
    const held = database.memory.read(MEMORY)
    if (held?.index && held.index.version >= version) return held.index
    const now = performance.now()
    if (now >= until || now < (held?.retryAt ?? 0)) return undefined
    const refresh = held?.refresh ?? beginRefresh(database, { ...options, version })
    await settledWithin(until - now, refresh)
  }
}

interface Refresh extends ProfileIndexOptions {
  readonly version: number
}

function beginRefresh(database: ProfileDatabase, wanted: Refresh): Promise<void> {
  const { memory } = database
  const index = heldProfileIndex(database)
  const keep = (held: Held) => memory.keep(MEMORY, held, bytesOfIndex(held.index))
  const inMs = (milliseconds: number) => performance.now() + milliseconds
  const update = async () => {
    try {
      const current = await refreshed(database, index, wanted)
      const isKept = current && bytesOfIndex(current) <= MAX_SHARE_OF_MEMORY * memory.maxBytes
      keep(isKept ? { index: current } : { retryAt: inMs(RETRY_TOO_LARGE_MS) })
    } catch {
      // The database is searched instead, and reports what is wrong with it.
      keep({ index, retryAt: inMs(RETRY_FAILED_MS) })
    }
  }
  const refresh = update()
  keep({ index, refresh })
  return refresh
}

/** Undefined if the directory is too large. */
async function refreshed(
  database: ProfileDatabase,
  index: VersionedIndex | undefined,
  wanted: Refresh,
): Promise<VersionedIndex | undefined> {
  return (index && (await withChanges(database, index, wanted))) ?? buildIndex(database, wanted)
}

/** Undefined if not all changes are remembered. */
async function withChanges(
  database: ProfileDatabase,
  index: VersionedIndex,
  { version }: Refresh,
): Promise<VersionedIndex | undefined> {
  const reader = database.anonymous
  const changed = await readDirectoryChanges(reader, index.version, version)
  if (!changed) return undefined
  const { profiles } = await readProfiles(reader, changed)
  const fresh = await segmentOf([...profiles.values()])
  const ranges = changed.flatMap(documentsOf)
  return merged(database, replaceRanges(index, { version, ranges, fresh }))
}

async function merged(database: ProfileDatabase, index: VersionedIndex): Promise<VersionedIndex> {
  if (!hasManyChanges(index)) return index
  const merge = mergeOf(index)
  const isSmall = (index.segments[0]?.segment.ids.length ?? 0) <= MAX_MERGED_HERE
  const buffer = isSmall ? mergeParts(merge) : await database.compute(MERGE, merge)
  return indexOf({ version: index.version, segment: openBuilt(buffer) })
}

async function buildIndex(
  database: ProfileDatabase,
  { version, maxProfiles = MAX_PROFILES, maxBuiltHere = MAX_BUILT_HERE }: Refresh,
): Promise<VersionedIndex | undefined> {
  const profiles = await readIndexedProfiles(database.anonymous, {
    after: 0,
    limit: maxBuiltHere + 1,
  })
  if (profiles.length <= maxBuiltHere)
    return indexOf({ version, segment: await segmentOf(profiles) })
  const built = await database.compute(BUILD_PROFILES, { maxProfiles })
  return built.buffer && indexOf({ version: built.version, segment: openBuilt(built.buffer) })
}

async function settledWithin(milliseconds: number, work: Promise<void>): Promise<void> {
  const settled = new AbortController()
  const waiting = sleep(milliseconds, undefined, { signal: settled.signal, ref: false })
  await Promise.race([work, waiting.catch(() => {})])
  settled.abort()
}
