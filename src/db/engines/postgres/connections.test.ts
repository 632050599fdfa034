/** How many connections a node opens, directly and through PgBouncer. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import * as fc from 'fast-check'
import { Client } from 'pg'
import { createLog } from '../../../base/log.ts'
import { readConfig } from '../../../config/config.ts'
import { createService } from '../../../service/service.ts'
import { PGBOUNCER_MISSING, startPgBouncer } from '../../../../test/support/pgbouncer.ts'
import { startTestService } from '../../../../test/support/service.ts'
import { createDatabaseLocation, fixedClock, TEST_ENGINE } from '../../../../test/support/store.ts'
import { createMember } from '../../../members/member.ts'
import { migrateDatabase, openMigratedDatabase } from '../open.ts'
import { divideConnections, MIN_DATABASE_CONNECTIONS } from './divide-connections.ts'
import { parseDatabaseAddress } from '../../database-address.ts'
import { memberStatement, statement } from '../../statement.ts'

const NOT_POSTGRES = TEST_ENGINE !== 'postgres' && 'for PostgreSQL only'

test('all connections are divided among the purposes, and each has some', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: MIN_DATABASE_CONNECTIONS, max: 1000 }),
      fc.integer({ min: 1, max: 64 }),
      (connections, threads) => {
        const { computeThreads, ...pools } = divideConnections(connections, threads)
        const { searchPoolSize, anonymousPoolSize, poolSize } = pools
        for (const size of Object.values(pools)) assert.ok(size >= 1)
        assert.ok(poolSize >= 3 && computeThreads >= 2)
        const sum = poolSize + searchPoolSize + anonymousPoolSize + computeThreads
        // One for readiness checks, and one for migrations at startup.
        assert.equal(sum + 2, connections)
      },
    ),
  )
})

const SLEEP = statement<object, { slept: unknown }>('select pg_sleep(0.2) as slept')

test('a busy node stays within its connection limit', { skip: NOT_POSTGRES }, async () => {
  await using service = await startTestService({ databaseConnections: MIN_DATABASE_CONNECTIONS })
  await service.addMember()
  const token = await service.mintToken()
  const { database } = service
  const call = (name: string) =>
    fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: name === 'search_connections' ? { query: 'x' } : {} },
      }),
    }).then((response) => response.arrayBuffer())
  const client = new Client({ connectionString: service.address })
  await client.connect()
  try {
    const busy = Promise.all([
      ...Array.from({ length: 20 }, () => database.all(SLEEP, {})),
      ...Array.from({ length: 20 }, () => database.heavy.all(SLEEP, {})),
      ...Array.from({ length: 20 }, () => database.anonymous.all(SLEEP, {})),
      ...Array.from({ length: 20 }, () => call('search_connections')),
      ...Array.from({ length: 5 }, () => call('find_duplicates')),
      ...Array.from({ length: 10 }, () => fetch(`${service.url}/readyz`)),
    ])
    let most = 0
    const done = busy.then(() => true)
    do {
      const { rows } = await client.query<{ count: string }>(
        "select count(*) as count from pg_stat_activity where datname = current_database() and application_name like 'weft%'",
      )
      most = Math.max(most, Number(rows[0]?.count))
    } while (!(await Promise.race([done, sleep(5, false)])))
    assert.ok(most <= MIN_DATABASE_CONNECTIONS, `${most} connections`)
    // It uses all of them.
    assert.ok(most >= MIN_DATABASE_CONNECTIONS / 2, `${most} connections`)
  } finally {
    await client.end()
  }
})

test(
  'a node runs through PgBouncer in session mode, over TLS with a checked certificate',
  { skip: NOT_POSTGRES || PGBOUNCER_MISSING },
  async () => {
    await using location = await createDatabaseLocation('new')
    await using bouncer = await startPgBouncer(location.address)
    const config = { ...readConfig({}), host: '127.0.0.1', port: 0, publicUrl: null }
    const deps = { clock: fixedClock(), log: createLog('silent') }
    const open = (url: string) =>
      createService({ ...config, database: { engine: 'postgres', url } }, deps)
    await assert.rejects(open(bouncer.plainUrl), /TLS|SSL/)
    await using service = await open(bouncer.url)
    service.start()
    const url = `http://127.0.0.1:${service.port}`
    assert.equal((await fetch(`${url}/readyz`)).status, 200)
    assert.equal((await fetch(`${url}/api/human/demo`)).status, 200)
    assert.equal((await fetch(`${url}/api/network/members?q=demo`)).status, 200)
    // The session has our timeouts, which startup parameters cannot set here.
    assert.deepEqual(await service.database.get(TIMEOUT, {}), { timeout: '10s', seqscan: 'on' })
    assert.equal((await service.database.heavy.get(TIMEOUT, {}))?.seqscan, 'off')
  },
)

const TIMEOUT = statement<object, { timeout: string; seqscan: string }>(
  "select current_setting('lock_timeout') as timeout, current_setting('enable_seqscan') as seqscan",
)
const NETWORKS = memberStatement<object, { member_id: number }>()(
  '/* all */ select member_id from networks where :member_id > 0 and pg_sleep(0.01) is not null',
)

