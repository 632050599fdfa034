/**
 * Cards of groups: each stands for a tag, and its members are the people with the tag. The card keeps its bytes but for the lines
 * of members.
 */

import { memberStatement } from '../../db/statement.ts'
import { recordSearchChanges } from '../model/search-changes.ts'
import { addTagsOf, removeTagsOf, tagOf } from '../model/tag-store.ts'
import {
  octetsOf,
  cardTextOf,
  etagOf,
  newLine,
  valueIn,
  cardVersionOf,
  type CardLine,
  type ClientCard,
} from './card-lines.ts'
import {
  listGroups,
  readCardContents,
  storeCards,
  storeContent,
  type CardUpdate,
} from './card-store.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

const MEMBER_NAMES: ReadonlySet<string> = new Set(['MEMBER', 'X-ADDRESSBOOKSERVER-MEMBER'])

/** The UID of a member line, without its scheme. */
function memberIn(line: CardLine): string | undefined {
  if (!MEMBER_NAMES.has(line.name) || line.isNested) return undefined
  return bareUid(valueIn(line.text))
}

/** Clients write the UID of a member as `urn:uuid:…`, whatever it is in its card. */
export function bareUid(uid: string): string {
  return uid.trim().replace(/^urn:uuid:/i, '')
}

/** Adds and removes lines of members. */
function withMembers(
  card: ClientCard,
  { added, removed }: { readonly added: readonly string[]; readonly removed: ReadonlySet<string> },
): Uint8Array {
  const lines = card.lines.filter((line) => !removed.has(memberIn(line) ?? ''))
  const last = lines.findLastIndex((line) => memberIn(line) !== undefined)
  const end = lines.findLastIndex(({ name }) => name === 'END')
  const name = cardVersionOf(card) === '4.0' ? 'MEMBER' : 'X-ADDRESSBOOKSERVER-MEMBER'
  const more = added.map((uid) => newLine(card, `${name}:urn:uuid:${uid}`))
  lines.splice(last === -1 ? end : last + 1, 0, ...more)
  return octetsOf({ ...card, lines })
}

/**
 * Reconciles every group with its tag: members that a client added before their cards get the tag, and members whose tag was
 * removed here leave the group.
 */
export async function refreshGroups(tx: MemberTransaction, now: number): Promise<void> {
  const groups = await listGroups(tx)
  if (groups.length === 0) return
  const contents = await readCardContents(
    tx,
    groups.map(({ cardId }) => cardId),
  )
  const updates: CardUpdate[] = []
  for (const group of groups) {
    const content = contents.get(group.cardId)
    if (!content) continue
    const card = cardTextOf(content.text)
    const listed = [...new Set(card.lines.flatMap((line) => memberIn(line) ?? []))]
    const tag = tagOf(group.groupTag)
    const tagged = new Set(await taggedUids(tx, tag.key))
    const known = new Set(content.members)
    const pending = listed.filter((uid) => !tagged.has(uid) && !known.has(uid))
    const arrived = await connectionsOfUids(tx, pending)
    const { key, tag: spelling } = tag
    await addTagsOf(
      tx,
      [...arrived.values()].map((connectionId) => ({ key, tag: spelling, connectionId })),
    )
    await recordSearchChanges(tx, [...arrived.values()])
    const wanted = new Set([...tagged, ...arrived.keys()])
    const removed = new Set(listed.filter((uid) => known.has(uid) && !wanted.has(uid)))
    const added = [...wanted].filter((uid) => !listed.includes(uid))
    const members = [...wanted]
    if (removed.size + added.length > 0) {
      const text = withMembers(card, { added, removed })
      updates.push({ card: { ...group, etag: etagOf(text) }, content: { text, members } })
    } else if (members.length !== known.size || members.some((uid) => !known.has(uid)))
      await storeContent(tx, group.cardId, { members })
  }
  await storeCards(tx, updates, now)
}

interface GroupState {
  readonly tag: string
  readonly members: readonly string[]
}

interface GroupEdit {
  /** Undefined for a new group, or a removed one. */
  readonly was?: GroupState | undefined
  readonly now?: GroupState | undefined
}

interface TaggedPerson {
  readonly uid: string
  readonly connectionId: number
  readonly key: string
  readonly tag: string
}

/** The tags that a client's change of a group adds and removes. */
export async function tagChangesOf(
  reader: MemberReader,
  { was, now }: GroupEdit,
): Promise<{ readonly added: readonly TaggedPerson[]; readonly removed: readonly TaggedPerson[] }> {
  const isRenamed = was && now && tagOf(was.tag).key !== tagOf(now.tag).key
  const [before, after] = [new Set(was?.members), new Set(now?.members)]
  const removed = [...before].filter((uid) => isRenamed || !after.has(uid))
  const added = [...after].filter((uid) => isRenamed || !before.has(uid))
  const people = await connectionsOfUids(reader, [...removed, ...added])
  const tagged = (uids: readonly string[], tag: string): TaggedPerson[] =>
    uids.flatMap((uid) => {
      const connectionId = people.get(uid)
      return connectionId === undefined ? [] : [{ uid, connectionId, ...tagOf(tag) }]
    })
  return { added: tagged(added, now?.tag ?? ''), removed: tagged(removed, was?.tag ?? '') }
}

/** Stores what `tagChangesOf` returned, for these people. */
export async function storeTagChanges(
  tx: MemberTransaction,
  { added, removed }: Awaited<ReturnType<typeof tagChangesOf>>,
): Promise<void> {
  await removeTagsOf(tx, removed)
  await addTagsOf(tx, added)
}

/** The connections of cards that exist, by their UID without its scheme. */
async function connectionsOfUids(
  reader: MemberReader,
  uids: readonly string[],
): Promise<Map<string, number>> {
  if (uids.length === 0) return new Map()
  const spellings = uids.flatMap((uid) => [uid, `urn:uuid:${uid}`])
  const rows = await reader.all(BY_UIDS, { uids: [...new Set(spellings)] })
  return new Map(rows.map(({ uid, connection_id }) => [bareUid(uid), connection_id]))
}

/** The UIDs of the cards of people with a tag, without their scheme. */
async function taggedUids(reader: MemberReader, key: string): Promise<string[]> {
  return (await reader.all(TAGGED, { tag_key: key })).map(({ uid }) => bareUid(uid))
}

/** By cards_by_uid. */
const BY_UIDS = memberStatement<
  { uids: readonly string[] },
  { uid: string; connection_id: number }
>()(`
  select c.uid, c.connection_id from cards c each (uid = :uids...text)
  where c.member_id = :member_id and c.etag is not null and c.connection_id is not null`)

/** By primary key of connection_tags and cards_by_connection. */
const TAGGED = memberStatement<{ tag_key: string }, { uid: string }>()(`
  select c.uid from connection_tags t
  join cards c on c.member_id = t.member_id and c.connection_id = t.connection_id
  where t.member_id = :member_id and t.tag_key = :tag_key and c.etag is not null
  order by c.card_id`)
