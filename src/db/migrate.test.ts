import assert from 'node:assert/strict'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'node:test'
import { createDatabaseLocation, fixedClock } from '../../test/support/store.ts'
import { RequestError } from '../base/request-error.ts'
import { migrateDatabase, openDatabase } from './engines/open.ts'
import { readMigrations } from './migrate.ts'
import { statement } from './statement.ts'

test('of nodes that start at the same time, one migrates and the others find it done', async () => {
  await using location = await createDatabaseLocation('new')
  const clock = fixedClock()
  const applied = await Promise.all(
    Array.from({ length: 4 }, () => migrateDatabase(location.database, clock)),
  )
  assert.equal(applied.filter((names) => names.length > 0).length, 1)
  const { database } = await openDatabase(location.database, { clock, searchThreads: 1 })
  await using _closed = database
  const all = statement<object, { number: number }>('select number from schema_migrations')
  assert.equal((await database.all(all, {})).length, applied.flat().length)
  assert.equal(await database.isReady(), true)
})

test('a database of a newer version, or with a changed migration, is rejected', async () => {
  await using location = await createDatabaseLocation('new')
  const clock = fixedClock()
  await migrateDatabase(location.database, clock)
  const { database } = await openDatabase(location.database, { clock, searchThreads: 1 })
  await using _closed = database
  const change = async (text: string) => {
    const run = statement(text)
    await database.write((tx) => tx.run(run, {}))
  }
  await change("insert into schema_migrations values (9999, '9999_later.sql', 'x', 0)")
  await assert.rejects(migrateDatabase(location.database, clock), /9999_later\.sql/)
  await change('delete from schema_migrations where number = 9999')
  await change("update schema_migrations set digest = 'x' where number = 1")
  await assert.rejects(migrateDatabase(location.database, clock), /was changed/)
})

test('a database of an unreleased version says how to carry the data over', async () => {
  await using location = await createDatabaseLocation()
  const { database } = await openDatabase(location.database, {
    clock: fixedClock(),
    searchThreads: 1,
  })
  await using _closed = database
  const rename = statement(
    "update schema_migrations set name = '0001_foundation.sql', digest = 'x'",
  )
  await database.write((tx) => tx.run(rename, {}))
  await assert.rejects(migrateDatabase(location.database, fixedClock()), (error: Error) => {
    assert.ok(error instanceof RequestError)
    assert.match(error.message, /unreleased version/)
    assert.match(error.details.hint ?? '', /weft member export .*weft import/)
    return true
  })
})

test('a migration is written once, or in two files if its statements differ between the engines', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'weft-migrations-'))
  const write = (name: string, sql: string) => writeFile(join(folder.path, name), sql)
  await write(
    '0001_things.sql',
    "create table things (\n  thing_id integer primary key,\n  text     text not null default 'text',\n  data     blob\n) strict;\n--@ create policy own on things using (true);\nalter table things add column at integer;\n",
  )
  await write('0002_index.sqlite.from_0001.sql', 'create index things_by_text on things (text);')
  const concurrent = 'create index concurrently things_by_text on things (text);'
  await write('0002_index.postgres.from_0001.sql', concurrent)
  const read = async (engine: 'sqlite' | 'postgres') =>
    (await readMigrations(engine, pathToFileURL(`${folder.path}/`))).map(({ name, sql }) => [
      name,
      sql,
    ])
  const [, sqliteIndex] = await read('sqlite')
  assert.equal(sqliteIndex?.[0], '0002_index.sqlite.from_0001.sql')
  assert.deepEqual(await read('postgres'), [
    [
      '0001_things.sql',
      'create table things (\n  thing_id bigint primary key,\n  text     text collate "C" not null default \'text\',\n  data     bytea\n);\ncreate policy own on things using (true);\nalter table things add column at bigint;\n',
    ],
    ['0002_index.postgres.from_0001.sql', concurrent],
  ])
})
