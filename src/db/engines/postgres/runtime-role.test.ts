/** Serving as a role that owns nothing, on a database that another role owns and migrates. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askTool } from '../../../../test/fixtures/member.ts'
import { runWeft } from '../../../../test/support/in-process.ts'
import { databaseUrl, withClient } from '../../../../test/support/postgres.ts'
import { startTestService } from '../../../../test/support/service.ts'
import { createDatabaseLocation, fixedClock, TEST_ENGINE } from '../../../../test/support/store.ts'
import { until } from '../../../../test/support/until.ts'
import { migrateDatabase } from '../open.ts'
import { readMigrations } from '../../migrate.ts'
import { migratePostgres } from './run-migrations.ts'
import type { Finding } from '../../../operate/doctor-finding.ts'

const POSTGRES = { skip: TEST_ENGINE !== 'postgres' && 'for PostgreSQL only' }
const SERVING = 'weft_test_serving'

/** An empty database, and the URL of a role that may only connect to it. */
async function createWorld() {
  const location = await createDatabaseLocation('new')
  const admin = new URL(databaseUrl(location.address, 'postgres'))
  admin.username = 'postgres'
  await withClient(admin.href, (client) =>
    client.query(`do $$ begin create role ${SERVING} login;
      exception when duplicate_object or unique_violation then null; end $$;
      grant ${SERVING} to "${new URL(location.address).username}"`),
  )
  const serving = new URL(location.address)
  serving.username = SERVING
  return { ...location, ownerUrl: location.address, url: serving.href }
}

test(
  'a role that owns nothing serves members, and cannot change the schema',
  POSTGRES,
  async () => {
    await using world = await createWorld()
    const { url, ownerUrl } = world
    await using service = await startTestService({
      database: { engine: 'postgres', url, ownerUrl },
    })
    await service.addMember()
    const token = await service.mintToken()
    await askTool(service.url, token, 'add_connections', { name: 'Grace Hopper' })
    await askTool(service.url, token, 'update_profile', { headline: 'Countess' })
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ kind: 'export_data' })
    const job = await fetch(`${service.url}/api/jobs`, { method: 'POST', headers, body })
    const { job_id: jobId } = (await job.json()) as { job_id: number }
    const stateOf = async () => {
      const read = await fetch(`${service.url}/api/jobs/${jobId}`, { headers })
      return ((await read.json()) as { state: string }).state
    }
    await until(async () => !['queued', 'running'].includes(await stateOf()))
    assert.equal(await stateOf(), 'succeeded')

    await withClient(url, async (client) => {
      for (const sql of [
        'alter table notes disable row level security',
        'alter table notes no force row level security',
        'drop policy own_rows on notes',
        'create policy mine on notes using (true)',
        'create table mine (id bigint)',
        'create schema mine',
        'truncate notes',
        "create or replace function acting_member() returns bigint language sql as 'select 1::bigint'",
        "insert into schema_migrations values (999, 'x', 'x', 0)",
        `set role "${new URL(ownerUrl).username}"`,
      ])
        await assert.rejects(client.query(sql), { code: '42501' }, sql)
      const { rows } = await client.query('select * from connections')
      assert.deepEqual(rows, [])
    })
  },
)

test(
  'without the owner’s URL, a node serves a migrated database and does not migrate',
  POSTGRES,
  async () => {
    await using world = await createWorld()
    const { url, ownerUrl } = world
    const serving = { engine: 'postgres', url } as const
    await assert.rejects(migrateDatabase(serving, fixedClock()), {
      code: 'conflict',
      message: /weft_test_serving is not allowed to migrate/,
    })
    const settings = { WEFT_DATABASE: url, WEFT_OWNER_DATABASE: ownerUrl }
    // Like several nodes that start at the same time.
    const migrated = await Promise.all([1, 2, 3].map(() => runWeft(settings, ['migrate'])))
    for (const { code, stderr } of migrated) assert.equal(code, 0, stderr)
    await using service = await startTestService({ database: serving })
    await service.addMember()
    assert.equal((await fetch(`${service.url}/api/human/ada`)).status, 200)

    const known = await readMigrations('postgres')
    const sql = 'create table later (id bigint primary key)'
    const later = { number: 9001, name: '9001_later.from_0001.sql', sql, digest: 'x' }
    await assert.rejects(migratePostgres(serving, [...known, later], 0), {
      message: /not allowed to migrate/,
    })
    // The new table is granted with its migration.
    await migratePostgres({ url, ownerUrl }, [...known, later], 0)
    await withClient(url, (client) => client.query('insert into later values (1)'))
  },
)

test('the doctor reports a role with more privileges than needed', POSTGRES, async () => {
  await using world = await createWorld()
  const { url, ownerUrl } = world
  const settings = { WEFT_DATABASE: url, WEFT_OWNER_DATABASE: ownerUrl }
  await runWeft(settings, ['migrate'])
  const roleOf = async (environment: Record<string, string>) => {
    const { stdout } = await runWeft(environment, ['doctor', '--json'])
    const findings = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Finding)
    return findings.find(({ check }) => check === 'database_role')
  }
  assert.equal((await roleOf(settings))?.severity, 'ok')
  const single = await roleOf({ WEFT_DATABASE: ownerUrl })
  assert.equal(single?.severity, 'warning')
  assert.match(single.message, /owns the tables/)
  await withClient(ownerUrl, (client) =>
    client.query(`grant create on schema public to ${SERVING}`),
  )
  assert.match((await roleOf(settings))?.message ?? '', /can create tables/)
})
