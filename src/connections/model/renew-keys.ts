/**
 * Replaces the keys of name and company that earlier versions computed, and adds those of phone numbers, which they stored
 * only for people without an email and a profile. It can take its time, and start again after an interruption.
 */

import { memberStatement } from '../../db/statement.ts'
import { KEY_VERSION } from '../../names/key-version.ts'
import { pairOf } from './connection-key.ts'
import { addKeys, dropKeys, findByKeys } from './key-store.ts'
import { nameKeysOf, phoneKeysOf, replacedKeysOf } from './match-keys.ts'
import { recordKeyChanges } from './search-changes.ts'
import type { MemberDatabase, MemberReader, MemberTransaction } from '../../db/database.ts'

/** Connections per transaction: a few milliseconds. */
const BATCH = 200

/**
 * Renews the keys of a network once, at most `BATCH` connections per transaction. Returns the number of connections.
 * For a network that is done, it needs only one short read.
 */
export async function renewKeys(db: MemberDatabase, signal?: AbortSignal): Promise<number> {
  const network = await db.get(VERSION, {})
  if (network === undefined || network.key_version >= KEY_VERSION) return 0
  let renewed = 0
  for (let after = 0; ;) {
    if (signal?.aborted === true) return renewed
    const people = await db.all(PEOPLE, { after })
    const last = people.at(-1)
    if (last === undefined) {
      await db.write((tx) => tx.run(SET_VERSION, { key_version: KEY_VERSION }), { bulk: true })
      return renewed
    }
    const ids = people.map(({ connection_id }) => connection_id)
    await db.write((tx) => renewKeysOf(tx, ids), { bulk: true })
    renewed += people.length
    after = last.connection_id
  }
}

/**
 * Whether connections may have keys of name and company that only earlier versions compute. Those of former names remain
 * after a renewal.
 */
export async function mayHaveEarlierKeys(reader: MemberReader): Promise<boolean> {
  const network = await reader.get(FIRST_VERSION, {})
  return network === undefined || network.first_key_version < KEY_VERSION
}

const FIRST_VERSION = memberStatement<object, { first_key_version: number }>()(
  'select first_key_version from networks where member_id = :member_id',
)

/** Reads the names again, because they may have changed. */
async function renewKeysOf(tx: MemberTransaction, ids: readonly number[]): Promise<void> {
  const people = await tx.all(NAMES, { ids })
  // They have been purged, or the member has been deleted.
  if (people.length === 0) return
  const keys = people.flatMap((one) =>
    [...phoneKeysOf(JSON.parse(one.phones) as string[]), ...nameKeysOf(one)].map((key) => ({
      key,
      connectionId: one.connection_id,
    })),
  )
  // Those in runs would become rows too.
  const found = new Set(
    (
      await findByKeys(
        tx,
        keys.map(({ key }) => key),
      )
    ).map(pairOf),
  )
  await addKeys(
    tx,
    keys.filter(
      ({ key, connectionId }) => !found.has(pairOf({ key, connection_id: connectionId })),
    ),
  )
  await dropKeys(
    tx,
    people.flatMap((one) =>
      replacedKeysOf(one).map((key) => ({ key, connectionId: one.connection_id })),
    ),
  )
  await recordKeyChanges(tx, ids)
}

const VERSION = memberStatement<object, { key_version: number }>()(
  'select key_version from networks where member_id = :member_id',
)

const SET_VERSION = memberStatement<{ key_version: number }>()(
  'update networks set key_version = :key_version where member_id = :member_id',
)

/** By primary key. */
const PEOPLE = memberStatement<{ after: number }, { connection_id: number }>()(`
  select connection_id from connections where member_id = :member_id and connection_id > :after
  order by connection_id limit ${BATCH}`)

/** By primary key. */
const NAMES = memberStatement<
  { ids: readonly number[] },
  {
    connection_id: number
    name: string
    company: string | null
    phones: string
    profileUrl: string | null
  }
>()(`
  select c.connection_id, c.name, c.company, c.phones, c.profile_url as "profileUrl"
  from connections c each (connection_id = :ids...bigint)
  where c.member_id = :member_id`)
