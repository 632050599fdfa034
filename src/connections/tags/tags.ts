/** Tags across a network: listing them, and adding or removing them on many connections at once. */

import { readCursor, writeCursor } from '../../base/cursor.ts'
import { RequestError } from '../../base/request-error.ts'
import { memberStatement } from '../../db/statement.ts'
import { publicConnectionId, type Connection, type Source } from '../model/connection.ts'
import { MAX_VALUES } from '../model/limits.ts'
import { tagOf, tagsOf, type Tag } from '../model/connection-store.ts'
import { recordSearchChanges } from '../model/search-changes.ts'
import { keepValue, keptValue } from '../model/kept-value.ts'
import type { MemberDatabase, MemberReader, MemberTransaction } from '../../db/database.ts'
import type { NetworkState } from '../../tools/call-state.ts'

interface TagCount {
  readonly tag: string
  readonly count: number
}

interface TagPage {
  readonly tags: readonly TagCount[]
  readonly hasMore: boolean
  /** The cursor of the page that starts after the tag at `index`. */
  cursorAfter(index: number): string
}

type TagReader = MemberReader & Pick<MemberDatabase, 'heavy' | 'memory'>

interface TagList {
  readonly limit: number
  readonly cursor?: string | undefined
  /** The network when the call began; otherwise it is read. */
  readonly network?: NetworkState
}

/** Most used first; tags of deleted connections do not count. The first page is kept in memory. */
export async function listTags(
  db: TagReader,
  { limit, cursor, network }: TagList,
): Promise<TagPage> {
  const first = () => readTags(db.heavy, MAX_KEPT_TAGS + 1)
  const isFirst = cursor === undefined && limit <= MAX_KEPT_TAGS
  const rows = isFirst
    ? (await keepValue(db, FIRST_TAGS, first, network)).slice(0, limit + 1)
    : await readTags(db.heavy, limit + 1, cursor)
  const question = [db.memberId, 'tags']
  return {
    tags: rows.slice(0, limit),
    hasMore: rows.length > limit,
    // The tag, not its key: normalization expands some characters to eighteen.
    cursorAfter: (index) =>
      writeCursor(question, [rows[index]?.count ?? 0, rows[index]?.tag ?? '']),
  }
}

/** As many as completions search. */
const MAX_KEPT_TAGS = 1000

const FIRST_TAGS = keptValue<readonly TagCount[]>('first-tags')

/** Scans all tags of the network. */
async function readTags(reader: MemberReader, limit: number, cursor?: string): Promise<TagCount[]> {
  const question = [reader.memberId, 'tags']
  const [count, tag] =
    cursor === undefined ? FIRST : readCursor(question, cursor, ['number', 'string'])
  return reader.all(COUNTS, { count, key: tagOf(tag).key, limit })
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

/** The tags of each connection before and after the change. Omits connections that would not change. */
export async function planTagChange(
  reader: MemberReader,
  connections: readonly Connection[],
  { add, remove }: { readonly add: readonly Tag[]; readonly remove: readonly Tag[] },
): Promise<TagChange[]> {
  const present = await presentTags(reader, connections)
  const removed = new Set(remove.map(({ key }) => key))
  return present.flatMap((before) => {
    const kept = before.tags.filter(({ key }) => !removed.has(key))
    const added = add.filter(({ key }) => !before.tags.some((tag) => tag.key === key))
    if (added.length === 0 && kept.length === before.tags.length) return []
    // Marked as typed, so that later imports do not add back a removed tag.
    return [{ before, after: { ...before, tags: [...kept, ...added], source: 'typed' as const } }]
  })
}

/** In the order of the connections. */
export async function presentTags(
  reader: MemberReader,
  connections: readonly Connection[],
): Promise<Tagged[]> {
  const tags = await tagsOf(
    reader,
    connections.map(({ connectionId }) => connectionId),
  )
  return connections.map((connection) => ({
    connection,
    tags: tags.get(connection.connectionId) ?? [],
    source: connection.fieldSources.tags,
  }))
}

/** Writes the tags and updates the version of each connection. */
export async function storeTagChange(
  tx: MemberTransaction,
  changes: readonly TagChange[],
  now: number,
): Promise<void> {
  for (const { after } of changes) if (after.tags.length > MAX_VALUES) throw tooMany(after)
  const removed = changes.flatMap(({ before, after }) => missingFrom(before, after.tags))
  const added = changes.flatMap(({ before, after }) => missingFrom(after, before.tags))
  for (const [key, ids] of Map.groupBy(removed, ([tag]) => tag.key))
    await tx.run(REMOVE, { key, ids: ids.map(([, id]) => id) })
  await tx.insertMany({
    table: 'connection_tags',
    columns: ['tag_key', 'connection_id', 'tag'],
    rows: added.map(([{ key, tag }, id]) => [key, id, tag]),
  })
  await markChanged(tx, changes, now)
  await recordSearchChanges(
    tx,
    changes.map(({ after }) => after.connection.connectionId),
  )
}

/** The tags of `tagged` that are not in `others`, each with the connection ID. */
function missingFrom({ connection, tags }: Tagged, others: readonly Tag[]): [Tag, number][] {
  const keys = new Set(others.map(({ key }) => key))
  return tags.filter(({ key }) => !keys.has(key)).map((tag) => [tag, connection.connectionId])
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
  const { tags: _, ...others } = connection.fieldSources
  return JSON.stringify(source === undefined ? others : { ...others, tags: source })
}

function tooMany({ connection }: Tagged): RequestError {
  const id = publicConnectionId(connection.connectionId)
  return new RequestError('invalid_request', `${id} would have more than ${MAX_VALUES} tags.`, {
    hint: 'Remove some tags, or leave that connection out. No changes were made.',
  })
}

/** Before the most frequent tag. */
const FIRST = [Number.MAX_SAFE_INTEGER, ''] as const

/** By primary key. Scans all tags of the network, so it runs off the main thread. */
const COUNTS = memberStatement<{ count: number; key: string; limit: number }, TagCount>()(`
  select tag, count from (
    select min(t.tag) as tag, t.tag_key, count(*) as count from connection_tags t
    join connections c on c.member_id = :member_id and c.connection_id = t.connection_id
    where t.member_id = :member_id and c.deleted_at is null
    group by t.tag_key) as counted
  where count < :count or (count = :count and tag_key > :key)
  order by count desc, tag_key limit :limit`)

/** By primary key. */
const REMOVE = memberStatement<{ key: string; ids: readonly number[] }>()(`
  delete from connection_tags
  where member_id = :member_id and tag_key = :key and connection_id in (:ids...bigint)`)

const MARK_CHANGED = memberStatement<{
  field_sources: string
  updated_at: number
  ids: readonly number[]
}>()(`
  update connections set field_sources = :field_sources, version = version + 1, updated_at = :updated_at
  where member_id = :member_id and connection_id in (:ids...bigint)`)
