/** Copies everything from one engine to the other, and compares the copy table by table. */

import { createHash } from 'node:crypto'
import { RequestError } from '../base/request-error.ts'
import { checkLedgers } from '../credits/ledger-check.ts'
import { listTables, type Table } from '../db/engines/postgres/tables.ts'
import { memberStatement, statement, type SqlValue } from '../db/statement.ts'
import { indexInDirectory, listMembers, memberPages } from '../members/member.ts'
import { type Member } from '../members/member-row.ts'
import type { RowCounts } from '../db/row-counts.ts'
import type { Database, MemberReader, Reader } from '../db/database.ts'

interface MoveDeps {
  readonly source: Database
  /** Migrated, without members. */
  readonly target: Database
  /** The PostgreSQL side, whose catalog describes the tables of both. */
  readonly postgresUrl: string
  /** Called after each table. */
  readonly onTable?: (table: MovedTable, done: number, total: number) => void
}

interface MovedTable {
  readonly name: string
  readonly rows: number
  /** SHA-256 of all rows in the order of the primary key; the same on both sides. */
  readonly checksum: string
}

/** Search indexes, which differ between the engines and are built from the other tables. */
const DERIVED = new Set([
  'directory_changes',
  'directory_entries',
  'directory_head',
  'directory_head_end',
  'directory_version',
  'directory_words',
  'search_changes',
  'search_snapshots',
])
/** Written by the migrations of the target. */
const OF_MIGRATIONS = new Set(['schema_migrations'])

/** Rows per statement. */
const BATCH = 500

/**
 * The service must be stopped: rows that change during the copy make the checksums differ.
 *
 * @throws {RequestError} `conflict` when the target has members or the copy differs.
 */
export async function moveDatabase(deps: MoveDeps): Promise<MovedTable[]> {
  const { source, target, onTable } = deps
  if ((await listMembers(target, { limit: 1 })).length > 0)
    throw new RequestError('conflict', 'The target already has members, so nothing was copied.', {
      hint: 'Use an empty database as the target.',
    })
  const tables = await copiedTables(deps.postgresUrl)
  const members = await allMembers(source)
  for (const table of tables) await copyTable(deps, table, members)
  await indexDirectory(target, members)
  const moved: MovedTable[] = []
  for (const [index, table] of tables.entries()) {
    const [origin, copy] = [
      await readTable(source, table, members),
      await readTable(target, table, members),
    ]
    if (origin.checksum !== copy.checksum)
      throw new RequestError(
        'conflict',
        `The copy of ${table.name} differs from the original (${copy.rows} of ${origin.rows} rows).`,
        { hint: 'Stop Weft, empty the target, and run the command again.' },
      )
    const one = { name: table.name, ...copy }
    moved.push(one)
    onTable?.(one, index + 1, tables.length)
  }
  await assertLedgers(target)
  return moved
}

/** The rows of every table that a backup or a move copies. */
export async function countTableRows(database: Database, postgresUrl: string): Promise<RowCounts> {
  const members = await allMembers(database)
  const counts: [string, number][] = []
  for (const table of await copiedTables(postgresUrl)) {
    const { rows } = await readTable(database, table, members)
    counts.push([table.name, rows])
  }
  return Object.fromEntries(counts)
}

/** @throws {RequestError} `conflict` when the ledger of a member does not add up; it names the first one. */
export async function assertLedgers(database: Database): Promise<void> {
  const { wrong } = await checkLedgers(database)
  if (wrong[0] !== undefined)
    throw new RequestError('conflict', `The credit ledger of ${wrong[0]} does not add up.`)
}

/** Reads every member, disabled ones included, ordered by username. */
async function allMembers(database: Database): Promise<Member[]> {
  const members: Member[] = []
  for await (const page of memberPages(database)) members.push(...page)
  return members
}

async function copiedTables(postgresUrl: string): Promise<Table[]> {
  const tables = await listTables(postgresUrl)
  return tables.filter(({ name }) => !DERIVED.has(name) && !OF_MIGRATIONS.has(name))
}

