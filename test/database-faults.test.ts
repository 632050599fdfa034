/** Temporary database failures: 503 with Retry-After on every surface, never stored under an idempotency key. */

import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { createLog, type Log } from '../src/base/log.ts'
import { memberStatement, statement } from '../src/db/statement.ts'
import { withClient } from './support/postgres.ts'
import { startTestService, type TestService } from './support/service.ts'
import { TEST_ENGINE } from './support/store.ts'

/** A failure of a real database, between `begin` and `end`. */
interface Fault {
  readonly name: string
  /** The call ends only when a limit of the service does. */
  readonly isWaitedFor?: true
  begin(world: World): Promise<void>
  end(world: World): Promise<void>
}

interface Rpc {
  readonly id?: unknown
  readonly result?: { readonly isError?: boolean }
  readonly error?: { readonly code: number; readonly data?: Record<string, unknown> }
}

/** Longer than a page of an SQLite file. */
const LONG_NOTE = 'Met at the museum. '.repeat(400)

type World = Awaited<ReturnType<typeof createWorld>>

interface WorldOptions {
  readonly log?: Log
  readonly isShort?: boolean
}

const COUNTS = memberStatement<object, { notes: number; charges: number; answers: number }>()(`
  select
    (select count(*) from notes where member_id = :member_id) as notes,
    (select count(*) from credit_ledger where member_id = :member_id and kind = 'charge') as charges,
    (select count(*) from idempotency_records where member_id = :member_id) as answers`)

/** With `isShort`, for faults that last until the service gives up, its limits are short; a slow machine needs longer ones. */
async function createWorld({ log = createLog('silent'), isShort = false }: WorldOptions = {}) {
  const service = await startTestService({ databaseTimeoutSeconds: isShort ? 6 : 30, log })
  const { memberId } = await service.addMember()
  const token = await service.mintToken()
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(service.url + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        ...headers,
      },
      body: JSON.stringify(body),
    })
  const added = await post('/mcp', call('add_connections', { name: 'Grace Hopper' }))
  assert.equal(added.status, 200)
  const { result } = (await added.json()) as { result: { structuredContent: unknown } }
  const { connection_id } = connectionOf(result.structuredContent)
  return {
    service,
    post,
    addNote: (key: string) =>
      post('/mcp', call('save_note', { people: connection_id, text: LONG_NOTE }, 7), {
        'idempotency-key': key,
      }),
    noteCall: (id: number) => call('save_note', { people: connection_id, text: 'Met again.' }, id),
    async counts() {
      const row = await service.database.member(memberId).get(COUNTS, {})
      assert.ok(row)
      return { ...row }
    },
    locker: undefined as AsyncDisposable | undefined,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

function connectionOf(output: unknown): { readonly connection_id: string } {
  const text = /"connection_id":"(c_\d+)"/.exec(JSON.stringify(output))?.[1]
  assert.ok(text)
  return { connection_id: text }
}

function call(name: string, args: object, id = 1) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } }
}

for (const fault of TEST_ENGINE === 'sqlite' ? sqliteFaults() : postgresFaults())
  test(`a keyed call during a fault is 503, and runs again after it: ${fault.name}`, async () => {
    await using world = await createWorld({ isShort: fault.isWaitedFor === true })
    const before = await world.counts()
    await fault.begin(world)
    const failed = await world.addNote('k1')
    await assertUnavailable(failed)
    assert.equal(failed.headers.get('idempotency-replayed'), null)
    await fault.end(world)
    assert.deepEqual(await world.counts(), before)
    for (const replayed of [null, 'true']) {
      const answer = await world.addNote('k1')
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('idempotency-replayed'), replayed)
      const { id, result } = (await answer.json()) as Rpc
      assert.equal(id, 7)
      assert.ok(result && result.isError !== true)
    }
    assert.deepEqual(await world.counts(), {
      notes: before.notes + 1,
      charges: before.charges + 1,
      answers: before.answers + 1,
    })
  })

test('the reason is in the log, not in the response', async () => {
  const lines: string[] = []
  const log = createLog('warn', { write: (line: string) => void lines.push(line) })
  await using world = await createWorld({ log })
  await refuseWrites(world)
  await assertUnavailable(await world.addNote('logged'))
  await allowWrites(world)
  assert.match(lines.join(''), /tool unavailable/)
  assert.match(lines.join(''), TEST_ENGINE === 'sqlite' ? /readonly database/ : /no space left/)
})

