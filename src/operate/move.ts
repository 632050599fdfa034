/** Copies everything to a database of the other engine and compares the rows. */

import { createHash } from 'node:crypto'
import { SECOND, type Clock } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { assertLedgers } from '../credits/ledger-check.ts'
import { openTables } from '../db/engines/open.ts'
import { listTables } from '../db/engines/postgres/tables.ts'
import { listMembers } from '../members/member.ts'
import type { DatabaseAddress } from '../db/database-address.ts'
import type { Database } from '../db/database.ts'
import type { SqlValue } from '../db/statement.ts'
import type { CopiedTable, TableAccess } from '../db/whole-tables.ts'

interface MoveDeps {
  readonly from: DatabaseAddress
  readonly to: DatabaseAddress
  /** Opened from `to`: migrated, without members. */
  readonly target: Database
  /** The PostgreSQL side, whose catalog describes the tables of both. */
  readonly postgresUrl: string
  readonly clock: Clock
  /** Gets a message without a full stop when a step begins, and then every few seconds. */
  readonly onProgress: (message: string) => void
}

interface MovedTable {
  readonly name: string
  readonly rows: number
  /** SHA-256 of all rows in the order of the primary key; the same on both sides. */
  readonly checksum: string
}

/** Which rows changed for search indexes in memory, and stored indexes: the target starts with none. */
const DERIVED = new Set([
  'directory_changes',
  'directory_version',
  'search_changes',
  'search_snapshots',
])
/** Written by the migrations of the target. */
const OF_MIGRATIONS = new Set(['schema_migrations'])

/**
 * Writes everything in one transaction, which is committed once all rows have been compared.
 *
 * @throws {RequestError} `conflict` when the target has members or the copy differs. The target is then unchanged.
 */
export async function moveDatabase(deps: MoveDeps): Promise<MovedTable[]> {
  const { from, to, target, onProgress } = deps
  if ((await listMembers(target, { limit: 1 })).length > 0)
    throw new RequestError('conflict', 'The target already has members, so nothing was copied.', {
      hint: 'Use an empty database as the target.',
    })
  const all = await listTables(deps.postgresUrl)
  const tables = all.filter(({ name }) => !DERIVED.has(name) && !OF_MIGRATIONS.has(name))
  await using origin = await openTables(from, { readOnly: true })
  await using copy = await openTables(to, { readOnly: false })
  onProgress(`Copying ${tables.length} tables`)
  const copied: MovedTable[] = []
  for (const table of tables) copied.push(await copyTable(deps, table, origin, copy))
  onProgress('Comparing the copy with the original')
  for (const [at, table] of tables.entries()) await compareTable(deps, table, copy, copied[at])
  await assertLedgers(copy)
  onProgress('Building indexes')
  await copy.commit()
  return copied
}

async function copyTable(
  deps: MoveDeps,
  table: CopiedTable,
  origin: TableAccess,
  copy: TableAccess,
): Promise<MovedTable> {
  const { name, columns } = table
  return readTable(deps, table, origin, `Copying ${name}`, (rows) =>
    copy.insert({ table: name, columns, rows }),
  )
}

async function compareTable(
  deps: MoveDeps,
  table: CopiedTable,
  copy: TableAccess,
  origin: MovedTable | undefined,
): Promise<void> {
  const { rows, checksum } = await readTable(deps, table, copy, `Comparing ${table.name}`)
  if (checksum !== origin?.checksum)
    throw new RequestError(
      'conflict',
      `The copy of ${table.name} differs from the original (${rows} of ${origin?.rows} rows), so nothing was copied.`,
      { hint: 'Try again. If the error persists, report it as a bug.' },
    )
}

type Page = readonly (readonly SqlValue[])[]

/** Reads all rows, in the order of the primary key. */
async function readTable(
  { clock, onProgress }: MoveDeps,
  table: CopiedTable,
  access: TableAccess,
  step: string,
  onPage: (page: Page) => Promise<void> = async () => {},
): Promise<MovedTable> {
  const sum = createHash('sha256')
  let rows = 0
  let reportedAt = clock.now()
  for await (const page of access.pages(table)) {
    await onPage(page)
    sum.update(page.map(rowText).join(''))
    rows += page.length
    if (clock.now() - reportedAt < REPORT_INTERVAL_MS) continue
    reportedAt = clock.now()
    onProgress(`${step}: ${rows.toLocaleString('en')} rows so far`)
  }
  return { name: table.name, rows, checksum: sum.digest('hex') }
}

const REPORT_INTERVAL_MS = 5 * SECOND

/** The same text on both engines: strings and numbers as JSON, bytes in base64. */
function rowText(row: readonly SqlValue[]): string {
  const values = row.map((value) =>
    value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value,
  )
  return `${JSON.stringify(values)}\n`
}
