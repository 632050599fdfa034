/** Commands for operators: doctor, config, jobs, credits, lists as JSON, imports from a pipe, completion, readable logs. */

import assert from 'node:assert/strict'
import { writeModelFolder } from '../../test/support/model-folder.ts'
import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { Client } from 'pg'
import { MAX_UPLOAD_BYTES } from '../jobs/uploads.ts'
import { runWeft } from '../../test/support/in-process.ts'
import { withClient } from '../../test/support/postgres.ts'
import {
  createDatabaseLocation,
  fixedClock,
  TEST_ENGINE,
  type DatabaseLocation,
} from '../../test/support/store.ts'
import { openDatabase } from '../db/engines/open.ts'
import { DAY, SECOND, systemClock } from '../base/clock.ts'
import { addEndpoint, recordOutcome } from '../deliveries/endpoint-store.ts'
import { addCalendar } from '../connections/calendars/calendar-store.ts'
import { sealFor } from '../deliveries/seal-for-member.ts'
import { addBooks } from '../subscribed-books/book-store.ts'
import { memberStatement, statement } from '../db/statement.ts'
import { requireMemberByUsername } from '../members/member.ts'
import { changeAttempt } from '../oauth/attempts/attempt-store.ts'
import { masked } from './config.ts'
import { readableLine, readableLog } from './terminal/readable-log.ts'
import { diagnose } from '../operate/doctor.ts'
import type { Finding } from '../operate/doctor-finding.ts'

const CSV = 'First Name,Last Name,Email Address\nGrace,Hopper,grace@example.org\nAlan,Turing,\n'

let location: DatabaseLocation
let environment: Record<string, string>

before(async () => {
  location = await createDatabaseLocation()
  // Nothing listens there.
  environment = { WEFT_DATABASE: location.address, WEFT_PUBLIC_URL: 'http://localhost:9' }
  await weft(['member', 'create', '--username', 'ada', '--name', 'Ada Lovelace', '--admin'])
})

after(() => location[Symbol.asyncDispose]())

/** The output of a command that must succeed. */
async function weft(args: readonly string[], input = ''): Promise<string> {
  const ran = await runWeft(environment, args, input)
  assert.equal(ran.code, 0, ran.stderr + ran.stdout)
  return ran.stdout
}

const lines = (text: string): unknown[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown)

async function diagnosis(more: Record<string, string> = {}) {
  const ran = await runWeft({ ...environment, ...more }, ['doctor', '--json'])
  const findings = lines(ran.stdout) as Finding[]
  return { ran, of: (check: string) => findings.filter((one) => one.check === check), findings }
}

test('the doctor reports no problems for a sound installation, and says how to fix others', async () => {
  const { ran, of, findings } = await diagnosis()
  assert.equal(ran.code, 0, ran.stdout)
  for (const check of ['settings', 'integrity', 'migrations', 'ledgers', 'jobs', 'admins'])
    assert.deepEqual(
      of(check).map(({ severity }) => severity),
      ['ok'],
      check,
    )
  assert.equal(of('backups')[0]?.severity, 'warning')
  assert.match(of('public_url')[0]?.message ?? '', /localhost:9 does not respond/)
  for (const { severity, fix, check } of findings)
    assert.equal(fix === undefined, severity === 'ok', check)
})

test('the doctor reports settings that are wrong or unsafe', async () => {
  const wrong = await diagnosis({ WEFT_PORT: 'x' })
  assert.equal(wrong.ran.code, 1)
  assert.match(wrong.of('settings')[0]?.message ?? '', /WEFT_PORT must be a whole number/)
  const unsafe = await diagnosis({ WEFT_HOST: '0.0.0.0' })
  assert.match(unsafe.of('public_url')[0]?.message ?? '', /only works on this computer/)
  const proxied = await diagnosis({ WEFT_PUBLIC_URL: 'https://localhost:9' })
  assert.match(proxied.of('proxy')[0]?.fix ?? '', /WEFT_TRUSTED_PROXIES/)
})

const POSTGRES = { skip: TEST_ENGINE !== 'postgres' && 'for PostgreSQL only' }

