/**
 * Brings the cards of the address book up to date with the network. A write of the network costs nothing for it: the next request
 * of a device reads which connections changed since (model/search-changes.ts), compares what their cards say, and changes the
 * lines that differ.
 */

import { randomUUID } from 'node:crypto'
import { SYNC_TOKEN_LIFETIME_MS } from '../../dav/sync-token.ts'
import { memberStatement } from '../../db/statement.ts'
import {
  idsOf,
  CONNECTION_COLUMNS,
  connectionOf,
  type Connection,
  type ConnectionRow,
} from '../model/connection.ts'
import { findPhoto } from '../model/photo-store.ts'
import { readSearchChanges, type ChangedRange } from '../model/search-changes.ts'
import { tagOf, tagsOf } from '../model/tag-store.ts'
import { lockBook, markSeen, readBook } from './book-state.ts'
import {
  cardsOfConnections,
  forgetRemovedCards,
  isSameKnown,
  listGroups,
  readCardContents,
  storeCards,
  storeContent,
  type AddressCard,
  type CardContent,
  type CardUpdate,
} from './card-store.ts'
import { etagOf } from './card-lines.ts'
import {
  isShown,
  knownValuesOf,
  NO_CARD_VALUES,
  shownFields,
  type CardValues,
} from './card-values.ts'
import { refreshGroups } from './group-cards.ts'
import { newCard, patchCard } from './patch-card.ts'
import type { Photo } from '../../contact-files/contact/photo.ts'
import type { MemberDatabase, MemberReader, MemberTransaction } from '../../db/database.ts'

/** Connections per transaction: a millisecond of the main thread and the writer, and little memory. */
const PAGE = 50

const EVERYONE: ChangedRange = { first: 1, last: Number.MAX_SAFE_INTEGER }

/** Safe to run on several nodes at once: each page compares what is stored in its own transaction. */
export async function refreshBook(db: MemberDatabase, now: number): Promise<void> {
  for (;;) {
    const { seenVersion, searchVersion, showsFields } = await requireBook(db)
    if (seenVersion === searchVersion) return
    const changed =
      seenVersion === null ? undefined : await readSearchChanges(db, seenVersion, searchVersion)
    for (const range of changed ?? [EVERYONE])
      for (let after = range.first - 1; ;) {
        const last = await db.write((tx) => refreshPage(tx, { after, last: range.last }, now), {
          bulk: true,
        })
        if (last === undefined) break
        after = last
      }
    await db.write(async (tx) => {
      const state = await lockBook(tx)
      await refreshGroups(tx, now)
      await forgetRemovedCards(tx, now - SYNC_TOKEN_LIFETIME_MS)
      const isSameChoice = state.showsFields === showsFields
      if (isSameChoice && (state.seenVersion ?? -1) < searchVersion)
        await markSeen(tx, searchVersion)
    })
  }
}

async function requireBook(db: MemberDatabase) {
  const state = await readBook(db)
  return state.searchVersion === 0 && state.seenVersion === null ? db.write(lockBook) : state
}

/** Returns the number of the last connection; undefined after the last page. */
async function refreshPage(
  tx: MemberTransaction,
  { after, last }: { readonly after: number; readonly last: number },
  now: number,
): Promise<number | undefined> {
  const rows = await tx.all(CONNECTIONS, { after, last, limit: PAGE })
  if (rows.length === 0) return undefined
  await lockBook(tx)
  await refreshCards(tx, rows.map(connectionOf), now)
  return rows.length < PAGE ? last : rows.at(-1)?.connectionId
}

/** Makes the cards of these connections say what the connections say. */
export async function refreshCards(
  tx: MemberTransaction,
  connections: readonly Connection[],
  now: number,
): Promise<void> {
  const ids = idsOf(connections)
  const cards = await cardsOfConnections(tx, ids)
  const contents = await readCardContents(
    tx,
    [...cards.values()].map(({ cardId }) => cardId),
  )
  const tags = await tagsOf(tx, ids)
  const grouped = new Set((await listGroups(tx)).map(({ groupTag }) => tagOf(groupTag).key))
  const fields = await shownFields(tx, await readBook(tx))
  const updates: CardUpdate[] = []
  for (const connection of connections) {
    const { connectionId } = connection
    const card = cards.get(connectionId)
    const own = tags.get(connectionId) ?? []
    if (!isShown(connection, own)) {
      if (card && card.etag !== null) updates.push({ card: { ...card, etag: null } })
      continue
    }
    const content = card && contents.get(card.cardId)
    const values = knownValuesOf(connection, own, { grouped, card: content?.known, fields })
    const update = await updateOf(tx, { connectionId, card, content, values })
    if (update) updates.push(update)
  }
  await storeCards(tx, updates, now)
}

interface Refreshing {
  readonly connectionId: number
  readonly card: AddressCard | undefined
  readonly content: CardContent | undefined
  readonly values: CardValues
}

/** Undefined if the bytes stay the same. */
async function updateOf(
  tx: MemberTransaction,
  { connectionId, card, content, values }: Refreshing,
): Promise<CardUpdate | undefined> {
  if (!card || !content) {
    const uid = card?.uid ?? randomUUID()
    const text = newCard(uid, values, await photoOf(tx, NO_CARD_VALUES, values))
    const named = card ?? { cardId: 0, name: `${uid}.vcf`, uid, connectionId, groupTag: null }
    return { card: { ...named, etag: etagOf(text) }, content: { text, known: values } }
  }
  const { known, text: before } = content
  const isSame = isSameKnown(known, values)
  if (isSame && card.etag !== null) return undefined
  const photo = await photoOf(tx, known, values)
  const text = isSame ? before : patchCard(before, { was: known, now: values, photo })
  if (card.etag !== null && Buffer.compare(text, before) === 0) {
    await storeContent(tx, card.cardId, { known: values })
    return undefined
  }
  return { card: { ...card, etag: etagOf(text) }, content: { text, known: values } }
}

async function photoOf(
  reader: MemberReader,
  was: CardValues,
  now: CardValues,
): Promise<Photo | undefined> {
  return was.photo === now.photo || now.photo === '' ? undefined : findPhoto(reader, now.photo)
}

/** By primary key. Deleted connections too. */
const CONNECTIONS = memberStatement<
  { after: number; last: number; limit: number },
  ConnectionRow
>()(`
  select ${CONNECTION_COLUMNS} from connections c
  where c.member_id = :member_id and c.connection_id > :after and c.connection_id <= :last
  order by c.connection_id limit :limit`)
