/** Rolling upgrades: nodes of this version beside a database that a later version has migrated. */

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { Client } from 'pg'
import { migrateDatabase } from '../src/db/engines/open.ts'
import { migratePostgres } from '../src/db/engines/postgres/run-migrations.ts'
import { migrateSqlite } from '../src/db/engines/sqlite/run-migrations.ts'
import { newestOf, readMigrations, type Migration } from '../src/db/migrate.ts'
import { parseDatabaseAddress } from '../src/db/database-address.ts'
import { startTestService, type TestService } from './support/service.ts'
import { createDatabaseLocation, fixedClock, TEST_ENGINE } from './support/store.ts'
import { until } from './support/until.ts'

const POSTGRES = { skip: TEST_ENGINE !== 'postgres' && 'PostgreSQL only: SQLite has one writer' }
const KNOWN = await readMigrations(TEST_ENGINE)
const NEWEST = newestOf(KNOWN)

interface Later {
  /** Offset from the latest migration number of this version. */
  readonly after: number
  readonly title: string
  readonly sql: string
}

function laterMigration({ after, title, sql }: Later): Migration {
  const number = NEWEST + after
  const name = `${String(number).padStart(4, '0')}_${title}.sql`
  return { number, name, sql, digest: hash('sha256', sql, 'hex') }
}

/** `0014_….from_0013.sql`: nodes of this version can keep running. */
const EXPAND = laterMigration({
  after: 1,
  title: `later.from_${String(NEWEST).padStart(4, '0')}`,
  sql: `alter table members add column later text;
alter table connections add column later bigint not null default 0;
create table later_things (thing_id bigint not null primary key);`.replaceAll(
    'bigint',
    TEST_ENGINE === 'sqlite' ? 'integer' : 'bigint',
  ),
})
const CONTRACT = laterMigration({
  after: 2,
  title: 'contract',
  sql: 'drop table later_things;',
})

/** Like the start of a later version. */
async function migrateLater(address: string, later: readonly Migration[]): Promise<string[]> {
  const location = parseDatabaseAddress(address)
  assert.ok(location)
  const migrations = [...KNOWN, ...later]
  return location.engine === 'sqlite'
    ? migrateSqlite(location.path, migrations, 0)
    : migratePostgres(location, migrations, 0)
}

async function callTool({ url }: TestService, token: string, name: string, args: object) {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args },
    }),
  })
  const { result } = (await response.json()) as { result?: { isError?: boolean } }
  return response.status === 200 && result !== undefined && result.isError !== true
}

test('a node works with a compatible later schema and drains with an incompatible one', async () => {
  await using service = await startTestService({ schemaIntervalMs: 10 })
  await service.addMember()
  const token = await service.mintToken()
  const works = async (name: string) => {
    // Each of these uses prepared statements from before the migration.
    assert.ok(await callTool(service, token, 'add_connections', { name }), name)
    assert.ok(await callTool(service, token, 'search_connections', { query: name }), name)
    assert.ok(await callTool(service, token, 'update_profile', { headline: name }), name)
    const profile = await fetch(`${service.url}/api/human/ada`)
    assert.match(await profile.text(), new RegExp(name))
  }
  const ready = async () => {
    const response = await fetch(`${service.url}/readyz`)
    return ((await response.json()) as { reason?: string }).reason ?? 'ready'
  }
  await works('Grace Hopper')
  assert.deepEqual(await migrateLater(service.address, [EXPAND]), [EXPAND.name])
  await works('Ada Byron')
  // A node of this version that starts only now, or starts again.
  const location = parseDatabaseAddress(service.address)
  assert.ok(location)
  assert.deepEqual(await migrateDatabase(location, fixedClock()), [])
  assert.equal(await ready(), 'ready')

  assert.deepEqual(await migrateLater(service.address, [EXPAND, CONTRACT]), [CONTRACT.name])
  await until(async () => (await ready()) === 'outdated')
  await assert.rejects(migrateDatabase(location, fixedClock()), /contract\.sql/)
})

test('a migration that waits for a lock lets reads proceed and is retried', POSTGRES, async () => {
  await using location = await createDatabaseLocation()
  const [blocker, reader] = [
    new Client({ connectionString: location.address }),
    new Client({ connectionString: location.address }),
  ]
  await Promise.all([blocker.connect(), reader.connect()])
  try {
    await blocker.query('begin')
    await blocker.query('select count(*) from members')
    const migrated = migrateLater(location.address, [EXPAND])
    const isWaiting = async () => {
      const { rowCount } = await reader.query(
        "select 1 from pg_locks where not granted and relation = 'members'::regclass",
      )
      return rowCount !== 0
    }
    await until(isWaiting)
    // Queues behind the migration, and succeeds while the other reader still holds its lock.
    await reader.query('select count(*) from members')
    await blocker.query('commit')
    assert.deepEqual(await migrated, [EXPAND.name])
  } finally {
    await Promise.all([blocker.end(), reader.end()])
  }
})

