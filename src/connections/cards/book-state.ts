/** The state of a member's address book: its version, which sync tokens name, and what its cards reflect. */

import { updateRow } from '../../db/change-row.ts'
import { insertRow } from '../../db/insert-row.ts'
import { asProperties, memberStatement, serviceStatement } from '../../db/statement.ts'
import { recordSecurityEvent } from '../../tools/security-events.ts'
import type { Database, MemberReader, MemberTransaction } from '../../db/database.ts'

export interface BookState {
  /** Counts the changes of cards. */
  readonly version: number
  /** Sync tokens of earlier versions are no longer valid. */
  readonly floor: number
  /** The version of the network that the cards reflect; null before they were first made. */
  readonly seenVersion: number | null
  /** The version of the network. */
  readonly searchVersion: number
  /** The card of the member, as an old client named it. */
  readonly meCard: string | null
  /** Whether the member chose that custom fields are part of cards. */
  readonly showsFields: 0 | 1
}

const NEW_BOOK: BookState = {
  version: 0,
  floor: 0,
  seenVersion: null,
  searchVersion: 0,
  meCard: null,
  showsFields: 0,
}

/** The state of a new address book for a member who has none yet. */
export async function readBook(reader: MemberReader): Promise<BookState> {
  const state = await reader.get(STATE, {})
  return state ?? NEW_BOOK
}

/** Creates the row of a member who has none. Locks it until the transaction ends. */
export async function lockBook(tx: MemberTransaction): Promise<BookState> {
  if ((await tx.run(LOCK, {})) === 0) await insertRow(tx, 'address_books', { version: 0 }, 'ignore')
  return readBook(tx)
}

/** The version and the card ID before the next changes, which are reserved. */
export async function reserveVersions(
  tx: MemberTransaction,
  { changed, added }: { readonly changed: number; readonly added: number },
): Promise<{ readonly version: number; readonly cardId: number }> {
  const counted = await tx.get(COUNT, { changed, added })
  if (!counted) throw new Error('the address book was not locked')
  return { version: counted.version - changed, cardId: counted.lastCard - added }
}

/** Sets what the cards reflect. */
export async function markSeen(tx: MemberTransaction, searchVersion: number): Promise<void> {
  await updateRow(tx, 'address_books', {}, { seenVersion: searchVersion })
}

export async function setMeCard(tx: MemberTransaction, meCard: string | null): Promise<void> {
  await lockBook(tx)
  await updateRow(tx, 'address_books', {}, { meCard })
}

/** Sets whether custom fields are part of cards. The next request of a device brings all cards up to date. */
export async function showFields(
  tx: MemberTransaction,
  isShown: boolean,
  now: number,
): Promise<void> {
  await lockBook(tx)
  if ((await tx.run(SHOW_FIELDS, { shows_fields: isShown ? 1 : 0 })) === 0) return
  const details = { custom_fields: isShown ? 'included' : 'left out' }
  await recordSecurityEvent(tx, { event: 'device_fields_changed', details }, now)
}

/** From now on, sync tokens of earlier versions are not valid. */
export async function raiseFloor(tx: MemberTransaction, floor: number): Promise<void> {
  await tx.run(RAISE_FLOOR, { floor })
}

/**
 * Makes all sync tokens invalid, so that devices list all cards again: what they saw after a backup is not in the database
 * that was restored from it. The next version is the time, which no token of before has reached. Devices that are not in the
 * database get a new ID, which tokens contain.
 */
export async function expireSyncTokens(database: Database, now: number): Promise<void> {
  for (let after = 0; ;) {
    const [next] = await database.all(WITH_DEVICE, { after })
    if (!next) return
    after = next.member_id
    await database.member(after).write(async (tx) => {
      await lockBook(tx)
      await tx.run(EXPIRE, { now })
    })
  }
}

/** By primary keys. */
const STATE = memberStatement<object, BookState>()(`
  select ${asProperties('b.version, b.floor, b.seen_version, n.search_version, b.me_card, b.shows_fields')}
  from address_books b join networks n on n.member_id = b.member_id
  where b.member_id = :member_id`)

/** A no-op that locks the row on every engine. */
const LOCK = memberStatement()(
  'update address_books set version = version where member_id = :member_id',
)

const COUNT = memberStatement<
  { changed: number; added: number },
  { version: number; lastCard: number }
>()(`
  update address_books set version = version + :changed, last_card = last_card + :added
  where member_id = :member_id returning version, last_card as "lastCard"`)

const SHOW_FIELDS = memberStatement<{ shows_fields: 0 | 1 }>()(`
  update address_books set shows_fields = :shows_fields, seen_version = null
  where member_id = :member_id and shows_fields <> :shows_fields`)

const RAISE_FLOOR = memberStatement<{ floor: number }>()(`
  update address_books set floor = :floor where member_id = :member_id and floor < :floor`)

/** By devices_by_name. */
const WITH_DEVICE = serviceStatement<{ after: number }, { member_id: number }>(
  'select member_id from devices where member_id > :after order by member_id limit 1',
)

/** If a wrong clock is behind the version, a step that no member takes meanwhile does the same. */
const EXPIRE = memberStatement<{ now: number }>()(`
  update address_books set
    version = case when version < :now then :now else version + 1000000 end,
    floor = case when version < :now then :now else version + 1000000 end
  where member_id = :member_id`)
