import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createDatabaseLocation,
  fixedClock,
  TEST_ENGINE,
  type DatabaseLocation,
} from '../../test/support/store.ts'
import { ComputeThreads } from './compute-threads.ts'
import { PostgresDatabase } from './engines/postgres/database.ts'
import { migratePostgres } from './engines/postgres/migrate.ts'
import { SqliteDatabase } from './engines/sqlite/database.ts'
import { migrateSqlite } from './engines/sqlite/migrate.ts'
import { readMigrations } from './migrate.ts'
import { migrateDatabase } from './engines/open.ts'
import { databaseTimeouts } from './timeouts.ts'
import { memberStatement, statement } from './statement.ts'
import type { Database, MemberTransaction } from './database.ts'

const [ADA, GRACE] = [1, 2]

test('0005 links old changes to their connections, within each member', async () => {
  await using location = await createDatabaseLocation('new')
  await migrateUpTo(location, 4)
  {
    await using database = open(location)
    for (const id of [ADA, GRACE]) {
      await database.write((tx) => tx.run(ADD_MEMBER, { id }))
      await database.member(id).write(writeOldChanges)
    }
    // Another member's note with the same number belongs to another person.
    await database.member(GRACE).write((tx) => tx.run(MOVE_NOTES, {}))
  }
  assert.deepEqual((await migrateDatabase(location.database, fixedClock())).slice(0, 1), [
    '0005_pages.sql',
  ])
  await using database = open(location)
  const concerned = async (memberId: number) =>
    (await database.member(memberId).all(CONCERNED, {})).map(
      ({ activity_id, connection_id }) => `a_${activity_id} c_${connection_id}`,
    )
  const rest = ['a_8 c_1', 'a_8 c_12']
  const [merge, plan] = [['a_2 c_1', 'a_2 c_12'], 'a_4 c_1']
  assert.deepEqual(await concerned(ADA), [
    'a_1 c_1',
    ...merge,
    'a_3 c_12',
    plan,
    'a_5 c_12',
    ...rest,
  ])
  assert.deepEqual(await concerned(GRACE), [
    'a_1 c_1',
    ...merge,
    'a_3 c_7',
    plan,
    'a_5 c_7',
    ...rest,
  ])
})

/** One change of each kind, as they were recorded until then. */
async function writeOldChanges(tx: MemberTransaction): Promise<void> {
  const note = { connection_id: 12, text: 'Met', origin: 'typed', created_at: 0, updated_at: 0 }
  await insert(tx, 'notes', { note_id: 3, ...note })
  await insert(tx, 'follow_ups', {
    follow_up_id: 4,
    connection_id: 1,
    text: 'Write',
    due_on: '2026-12-01',
    recurrence: 'none',
    counts_from: '2026-12-01',
    created_at: 0,
    updated_at: 0,
  })
  const changes = [
    ['connection.add', 'connection', 'c_1'],
    ['connections.merge', 'connection', 'c_12', ['c_12', 'c_1']],
    ['note.add', 'note', 'n_3'],
    ['follow_up.set', 'follow_up', 'f_4'],
    ['undo', 'note', 'n_3'],
    ['connections.import', 'job', '1'],
    ['profile.update', 'profile', 'ada'],
    ['connections.tag', 'connections', '2', ['c_1', 'c_12']],
  ] as const
  for (const [index, [action, subject_kind, subject_id, concerned]] of changes.entries())
    await insert(tx, 'activity', {
      activity_id: index + 1,
      at: 0,
      action,
      subject_kind,
      subject_id,
      actor: 'Claude',
      after: JSON.stringify({
        name: 'M',
        ...(concerned && { connections: concerned.map((connection_id) => ({ connection_id })) }),
      }),
    })
}

async function insert(
  tx: MemberTransaction,
  table: string,
  row: Readonly<Record<string, string | number>>,
): Promise<void> {
  await tx.insertMany({ table, columns: Object.keys(row), rows: [Object.values(row)] })
}

async function migrateUpTo({ database }: DatabaseLocation, last: number): Promise<void> {
  const all = await readMigrations(TEST_ENGINE)
  const migrations = all.filter(({ number }) => number <= last)
  if (database.engine === 'sqlite') migrateSqlite(database.path, migrations, 0)
  else await migratePostgres(database, migrations, 0)
}

/** Without migrating it, as the service would. */
function open({ database }: DatabaseLocation): Database {
  const computing = new ComputeThreads({ address: database, timeouts: databaseTimeouts() }, 1)
  return database.engine === 'sqlite'
    ? new SqliteDatabase({
        path: database.path,
        searchThreads: 1,
        anonymousThreads: 1,
        computing,
      })
    : new PostgresDatabase({
        url: database.url,
        poolSize: 2,
        searchPoolSize: 1,
        anonymousPoolSize: 1,
        computing,
      })
}

const ADD_MEMBER = statement<{ id: number }>(
  "insert into members (member_id, username, name, joined_at, updated_at) values (:id, 'm' || cast(:id as bigint), 'M', 0, 0)",
)

const MOVE_NOTES = memberStatement()(
  'update notes set connection_id = 7 where member_id = :member_id',
)

const CONCERNED = memberStatement<object, { activity_id: number; connection_id: number }>()(`
  select activity_id, connection_id from activity_connections
  where member_id = :member_id order by activity_id, connection_id`)
