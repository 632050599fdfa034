/** Connections that stay open but do not respond, servers that stop accepting writes, and work with longer timeouts. */

import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { startBlackHole } from '../../../../test/support/black-hole.ts'
import {
  findPostgres,
  startCluster,
  withClient,
  workingDatabase,
} from '../../../../test/support/postgres.ts'
import { startTestService } from '../../../../test/support/service.ts'
import { createDatabaseLocation, fixedClock, TEST_ENGINE } from '../../../../test/support/store.ts'
import { until } from '../../../../test/support/until.ts'
import { RequestError } from '../../../base/request-error.ts'
import { openDatabase } from '../open.ts'
import { memberStatement, recordedChange, statement } from '../../statement.ts'
import type { Database } from '../../database.ts'

const onPostgres = { skip: TEST_ENGINE !== 'postgres' && 'for PostgreSQL only' }
const programs = TEST_ENGINE === 'postgres' ? await findPostgres() : undefined
const NO_CLUSTER =
  TEST_ENGINE === 'postgres' ? 'PostgreSQL is not installed' : 'for PostgreSQL only'
const ownCluster = { skip: programs === undefined && NO_CLUSTER }

/** Seconds. A third of it is the time to connect, which has to suffice on a busy machine. */
const TIMEOUT = 6

const NAMES = statement<object, { username: string }>('select username from members')
const ADD = statement<{ id: number }>(
  "insert into members (member_id, username, name, joined_at, updated_at) values (:id, 'm' || cast(:id as bigint), 'M', 0, 0)",
)
const OWN = memberStatement<object, { n: number }>()('select 1 as n where :member_id > 0')
const OWN_CHANGE = recordedChange<object, { member_id: number }>()(
  'update members set updated_at = 1 where member_id = :member_id returning member_id',
  'insert into credit_ledger (member_id) select member_id from changed where :member_id < 0',
)
const SLEEP = statement<{ seconds: string }, object>(
  'select pg_sleep(cast(:seconds as double precision))',
)

const isUnavailable = (error: unknown) =>
  error instanceof RequestError &&
  error.code === 'unavailable' &&
  (error.details.retryAfter ?? 0) > 0

/** All kinds of requests that the service sends to a database, at once. */
function allKindsOfRequests(database: Database): (() => Promise<unknown>)[] {
  const member = database.member(1)
  const write = () => member.write((tx) => tx.get(OWN, {}))
  const change = () => member.change(OWN_CHANGE, {})
  return [
    () => database.all(NAMES, {}),
    () => database.heavy.all(NAMES, {}),
    () => database.write((tx) => tx.all(NAMES, {})),
    () => member.get(OWN, {}),
    () => member.heavy.get(OWN, {}),
    write,
    write,
    write,
    change,
    change,
    change,
  ]
}

function manyReads(database: Database): (() => Promise<unknown>)[] {
  return Array.from({ length: 20 }, () => () => database.all(NAMES, {}))
}

/** Sends requests at once, and those again for which a slow machine did not open a connection in time. */
async function send(requests: readonly (() => Promise<unknown>)[]): Promise<void> {
  await Promise.all(
    requests.map((request) =>
      until(() =>
        request().then(
          () => true,
          (error: unknown) => {
            if (error instanceof Error && /trying to connect/.test(String(error.cause)))
              return false
            throw error
          },
        ),
      ),
    ),
  )
}

/** Sends a request again while a slow machine does not open a connection in time. */
function whenAvailable(request: () => Promise<Response>): Promise<Response> {
  return until(async () => {
    const response = await request()
    return response.status !== 503 && response
  })
}

