/** Backups, restoring them, and moving between engines: `weft backup`, `restore` and `move`. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createLog } from '../src/base/log.ts'
import { DAY, HOUR, SECOND } from '../src/base/clock.ts'
import { searchConnections } from '../src/connections/search/search.ts'
import { writeWhole } from '../src/db/backup-file.ts'
import { openDatabase } from '../src/db/engines/open.ts'
import { parseDatabaseAddress } from '../src/db/database-address.ts'
import { isLedgerExact } from '../src/credits/ledger-check.ts'
import { spendCredits } from '../src/credits/account.ts'
import { memberStatement } from '../src/db/statement.ts'
import { searchEntries } from '../src/members/directory-index.ts'
import { listMembers } from '../src/members/member.ts'
import { backUpIfDue, listBackups } from '../src/operate/backup.ts'
import { moveDatabase } from '../src/operate/move.ts'
import { seedDemo } from '../src/acts/seed-demo.ts'
import { changeConnection } from '../src/connections/editing/edit.ts'
import { findConnection } from '../src/connections/model/connection-store.ts'
import { deviceAt, openDevice, phoneCard, type DavDevice } from './fixtures/dav-device.ts'
import { createHome } from './support/command-line.ts'
import { databaseUrl, withClient } from './support/postgres.ts'
import { runWeft } from './support/in-process.ts'
import { startTestService, type TestService } from './support/service.ts'
import {
  createDatabaseLocation,
  fixedClock,
  TEST_ENGINE,
  TEST_NOW,
  type DatabaseLocation,
} from './support/store.ts'
import type { Database } from '../src/db/database.ts'
import type { Member } from '../src/members/member-row.ts'

const SQLITE = { skip: TEST_ENGINE !== 'sqlite' && 'for SQLite only' }
const POSTGRES = { skip: TEST_ENGINE !== 'postgres' && 'for PostgreSQL only' }

interface Folder extends AsyncDisposable {
  readonly path: string
}

async function createFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'weft-backup-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** The settings of a backup of this database. On PostgreSQL as a role that sees all rows. */
function environmentOf(address: string): Record<string, string> {
  if (TEST_ENGINE === 'sqlite') return { WEFT_DATABASE: address }
  const admin = new URL(address)
  admin.username = 'postgres'
  return { WEFT_DATABASE: address, WEFT_BACKUP_DATABASE: admin.href }
}

async function withDatabase<T>(
  address: string,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const parsed = parseDatabaseAddress(address)
  assert.ok(parsed)
  const { database } = await openDatabase(parsed, { clock: fixedClock(), searchThreads: 1 })
  await using _closed = database
  return await work(database)
}

const CHARGES = memberStatement<object, { charges: number }>()(
  "select count(*) as charges from credit_ledger where member_id = :member_id and kind = 'charge'",
)

/** The charges of Ada, whose ledger must add up. */
async function chargesOf(database: Database): Promise<number> {
  const members = await listMembers(database, { limit: 10 })
  const member = members.find(({ username }) => username === 'ada')
  assert.ok(member)
  const ada = database.member(member.memberId)
  assert.equal(await isLedgerExact(ada), true)
  return (await ada.get(CHARGES, {}))?.charges ?? 0
}

/** Far more than there is time for during a backup, even in memory. */
const MAX_CHARGES = 50_000

/** Charges that are answered one after the other until `stop` is called, which tells how many there were. */
function chargeSteadily(service: TestService, memberId: number): { stop(): Promise<number> } {
  const stop = new AbortController()
  let charged = 0
  const ended = (async () => {
    while (!stop.signal.aborted && charged < MAX_CHARGES) {
      await service.database.member(memberId).write((tx) =>
        spendCredits(tx, {
          cost: 1,
          reason: 'test',
          credentialId: null,
          quota: 1_000_000,
          now: TEST_NOW,
        }),
      )
      charged += 1
      // Lets the backup, which runs in this process, go on.
      await nextTurn()
    }
  })()
  return {
    async stop() {
      stop.abort()
      await ended
      return charged
    },
  }
}

