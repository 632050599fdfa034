/** Tags across a network: listing them, and adding or removing them on many connections at once. */

import { pageFrom, readCursor, type Page } from '../../base/cursor.ts'
import { RequestError } from '../../base/request-error.ts'
import { memberStatement } from '../../db/statement.ts'
import { idsOf, publicConnectionId, type Connection, type Source } from '../model/connection.ts'
import { MAX_VALUES } from '../../base/limits.ts'
import {
  addTagsOf,
  removeTagsOf,
  respelled,
  respellTags,
  tagOf,
  tagsOf,
  type Tag,
} from '../model/tag-store.ts'
import { recordSearchChanges } from '../model/search-changes.ts'
import { cacheValue, cachedValue } from '../model/cached-value.ts'
import { allValues } from '../../search/index/count-values.ts'
import { indexAt, readIndex, type IndexReader } from '../search/index/network-index.ts'
import type { SearchIndex } from '../../search/index/segment.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'
import type { NetworkState } from '../../tools/network-state.ts'

interface TagCount {
  readonly tag: string
  readonly count: number
}

interface TagList {
  readonly limit: number
  readonly cursor?: string | undefined
  /** The network when the call began; otherwise it is read. */
  readonly network?: NetworkState
}

/** Most used first; tags of deleted connections do not count. */
export async function listTags(
  db: IndexReader,
  { limit, cursor, network }: TagList,
): Promise<Page<TagCount>> {
  const question = [db.memberId, 'tags']
  const [count, tag] =
    cursor === undefined ? FIRST : readCursor(question, cursor, ['number', 'string'])
  const after = { count, key: tagOf(tag).key }
  const current = () => (network ? indexAt(db, network) : readIndex(db))
  const all = await cacheValue(db, TAGS, async () => countTags(await current()), network)
  const rest = all.filter((one) => compareTags(after, one) < 0)
  // The tag, not its key: normalization expands some characters to eighteen.
  const page = pageFrom(rest, limit, question, (one) => [one.count, one.tag])
  return { ...page, entries: page.entries.map((one) => ({ tag: one.tag, count: one.count })) }
}

/** The tag as it is shown and counted, in any case; undefined if no connection has it. */
export async function findTag(db: IndexReader, text: string): Promise<TagCount | undefined> {
  const { key } = tagOf(text)
  const all = await cacheValue(db, TAGS, async () => countTags(await readIndex(db)))
  return all.find((one) => one.key === key)
}

/** Before the most frequent tag. */
const FIRST = [Number.MAX_SAFE_INTEGER, ''] as const

interface CountedTag extends TagCount {
  readonly key: string
}

const TAGS = cachedValue<readonly CountedTag[]>('tag-counts')

/** All tags of the network, most used first. */
export function countTags(index: SearchIndex): CountedTag[] {
  return allValues(index, 'tag')
    .map(({ value, count }) => {
      const [key = '', tag = ''] = value.split('\u0000')
      return { key, tag, count }
    })
    .sort(compareTags)
}

type TagPosition = Pick<CountedTag, 'count' | 'key'>

function compareTags(one: TagPosition, other: TagPosition): number {
  return other.count - one.count || (one.key < other.key ? -1 : Number(one.key > other.key))
}

/** A connection with its current or planned tags and their source. */
export interface Tagged {
  readonly connection: Connection
  readonly tags: readonly Tag[]
  readonly source: Source | undefined
}

export interface TagChange {
  readonly before: Tagged
  readonly after: Tagged
}

/**
 * The tags of each connection before and after the change. Omits connections that would not change. A tag in both lists takes
 * the spelling of `add`.
 */
export async function planTagChange(
  reader: MemberReader,
  connections: readonly Connection[],
  { add, remove }: { readonly add: readonly Tag[]; readonly remove: readonly Tag[] },
): Promise<TagChange[]> {
  const present = await presentTags(reader, connections)
  const removed = new Set(remove.map(({ key }) => key))
  const again = new Map(add.map((tag) => [tag.key, tag]))
  return present.flatMap((before) => {
    const had = new Set(before.tags.map(({ key }) => key))
    const tags = [
      ...before.tags.flatMap((tag) => (removed.has(tag.key) ? (again.get(tag.key) ?? []) : tag)),
      ...add.filter(({ key }) => !had.has(key)),
    ]
    const isSame = tags.length === before.tags.length && tags.every(({ key }) => had.has(key))
    if (isSame && respelled(before.tags, tags).length === 0) return []
    // Marked as typed, so that later imports do not add back a removed tag.
    return [{ before, after: { ...before, tags, source: 'typed' as const } }]
  })
}

/** In the order of the connections. */
export async function presentTags(
  reader: MemberReader,
  connections: readonly Connection[],
): Promise<Tagged[]> {
  const tags = await tagsOf(reader, idsOf(connections))
  return connections.map((connection) => ({
    connection,
    tags: tags.get(connection.connectionId) ?? [],
    source: connection.fieldSources.tags,
  }))
}

/** Writes the tags and updates the version of each connection. Returns the changes in the spelling that is stored. */
export async function storeTagChange(
  tx: MemberTransaction,
  changes: readonly TagChange[],
  now: number,
): Promise<TagChange[]> {
  for (const { after } of changes) if (after.tags.length > MAX_VALUES) throw tooMany(after)
  const removed = changes.flatMap(({ before, after }) => missingFrom(before, after.tags))
  const added = changes.flatMap(({ before, after }) => missingFrom(after, before.tags))
  await respellTags(
    tx,
    changes.flatMap(({ before, after }) => respelled(before.tags, after.tags)),
  )
  await removeTagsOf(tx, removed)
  await addTagsOf(tx, added)
  await markChanged(tx, changes, now)
  const ids = changes.map(({ after }) => after.connection.connectionId)
  await recordSearchChanges(tx, ids)
  const stored = await tagsOf(tx, ids)
  return changes.map(({ before, after }, at) => ({
    before,
    after: { ...after, tags: stored.get(ids[at] ?? 0) ?? [] },
  }))
}

function missingFrom({ connection: { connectionId }, tags }: Tagged, others: readonly Tag[]) {
  const keys = new Set(others.map(({ key }) => key))
  return tags.flatMap((tag) => (keys.has(tag.key) ? [] : { ...tag, connectionId }))
}

/** Most connections have the same sources, so a few statements update them all. */
async function markChanged(
  tx: MemberTransaction,
  changes: readonly TagChange[],
  now: number,
): Promise<void> {
  for (const [field_sources, group] of Map.groupBy(changes, ({ after }) => sourcesOf(after)))
    await tx.run(MARK_CHANGED, {
      field_sources,
      updated_at: now,
      ids: group.map(({ after }) => after.connection.connectionId),
    })
}

function sourcesOf({ connection, source }: Tagged): string {
  const { tags: _, '@tags': _time, ...others } = connection.fieldSources
  return JSON.stringify(source === undefined ? others : { ...others, tags: source })
}

function tooMany({ connection }: Tagged): RequestError {
  const id = publicConnectionId(connection.connectionId)
  return new RequestError('invalid_request', `${id} would have more than ${MAX_VALUES} tags.`, {
    hint: 'Remove some tags, or leave that connection out. No changes were made.',
  })
}

const MARK_CHANGED = memberStatement<{
  field_sources: string
  updated_at: number
  ids: readonly number[]
}>()(`
  update connections set field_sources = :field_sources, version = version + 1, updated_at = :updated_at
  where member_id = :member_id and connection_id in (:ids...bigint)`)