/** A database of its own behind a black hole, whose pool has idle connections. */
async function openThroughBlackHole() {
  await using opening = new AsyncDisposableStack()
  const location = opening.use(await createDatabaseLocation())
  const hole = opening.use(await startBlackHole(location.address))
  const { database } = await openDatabase(
    { engine: 'postgres', url: hole.url },
    { clock: fixedClock(), searchThreads: 1, timeoutSeconds: TIMEOUT },
  )
  opening.use(database)
  await send(manyReads(database))
  const opened = opening.move()
  return { hole, database, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

// They mostly wait.
describe('PostgreSQL that does not respond', { concurrency: true }, () => {
  test(
    'calls through a black hole fail in time, and none fails once it is gone',
    onPostgres,
    async () => {
      await using opened = await openThroughBlackHole()
      const { hole, database } = opened
      await send(allKindsOfRequests(database))
      const midway = database.write(async (tx) => {
        await tx.run(ADD, { id: 1 })
        hole.swallow()
        await tx.run(ADD, { id: 2 })
      })
      await assert.rejects(midway, isUnavailable)
      const requests = allKindsOfRequests(database).map((request) => request())
      for (const outcome of await Promise.allSettled(requests))
        assert.ok(outcome.status === 'rejected' && isUnavailable(outcome.reason))
      assert.equal(await database.isReady(), false)
      hole.forward()
      // The pool has idle connections that were opened before; it uses none of them.
      await send(manyReads(database))
      await send(allKindsOfRequests(database))
      assert.equal(await database.isReady(), true)
      assert.deepEqual(await database.all(NAMES, {}), [])
    },
  )

  test(
    'connections that were dropped while idle fail only the first calls that use them',
    onPostgres,
    async () => {
      await using opened = await openThroughBlackHole()
      const { hole, database } = opened
      hole.swallow()
      hole.forward()
      await assert.rejects(database.all(NAMES, {}), isUnavailable)
      for (let reads = 0; reads < 10; reads += 1)
        assert.deepEqual(await database.all(NAMES, {}), [])
    },
  )

  test(
    'a service behind a black hole returns 503 and recovers with its jobs',
    onPostgres,
    async () => {
      await using location = await createDatabaseLocation('seeded')
      await using hole = await startBlackHole(location.address)
      await using service = await startTestService({
        database: { engine: 'postgres', url: hole.url },
        databaseTimeoutSeconds: TIMEOUT,
      })
      await service.addMember()
      const token = await service.mintToken()
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
      const params = { name: 'add_connections', arguments: { name: 'Grace Hopper' } }
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
      const add = () =>
        fetch(`${service.url}/mcp`, {
          method: 'POST',
          headers: { ...headers, 'idempotency-key': 'k' },
          body: JSON.stringify(message),
        })
      const profile = (accept: string) =>
        fetch(`${service.url}/api/human/ada`, { headers: { accept, 'cache-control': 'no-cache' } })
      hole.swallow()
      for (const answer of await Promise.all([
        add(),
        add(),
        profile('text/html'),
        profile('*/*'),
      ])) {
        assert.equal(answer.status, 503)
        assert.ok(Number(answer.headers.get('retry-after')) > 0)
        await answer.arrayBuffer()
      }
      hole.forward()
      const answer = await whenAvailable(add)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('idempotency-replayed'), null)
      assert.equal((await whenAvailable(() => profile('*/*'))).status, 200)
      const job = await whenAvailable(() =>
        fetch(`${service.url}/api/jobs`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ kind: 'purge_deleted' }),
        }),
      )
      const { poll } = (await job.json()) as { poll: string }
      const ended = await until(async () => {
        const polled = await fetch(poll, { headers })
        assert.equal(polled.status, 200)
        const { state, terminal } = (await polled.json()) as { state: string; terminal: boolean }
        return terminal && state
      })
      assert.equal(ended, 'succeeded')
    },
  )

  test(
    'a lost response to COMMIT is reported as a write that may be complete, and a retry with its key replays it',
    onPostgres,
    async () => {
      await using location = await createDatabaseLocation('seeded')
      await using hole = await startBlackHole(location.address)
      await using service = await startTestService({
        database: { engine: 'postgres', url: hole.url },
        databaseTimeoutSeconds: TIMEOUT,
        // The next COMMIT is that of the call.
        jobConcurrency: 0,
      })
      await service.addMember()
      const token = await service.mintToken()
      const add = async (name: string, key: string) => {
        const params = { name: 'add_connections', arguments: { name } }
        const answer = await fetch(`${service.url}/mcp`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${token}`,
            'idempotency-key': key,
          },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
        })
        return {
          answer,
          body: (await answer.json()) as { error?: { message: string; data: object } },
        }
      }
      // The first call also records when the token was last used.
      assert.equal((await add('Ada Lovelace', 'first')).answer.status, 200)
      hole.swallowAfterCommit()
      const { answer, body } = await add('Grace Hopper', 'lost')
      assert.equal(answer.status, 503)
      assert.ok(Number(answer.headers.get('retry-after')) > 0)
      assert.match(body.error?.message ?? '', /may have been saved/)
      assert.match(JSON.stringify(body.error?.data), /same Idempotency-Key/)
      const again = await add('Grace Hopper', 'lost')
      assert.equal(again.answer.status, 200)
      assert.equal(again.answer.headers.get('idempotency-replayed'), 'true')
      hole.swallow()
      const { answer: failed, body: rejected } = await add('Jean Bartik', 'before')
      assert.equal(failed.status, 503)
      assert.doesNotMatch(rejected.error?.message ?? '', /may have been saved/)
      hole.forward()
    },
  )

  test('bulk work has more time than a request', onPostgres, async () => {
    await using location = await createDatabaseLocation()
    const { database } = await openDatabase(location.database, {
      clock: fixedClock(),
      searchThreads: 1,
      timeoutSeconds: 2,
    })
    await using _closed = database
    const seconds = '2.5'
    await assert.rejects(database.get(SLEEP, { seconds }), isUnavailable)
    await assert.rejects(
      database.write((tx) => tx.get(SLEEP, { seconds })),
      isUnavailable,
    )
    const { promise: holds, resolve: begun } = Promise.withResolvers<void>()
    const bulk = database.member(1).write(
      async (tx) => {
        begun()
        return tx.shared.all(SLEEP, { seconds: '6' })
      },
      { bulk: true },
    )
    await holds
    // Another bulk write of the member waits for the first; a request does not wait for as long.
    const patient = database.member(1).write((tx) => tx.get(OWN, {}), { bulk: true })
    await assert.rejects(
      database.member(1).write((tx) => tx.get(OWN, {})),
      isUnavailable,
    )
    assert.equal((await bulk).length, 1)
    assert.deepEqual(await patient, { n: 1 })
    assert.deepEqual(await database.member(1).write((tx) => tx.get(OWN, {})), { n: 1 })
  })

  test(
    'a primary that becomes read-only is not used until it accepts writes',
    ownCluster,
    async () => {
      await using cluster = await startCluster(programs ?? '')
      const { database } = await openOn(cluster.url)
      await using _closed = database
      await send(manyReads(database))
      await database.write((tx) => tx.run(ADD, { id: 1 }))
      await setReadOnly(cluster.url, 'on')
      await assert.rejects(
        database.write((tx) => tx.run(ADD, { id: 2 })),
        isUnavailable,
      )
      await assert.rejects(database.all(NAMES, {}), isUnavailable)
      await setReadOnly(cluster.url, 'off')
      await database.write((tx) => tx.run(ADD, { id: 3 }))
      assert.deepEqual(await database.all(NAMES, {}), [{ username: 'm1' }, { username: 'm3' }])
    },
  )

  test('a standby is rejected until it is promoted', ownCluster, async () => {
    await using cluster = await startCluster(programs ?? '', { replicable: true })
    const { database, url } = await openOn(cluster.url)
    await using _closed = database
    await database.write((tx) => tx.run(ADD, { id: 1 }))
    await cluster.stop()
    const folder = new URL(cluster.url).searchParams.get('host') ?? ''
    await writeFile(join(folder, 'data', 'standby.signal'), '')
    await cluster.start()
    await assert.rejects(database.all(NAMES, {}), isUnavailable)
    await assert.rejects(
      openDatabase({ engine: 'postgres', url }, { clock: fixedClock(), searchThreads: 1 }),
      (error) => error instanceof RequestError && /read-only/.test(error.message),
    )
    await withClient(cluster.url, (client) => client.query('select pg_promote()'))
    await database.write((tx) => tx.run(ADD, { id: 2 }))
    assert.equal((await database.all(NAMES, {})).length, 2)
  })
})

async function openOn(superuser: string) {
  const url = await workingDatabase(superuser)
  const options = { clock: fixedClock(), searchThreads: 1, timeoutSeconds: 5 }
  return { url, ...(await openDatabase({ engine: 'postgres', url }, options)) }
}

/** For every session, including open ones. */
async function setReadOnly(superuser: string, value: 'on' | 'off'): Promise<void> {
  await withClient(superuser, async (client) => {
    await client.query('set default_transaction_read_only = off')
    await client.query(`alter system set default_transaction_read_only = ${value}`)
    await client.query('select pg_reload_conf()')
    // A new session reports the setting once it applies.
    for (;;) {
      const now = await withClient(superuser, (other) =>
        other.query<{ is: string }>(
          "select current_setting('default_transaction_read_only') as is",
        ),
      )
      if (now.rows[0]?.is === value) return
    }
  })
}