test(
  'an index of a large table is created concurrently, between transactions',
  POSTGRES,
  async () => {
    await using location = await createDatabaseLocation()
    const index = laterMigration({
      after: 1,
      title: 'index',
      sql: `-- Repeated after a failure, which leaves an invalid index.
drop index concurrently if exists members_by_later;
create index concurrently members_by_later on members (name);
`,
    })
    const applied = await Promise.all([1, 2].map(() => migrateLater(location.address, [index])))
    assert.deepEqual(applied.flat(), [index.name])
  },
)

/** The first migration under the rules of docs/contributing/migrations.md. */
const FIRST_CHECKED = 2

/** Statements that lock a table for long or break running nodes. */
const BLOCKING: readonly (readonly [RegExp, string])[] = [
  [/\bcreate (?:unique )?index (?!concurrently)/i, 'create index without concurrently'],
  [/\balter column \w+ (?:set data )?type\b/i, 'a change of a type rewrites the table'],
  [/\bset not null\b/i, 'set not null reads the whole table'],
  [/\badd column [^;,]*\bnot null(?![^;,]*\bdefault\b)/i, 'not null without a default'],
  [/\badd column [^;,]*\bdefault [a-z_.]+\(/i, 'a computed default rewrites the table'],
  [
    /\badd (?:constraint \w+ )?(?:check|foreign key)\b(?![^;]*\bnot valid\b)/i,
    'a constraint without not valid',
  ],
  [
    /\badd (?:constraint \w+ )?(?:unique|primary key) ?\((?![^;]*\busing index\b)/i,
    'a key without using index',
  ],
  [/^\s*(?:update|delete from)\b/im, 'a backfill in a migration is one long transaction'],
  [/\binsert into \w+[^;]*\bselect\b/i, 'a backfill in a migration is one long transaction'],
  [/\b(?:vacuum full|cluster|lock table|reindex (?!.*concurrently))\b/i, 'an exclusive lock'],
]
const CONTRACTING =
  /\b(?:drop table|drop column|rename (?:to|column)|rename \w+ to|drop function)\b/i

/** The rules that a migration breaks. Tables that it creates itself are empty and unused. */
function blockingStatements({ name, sql }: Pick<Migration, 'name' | 'sql'>): string[] {
  const text = sql.replaceAll(/--[^\n]*/g, '')
  const created = text.matchAll(/create table (?:if not exists )?(\w+)/gi)
  const own = new Set([...created].map(([, table]) => table))
  const statements = text.split(';').filter((one) => {
    const table = /\b(?:on|alter table(?: if exists)?|into|update|from) (\w+)/i.exec(one)?.[1]
    return !own.has(table)
  })
  const broken = statements.flatMap((one) =>
    BLOCKING.filter(([pattern]) => pattern.test(one)).map(([, rule]) => rule),
  )
  const contracts = statements.some((one) => CONTRACTING.test(one))
  if (contracts && !/\.from_\d{4}\.sql$/.test(name))
    broken.push('a contracting migration names the oldest version that can run beside it')
  return broken
}

test('no new migration blocks a table or the running nodes', async () => {
  const migrations = await readMigrations('postgres')
  for (const migration of migrations.filter(({ number }) => number >= FIRST_CHECKED))
    assert.deepEqual(
      blockingStatements(migration),
      [],
      `${migration.name}: see docs/contributing/migrations.md`,
    )
})

test('the rules for migrations find each blocking statement, and allow what does not block', () => {
  const blocks = (sql: string, name = '0021_x.sql') => blockingStatements({ name, sql }).length > 0
  for (const sql of [
    'create index notes_by_x on notes (x);',
    'alter table notes alter column x type text;',
    'alter table notes alter column x set not null;',
    'alter table notes add column x text not null;',
    'alter table notes add column x text default gen_random_uuid();',
    'alter table notes add constraint positive check (x > 0);',
    'alter table notes add constraint own foreign key (x) references members (member_id);',
    'alter table notes add constraint one unique (x);',
    'update notes set x = 1;',
    'insert into others (x) select x from notes;',
    'alter table notes drop column x;',
    'alter table notes rename column x to y;',
    'drop table notes;',
  ])
    assert.ok(blocks(sql), sql)
  for (const sql of [
    'create index concurrently notes_by_x on notes (x);',
    'alter table notes add column x text;',
    "alter table notes add column x text not null default '';",
    'alter table notes add constraint positive check (x > 0) not valid;',
    'alter table notes validate constraint positive;',
    'create table later (x bigint not null); create index later_by_x on later (x);',
    '-- update notes later',
  ])
    assert.ok(!blocks(sql), sql)
  assert.ok(!blocks('alter table notes drop column x;', '0022_x.from_0021.sql'))
})
