import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { createStore } from '../../test/support/store.ts'
import { dumpSqliteSchema } from './engines/sqlite/migrate.ts'

const DUMP = new URL('./schema.sqlite.sql', import.meta.url)

test('the dumped schema is what the migrations make (WEFT_TEST_WRITE_SCHEMA=1 writes it)', async () => {
  await using store = await createStore()
  const schema = dumpSqliteSchema(store.address.replace('sqlite:', ''))
  if (process.env['WEFT_TEST_WRITE_SCHEMA'] === '1') await writeFile(DUMP, schema)
  assert.equal(schema, await readFile(DUMP, 'utf8'))
})

test('every private table begins its key with the member', async () => {
  await using store = await createStore()
  const schema = dumpSqliteSchema(store.address.replace('sqlite:', ''))
  const shared = new Set([
    'members',
    'directory_entries',
    'directory_words',
    'schema_migrations',
    'api_tokens',
    'jobs',
  ])
  for (const [, table, body] of schema.matchAll(/create table (\w+) \(([^;]*)\) strict/g)) {
    if (table === undefined || shared.has(table)) continue
    assert.match(
      body ?? '',
      /primary key \(member_id|member_id\s+integer primary key/,
      `${table} is keyed by its member`,
    )
  }
})