/** Another role on the server of the tests, which is dropped at the end. */
async function createRole(options: string): Promise<{ url: string } & AsyncDisposable> {
  const name = `weft_doctor_${process.pid}_${++roles}`
  const admin = new URL(location.address)
  admin.username = 'postgres'
  await withClient(admin.href, (client) =>
    client.query(`create role ${name} login password 'x' ${options}`),
  )
  const url = new URL(location.address)
  url.username = name
  url.password = 'x'
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      await withClient(admin.href, (client) =>
        client.query(`drop owned by ${name}; drop role ${name}`),
      )
    },
  }
}

let roles = 0

test(
  'the doctor finds a backup role that sees no rows or cannot read tables',
  POSTGRES,
  async () => {
    const WEFT_BACKUP_DIRECTORY = location.folder
    const serving = await diagnosis({ WEFT_BACKUP_DIRECTORY })
    assert.match(serving.of('backup_role')[0]?.message ?? '', /sees no rows of members/)
    assert.match(serving.of('backup_role')[0]?.fix ?? '', /create role weft_backup .* bypassrls/)
    await using blind = await createRole('')
    const hidden = await diagnosis({ WEFT_BACKUP_DATABASE: blind.url })
    assert.match(hidden.of('backup_role')[0]?.fix ?? '', /alter role weft_doctor_\w+ bypassrls/)
    await using barred = await createRole('bypassrls')
    const forbidden = await diagnosis({ WEFT_BACKUP_DATABASE: barred.url })
    assert.match(forbidden.of('backup_role')[0]?.message ?? '', /not allowed to read all tables/)
    await using documented = await createRole('bypassrls in role pg_read_all_data')
    const sound = await diagnosis({ WEFT_BACKUP_DATABASE: documented.url })
    assert.equal(sound.of('backup_role')[0]?.severity, 'ok')
  },
)

test('the doctor finds an owner URL of another database or role', POSTGRES, async () => {
  await using elsewhere = await createDatabaseLocation()
  const other = await diagnosis({ WEFT_OWNER_DATABASE: elsewhere.address })
  assert.equal(other.ran.code, 1)
  assert.match(other.of('owner')[0]?.message ?? '', /migrate one and serve the other/)
  const dead = await diagnosis({ WEFT_OWNER_DATABASE: 'postgres://x@127.0.0.1:9/x' })
  assert.match(dead.of('owner')[0]?.message ?? '', /cannot be opened: .*ECONNREFUSED/)
  await using stranger = await createRole('')
  const wrong = await diagnosis({ WEFT_OWNER_DATABASE: stranger.url })
  assert.match(wrong.of('owner')[0]?.message ?? '', /does not own all tables/)
  const same = await diagnosis({ WEFT_OWNER_DATABASE: location.address })
  assert.equal(same.of('owner')[0]?.severity, 'ok')
})

test('the doctor counts connections against every limit of the server', POSTGRES, async () => {
  assert.equal((await diagnosis()).of('connections')[0]?.severity, 'ok')
  const many = (await diagnosis({ WEFT_DATABASE_CONNECTIONS: '500' })).of('connections')[0]
  assert.match(
    many?.message ?? '',
    /can open 500, but PostgreSQL accepts only 197 \(max_connections\)/,
  )
  assert.match(many?.fix ?? '', /at most 197 on every node, or raise max_connections by 303/)
  await using limited = await createRole('connection limit 15 in role weft_test')
  const role = (await diagnosis({ WEFT_DATABASE: limited.url })).of('connections')[0]
  assert.match(role?.message ?? '', /accepts only 15 \(the connection limit of the role\)/)
  const running = ['weft one:1', 'weft two:1'].map((application_name) => {
    return new Client({ connectionString: location.address, application_name })
  })
  for (const client of running) await client.connect()
  const two = (await diagnosis({ WEFT_DATABASE_CONNECTIONS: '150' })).of('connections')[0]
  for (const client of running) await client.end()
  assert.match(two?.message ?? '', /2 running processes with up to 150 connections can open 300/)
  assert.match(two?.fix ?? '', /at most 98 on every node/)
})

