/** The address book of the member of a device, for the protocol. */

import { asProperties, memberStatement } from '../../db/statement.ts'
import { tagOf } from '../model/tag-store.ts'
import { readBook, setMeCard } from './book-state.ts'
import { readCardContents, type AddressCard } from './card-store.ts'
import { asVersion3 } from './downgrade-card.ts'
import { refreshBook } from './refresh-book.ts'
import { putCard, removeCard } from './put-card.ts'
import type { CardWriter, BurstRule } from './device-burst.ts'
import type { Clock } from '../../base/clock.ts'
import type {
  AddressBook,
  BookEntry,
  BookChanges,
  WriteProblem,
  WriteResult,
} from '../../dav/book.ts'
import type { Database, MemberReader, MemberTransaction } from '../../db/database.ts'
import type { DeviceCaller } from '../../http/caller.ts'

interface AddressBookDeps {
  readonly database: Database
  readonly clock: Clock
  /** `WEFT_DAV_BURST`; null if it is off. */
  readonly davBurst: BurstRule | null
}

/** Cards of a member: a hundred times what people have. */
const MAX_CARDS = 100_000

export function addressBookOf(deps: AddressBookDeps, device: DeviceCaller): AddressBook {
  const { database, clock, davBurst: burst } = deps
  const db = database.member(device.memberId)
  const tag_key = device.tag === null ? null : tagOf(device.tag).key
  const write = async (
    work: (tx: MemberTransaction, writer: CardWriter) => Promise<WriteResult>,
  ): Promise<WriteResult> => {
    const problem = writeProblemOf(device)
    if (problem) return { problem }
    await refreshBook(db, clock.now())
    return db.write((tx) => work(tx, { device, burst, now: clock.now() }))
  }
  return {
    // A device has the same tag for ever.
    scope: device.credential.id,
    isReadOnly: device.isReadOnly,
    async readState() {
      await refreshBook(db, clock.now())
      return readBook(db)
    },
    async setMeCard(href) {
      await db.write((tx) => setMeCard(tx, href))
    },
    async list(names) {
      if (names === undefined) return db.all(LIST, { tag_key, limit: MAX_CARDS })
      return (await cardsNamed(db, names, tag_key)).map(entryOf)
    },
    async read(names, version) {
      const cards = await cardsNamed(db, names, tag_key)
      const ids = cards.map(({ cardId }) => cardId)
      const contents = await readCardContents(db, ids)
      return cards.flatMap((card) => {
        const stored = contents.get(card.cardId)?.text
        if (!stored) return []
        const text = version === '3.0' ? asVersion3(stored) : stored
        return [{ ...entryOf(card), text, bytes: text.byteLength }]
      })
    },
    changesSince: (version, limit) => changesSince(db, { version, limit, tag_key }),
    put: (name, bytes, conditions) =>
      write((tx, writer) => putCard(tx, { name, bytes, conditions }, writer)),
    remove: (name, conditions) =>
      write((tx, writer) => removeCard(tx, { name, conditions }, writer)),
  }
}

function writeProblemOf({ isReadOnly, isPaused }: DeviceCaller): WriteProblem | undefined {
  if (isReadOnly) return { code: 'read_only' }
  return isPaused ? { code: 'paused' } : undefined
}

type NamedCard = Pick<AddressCard, 'cardId' | 'name' | 'bytes' | 'changedAt'> & {
  readonly etag: string
}

function entryOf({ name, etag, bytes, changedAt }: NamedCard): BookEntry {
  return { name, etag, bytes, changedAt }
}

async function cardsNamed(
  reader: MemberReader,
  names: readonly string[],
  tag_key: string | null,
): Promise<NamedCard[]> {
  return names.length === 0 ? [] : reader.all(NAMED, { names: [...new Set(names)], tag_key })
}

/** One that has left the scope of the device is removed for it. */
async function changesSince(
  reader: MemberReader,
  { version, limit, tag_key }: { version: number; limit: number; tag_key: string | null },
): Promise<BookChanges> {
  const { version: present } = await readBook(reader)
  const rows = await reader.all(CHANGES, { from: version, to: present, limit: limit + 1, tag_key })
  const listed = rows.slice(0, limit)
  const isTruncated = rows.length > limit
  return {
    changed: listed.flatMap(({ name, etag, bytes, changedAt, isInScope }) =>
      etag === null || isInScope === 0 ? [] : [{ name, etag, bytes, changedAt }],
    ),
    removed: listed.flatMap(({ name, etag, isInScope }) =>
      etag === null || isInScope === 0 ? [name] : [],
    ),
    version: isTruncated ? (listed.at(-1)?.version ?? version) : present,
    isTruncated,
  }
}

const COLUMNS = asProperties('c.name, c.etag, c.bytes, c.changed_at')

/** Groups belong to every scope. By primary key of connection_tags. */
const IN_SCOPE = `(cast(:tag_key as text) is null or c.connection_id is null or exists (
  select 1 from connection_tags t
  where t.member_id = :member_id and t.tag_key = :tag_key and t.connection_id = c.connection_id))`

/** Scans the member's cards, by primary key. */
const LIST = memberStatement<{ tag_key: string | null; limit: number }, BookEntry>()(`
  select ${COLUMNS} from cards c
  where c.member_id = :member_id and c.etag is not null and ${IN_SCOPE}
  order by c.card_id limit :limit`)

/** By cards_by_name. */
const NAMED = memberStatement<{ names: readonly string[]; tag_key: string | null }, NamedCard>()(`
  select ${COLUMNS}, ${asProperties('c.card_id')} from cards c each (name = :names...text)
  where c.member_id = :member_id and c.etag is not null and ${IN_SCOPE}`)

interface ChangeRow extends Pick<AddressCard, 'name' | 'etag' | 'bytes' | 'changedAt' | 'version'> {
  readonly isInScope: 0 | 1
}

/** By cards_by_version. */
const CHANGES = memberStatement<
  { from: number; to: number; limit: number; tag_key: string | null },
  ChangeRow
>()(`
  select ${COLUMNS}, c.version, case when ${IN_SCOPE} then 1 else 0 end as "isInScope" from cards c
  where c.member_id = :member_id and c.version > :from and c.version <= :to
  order by c.version limit :limit`)