test('a backup during steady writes is whole, and restores to the same rows and ledgers', async () => {
  await using service = await startTestService()
  await using folder = await createFolder()
  await using empty = await createEmpty()
  const { memberId } = await service.addMember()
  const file = join(folder.path, 'copy')
  const charges = chargeSteadily(service, memberId)
  const backedUp = await runWeft(environmentOf(service.address), ['backup', file, '--json'])
  const charged = await charges.stop()
  assert.equal(backedUp.code, 0, backedUp.stderr)
  const report = JSON.parse(backedUp.stdout) as { rows: Record<string, number>; bytes: number }
  assert.equal((await stat(file)).size, report.bytes)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.equal(report.rows['connections'], 200)

  const restored = await runWeft({ WEFT_DATABASE: empty.address }, ['restore', file])
  assert.equal(restored.code, 0, restored.stderr)
  assert.match(restored.stderr, /^Restored 2 members and 200 connections to /)
  await withDatabase(empty.address, async (database) => {
    const kept = await chargesOf(database)
    assert.ok(kept <= charged && kept >= (report.rows['credit_ledger'] ?? 0) - 2, `${kept}`)
  })
  assert.deepEqual(await readdir(folder.path), ['copy'])
})

/** Where a backup can be restored to. */
async function createEmpty(): Promise<DatabaseLocation> {
  const place = await createDatabaseLocation('new')
  return TEST_ENGINE === 'sqlite'
    ? { ...place, address: `sqlite:${join(place.folder, 'restored', 'weft.db')}` }
    : place
}

test('a backup replaces no file', async () => {
  await using service = await startTestService()
  await using folder = await createFolder()
  const file = join(folder.path, 'taken')
  await writeFile(file, 'mine')
  const ran = await runWeft(environmentOf(service.address), ['backup', file])
  assert.equal(ran.code, 1)
  assert.match(ran.stderr, /taken already exists/)
  assert.equal(await readFile(file, 'utf8'), 'mine')
  assert.deepEqual(await readdir(folder.path), ['taken'])
})

test('a backup into a folder that does not exist names the folder; the folder of the setting is created', async () => {
  await using service = await startTestService()
  await using folder = await createFolder()
  const missing = join(folder.path, 'missing')
  const environment = environmentOf(service.address)
  const rejected = await runWeft(environment, ['backup', join(missing, 'copy')])
  assert.equal(rejected.code, 1)
  assert.equal(
    rejected.stderr,
    `The folder ${missing} does not exist.\nCreate it, or choose another path.\n`,
  )
  assert.deepEqual(await readdir(folder.path), [])

  const daily = join(missing, 'daily')
  const written = await runWeft({ ...environment, WEFT_BACKUP_DIRECTORY: daily }, ['backup'])
  assert.equal(written.code, 0, written.stderr)
  assert.equal((await listBackups(daily)).length, 1)
  assert.equal((await stat(daily)).mode & 0o777, 0o700)
})

test('a file that fails while it is written never gets its name', async () => {
  await using folder = await createFolder()
  const path = join(folder.path, 'whole')
  const failing = writeWhole(path, async (incomplete) => {
    await writeFile(incomplete, 'half')
    assert.deepEqual(await readdir(folder.path), [`whole.${process.pid}.incomplete`])
    throw new Error('the disk is full')
  })
  await assert.rejects(failing, /the disk is full/)
  assert.deepEqual(await readdir(folder.path), [])
})

test('a backup that is killed leaves nothing under its name, and the next one succeeds', async () => {
  await using home = await createHome()
  const environment = environmentOf(home.address)
  assert.equal((await runWeft(environment, ['demo', 'seed'])).code, 0)
  await using folder = await createFolder()
  const file = join(folder.path, 'copy')
  // As soon as there is something that could be taken for a backup.
  const begun = once(watch(folder.path), 'change')
  const child = home.start(['backup', file], environment)
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>
  await Promise.race([begun, exited])
  child.kill('SIGKILL')
  const [, signal] = await exited
  assert.equal(signal, 'SIGKILL')
  assert.deepEqual(await readdir(folder.path), [`copy.${child.pid}.incomplete`])
  const next = await runWeft(environment, ['backup', file])
  assert.equal(next.code, 0, next.stderr)
  assert.ok((await readdir(folder.path)).includes('copy'))
})