async function copyTable(
  { source, target }: MoveDeps,
  table: Table,
  members: readonly Member[],
): Promise<void> {
  for await (const { memberId, rows } of pages(source, table, members)) {
    const columns = table.columns.filter(
      (column) => memberId === undefined || column !== 'member_id',
    )
    const values = rows.map((row) => columns.map((column) => row[column] ?? null))
    const insert = { table: table.name, columns, rows: values }
    await (memberId === undefined
      ? target.write((tx) => tx.insertMany(insert), { bulk: true })
      : target.member(memberId).write((tx) => tx.insertMany(insert), { bulk: true }))
  }
}

async function readTable(
  database: Database,
  table: Table,
  members: readonly Member[],
): Promise<{ readonly rows: number; readonly checksum: string }> {
  const sum = createHash('sha256')
  let count = 0
  for await (const { rows } of pages(database, table, members)) {
    count += rows.length
    for (const row of rows) sum.update(rowText(table, row))
  }
  return { rows: count, checksum: sum.digest('hex') }
}

type Row = Readonly<Record<string, SqlValue>>

/** The same text on both engines: strings and numbers as JSON, bytes in base64. */
function rowText({ columns }: Table, row: Row): string {
  const values = columns.map((column) => {
    const value = row[column] ?? null
    return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value
  })
  return `${JSON.stringify(values)}\n`
}

interface Page {
  readonly memberId: number | undefined
  readonly rows: readonly Row[]
}

/** All rows in the order of the primary key; of a private table, member by member. */
async function* pages(
  database: Database,
  table: Table,
  members: readonly Member[],
): AsyncGenerator<Page> {
  if (!table.isPrivate) yield* pagesOf(undefined, sharedReader(database, table))
  else
    for (const { memberId } of members)
      yield* pagesOf(memberId, privateReader(database.member(memberId), table))
}

/** Reads the rows after `last`. Every table has a primary key (keyset pagination). */
type ReadAfter = (last: Row | undefined) => Promise<Row[]>

function sharedReader(database: Reader, table: Table): ReadAfter {
  const { columns, name, key } = table
  const select = `select ${columns.join(', ')} from ${name}`
  const order = `order by ${key.join(', ')} limit ${BATCH}`
  const first = statement<object, Row>(`${select} ${order}`)
  const next = statement<object, Row>(`${select} where ${isAfter(key)} ${order}`)
  return (last) => database.all(last ? next : first, paramsOf(key, last))
}

function privateReader(database: MemberReader, table: Table): ReadAfter {
  const { columns, name } = table
  const key = table.key.filter((column) => column !== 'member_id')
  const select = `select ${columns.join(', ')} from ${name}`
  const order = `${key.length > 0 ? `order by ${key.join(', ')}` : ''} limit ${BATCH}`
  const first = memberStatement<object, Row>()(`${select} where member_id = :member_id ${order}`)
  const next = memberStatement<object, Row>()(
    `${select} where member_id = :member_id and ${isAfter(key)} ${order}`,
  )
  // Without another column in its key, the table has one row per member.
  return (last) => database.all(last && key.length > 0 ? next : first, paramsOf(key, last))
}

function isAfter(key: readonly string[]): string {
  return `(${key.join(', ')}) > (${key.map((column) => `:after_${column}`).join(', ')})`
}

function paramsOf(key: readonly string[], last: Row | undefined): object {
  return last ? Object.fromEntries(key.map((column) => [`after_${column}`, last[column]])) : {}
}

async function* pagesOf(memberId: number | undefined, read: ReadAfter): AsyncGenerator<Page> {
  for (let last: Row | undefined; ;) {
    const rows = await read(last)
    if (rows.length > 0) yield { memberId, rows }
    if (rows.length < BATCH) return
    last = rows.at(-1)
  }
}

async function indexDirectory(target: Database, members: readonly Member[]): Promise<void> {
  for (const member of members) await target.write((tx) => indexInDirectory(tx, member))
}
