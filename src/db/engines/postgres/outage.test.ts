import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { env } from 'node:process'
import {
  databaseUrl,
  findPostgres,
  startCluster,
  withClient,
  workingRole,
  type Cluster,
} from '../../../../test/support/postgres.ts'
import { createSeparateStore, fixedClock, TEST_ENGINE } from '../../../../test/support/store.ts'
import { RequestError } from '../../../base/request-error.ts'
import { migrateDatabase, openDatabase } from '../open.ts'
import { statement } from '../../statement.ts'

const onPostgres = { skip: TEST_ENGINE !== 'postgres' && 'for PostgreSQL only' }
const programs = TEST_ENGINE === 'postgres' ? await findPostgres() : undefined
const NO_CLUSTER =
  TEST_ENGINE === 'postgres' ? 'PostgreSQL is not installed' : 'for PostgreSQL only'
const ownCluster = { skip: programs === undefined && NO_CLUSTER }

const NAMES = statement<object, { username: string }>('select username from members')
const ADD = statement<{ id: number }>(
  "insert into members (member_id, username, name, joined_at, updated_at) values (:id, 'm' || cast(:id as bigint), 'M', 0, 0)",
)

const isUnavailable = (error: unknown) =>
  error instanceof RequestError &&
  error.code === 'unavailable' &&
  (error.details.retryAfter ?? 0) > 0

test('a stopped server results in 503 with Retry-After until it is back', ownCluster, async () => {
  await using cluster = await startCluster(programs ?? '')
  const { database } = await open(cluster)
  await using _closed = database
  await database.write((tx) => tx.run(ADD, { id: 1 }))
  const broken = assert.rejects(
    database.write(async (tx) => {
      await tx.run(ADD, { id: 2 })
      await cluster.stop()
      await tx.run(ADD, { id: 3 })
    }),
    isUnavailable,
  )
  await broken
  assert.equal(await database.isReady(), false)
  await assert.rejects(database.all(NAMES, {}), isUnavailable)
  await assert.rejects(
    database.member(1).write((tx) => tx.all(OWN, {})),
    isUnavailable,
  )
  await assert.rejects(database.heavy.all(NAMES, {}), isUnavailable)
  await cluster.start()
  assert.equal(await database.isReady(), true)
  assert.deepEqual(await database.all(NAMES, {}), [{ username: 'm1' }])
  await database.write((tx) => tx.run(ADD, { id: 2 }))
  assert.equal((await database.heavy.all(NAMES, {})).length, 2)
})

test(
  'a role that bypasses row-level security is rejected with instructions for creating another',
  ownCluster,
  async () => {
    await using cluster = await startCluster(programs ?? '')
    await assert.rejects(
      migrateDatabase({ engine: 'postgres', url: cluster.url }, fixedClock()),
      (error) => error instanceof RequestError && /create role weft/.test(error.details.hint ?? ''),
    )
  },
)

test('connections that break while idle or in use are replaced', onPostgres, async () => {
  await using store = await createSeparateStore()
  const { database } = store
  await Promise.all(Array.from({ length: 20 }, () => database.all(NAMES, {})))
  const cut = async () => {
    await withClient(env['WEFT_TEST_POSTGRES'] ?? '', (client) =>
      client.query(
        'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1',
        [new URL(store.address).pathname.slice(1)],
      ),
    )
  }
  await cut()
  // The pool reads that its connections are gone.
  await nextTurn()
  assert.deepEqual(await database.all(NAMES, {}), [])
  await assert.rejects(
    database.write(async (tx) => {
      await tx.run(ADD, { id: 1 })
      await cut()
      await tx.run(ADD, { id: 2 })
    }),
    isUnavailable,
  )
  assert.deepEqual(await database.all(NAMES, {}), [])
})

test('callers wait in order when the pool is full', onPostgres, async () => {
  await using store = await createSeparateStore()
  const { database } = store
  let most = 0
  const slow = statement<object, { n: number }>(
    'select count(*) as n, pg_sleep(0.01) from pg_stat_activity where datname = current_database()',
  )
  await Promise.all(
    Array.from({ length: 60 }, async () => {
      most = Math.max(most, (await database.get(slow, {}))?.n ?? 0)
    }),
  )
  assert.ok(most <= 10, `${most} connections`)
})

const OWN = { text: 'select 1 where :member_id > 0', private: true } as const

async function open(cluster: Cluster) {
  const role = await workingRole(cluster.url)
  await withClient(role, (client) => client.query('create database weft'))
  const url = databaseUrl(role, 'weft')
  return openDatabase({ engine: 'postgres', url }, { clock: fixedClock(), searchThreads: 1 })
}