test('a restore is rejected if the target contains data or the file is not a backup', async () => {
  await using service = await startTestService()
  await using folder = await createFolder()
  await using empty = await createEmpty()
  const file = join(folder.path, 'copy')
  const backedUp = await runWeft(environmentOf(service.address), ['backup', file])
  assert.equal(backedUp.code, 0, backedUp.stderr)
  assert.equal(backedUp.stdout, `${file}\n`)

  const occupied = await runWeft({ WEFT_DATABASE: service.address }, ['restore', file])
  assert.equal(occupied.code, 1)
  assert.match(occupied.stderr, /(already exists|not empty), so nothing was restored/)

  const text = join(folder.path, 'text')
  await writeFile(text, 'First Name,Last Name\n')
  const other = await runWeft({ WEFT_DATABASE: empty.address }, ['restore', text])
  assert.deepEqual([other.code, other.stdout], [1, ''])
  assert.match(other.stderr, /is not a backup of Weft/)

  await truncate(file, Math.floor((await stat(file)).size / 2))
  const damaged = await runWeft({ WEFT_DATABASE: empty.address }, ['restore', file])
  assert.equal(damaged.code, 1)
  assert.match(damaged.stderr, /is damaged|cannot be read/)
  await withDatabase(empty.address, async (database) =>
    assert.deepEqual(await listMembers(database, { limit: 1 }), []),
  )
})

test('a backup of the other engine is rejected with what to do', SQLITE, async () => {
  await using folder = await createFolder()
  const dump = join(folder.path, 'x.dump')
  await writeFile(dump, 'PGDMP…')
  const ran = await runWeft({ WEFT_DATABASE: `sqlite:${folder.path}/weft.db` }, ['restore', dump])
  assert.equal(ran.code, 1)
  assert.match(ran.stderr, /a backup of PostgreSQL, but WEFT_DATABASE is SQLite.*\n.*weft move/)
})

test(
  'a role that row-level security applies to cannot back up, and learns how',
  POSTGRES,
  async () => {
    await using service = await startTestService()
    await using folder = await createFolder()
    const ran = await runWeft({ WEFT_DATABASE: service.address }, [
      'backup',
      join(folder.path, 'empty'),
    ])
    assert.equal(ran.code, 1)
    assert.match(ran.stderr, /row-level security hides.*\n(.*\n)*.*create role weft_backup/)
    assert.deepEqual(await readdir(folder.path), [])
  },
)

test('the documented backup role sees all rows', POSTGRES, async () => {
  await using service = await startTestService()
  await using folder = await createFolder()
  const role = `weft_backup_${process.pid}`
  const admin = environmentOf(service.address)['WEFT_BACKUP_DATABASE'] ?? ''
  await withClient(admin, (client) =>
    client.query(
      `create role ${role} login password 'x' bypassrls; grant pg_read_all_data to ${role}`,
    ),
  )
  try {
    const url = new URL(databaseUrl(service.address, new URL(service.address).pathname.slice(1)))
    url.username = role
    url.password = 'x'
    // As libpq also accepts it.
    url.searchParams.set('port', url.port)
    url.port = ''
    const environment = { WEFT_DATABASE: service.address, WEFT_BACKUP_DATABASE: url.href }
    const ran = await runWeft(environment, ['backup', join(folder.path, 'dump')])
    assert.equal(ran.code, 0, ran.stderr)
    assert.match(ran.stderr, /^Backed up 1 member and 200 connections/)
  } finally {
    await withClient(admin, (client) => client.query(`drop role ${role}`))
  }
})

test(
  'a move to PostgreSQL and back keeps every row, and the copies can be searched',
  POSTGRES,
  async () => {
    await using folder = await createFolder()
    await using place = await createDatabaseLocation('new')
    const [first, last] = ['first', 'last'].map((name) => `sqlite:${join(folder.path, name)}.db`)
    assert.ok(first !== undefined && last !== undefined)
    await withDatabase(first, async (database) => {
      await seedDemo(database, TEST_NOW)
    })
    const there = await runWeft({ WEFT_DATABASE: first }, ['move', '--to', place.address, '--json'])
    assert.equal(there.code, 0, there.stderr)
    assert.match(there.stderr, /^Copying \d+ tables …\n(.*\n)*Building indexes …\n/)
    const back = await runWeft({ WEFT_DATABASE: place.address }, ['move', '--to', last, '--json'])
    assert.equal(back.code, 0, back.stderr)
    const { tables } = JSON.parse(there.stdout) as { tables: { name: string; rows: number }[] }
    assert.deepEqual(tables, (JSON.parse(back.stdout) as { tables: unknown }).tables)
    assert.equal(tables.find(({ name }) => name === 'connections')?.rows, 200)
    const found = await Promise.all([first, place.address, last].map(searchResults))
    assert.ok((found[0]?.length ?? 0) > 0)
    assert.deepEqual(found[1], found[0])
    assert.deepEqual(found[2], found[0])
    const listed = await Promise.all([first, place.address, last].map(directoryResults))
    assert.deepEqual(listed, [['demo'], ['demo'], ['demo']])

    const again = await runWeft({ WEFT_DATABASE: first }, ['move', '--to', place.address])
    assert.equal(again.code, 1)
    assert.match(again.stderr, /already has members, so nothing was copied/)
  },
)

