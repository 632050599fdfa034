/** The cards of an address book as they are stored. */

import { updateRow } from '../../db/change-row.ts'
import { insertRow, insertRows } from '../../db/insert-row.ts'
import { asProperties, memberStatement } from '../../db/statement.ts'
import { raiseFloor, reserveVersions } from './book-state.ts'
import { NO_CARD_VALUES, type CardValues } from './card-values.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

export interface AddressCard {
  readonly cardId: number
  /** The last part of its URL. */
  readonly name: string
  readonly uid: string
  /** Null for a group. */
  readonly connectionId: number | null
  /** The tag that a group stands for; null for a person. */
  readonly groupTag: string | null
  /** Quoted; null for a deleted card. */
  readonly etag: string | null
  readonly bytes: number
  readonly version: number
  readonly changedAt: number
}

export interface CardContent {
  readonly text: Uint8Array
  /** What the connection had when the text was written. */
  readonly known: CardValues
  /** The UIDs of people that have the tag of a group. */
  readonly members: readonly string[]
}

/** A card to store. Without content, the stored one stays. */
export interface CardUpdate {
  readonly card: Omit<AddressCard, 'version' | 'changedAt' | 'bytes'>
  readonly content?: Partial<CardContent>
}

/** Stores new cards (with the ID 0) and changed ones. Each gets the next version of the book. */
export async function storeCards(
  tx: MemberTransaction,
  updates: readonly CardUpdate[],
  now: number,
): Promise<void> {
  if (updates.length === 0) return
  const added = updates.filter(({ card }) => card.cardId === 0).length
  let { version, cardId } = await reserveVersions(tx, { changed: updates.length, added })
  const rows = updates.map(({ card, content }) => {
    version += 1
    const isNew = card.cardId === 0
    if (isNew) cardId += 1
    return { isNew, content, version, card: { ...card, cardId: isNew ? cardId : card.cardId } }
  })
  const stateOf = ({ card: { uid, connectionId, groupTag, etag }, version: at }: Numbered) =>
    ({ uid, connectionId, groupTag, etag, version: at, changedAt: now }) as const
  await insertRows(
    tx,
    'cards',
    rows
      .filter(({ isNew }) => isNew)
      .map((row) => {
        const { cardId: id, name } = row.card
        const bytes = row.content?.text?.byteLength ?? 0
        return Object.assign({ cardId: id, name, bytes }, stateOf(row))
      }),
  )
  for (const row of rows) {
    const { isNew, card, content } = row
    const bytes = content?.text && { bytes: content.text.byteLength }
    if (!isNew) await updateRow(tx, 'cards', { cardId: card.cardId }, { ...stateOf(row), ...bytes })
    if (content) await storeContent(tx, card.cardId, content)
  }
}

interface Numbered extends Pick<CardUpdate, 'card'> {
  readonly version: number
}

/** Without a new version, for a text whose bytes stay the same. */
export async function storeContent(
  tx: MemberTransaction,
  cardId: number,
  { text, known, members }: Partial<CardContent>,
): Promise<void> {
  const stored = writeKnown({ ...(known && { known }), ...(members && { members }) })
  if (text) {
    const row = { card_id: cardId, known: stored, text }
    await insertRow(tx, 'card_texts', row, 'replace')
  } else await updateRow(tx, 'card_texts', { cardId }, { known: stored })
}

/** Without empty values, which most are. */
function writeKnown({ known, members }: Partial<CardContent>): string {
  const filled = Object.entries(known ?? {}).filter(([, value]) => value.length > 0)
  return JSON.stringify({ ...Object.fromEntries(filled), ...(members && { members }) })
}

export function isSameKnown(one: CardValues, other: CardValues): boolean {
  return writeKnown({ known: one }) === writeKnown({ known: other })
}

/** Deleted cards too. */
export async function findCard(
  reader: MemberReader,
  name: string,
): Promise<AddressCard | undefined> {
  return reader.get(BY_NAME, { name })
}

/** Without deleted cards. */
export async function findCardByUid(
  reader: MemberReader,
  uid: string,
): Promise<AddressCard | undefined> {
  return reader.get(BY_UID, { uid })
}

