/** Queries for the tags of one member's connections. */

import { idsOf } from './connection.ts'
import { listsBy } from '../../base/lists-by.ts'
import { isVisible } from '../../base/schema.ts'
import { RequestError } from '../../base/request-error.ts'
import { normalize } from '../../base/tokenize.ts'
import { memberStatement } from '../../db/statement.ts'
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

/** Tags that the connection has already keep their spelling. */
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

/** Adds tags to several connections. */
export async function addTagsOf(
  tx: MemberTransaction,
  tags: readonly (Tag & { readonly connectionId: number })[],
): Promise<void> {
  await tx.insertMany({
    table: 'connection_tags',
    columns: ['tag_key', 'connection_id', 'tag'],
    rows: tags.map(({ tag, key, connectionId }) => [key, connectionId, tag]),
    onConflict: 'ignore',
  })
  await refreshTaggedDueDates(tx, idsIn(tags))
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
