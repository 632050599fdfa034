/** Stores a card that a client sent, or deletes one, together with what it means for the person or the tag. */

import { findConnections } from '../model/connection-store.ts'
import { checkCard, etagOf, type CardProblem } from './card-lines.ts'
import { lockBook } from './book-state.ts'
import {
  findCard,
  findCardByUid,
  readCardContents,
  storeCards,
  type AddressCard,
  type CardContent,
} from './card-store.ts'
import { readCard } from './card-values.ts'
import { refreshCards } from './refresh-book.ts'
import { putGroup, removeGroup } from './put-group.ts'
import { deletePerson, putPerson } from './put-person.ts'
import type { CardWriter } from './device-burst.ts'
import type { WriteConditions, WriteProblem, WriteResult } from '../../dav/book.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

interface PutCard {
  readonly name: string
  readonly bytes: Uint8Array
  readonly conditions: WriteConditions
}

const PROBLEMS: Readonly<Record<CardProblem, WriteProblem>> = {
  no_card: { code: 'valid_address_data', reason: 'The body is not a vCard.' },
  several_cards: { code: 'valid_address_data', reason: 'The body has more than one vCard.' },
  no_uid: { code: 'valid_address_data', reason: 'The vCard has no UID.' },
  version: {
    code: 'supported_address_data',
    reason: 'The vCard is of another version than 3.0 and 4.0.',
  },
}

const TOO_LONG: WriteProblem = {
  code: 'valid_address_data',
  reason: 'The vCard has more than 5,000,000 characters beside its photo.',
}

/** Everything is stored in this transaction, so a client that gets an answer has a card that is stored. */
export async function putCard(
  tx: MemberTransaction,
  { name, bytes, conditions }: PutCard,
  writer: CardWriter,
): Promise<WriteResult> {
  const checked = checkCard(bytes)
  if ('problem' in checked) return { problem: PROBLEMS[checked.problem] }
  const stored = await presentCard(tx, name, writer.now)
  const problem =
    failedCondition(stored?.card, conditions) ?? (await uidConflict(tx, name, checked.uid))
  if (problem) return { problem }
  const { card, content } = stored ?? {}
  if (card && card.etag !== null && card.uid !== checked.uid)
    return { problem: { code: 'no_uid_conflict', name } }
  const isNew = card?.etag == null
  // Converted to version 3.0, the card differs from what came.
  const etag = checked.version === '3.0' ? etagOf(bytes) : undefined
  if (!isNew && content && Buffer.compare(bytes, content.text) === 0) return { isNew, etag }
  const read = readCard(bytes)
  if (read.isTooLong) return { problem: TOO_LONG }
  const put = { name, uid: checked.uid, bytes, read, card, content }
  const isGroup = read.group !== undefined
  if (!isNew && isGroup !== (card.groupTag !== null))
    return {
      problem: {
        code: 'valid_address_data',
        reason: 'A card cannot change between a person and a group.',
      },
    }
  const result = isGroup ? await putGroup(tx, put, writer) : await putPerson(tx, put, writer)
  return result.problem
    ? { problem: result.problem }
    : { isNew, etag: result.isChanged ? undefined : etag }
}

interface StoredCard {
  readonly card: AddressCard
  readonly content: CardContent | undefined
}

/** The card as it is now: it says what the connection says. */
async function presentCard(
  tx: MemberTransaction,
  name: string,
  now: number,
): Promise<StoredCard | undefined> {
  const { seenVersion, searchVersion } = await lockBook(tx)
  const found = await findCard(tx, name)
  if (!found) return undefined
  if (seenVersion !== searchVersion && found.connectionId !== null)
    await refreshCards(tx, await findConnections(tx, [found.connectionId]), now)
  const card = (await findCard(tx, name)) ?? found
  return { card, content: (await readCardContents(tx, [card.cardId])).get(card.cardId) }
}

function failedCondition(
  card: AddressCard | undefined,
  { ifMatch, ifNoneMatch }: WriteConditions,
): WriteProblem | undefined {
  const etag = card?.etag ?? null
  const names = (header: string) =>
    etag !== null && (header.trim() === '*' || header.split(',').some((one) => one.trim() === etag))
  if (ifMatch !== undefined && !names(ifMatch)) return { code: 'precondition_failed' }
  if (ifNoneMatch !== undefined && names(ifNoneMatch)) return { code: 'precondition_failed' }
  return undefined
}

async function uidConflict(
  reader: MemberReader,
  name: string,
  uid: string,
): Promise<WriteProblem | undefined> {
  const other = await findCardByUid(reader, uid)
  return other && other.name !== name ? { code: 'no_uid_conflict', name: other.name } : undefined
}

/** Moves the person to the trash, or removes the tag of a group. */
export async function removeCard(
  tx: MemberTransaction,
  { name, conditions }: Omit<PutCard, 'bytes'>,
  writer: CardWriter,
): Promise<WriteResult> {
  const { now } = writer
  const stored = await presentCard(tx, name, now)
  const problem =
    stored?.card.etag == null
      ? ({ code: 'not_found' } as const)
      : failedCondition(stored.card, conditions)
  if (!stored || problem) return { problem: problem ?? { code: 'not_found' } }
  const { card } = stored
  const held =
    card.connectionId === null
      ? await removeGroup(tx, stored, writer)
      : await deletePerson(tx, card.connectionId, writer)
  if (held) return { problem: held }
  await storeCards(tx, [{ card: { ...card, etag: null, groupTag: null } }], now)
  return { isNew: false }
}