test('the doctor tries to write to the folder of the backups', async () => {
  await using folder = await temporaryFolder()
  const missing = join(folder.path, 'not/yet')
  const sound = await diagnosis({ WEFT_BACKUP_DIRECTORY: missing })
  assert.equal(sound.of('backup_directory')[0]?.severity, 'ok')
  assert.deepEqual(await readdir(folder.path), [])
  await chmod(folder.path, 0o500)
  // Root may write to any folder except those of the kernel.
  const closed = process.getuid?.() === 0 ? '/proc/backups' : missing
  const { ran, of } = await diagnosis({ WEFT_BACKUP_DIRECTORY: closed })
  assert.equal(ran.code, 1)
  assert.match(of('backup_directory')[0]?.message ?? '', /No backup can be written to/)
  assert.match(of('backup_directory')[0]?.fix ?? '', /Let the user that runs Weft write to \//)
})

test('the doctor distinguishes a slow mail server from one that does not answer', async () => {
  await using slow = await greetingServer(() => clock.advance(7 * SECOND))
  const clock = fixedClock()
  const findings = await diagnose({ ...environment, ...slow.environment }, clock)
  const email = findings.find(({ check }) => check === 'email')
  assert.equal(email?.severity, 'warning')
  assert.match(
    email.message,
    /^The mail server 127\.0\.0\.1:\d+ works, but is slow to answer: 7 s\.$/,
  )
  const dead = await diagnosis({
    WEFT_SMTP_URL: 'smtp://127.0.0.1:9',
    WEFT_SMTP_FROM: 'weft@example.org',
  })
  assert.equal(dead.of('email')[0]?.severity, 'error')
})

test('the doctor asks the embeddings endpoint for a vector', async () => {
  const settings = (url: string) => ({ WEFT_EMBEDDINGS_URL: url, WEFT_EMBEDDINGS_MODEL: 'small' })
  const dead = await diagnosis(settings('http://127.0.0.1:9/v1'))
  assert.equal(dead.ran.code, 1)
  assert.match(dead.of('embeddings')[0]?.message ?? '', /cannot be reached.*127\.0\.0\.1:9/)
  const server = createServer((_, response) => {
    response.end(JSON.stringify({ data: [{ index: 0, embedding: [1, 0] }] }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const alive = await diagnosis(settings(`http://127.0.0.1:${port}/v1`))
  assert.equal(alive.of('embeddings')[0]?.severity, 'ok')
  server.closeAllConnections()
  server.close()
})

test('the doctor reads the model of WEFT_EMBEDDINGS_FOLDER', async () => {
  await using folder = await temporaryFolder()
  const settings = { WEFT_EMBEDDINGS_FOLDER: folder.path }
  const empty = await diagnosis(settings)
  assert.match(empty.of('embeddings')[0]?.message ?? '', /has no usable model.*tokenizer\.json/)
  await writeModelFolder(folder.path, { vectors: { engineer: [1, 0] } })
  const filled = await diagnosis(settings)
  assert.equal(filled.of('embeddings')[0]?.severity, 'ok')
})

async function temporaryFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'weft-doctor-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** Calls `onConnection` before it greets, and accepts every command. */
async function greetingServer(onConnection: () => void) {
  const server = createTcpServer((socket) => {
    onConnection()
    socket.on('error', () => {})
    socket.write('220 ready\r\n')
    socket.on('data', () => socket.write('250 ok\r\n'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    environment: {
      WEFT_SMTP_URL: `smtp://127.0.0.1:${port}`,
      WEFT_SMTP_FROM: 'weft@example.org',
    },
    async [Symbol.asyncDispose]() {
      server.close()
      await once(server, 'close')
    },
  }
}

test('the doctor finds a ledger that does not add up', async () => {
  await using broken = await createDatabaseLocation()
  const own = { ...environment, WEFT_DATABASE: broken.address }
  await runWeft(own, ['member', 'create', '--username', 'bob', '--name', 'Bob'])
  await runWeft(own, ['credits', 'adjust', 'bob', '--by', '5', '--reason', 'test'])
  const { database } = await openDatabase(broken.database, { clock: systemClock, searchThreads: 1 })
  const { memberId } = await requireMemberByUsername(database, 'bob')
  const steal = memberStatement()(
    'update credit_accounts set remaining = remaining + 1 where member_id = :member_id',
  )
  await database.member(memberId).write((tx) => tx.run(steal, {}))
  await database[Symbol.asyncDispose]()
  const { ran, of } = await diagnosis({ WEFT_DATABASE: broken.address })
  assert.equal(ran.code, 1)
  assert.match(of('ledgers')[0]?.message ?? '', /do not add up: bob/)
})

test('the doctor finds networks that could not be prepared for searches, or wait for long', async () => {
  await using broken = await createDatabaseLocation()
  const own = { ...environment, WEFT_DATABASE: broken.address }
  await runWeft(own, ['member', 'create', '--username', 'bob', '--name', 'Bob'])
  const found = async (attempts: number, at: number) => {
    const { database } = await openDatabase(broken.database, {
      clock: systemClock,
      searchThreads: 1,
    })
    const { memberId } = await requireMemberByUsername(database, 'bob')
    await database.member(memberId).write((tx) => tx.run(SET_PREPARATION, { attempts, at }))
    await database[Symbol.asyncDispose]()
    const { of } = await diagnosis({ WEFT_DATABASE: broken.address })
    return of('search').map(({ severity, message }) => `${severity}: ${message}`)
  }
  const now = systemClock.now()
  assert.match((await found(3, now + DAY)).join(), /warning: 1 networks .* three attempts/)
  assert.match((await found(1, now - DAY)).join(), /warning: A network has waited .* since 20/)
  assert.match((await found(0, now - SECOND)).join(), /ok: /)
})

const SET_PREPARATION = memberStatement<{ attempts: number; at: number }>()(`
  update networks set prepare_attempts = :attempts, prepare_search_at = :at
  where member_id = :member_id`)

test('the doctor finds calendars and address books that wait, and what the key does not open', async () => {
  await using own = await createDatabaseLocation()
  const [first, second] = ['a'.repeat(32), 'b'.repeat(32)] as const
  const settings = { WEFT_DATABASE: own.address, WEFT_SECRET_KEY: first }
  await runWeft(settings, ['member', 'create', '--username', 'ada', '--name', 'Ada'])
  assert.deepEqual((await diagnosis(settings)).of('calendar_key'), [])
  const { database } = await openDatabase(own.database, { clock: systemClock, searchThreads: 1 })
  const { memberId } = await requireMemberByUsername(database, 'ada')
  const connect = async (secret: string, now: number) => {
    const address = sealFor(secret, memberId, `https://calendar.example/${now}.ics`, 'calendar')
    const calendar = { name: 'Work', address, addressHint: 'calendar.example/….ics' }
    await database
      .member(memberId)
      .write((tx) => addCalendar(tx, calendar, { now, isSame: () => false }))
    const account = { url: `https://cards.example/${now}/`, username: 'ada', password: 'secret' }
    const book = { name: 'Friends', host: 'cards.example', nextPullAt: now, account }
    await database.member(memberId).write((tx) => addBooks(tx, [book], { secret, now }))
  }
  await connect(first, systemClock.now())
  const sound = await diagnosis(settings)
  assert.equal(sound.of('calendars')[0]?.severity, 'ok')
  assert.equal(sound.of('calendar_key')[0]?.severity, 'ok')
  assert.equal(sound.of('address_books')[0]?.severity, 'ok')
  assert.equal(sound.of('address_book_key')[0]?.severity, 'ok')
  await connect(second, systemClock.now() - DAY)
  await database[Symbol.asyncDispose]()
  const broken = await diagnosis(settings)
  assert.equal(broken.ran.code, 1)
  assert.match(
    broken.of('calendars')[0]?.message ?? '',
    /^1 calendars? waits? to be synced, the first/,
  )
  assert.match(broken.of('calendar_key')[0]?.message ?? '', /^1 of 2 calendar addresses .* the key/)
  assert.match(broken.of('address_books')[0]?.message ?? '', /address books? waits? to be pulled/)
  assert.match(broken.of('address_book_key')[0]?.message ?? '', /^1 of 2 .* the key/)
  const keyless = await diagnosis({ WEFT_DATABASE: own.address })
  assert.match(keyless.of('calendar_key')[0]?.message ?? '', /^2 of 2 .* a missing key/)
  if (TEST_ENGINE === 'sqlite')
    assert.deepEqual(
      (await readdir(own.folder)).filter((name) => name.endsWith('.key')),
      [],
    )
})

test('the doctor finds messages that wait, receivers that fail, and what the mail relay must sign', async () => {
  await using own = await createDatabaseLocation()
  const settings = {
    WEFT_DATABASE: own.address,
    WEFT_SMTP_URL: 'smtp://127.0.0.1:9',
    WEFT_SMTP_FROM: 'Weft <weft@example.org>',
  }
  await runWeft(settings, ['member', 'create', '--username', 'ada', '--name', 'Ada'])
  const { database } = await openDatabase(own.database, { clock: systemClock, searchThreads: 1 })
  const { memberId } = await requireMemberByUsername(database, 'ada')
  const db = database.member(memberId)
  const found = async () => (await diagnosis(settings)).of('deliveries')[0]
  const calm = await diagnosis(settings)
  assert.match(
    calm.of('deliveries')[0]?.message ?? '',
    /^No message waits for long\. Last sent: none/,
  )
  assert.match(calm.of('email_signature')[0]?.message ?? '', /List-Unsubscribe-Post\. .* DKIM/)
  const now = systemClock.now()
  const webhook = { kind: 'webhook', name: '', format: 'standard', address: '', host: '' } as const
  const endpointId = await db.write((tx) =>
    addEndpoint(tx, { ...webhook, addressHint: '', causes: [] }, now),
  )
  const outcome = { error: 'HTTP status 500', failures: 2, failingSince: now, endedAt: null }
  const later = { deliveredAt: now - DAY, nextAttemptAt: now + DAY }
  await db.write((tx) => recordOutcome(tx, endpointId, { ...outcome, ...later }))
  assert.match((await found())?.message ?? '', /0 devices, 1 webhooks and 0 subscriptions/)
  const due = { deliveredAt: null, nextAttemptAt: now - DAY }
  await db.write((tx) => recordOutcome(tx, endpointId, { ...outcome, ...due }))
  const waiting = await found()
  assert.equal(waiting?.severity, 'warning')
  assert.match(waiting?.message ?? '', /^Messages to 1 devices, webhooks or agents wait, the first/)
  await database[Symbol.asyncDispose]()
})

test('the doctor does not change a new database and says what a start does', async () => {
  await using fresh = await createDatabaseLocation('new')
  const { ran, of } = await diagnosis({ WEFT_DATABASE: fresh.address })
  assert.equal(ran.code, 0)
  if (TEST_ENGINE === 'sqlite') {
    assert.match(of('database')[0]?.message ?? '', /weft\.db does not exist yet\.$/)
    assert.deepEqual(of('integrity'), [])
    assert.deepEqual(await readdir(fresh.folder), [])
  } else
    assert.match(of('migrations')[0]?.message ?? '', /^Migrations to apply: .*0001_schema\.sql/)
})

test(
  'commands in another folder report the missing database file and create none',
  { skip: TEST_ENGINE !== 'sqlite' && 'for SQLite only' },
  async () => {
    await using elsewhere = await createDatabaseLocation('new')
    const run = (...args: string[]) => runWeft({ WEFT_DATABASE: elsewhere.address }, args)
    const refused = [
      ['member', 'list'],
      ['member', 'show', 'ada'],
      ['invite', 'create'],
      ['token', 'create', '--member', 'ada', '--name', 'laptop'],
      ['jobs', 'list'],
      ['backup', join(elsewhere.folder, 'backup.db')],
      ['move', '--to', 'postgres://weft@127.0.0.1:1/weft'],
    ]
    for (const args of refused) {
      const { code, stdout, stderr } = await run(...args)
      assert.deepEqual([code, stdout], [1, ''], args.join(' '))
      assert.match(
        stderr,
        /weft\.db does not exist\.\nRun the command in the folder where Weft runs/,
      )
    }
    assert.deepEqual(await readdir(elsewhere.folder), [])
    assert.equal((await run('migrate')).code, 0)
    assert.match((await run('member', 'list')).stderr, /^No members\./)
    const created = await run('member', 'create', '--username', 'ada', '--name', 'Ada')
    assert.equal(created.code, 0)
  },
)

test(
  'the doctor finds files that others can open, and a file that is damaged',
  { skip: TEST_ENGINE !== 'sqlite' && 'for SQLite only' },
  async () => {
    await using own = await createDatabaseLocation()
    const path = join(own.folder, 'weft.db')
    await runWeft({ WEFT_DATABASE: own.address }, ['migrate'])
    await chmod(path, 0o644)
    const loose = await diagnosis({ WEFT_DATABASE: own.address })
    assert.match(loose.of('permissions')[0]?.message ?? '', /Other users can open/)
    await writeFile(path, 'not a database')
    const damaged = await diagnosis({ WEFT_DATABASE: own.address })
    assert.equal(damaged.ran.code, 1)
    assert.match(damaged.of('database')[0]?.message ?? '', /not a database/)
  },
)

test('the doctor says on standard error which long check runs', async () => {
  const { ran } = await diagnosis()
  assert.match(ran.stderr, /^Checking the credit ledgers …$/m)
  if (TEST_ENGINE === 'sqlite') assert.match(ran.stderr, /^Checking every page of .+weft\.db …$/m)
})

test('a check of the doctor that fails is a finding, and the other checks go on', async () => {
  await using broken = await createDatabaseLocation()
  const own = { ...environment, WEFT_DATABASE: broken.address }
  await runWeft(own, ['member', 'create', '--username', 'bob', '--name', 'Bob', '--admin'])
  const { database } = await openDatabase(broken.database, { clock: systemClock, searchThreads: 1 })
  await database.write((tx) => tx.run(statement('alter table credit_ledger rename to lost'), {}))
  await database[Symbol.asyncDispose]()
  const { ran, of } = await diagnosis({ WEFT_DATABASE: broken.address })
  assert.equal(ran.code, 1)
  assert.match(of('ledgers')[0]?.message ?? '', /^The check failed: .*credit_ledger/)
  for (const check of ['integrity', 'migrations', 'jobs']) assert.equal(of(check).length, 1, check)
  assert.equal(of('admins')[0]?.severity, 'ok')
})

test(
  'the doctor finds an index that differs from its table',
  { skip: TEST_ENGINE !== 'sqlite' && 'for SQLite only' },
  async () => {
    await using own = await createDatabaseLocation()
    const settings = { ...environment, WEFT_DATABASE: own.address }
    await runWeft(settings, ['member', 'create', '--username', 'bob', '--name', 'Bob'])
    const handle = new DatabaseSync(join(own.folder, 'weft.db'), { defensive: false })
    // The index keeps its entries, but now claims to be of another column.
    handle.exec(`
      create index of_names on members (name);
      pragma writable_schema = on;
      update sqlite_schema set sql = replace(sql, '(name)', '(username)') where name = 'of_names'`)
    handle.close()
    const ran = await runWeft(settings, ['doctor'])
    assert.equal(ran.code, 1)
    assert.match(ran.stdout, /integrity: .+ is damaged: .*of_names/)
  },
)

test('config prints every setting, its origin, and no secret', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'weft-config-'))
  try {
    const file = join(folder, 'key')
    await writeFile(file, 'sk-from-a-file\n')
    const ran = await runWeft(
      {
        ...environment,
        WEFT_METRICS_TOKEN: 'token-of-twenty-four-characters',
        WEFT_EMBEDDINGS_URL: 'http://127.0.0.1:1/v1',
        WEFT_EMBEDDINGS_MODEL: 'm',
        WEFT_EMBEDDINGS_KEY_FILE: file,
      },
      ['config', '--json'],
    )
    assert.equal(ran.code, 0, ran.stderr)
    const entries = JSON.parse(ran.stdout) as { name: string; value: string; source: string }[]
    const of = (name: string) => entries.find((one) => one.name === name)
    assert.equal(of('WEFT_METRICS_TOKEN')?.value, '********')
    assert.deepEqual(
      [of('WEFT_EMBEDDINGS_KEY')?.value, of('WEFT_EMBEDDINGS_KEY')?.source],
      ['********', 'file'],
    )
    assert.deepEqual([of('WEFT_PORT')?.value, of('WEFT_PORT')?.source], ['8787', 'default'])
    assert.doesNotMatch(ran.stdout, /sk-from|twenty-four/)
  } finally {
    await rm(folder, { recursive: true })
  }
  assert.equal(
    masked('postgres://weft:secret@db/weft?sslkey=x'),
    'postgres://weft:********@db/weft?********',
  )
  assert.equal(masked('sqlite:./data/weft.db'), 'sqlite:./data/weft.db')
})

test('the attempts of one member to connect agents are listed with the failed step', async () => {
  await using own = await createDatabaseLocation()
  const run = (...args: string[]) => runWeft({ WEFT_DATABASE: own.address }, args)
  for (const username of ['bob', 'eve'])
    await run('member', 'create', '--username', username, '--name', username)
  assert.match((await run('attempts', '--member', 'bob')).stderr, /^No attempts/)
  const { database } = await openDatabase(own.database, { clock: systemClock, searchThreads: 1 })
  const { memberId } = await requireMemberByUsername(database, 'bob')
  const at = Date.UTC(2026, 10, 20)
  await database.member(memberId).write((tx) =>
    changeAttempt(tx, 'client', () => ({
      clientName: 'Cursor',
      redirectHost: 'localhost',
      steps: { authorize: { at }, consent: { at }, token: { at, cause: 'code_expired' } },
      suspicions: [],
      startedAt: at,
      updatedAt: at,
    })),
  )
  await database[Symbol.asyncDispose]()
  const [attempt, ...others] = lines((await run('attempts', '--member', 'bob', '--json')).stdout)
  assert.deepEqual(others, [])
  const { app, state, step, cause } = attempt as Record<string, string>
  assert.deepEqual([app, state, step], ['Cursor', 'failed', 'token'])
  assert.match(cause ?? '', /code/)
  assert.match(
    (await run('attempts', '--member', 'bob')).stdout,
    /Cursor +failed +token +2026-11-20/,
  )
  assert.match((await run('attempts', '--member', 'eve')).stderr, /^No attempts/)
})

test('credits are adjusted with a reason, never below zero, and the ledger adds up', async () => {
  const balance = () => weft(['credits', 'show', 'ada', '--json'])
  const atFirst = (JSON.parse(await balance()) as { remaining: number }).remaining
  await weft(['credits', 'adjust', 'ada', '--by', '500', '--reason', 'thanks'])
  await weft(['credits', 'adjust', 'ada', '--by=-100', '--reason', 'correction'])
  assert.equal((JSON.parse(await balance()) as { remaining: number }).remaining, atFirst + 400)
  const toMuch = await runWeft(environment, [
    'credits',
    'adjust',
    'ada',
    '--by=-99999',
    '--reason',
    'x',
  ])
  assert.equal(toMuch.code, 1)
  assert.match(toMuch.stderr, /Only \d+ credits remain/)
  for (const by of ['0', '1.5', 'many']) {
    const ran = await runWeft(environment, [
      'credits',
      'adjust',
      'ada',
      `--by=${by}`,
      '--reason',
      'x',
    ])
    assert.equal(ran.code, 2, by)
  }
  assert.deepEqual(
    (await diagnosis()).of('ledgers').map(({ severity }) => severity),
    ['ok'],
  )
})

test('a member and a balance are shown in words and dates, and as JSON to programs', async () => {
  const shown = await weft(['member', 'show', 'ada'])
  assert.match(shown, /^Name +Ada Lovelace$/m)
  assert.match(shown, /^Profile +public$/m)
  assert.match(shown, /^Joined +\d{4}-\d{2}-\d{2}$/m)
  assert.doesNotMatch(shown, /joined_at|disabled_at|true/)
  assert.match(
    await weft(['credits', 'show', 'ada']),
    /^\d+ of 1000 credits, which expire on \d{4}-\d{2}-01$/m,
  )
})

test('a dry run reports and changes nothing; an import reads standard input', async () => {
  const dry = await weft(['import', '-', '--member', 'ada', '--dry-run', '--json'], CSV)
  assert.deepEqual((JSON.parse(dry) as { created: number }).created, 2)
  const count = async () =>
    (JSON.parse(await weft(['member', 'show', 'ada', '--json'])) as { connections: number })
      .connections
  assert.equal(await count(), 0)
  const report = await weft(['import', '-', '--member', 'ada', '--json'], CSV)
  assert.equal((JSON.parse(report) as { created: number }).created, 2)
  assert.equal(await count(), 2)
  assert.equal(
    (await runWeft(environment, ['import', '--resume', '--member', 'ada', '--dry-run'])).code,
    2,
  )
})

test('standard input beyond the maximum upload size is rejected', async () => {
  const ran = await runWeft(
    environment,
    ['import', '-', '--member', 'ada'],
    'x'.repeat(MAX_UPLOAD_BYTES + 1),
  )
  assert.equal(ran.code, 1)
  assert.match(ran.stderr, /^Standard input is larger than 50\sMB\.\n/)
})

test('jobs are listed without their content, and a failed one can be retried', async () => {
  const failed = await runWeft(environment, ['import', '-', '--member', 'ada'], 'no contacts here')
  assert.equal(failed.code, 1)
  const list = async (...args: string[]) =>
    lines(await weft(['jobs', 'list', '--member', 'ada', '--json', ...args])) as {
      job_id: number
      state: string
      error: string | null
    }[]
  const [job] = await list('--state', 'failed')
  assert.ok(job)
  assert.equal(job.error, 'unreadable_file')
  assert.match(await weft(['jobs', 'list']), /^ID +MEMBER +KIND +STATE/)
  await weft(['jobs', 'retry', String(job.job_id)])
  assert.equal((await list('--state', 'queued'))[0]?.job_id, job.job_id)
  const twice = await runWeft(environment, ['jobs', 'retry', String(job.job_id)])
  assert.equal(twice.code, 1)
  assert.match(twice.stderr, /The job is queued/)
  await weft(['jobs', 'cancel', String(job.job_id)])
  assert.equal((await list('--state', 'cancelled'))[0]?.job_id, job.job_id)
  assert.equal((await runWeft(environment, ['jobs', 'cancel', '12345'])).code, 1)
})

test('every list can be read by programs', async () => {
  await weft(['token', 'create', '--member', 'ada', '--name', 'ci'])
  await weft(['invite', 'create', '--note', 'for Grace'])
  const [token] = lines(await weft(['token', 'list', '--member', 'ada', '--json'])) as {
    name: string
  }[]
  const [invite] = lines(await weft(['invite', 'list', '--json'])) as { note: string }[]
  const [member] = lines(await weft(['member', 'list', '--json'])) as { username: string }[]
  assert.deepEqual([token?.name, invite?.note, member?.username], ['ci', 'for Grace', 'ada'])
})

test('completion scripts are valid in their shell and complete commands and options', async (t) => {
  const bash = await weft(['completion', 'bash'])
  const ask = (words: string) => {
    const script = `${bash}\nCOMP_WORDS=(${words} '')\nCOMP_CWORD=$((\${#COMP_WORDS[@]} - 1))\n_weft\necho "\${COMPREPLY[@]}"`
    return spawnSync('bash', ['-c', script], { encoding: 'utf8', cwd: location.folder }).stdout
  }
  assert.match(ask('weft'), /\bdoctor\b/)
  assert.match(ask('weft member'), /\bpromote\b/)
  assert.match(ask('weft token create'), /--member\b/)
  assert.match(await weft(['completion', 'fish']), /^complete -c weft/)
  const zsh = spawnSync('zsh', ['-n', '-c', await weft(['completion', 'zsh'])], {
    encoding: 'utf8',
  })
  if (zsh.error) t.diagnostic('zsh is not installed')
  else assert.equal(zsh.status, 0, zsh.stderr)
})

test('log lines on a terminal are readable, and cannot move the cursor', () => {
  const line = readableLine(
    '{"level":40,"time":"2026-11-22T05:06:07.000Z","request_id":"req_1","status":503,"note":"two words\\u001b[2J","msg":"request"}',
  )
  assert.equal(
    line,
    '05:06:07 WARN  request request_id=req_1 status=503 note="two words\\u001b[2J"',
  )
  const failed = readableLine(
    '{"level":50,"time":"2026-11-22T05:06:07.000Z","err":{"stack":"Error: x\\n    at y"},"msg":"failed"}',
  )
  assert.equal(failed, '05:06:07 ERROR failed\nError: x\n    at y')
  assert.equal(readableLog({ stderr: new PassThrough() }), undefined)
})
