/**
 * Databases that are emptied after a test and then used by the next one. Creating a database, connecting to it and starting
 * its threads takes most of the time of a short test.
 */

import { DEMO_MEMBER } from '../../src/connections/demo/demo-member.ts'
import { findMemberByUsername } from '../../src/members/member.ts'
import { memberStatement, serviceStatement, statement } from '../../src/db/statement.ts'
import type { Database } from '../../src/db/database.ts'

/** A database that only its holder uses. */
interface Held extends AsyncDisposable {
  readonly engine: 'sqlite' | 'postgres'
  readonly database: Database
}

interface Reused<T> {
  readonly held: T
  readonly tableBytes: number
  /** The demo account, which is kept; undefined if there is none. */
  readonly demo: string | undefined
  uses: number
  /** Closes a database that no test uses any longer. */
  closing?: NodeJS.Timeout
}

const IDLE_MS = 500

const MAX_USES = 100

/** PostgreSQL keeps deleted rows in its files and reads over them. */
const MAX_DELETED_BYTES = 256 * 1024

/** Returns a function that returns an unused database, or the result of `create` if there is none. */
export function reuse<T extends Held>(create: () => Promise<T>): () => Promise<T> {
  const idle: Reused<T>[] = []
  const putBack = async (used: Reused<T>) => {
    // A test may have closed or broken it.
    const isLikeNew = used.uses < MAX_USES && (await restore(used).catch(() => false))
    if (!isLikeNew) return used.held[Symbol.asyncDispose]()
    idle.push(used)
    used.closing = setTimeout(() => {
      idle.splice(idle.indexOf(used), 1)
      void used.held[Symbol.asyncDispose]()
    }, IDLE_MS)
  }
  return async () => {
    const used = idle.pop() ?? (await begin(await create()))
    clearTimeout(used.closing)
    used.uses += 1
    let isPutBack = false
    return {
      ...used.held,
      async [Symbol.asyncDispose]() {
        if (!isPutBack) await putBack(used)
        isPutBack = true
      },
    }
  }
}

async function begin<T extends Held>(held: T): Promise<Reused<T>> {
  const [tableBytes, demo] = [await tableBytesOf(held), await describeDemo(held.database)]
  return { held, tableBytes, demo, uses: 0 }
}

/** @returns whether the database is like a new one */
async function restore({ held, tableBytes, demo }: Reused<Held>): Promise<boolean> {
  const { database } = held
  await database.write(async (tx) => {
    await tx.run(DELETE_MEMBERS, { kept: demo === undefined ? '' : DEMO_MEMBER.username })
    for (const table of SHARED_TABLES) await tx.run(serviceStatement(`delete from ${table}`), {})
    await tx.run(FORGET_PROFILES, {})
  })
  const isSmall = (await tableBytesOf(held)) <= tableBytes + MAX_DELETED_BYTES
  return isSmall && (await describeDemo(database)) === demo
}

/** Their rows are deleted with them. */
const DELETE_MEMBERS = serviceStatement<{ kept: string }>(
  'delete from members where username <> :kept',
)

/** Search indexes in memory are built again, because no change of this version is stored. */
const FORGET_PROFILES = serviceStatement('update directory_version set version = version + 1')

/** With rows that do not belong to a member. */
export const SHARED_TABLES = [
  'admin_log',
  'emails',
  'one_time_links',
  'pending_identities',
  'anonymous_idempotency_records',
  'demo_deletion',
  'directory_changes',
  'directory_terms',
  'oauth_clients',
  'passkey_challenges',
  'sign_in_windows',
]

/** SQLite uses the space of deleted rows again. */
async function tableBytesOf({ engine, database }: Held): Promise<number> {
  return engine === 'sqlite' ? 0 : ((await database.get(TABLE_BYTES, {}))?.bytes ?? 0)
}

const TABLE_BYTES = statement<object, { bytes: number }>(`
  select sum(pg_relation_size(oid))::bigint as bytes from pg_class
  where relkind in ('r', 't') and relowner = current_user::regrole`)

async function describeDemo(database: Database): Promise<string | undefined> {
  const demo = await findMemberByUsername(database, DEMO_MEMBER.username)
  return demo && JSON.stringify(await database.member(demo.memberId).all(DEMO, {}))
}

/** The version of the profile, the counters of the network, and how many rows there are of what they do not count. */
const DEMO = memberStatement<object, Readonly<Record<string, unknown>>>()(`
  select m.version, m.disabled_at, m.role, m.time_zone, n.*,
    (select count(*) from credit_accounts a where a.member_id = :member_id) as accounts,
    (select count(*) from credit_ledger l where l.member_id = :member_id) as charges,
    (select count(*) from credential_names c where c.member_id = :member_id) as credentials,
    (select count(*) from browser_sessions s where s.member_id = :member_id) as sessions,
    (select count(*) from passwords p where p.member_id = :member_id) as passwords,
    (select count(*) from jobs j where j.member_id = :member_id) as jobs
  from members m join networks n on n.member_id = m.member_id where m.member_id = :member_id`)