/** Deleted cards too. */
export async function cardsOfConnections(
  reader: MemberReader,
  ids: readonly number[],
): Promise<Map<number, AddressCard>> {
  const cards = ids.length === 0 ? [] : await reader.all(BY_CONNECTIONS, { ids })
  return new Map(cards.map((card) => [card.connectionId ?? 0, card]))
}

/** Cards of groups that are not deleted. */
export async function listGroups(
  reader: MemberReader,
): Promise<(AddressCard & { groupTag: string })[]> {
  return reader.all(GROUPS, {})
}

export async function readCardContents(
  reader: MemberReader,
  cardIds: readonly number[],
): Promise<Map<number, CardContent>> {
  const rows = cardIds.length === 0 ? [] : await reader.all(CONTENTS, { ids: cardIds })
  return new Map(
    rows.map(({ card_id, known, text }) => {
      // Written by `writeKnown`.
      const { members = [], ...values } = JSON.parse(known) as Partial<CardContent> &
        Partial<CardValues>
      return [card_id, { text, members, known: { ...NO_CARD_VALUES, ...values } }]
    }),
  )
}

/** Deletes what is known of cards that were deleted before, and raises the floor above them. */
export async function forgetRemovedCards(tx: MemberTransaction, before: number): Promise<void> {
  const last = await tx.get(LAST_REMOVED, { before })
  if (last?.version == null) return
  await raiseFloor(tx, last.version)
  await tx.run(FORGET, { before })
}

/** Deletes the bytes of the cards of purged connections. Their names stay, so that devices learn that they are gone. */
export async function forgetCards(tx: MemberTransaction, ids: readonly number[]): Promise<void> {
  const cards = [...(await cardsOfConnections(tx, ids)).values()]
  if (cards.length === 0) return
  await tx.run(DELETE_TEXTS, { ids: cards.map(({ cardId }) => cardId) })
  await tx.run(ORPHAN, { ids })
}

const CARD_COLUMNS = asProperties(
  'c.card_id, c.name, c.uid, c.connection_id, c.group_tag, c.etag, c.bytes, c.version, c.changed_at',
)

/** By cards_by_name. */
const BY_NAME = memberStatement<{ name: string }, AddressCard>()(
  `select ${CARD_COLUMNS} from cards c where c.member_id = :member_id and c.name = :name`,
)

/** By cards_by_uid. */
const BY_UID = memberStatement<{ uid: string }, AddressCard>()(`
  select ${CARD_COLUMNS} from cards c
  where c.member_id = :member_id and c.uid = :uid and c.etag is not null limit 1`)

/** By cards_by_connection. */
const BY_CONNECTIONS = memberStatement<{ ids: readonly number[] }, AddressCard>()(`
  select ${CARD_COLUMNS} from cards c each (connection_id = :ids...bigint)
  where c.member_id = :member_id`)

/** By cards_by_group. */
const GROUPS = memberStatement<object, AddressCard & { groupTag: string }>()(`
  select ${CARD_COLUMNS} from cards c
  where c.member_id = :member_id and c.group_tag is not null and c.etag is not null
  order by c.card_id`)

/** By primary key. */
const CONTENTS = memberStatement<
  { ids: readonly number[] },
  { card_id: number; known: string; text: Uint8Array }
>()(`
  select t.card_id, t.known, t.text from card_texts t each (card_id = :ids...bigint)
  where t.member_id = :member_id`)

/** By primary key. */
const DELETE_TEXTS = memberStatement<{ ids: readonly number[] }>()(
  'delete from card_texts where member_id = :member_id and card_id in (:ids...bigint)',
)

/** By cards_by_connection. */
const ORPHAN = memberStatement<{ ids: readonly number[] }>()(`
  update cards set connection_id = null
  where member_id = :member_id and connection_id in (:ids...bigint)`)

/** By cards_by_removal, like the next one. */
const LAST_REMOVED = memberStatement<{ before: number }, { version: number | null }>()(`
  select max(version) as version from cards
  where member_id = :member_id and etag is null and changed_at < :before`)

const FORGET = memberStatement<{ before: number }>()(`
  delete from cards where member_id = :member_id and etag is null and changed_at < :before`)
