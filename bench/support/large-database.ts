/** Databases of members with copied networks, in two sizes that otherwise do not differ. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { linkedinCsv } from '../../test/support/invented.ts'
import { mintApiToken } from '../../src/access/api-token.ts'
import { systemClock } from '../../src/base/clock.ts'
import { openDatabase } from '../../src/db/engines/open.ts'
import { requireMember } from '../../src/members/member.ts'
import { SEED } from './calls.ts'
import { copyNetworksOnPostgres, copyNetworksOnSqlite, type Copied } from './copy-networks.ts'
import { insertPeople, memberIdAt } from './directory-members.ts'
import { fillDirectory } from './directory-postgres.ts'
import { addressOf, weft, type Settings } from './weft.ts'
import type { Database } from '../../src/db/database.ts'

/** Connections of each member who has any. */
export const CONNECTIONS_PER_NETWORK = 1_000
/** Of a hundred members, one has connections. */
export const MEMBERS_PER_NETWORK = 100
/** Networks that `weft import` writes; the others are copies of them. */
export const IMPORTED_NETWORKS = 10

interface Build {
  readonly settings: Settings
  /** Of the same PostgreSQL database. */
  readonly superuserUrl: string
  readonly networks: number
  /** How many members with connections get a token. */
  readonly callers: number
}

/** Fills an empty database. Returns the tokens; the network of the nth is a copy of the nth modulo `IMPORTED_NETWORKS`. */
export async function buildDatabase(build: Build): Promise<string[]> {
  const { settings, superuserUrl, networks, callers } = build
  await withDatabase(settings, (database) => insertMembers(database, build))
  for (let nth = 0; nth < IMPORTED_NETWORKS; nth++) await importNetwork(settings, nth)
  const owners = Array.from({ length: networks }, (_, nth) => nth)
  const copied = owners.slice(0, IMPORTED_NETWORKS).map((origin): Copied => {
    const others = owners.filter((nth) => nth > origin && nth % IMPORTED_NETWORKS === origin)
    return { from: memberIdAt(origin), to: others.map(memberIdAt) }
  })
  const address = addressOf(settings)
  await (address.engine === 'sqlite'
    ? copyNetworksOnSqlite(address.path, copied)
    : copyNetworksOnPostgres(superuserUrl, copied))
  return withDatabase(settings, async (database) => {
    const tokens = Array.from({ length: callers }, (_, nth) => mintToken(database, memberIdAt(nth)))
    return Promise.all(tokens)
  })
}

async function insertMembers(database: Database, { settings, networks }: Build): Promise<void> {
  const size = networks * MEMBERS_PER_NETWORK
  const address = addressOf(settings)
  await (address.engine === 'sqlite'
    ? insertPeople(database, size, SEED)
    : fillDirectory(database, address.url, { size, seed: SEED }))
}

async function importNetwork(settings: Settings, nth: number): Promise<void> {
  const { username } = await withDatabase(settings, (database) =>
    requireMember(database, memberIdAt(nth)),
  )
  const file = join(settings.folder, `network-${nth}.csv`)
  await writeFile(file, linkedinCsv(CONNECTIONS_PER_NETWORK, SEED + nth))
  await weft(settings, 'import', file, '--member', username)
}

async function mintToken(database: Database, memberId: number): Promise<string> {
  const token = { name: 'bench', holder: 'ai_client', lifetimeDays: null } as const
  const member = database.member(memberId)
  return (await member.write((tx) => mintApiToken(tx, token, Date.now()))).secret
}

export async function withDatabase<T>(
  settings: Settings,
  use: (database: Database) => Promise<T>,
): Promise<T> {
  const options = { clock: systemClock, searchThreads: 1 }
  const { database } = await openDatabase(addressOf(settings), options)
  await using _closed = database
  return await use(database)
}