test('a retry of a failing call with a key gets the same 503, and no replay', async () => {
  await using world = await createWorld()
  await refuseWrites(world)
  for (const answer of await Promise.all(
    Array.from({ length: 5 }, () => world.addNote('together')),
  )) {
    assert.equal(answer.headers.get('idempotency-replayed'), null)
    await assertUnavailable(answer)
  }
  await allowWrites(world)
  const answers = await Promise.all(Array.from({ length: 5 }, () => world.addNote('together')))
  const replays = answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')
  assert.equal(replays.length, 4)
  assert.equal((await world.counts()).notes, 1)
})

test('a batch is 503 if all of its calls failed with 503; otherwise the failure is in an entry', async () => {
  await using world = await createWorld()
  await refuseWrites(world)
  const headers = { 'mcp-protocol-version': '2025-03-26', 'idempotency-key': 'batch' }
  const all = await world.post('/mcp', [world.noteCall(1), world.noteCall(2)], headers)
  assert.equal(all.status, 503)
  assert.ok(Number(all.headers.get('retry-after')) > 0)
  const entries = (await all.json()) as Rpc[]
  assert.deepEqual(
    entries.map(({ id, error }) => [id, error?.data?.['code']]),
    [
      [1, 'unavailable'],
      [2, 'unavailable'],
    ],
  )
  const mixed = [call('whoami', {}, 3), world.noteCall(4)]
  const version = { 'mcp-protocol-version': '2025-03-26' }
  const some = await world.post('/mcp', mixed, version)
  assert.equal(some.status, 200)
  const [well, failed] = (await some.json()) as Rpc[]
  assert.ok(well?.result)
  assert.equal(failed?.error?.data?.['code'], 'unavailable')
  await allowWrites(world)
  const again = await world.post('/mcp', mixed, version)
  assert.ok(((await again.json()) as Rpc[]).every(({ result }) => result?.isError !== true))
  assert.equal((await world.counts()).notes, 1)
})

test('starting a job and registering a client store no 503 under their keys', async () => {
  await using world = await createWorld()
  const registration = { client_name: 'App', redirect_uris: ['https://app.example/back'] }
  const requests = [
    ['/api/jobs', { kind: 'export_data' }, 202],
    ['/oauth/register', registration, 201],
  ] as const
  const key = { 'idempotency-key': 'k' }
  await refuseWrites(world)
  for (const [path, body] of requests) {
    const answer = await world.post(path, body, key)
    assert.equal(answer.status, 503, path)
    assert.ok(Number(answer.headers.get('retry-after')) > 0)
    const told = (await answer.json()) as { code?: string; error?: string }
    assert.equal(
      told.code ?? told.error,
      path === '/api/jobs' ? 'unavailable' : 'temporarily_unavailable',
    )
  }
  await allowWrites(world)
  for (const [path, body, status] of requests)
    for (const replayed of [null, 'true']) {
      const answer = await world.post(path, body, key)
      assert.equal(answer.status, status, path)
      assert.equal(answer.headers.get('idempotency-replayed'), replayed)
    }
})

async function assertUnavailable(answer: Response): Promise<void> {
  assert.equal(answer.status, 503)
  assert.ok(Number(answer.headers.get('retry-after')) > 0)
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
  const { error, result } = (await answer.json()) as Rpc
  assert.equal(result, undefined)
  assert.equal(error?.data?.['code'], 'unavailable')
  assert.ok(Number(error.data['retry_after']) > 0)
  // The message of the database stays in the log.
  assert.doesNotMatch(JSON.stringify(error), /sql|disk|lock|read-only|connection/i)
}

/** On both engines: reads work and writes fail. */
async function refuseWrites(world: World): Promise<void> {
  if (TEST_ENGINE === 'sqlite') return pragma(world.service, 'query_only = on')
  for (const table of ['notes', 'jobs', 'oauth_clients'])
    await onEachInsert(world, table, "raise exception 'no space left' using errcode = '53100'")
}

async function allowWrites(world: World): Promise<void> {
  if (TEST_ENGINE === 'sqlite') return pragma(world.service, 'query_only = off')
  for (const table of ['notes', 'jobs', 'oauth_clients']) await onInsertNothing(world, table)
}