test(
  'transactions of several members and purposes share few sessions of PgBouncer in transaction mode',
  { skip: NOT_POSTGRES || PGBOUNCER_MISSING },
  async () => {
    await using location = await createDatabaseLocation('new')
    const options = { poolMode: 'transaction', poolSize: 2 } as const
    await using bouncer = await startPgBouncer(location.address, options)
    const pooled = parseDatabaseAddress(`${bouncer.plainUrl}pool_mode=transaction`)
    assert.ok(pooled?.engine === 'postgres' && pooled.poolMode === 'transaction')
    assert.doesNotMatch(pooled.url, /pool_mode/)
    const clock = fixedClock()
    await assert.rejects(migrateDatabase(pooled, clock), /migration .* is pending/)
    await migrateDatabase({ ...pooled, ownerUrl: location.address }, clock)
    assert.deepEqual(await migrateDatabase(pooled, clock), [])

    const { database } = await openMigratedDatabase(pooled, { clock, searchThreads: 1 })
    await using _closed = database
    const ids = await Promise.all(
      ['ada', 'grace', 'mary'].map(async (username) => {
        const fields = { username, name: username }
        return (await database.write((tx) => createMember(tx, fields, clock.now()))).memberId
      }),
    )
    const ofEach = (read: (memberId: number) => Promise<{ member_id: number }[]>) =>
      Promise.all(ids.map(async (id) => assert.deepEqual(await read(id), [{ member_id: id }])))
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([
        ofEach((id) => database.member(id).all(NETWORKS, {})),
        ofEach((id) => database.member(id).heavy.all(NETWORKS, {})),
        ofEach((id) => database.member(id).write((tx) => tx.all(NETWORKS, {}))),
      ])
      const [light, heavy, written] = await Promise.all([
        database.get(TIMEOUT, {}),
        database.heavy.get(TIMEOUT, {}),
        database.write((tx) => tx.get(TIMEOUT, {})),
      ])
      assert.deepEqual(light, { timeout: '10s', seqscan: 'on' })
      assert.deepEqual(written, { timeout: '10s', seqscan: 'on' })
      assert.deepEqual(heavy, { timeout: '10s', seqscan: 'off' })
    }
    assert.deepEqual(await seenOutside(bouncer.plainUrl), { member: '', timeout: '0' })
  },
)

/** What a transaction of another client sees in a session that Weft used. */
async function seenOutside(url: string): Promise<unknown> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<object>(
      "select current_setting('weft.member_id', true) as member, current_setting('lock_timeout') as timeout",
    )
    return rows[0]
  } finally {
    await client.end()
  }
}