/** An address book with cards of devices and of Weft, a deleted one, and a change that no device has read. */
async function fillAddressBook(service: TestService) {
  const member = await service.addMember()
  const db = service.database.member(member.memberId)
  const phone = await openDevice(service, member)
  const version4 = phoneCard('urn:uuid:4', 'Vera Four').replace('VERSION:3.0', 'VERSION:4.0')
  const windows = Buffer.from(phoneCard('latin', 'Bj\u00f6rn Vier', 'NOTE:\u00e9'), 'latin1')
  await phone.put('A b+c%é.vcf', phoneCard('ODD uid/1', 'Ada One', 'item1.X-KEEP;a="b":1'))
  await phone.put('four.vcf', version4)
  await phone.send('PUT', `${phone.book}latin`, windows, { 'content-type': 'text/vcard' })
  await phone.put('gone.vcf', phoneCard('gone', 'Gone Person'))
  await phone.send('DELETE', `${phone.book}gone.vcf`)
  await phone.put(
    'group.vcf',
    phoneCard('g1', 'Friends', 'X-ADDRESSBOOKSERVER-KIND:group').replace(
      'UID:',
      'X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:ODD uid/1\r\nUID:',
    ),
  )
  const { token } = await phone.sync()
  await db.write(async (tx) => {
    const vera = await findConnection(tx, 2)
    assert.ok(vera)
    await changeConnection(tx, vera, { values: { title: 'CEO' }, lists: {} }, TEST_NOW)
  })
  return { member, phone, token }
}

/** What a device sees, with the bytes of every card, and its changes since a token. */
async function seenBy(device: DavDevice, token: string) {
  const { changed, removed } = await device.sync(token)
  const cards: [string, string, string | undefined, string][] = []
  for (const [name, etag] of await device.list()) {
    const { bytes } = await device.get(name)
    cards.push([name, etag, /^UID:(.*)\r$/m.exec(bytes.toString())?.[1], bytes.toString('latin1')])
  }
  return { changed, removed, cards }
}

/** What the device sees at a service on another database. Its own service must have ended. */
async function seenAt(address: string, phone: DavDevice, member: Member, token: string) {
  const database = parseDatabaseAddress(address)
  assert.ok(database)
  await using service = await startTestService({ database })
  const [, password] = phone.credentials
  const { deviceId } = phone
  return await seenBy(deviceAt(service.url, { ...member, deviceId, password }), token)
}

function assertWholeBook({ changed, cards }: Awaited<ReturnType<typeof seenBy>>): void {
  assert.deepEqual(changed, ['four.vcf'])
  assert.deepEqual(
    cards.map(([name, , uid]) => [name, uid]),
    [
      ['A b+c%é.vcf', 'ODD uid/1'],
      ['four.vcf', 'urn:uuid:4'],
      ['latin', 'latin'],
      ['group.vcf', 'g1'],
    ],
  )
}

test('a restored backup has the address book of a device: names, UIDs, ETags and bytes', async () => {
  await using service = await startTestService()
  await using folder = await createFolder()
  await using empty = await createEmpty()
  const { member, phone, token } = await fillAddressBook(service)
  const file = join(folder.path, 'copy')
  const backedUp = await runWeft(environmentOf(service.address), ['backup', file])
  assert.equal(backedUp.code, 0, backedUp.stderr)
  const restored = await runWeft({ WEFT_DATABASE: empty.address }, ['restore', file])
  assert.equal(restored.code, 0, restored.stderr)
  const seen = await seenBy(phone, token)
  assertWholeBook(seen)
  const { cards } = await seenAt(empty.address, phone, member, '')
  assert.deepEqual(cards, seen.cards)
})

