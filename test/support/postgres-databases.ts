/** Statements on the PostgreSQL server of the tests, and everything in one of its databases. */

import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'

/** A client of `pg` with methods that its types lack: whether its connection keeps the process alive. */
type Administrator = Client & { ref(): void; unref(): void }

/** Connecting takes as long as copying a database, so one connection stays open to create and drop databases. */
let administrator: Promise<Administrator> | undefined
let administering = 0
/** Ends with the last statement so far. A connection runs one at a time. */
let lastStatement: Promise<unknown> = Promise.resolve()

/** Runs one statement on the server itself. */
export async function administer(server: string, statement: string): Promise<void> {
  administering += 1
  const run = runAfter(lastStatement, server, statement)
  lastStatement = run.catch(() => {})
  try {
    await run
  } finally {
    administering -= 1
    if (administering === 0) (await administrator)?.unref()
  }
}

/** Drops a database and ends its connections. One that is being opened, or has just lost its client, cannot be ended yet. */
export async function dropDatabase(server: string, name: string): Promise<void> {
  const drop = () => administer(server, `drop database ${name} with (force)`)
  for (let dropped = false; !dropped;)
    dropped = await drop().then(
      () => true,
      async (error: unknown) => {
        if (!(error instanceof DatabaseError && error.code === INSUFFICIENT_PRIVILEGE)) throw error
        await sleep(20)
        return false
      },
    )
}

/** PostgreSQL takes a connection without a role for one of a superuser. */
const INSUFFICIENT_PRIVILEGE = '42501'

async function runAfter(before: Promise<unknown>, server: string, statement: string) {
  await before
  const client = await (administrator ??= openAdministrator(server))
  client.ref()
  await client.query(statement)
}

async function openAdministrator(server: string): Promise<Administrator> {
  const client = new Client({ connectionString: server }) as Administrator
  client.on('error', () => (administrator = undefined))
  await client.connect()
  return client
}

/** The table owner can disable row-level security, in a transaction that is never committed. */
export async function everyRow(client: Client): Promise<string> {
  const { rows } = await client.query<{ table: string }>(
    "select relname as table from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  )
  await client.query('begin')
  const texts: string[] = []
  for (const { table } of rows) {
    await client.query(`alter table ${table} no force row level security`)
    const all = await client.query<{ row: string }>(`select t::text as row from ${table} t`)
    texts.push(...all.rows.map(({ row }) => row))
  }
  await client.query('rollback')
  return texts.join('\n')
}
