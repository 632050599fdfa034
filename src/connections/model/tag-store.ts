/** Queries for the tags of one member's connections. */

import { idsOf } from './connection.ts'
import { listsBy } from '../../base/lists-by.ts'
import { isVisible } from '../../base/schema.ts'
import { RequestError } from '../../base/request-error.ts'
import { normalize } from '../../base/tokenize.ts'
import { memberStatement } from '../../db/statement.ts'
import { recordSearchChanges } from './search-changes.ts'
import { refreshTaggedDueDates } from '../last-contact/contact-times.ts'
import type { ConnectionKey } from './connection-key.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

/** `key` decides which tags are the same: C, C++ and C# are three, `Café` and `cafe` are one. */
export interface Tag {
  readonly tag: string
  readonly key: string
}

/** The tag with single spaces, and the key that makes spellings of it equal. */
export function tagOf(text: string): Tag {
  const tag = text.trim().replace(/\s+/g, ' ')
  return { tag, key: normalize(tag) || tag }
}

/**
 * A tag that is added.
 *
 * @throws {RequestError} `invalid_request` when it has no visible characters.
 */
export function newTag(text: string): Tag {
  if (isVisible(text)) return tagOf(text)
  throw new RequestError('invalid_request', 'A tag needs a visible character.')
}

/** The tags of each of these connections. */
export async function tagsOf(
  reader: MemberReader,
  ids: readonly number[],
): Promise<Map<number, Tag[]>> {
  const rows = ids.length === 0 ? [] : await reader.all(TAGS_OF, { ids: [...new Set(ids)] })
  return listsBy(rows.map(({ connection_id, tag, tag_key: key }) => [connection_id, { tag, key }]))
}

/** Adds tags to a connection, see `addTagsOf`. */
export async function addTags(
  tx: MemberTransaction,
  connectionId: number,
  tags: readonly Tag[],
): Promise<void> {
  await addTagsOf(
    tx,
    tags.map((tag) => ({ ...tag, connectionId })),
  )
}

/** Adds tags to several connections, in the spelling that the member uses already. */
export async function addTagsOf(
  tx: MemberTransaction,
  tags: readonly (Tag & { readonly connectionId: number })[],
): Promise<void> {
  const spelled = await withStoredSpelling(tx, tags)
  await tx.insertMany({
    table: 'connection_tags',
    columns: ['tag_key', 'connection_id', 'tag'],
    rows: spelled.map(({ key, connectionId, tag }) => [key, connectionId, tag]),
    onConflict: 'ignore',
  })
  await refreshTaggedDueDates(tx, idsIn(tags))
}

/**
 * The tags in their stored spelling, also that of a deleted connection, whose restoration then brings no second one. A new
 * tag has the spelling of the first in the list.
 */
export async function withStoredSpelling<One extends Tag>(
  reader: MemberReader,
  tags: readonly One[],
): Promise<One[]> {
  const spellings = new Map(tags.toReversed().map(({ key, tag }) => [key, tag]))
  for (const key of spellings.keys()) {
    const stored = await reader.get(SPELLING, { tag_key: key })
    if (stored?.tag != null) spellings.set(key, stored.tag)
  }
  return tags.map((tag) => ({ ...tag, tag: spellings.get(tag.key) ?? tag.tag }))
}

/** The tags of the second list that are in the first one with another spelling. */
export function respelled(tags: readonly Tag[], others: readonly Tag[]): Tag[] {
  const spellings = new Map(tags.map(({ key, tag }) => [key, tag]))
  return others.filter(({ key, tag }) => (spellings.get(key) ?? tag) !== tag)
}

/** The former spellings of the tags that a change respelled, without tags that have been respelled since. */
export function formerSpellings(
  present: readonly Tag[],
  { from, to }: Readonly<Record<'from' | 'to', readonly Tag[]>>,
): Tag[] {
  const spellings = new Set(present.map(({ tag }) => tag))
  return respelled(
    from.filter(({ tag }) => spellings.has(tag)),
    to,
  )
}

/** Changes the spelling of these tags everywhere. Writes that add a tag keep its spelling. */
export async function respellTags(tx: MemberTransaction, tags: readonly Tag[]): Promise<void> {
  for (const { tag, key: tag_key } of tags) {
    await tx.run(RESPELL_CADENCE, { tag, tag_key })
    await recordSearchChanges(
      tx,
      (await tx.all(RESPELL, { tag, tag_key })).map(({ connection_id }) => connection_id),
    )
  }
}

/** `keys` are the keys of tags, see `tagOf`. */
export async function removeTags(
  tx: MemberTransaction,
  connectionId: number,
  keys: readonly string[],
): Promise<void> {
  await removeTagsOf(
    tx,
    keys.map((key) => ({ key, connectionId })),
  )
}

/** Removes tags from several connections. */
export async function removeTagsOf(
  tx: MemberTransaction,
  tags: readonly ConnectionKey[],
): Promise<void> {
  await tx.deleteMany({
    table: 'connection_tags',
    key: ['tag_key', 'connection_id'],
    rows: tags.map(({ key, connectionId }) => [key, connectionId]),
  })
  await refreshTaggedDueDates(tx, idsIn(tags))
}

function idsIn(tags: readonly Pick<ConnectionKey, 'connectionId'>[]): number[] {
  return idsOf(tags)
}

/** By connection_tags_by_connection. */
const TAGS_OF = memberStatement<
  { ids: readonly number[] },
  { connection_id: number; tag: string; tag_key: string }
>()(`
  select t.connection_id, t.tag, t.tag_key from connection_tags t each (connection_id = :ids...bigint)
  where t.member_id = :member_id order by t.connection_id, t.tag_key`)

/** By primary keys. */
const SPELLING = memberStatement<{ tag_key: string }, { tag: string | null }>()(`
  select coalesce(
    (select t.tag from connection_tags t where t.member_id = :member_id and t.tag_key = :tag_key limit 1),
    (select r.tag from tag_cadences r where r.member_id = :member_id and r.tag_key = :tag_key)) as tag`)

interface StoredTag {
  readonly tag: string
  readonly tag_key: string
}

/** By primary key. */
const RESPELL = memberStatement<StoredTag, { connection_id: number }>()(`
  update connection_tags set tag = :tag
  where member_id = :member_id and tag_key = :tag_key and tag <> :tag returning connection_id`)

const RESPELL_CADENCE = memberStatement<StoredTag>()(
  'update tag_cadences set tag = :tag where member_id = :member_id and tag_key = :tag_key',
)