test('after a restore, a sync token from before is rejected, so a device that saw later changes lists all cards again', async () => {
  await using service = await startTestService()
  await using folder = await createFolder()
  const { member, phone, token } = await fillAddressBook(service)
  const file = join(folder.path, 'copy')
  const backedUp = await runWeft(environmentOf(service.address), ['backup', file])
  assert.equal(backedUp.code, 0, backedUp.stderr)
  const former = (await phone.get('latin')).text
  await phone.put('latin', phoneCard('latin', 'Later Name'))
  await phone.put('later.vcf', phoneCard('later', 'Later Person'))
  const later = (await phone.sync()).token
  const [, password] = phone.credentials
  // A second restore of the same backup is another history.
  const tokens = [token, later]
  for (const _restore of [1, 2]) {
    await using empty = await createEmpty()
    const restored = await runWeft({ WEFT_DATABASE: empty.address }, ['restore', file])
    assert.equal(restored.code, 0, restored.stderr)
    const database = parseDatabaseAddress(empty.address)
    assert.ok(database)
    await using again = await startTestService({ database })
    const device = deviceAt(again.url, { ...member, deviceId: phone.deviceId, password })
    // More changes than were lost, so that the versions of the book overlap.
    for (let index = 0; index < 9; index++)
      assert.equal((await device.put(`n${index}`, phoneCard(`n${index}`, 'New One'))).status, 201)
    for (const old of tokens) {
      const answer = await device.send('REPORT', device.book, syncBody(old))
      assert.deepEqual([answer.status, answer.text.includes('valid-sync-token')], [403, true])
    }
    const whole = await device.sync()
    assert.equal(whole.changed.length, 4 + 9)
    assert.equal((await device.get('latin')).text, former)
    assert.deepEqual((await device.sync(whole.token)).changed, [])
    tokens.push(whole.token)
  }
})

function syncBody(token: string): string {
  return `<sync-collection xmlns="DAV:"><sync-token>${token}</sync-token><sync-level>1</sync-level><prop><getetag/></prop></sync-collection>`
}

test('a move to PostgreSQL and back keeps the address book of a device', POSTGRES, async () => {
  await using folder = await createFolder()
  await using place = await createDatabaseLocation('new')
  const [first, last] = ['first', 'last'].map((name) => `sqlite:${join(folder.path, name)}.db`)
  assert.ok(first !== undefined && last !== undefined)
  const database = parseDatabaseAddress(first)
  assert.ok(database)
  const { member, phone, token } = await (async () => {
    await using service = await startTestService({ database })
    return await fillAddressBook(service)
  })()
  for (const [from, to] of [
    [first, place.address],
    [place.address, last],
  ] as const) {
    const moved = await runWeft({ WEFT_DATABASE: from }, ['move', '--to', to])
    assert.equal(moved.code, 0, moved.stderr)
  }
  const seen = await seenAt(first, phone, member, token)
  assertWholeBook(seen)
  assert.deepEqual(await seenAt(place.address, phone, member, token), seen)
  assert.deepEqual(await seenAt(last, phone, member, token), seen)
})

test(
  'a move leaves the policies, indexes and triggers of PostgreSQL as migrations make them',
  POSTGRES,
  async () => {
    await using folder = await createFolder()
    await using fresh = await createDatabaseLocation()
    await using place = await createDatabaseLocation('new')
    const source = `sqlite:${join(folder.path, 'source')}.db`
    await withDatabase(source, async (database) => {
      await seedDemo(database, TEST_NOW)
    })
    const moved = await runWeft({ WEFT_DATABASE: source }, ['move', '--to', place.address])
    assert.equal(moved.code, 0, moved.stderr)
    const [migrated, copied] = await Promise.all(
      [fresh, place].map(({ address }) => guards(address)),
    )
    assert.ok((migrated?.length ?? 0) > 100)
    assert.deepEqual(copied, migrated)
  },
)

/** Row-level security, indexes and triggers. */
async function guards(address: string): Promise<string[]> {
  return withClient(address, async (client) => {
    const { rows } = await client.query<{ guard: string }>(`
      select relname::text || relrowsecurity || relforcerowsecurity as guard from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace
      union all
      select pg_get_indexdef(indexrelid) || indisvalid from pg_index
      where indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
      union all
      select tgname::text || tgenabled::text from pg_trigger where not tgisinternal
      order by guard`)
    return rows.map(({ guard }) => guard)
  })
}