function sqliteFaults(): Fault[] {
  return [
    {
      name: 'another process keeps the file locked',
      isWaitedFor: true,
      async begin(world) {
        const other = new DatabaseSync(world.service.address.replace('sqlite:', ''))
        other.exec('begin immediate')
        world.locker = {
          async [Symbol.asyncDispose]() {
            other.exec('rollback')
            other.close()
          },
        }
      },
      end: unlock,
    },
    {
      name: 'the disk is full',
      async begin({ service }) {
        await service.database.write(async (tx) => {
          await tx.run({ text: 'create table filler (text text)' }, {})
        })
        await pragma(service, 'max_page_count = 1') // never fewer than there are
        // Whatever free pages there are get used up.
        const fill = { text: 'insert into filler values (hex(randomblob(2000)))' }
        for (;;)
          try {
            await service.database.write((tx) => tx.run(fill, {}))
          } catch {
            return
          }
      },
      end: ({ service }) => pragma(service, 'max_page_count = 1000000'),
    },
    {
      name: 'the file cannot be written',
      begin: ({ service }) => pragma(service, 'query_only = on'),
      end: ({ service }) => pragma(service, 'query_only = off'),
    },
  ]
}

/** Runs on the writer's connection, which also serves light reads while no transaction is open. */
async function pragma({ database }: TestService, text: string): Promise<void> {
  await database.get(statement(`pragma ${text}`), {})
}

function postgresFaults(): Fault[] {
  return [
    raising('its server process is terminated', 'perform pg_terminate_backend(pg_backend_pid())'),
    { name: 'a lock is not granted in time', isWaitedFor: true, begin: lockNotes, end: unlock },
    { ...raising('a statement takes too long', 'perform pg_sleep(60)'), isWaitedFor: true },
    raising(
      'the transaction is read-only',
      "perform set_config('transaction_read_only', 'on', true)",
    ),
    raising(
      'the disk is full',
      "raise exception 'no space left on device' using errcode = '53100'",
    ),
    raising('memory is low', "raise exception 'out of memory' using errcode = '53200'"),
    raising('the system fails', "raise exception 'input/output error' using errcode = '58030'"),
    raising(
      'another transaction always wins',
      "raise exception 'conflict' using errcode = '40001'",
    ),
    {
      name: 'no connection is free',
      begin: (world) => afterReconnecting(world, 'connection limit 0'),
      end: (world) => afterReconnecting(world, 'connection limit -1'),
    },
    {
      name: 'the server is read-only to new connections',
      begin: (world) => afterReconnecting(world, 'set default_transaction_read_only = on'),
      end: (world) => afterReconnecting(world, 'reset default_transaction_read_only'),
    },
  ]
}

/** A real error of the server, in the middle of the call's transaction. */
function raising(name: string, plpgsql: string): Fault {
  return {
    name,
    begin: (world) => onEachInsert(world, 'notes', plpgsql),
    end: (world) => onInsertNothing(world, 'notes'),
  }
}

async function onEachInsert(world: World, table: string, plpgsql: string): Promise<void> {
  await onServer(world, async (query) => {
    await query(`
      create function fault_${table}() returns trigger language plpgsql as $$
      begin ${plpgsql}; return new; end $$;
      create trigger fault before insert on ${table} for each row execute function fault_${table}()`)
  })
}

async function onInsertNothing(world: World, table: string): Promise<void> {
  await onServer(world, async (query) => {
    await query(`drop trigger fault on ${table}; drop function fault_${table}()`)
  })
}

/** Changes the database and terminates its connections; the change applies to new ones. */
async function afterReconnecting(world: World, change: string): Promise<void> {
  const { address } = world.service
  const name = new URL(address).pathname.slice(1)
  // From another database: connections to this one may be refused.
  const elsewhere = new URL(address)
  elsewhere.pathname = '/postgres'
  await withClient(elsewhere.href, async (client) => {
    await client.query(`alter database ${name} ${change}`)
    await client.query(
      'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1',
      [name],
    )
  })
}

/** Blocks writes to notes until `unlock`. Reads still work. */
async function lockNotes(world: World): Promise<void> {
  const { promise: done, resolve: unlocked } = Promise.withResolvers<void>()
  const { promise: locked, resolve: begun } = Promise.withResolvers<void>()
  const ended = onServer(world, async (query) => {
    await query('begin; lock table notes in share mode')
    begun()
    await done
    await query('rollback')
  })
  await locked
  world.locker = {
    async [Symbol.asyncDispose]() {
      unlocked()
      await ended
    },
  }
}

async function unlock(world: World): Promise<void> {
  await world.locker?.[Symbol.asyncDispose]()
}

type Query = (text: string) => Promise<unknown[]>

async function onServer(world: World, work: (query: Query) => Promise<void>): Promise<void> {
  await withClient(world.service.address, (client) =>
    work(async (text) => (await client.query(text)).rows as unknown[]),
  )
}