test('a move that fails leaves the target empty', POSTGRES, async () => {
  await using folder = await createFolder()
  await using place = await createDatabaseLocation('new')
  const source = `sqlite:${join(folder.path, 'source')}.db`
  await withDatabase(source, async (database) => {
    await seedDemo(database, TEST_NOW)
  })
  // The ledgers are checked after all rows were copied.
  using handle = new DatabaseSync(source.slice('sqlite:'.length))
  handle.exec('insert into credit_accounts select member_id, 1, 10, 9, 1 from members')
  const moved = await runWeft({ WEFT_DATABASE: source }, ['move', '--to', place.address])
  assert.equal(moved.code, 1)
  assert.match(moved.stderr, /The credit ledger of demo does not add up/)
  await withDatabase(place.address, async (database) =>
    assert.deepEqual(await listMembers(database, { limit: 1 }), []),
  )
})

test('a long move reports its progress every few seconds', POSTGRES, async () => {
  await using folder = await createFolder()
  await using place = await createDatabaseLocation('new')
  const path = join(folder.path, 'source.db')
  await withDatabase(`sqlite:${path}`, async (database) => {
    await seedDemo(database, TEST_NOW)
  })
  const [from, to] = [`sqlite:${path}`, place.address].map(parseDatabaseAddress)
  assert.ok(from && to)
  const reports: string[] = []
  await withDatabase(place.address, (target) => {
    // Five seconds pass between two readings.
    const clock = { now: () => (elapsed += 5 * SECOND) }
    let elapsed = 0
    const onProgress = (message: string) => void reports.push(message)
    return moveDatabase({ from, to, target, postgresUrl: place.address, clock, onProgress })
  })
  assert.ok(reports.includes('Copying connections: 200 rows so far'), reports.join('\n'))
  assert.ok(reports.includes('Comparing connections: 200 rows so far'), reports.join('\n'))
})

async function directoryResults(address: string): Promise<string[]> {
  return withDatabase(address, async ({ anonymous }) => {
    const search = { words: ['demo'], after: null, limit: 5 }
    const found = await searchEntries<{ username: string }>(anonymous, 'm.username', search)
    return found.map(({ username }) => username)
  })
}

async function searchResults(address: string): Promise<string[]> {
  return withDatabase(address, async (database) => {
    const [demo] = await listMembers(database, { limit: 1 })
    const member = database.member(demo?.memberId ?? 0)
    const { connections } = await searchConnections(member, {
      query: { query: 'engineer' },
      limit: 50,
    })
    return connections.map(({ name }) => name)
  })
}

test('a move to the same engine is rejected', SQLITE, async () => {
  const ran = await runWeft({ WEFT_DATABASE: 'sqlite:a.db' }, ['move', '--to', 'sqlite:b.db'])
  assert.equal(ran.code, 1)
  assert.match(ran.stderr, /other engine.*\n.*weft backup/)
})

test('daily backups: one a day, the latest seven, and a failure is logged', async () => {
  await using service = await startTestService()
  await using folder = await createFolder()
  const clock = fixedClock()
  const lines: string[] = []
  const environment = environmentOf(service.address)
  const database = parseDatabaseAddress(service.address)
  assert.ok(database)
  const deps = {
    database,
    backupUrl: environment['WEFT_BACKUP_DATABASE'] ?? null,
    directory: join(folder.path, 'daily'),
    clock,
    log: createLog('error', { write: (line: string) => void lines.push(line) }),
  }
  const first = await backUpIfDue(deps)
  assert.ok(first)
  clock.advance(23 * HOUR)
  assert.equal(await backUpIfDue(deps), undefined)
  await writeFile(join(deps.directory, 'weft-2026-01-01T00-00-00Z.db.99.incomplete'), 'half')
  await writeFile(join(deps.directory, 'mine.txt'), 'kept')
  // Eight more days; older files stand in for seven of them.
  for (let day = 1; day < 8; day++) {
    const at = new Date(TEST_NOW - day * DAY).toISOString().slice(0, 10)
    await writeFile(join(deps.directory, `weft-${at}T12-00-00Z.db`), '')
  }
  clock.advance(HOUR)
  assert.ok(await backUpIfDue(deps))
  assert.equal((await listBackups(deps.directory)).length, 7)
  assert.deepEqual(
    (await readdir(deps.directory)).filter(
      (name) => !name.endsWith('.db') && !name.endsWith('.dump'),
    ),
    ['mine.txt'],
  )
  assert.deepEqual(lines, [])
  const file = join(folder.path, 'a-file')
  await writeFile(file, '')
  assert.equal(await backUpIfDue({ ...deps, directory: file }), undefined)
  assert.match(lines.join(''), /the backup failed; trying again in an hour/)
})
