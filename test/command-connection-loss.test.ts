/** Commands that copy or migrate a PostgreSQL database say what happened when their connections break, at any time. */

import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { openDatabase } from '../src/db/engines/open.ts'
import { parseDatabaseAddress } from '../src/db/database-address.ts'
import { listMembers } from '../src/members/member.ts'
import { seedDemo } from '../src/acts/seed-demo.ts'
import { startBlackHole, type BlackHole } from './support/black-hole.ts'
import { runWeft, type Ran } from './support/in-process.ts'
import { createDatabaseLocation, fixedClock, TEST_ENGINE, TEST_NOW } from './support/store.ts'
import type { Database } from '../src/db/database.ts'

const POSTGRES = { skip: TEST_ENGINE !== 'postgres' && 'for PostgreSQL only' }

interface Folder extends AsyncDisposable {
  readonly path: string
}

async function createFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'weft-loss-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
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

/** As a role that sees all rows. */
function asAdmin(address: string): string {
  const admin = new URL(address)
  admin.username = 'postgres'
  return admin.href
}

/** Statements that pass before the connections break. */
const PASSING = [0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144]

/** Breaks connections at each stage and after some statements, until the command succeeds. Returns how often it failed. */
async function breakEverywhere(
  hole: BlackHole,
  run: () => Promise<Ran>,
  check: () => Promise<void> = async () => {},
): Promise<number> {
  let failed = 0
  const breaks = [
    ['connecting', 0],
    ['verifying', 0],
    ...PASSING.map((passing) => ['active', passing] as const),
  ] as const
  for (const [stage, passing] of breaks) {
    hole.breakAt(stage, passing)
    const { code, stderr } = await run()
    hole.forward()
    if (code === 0) {
      // Not every command verifies its connections.
      if (stage === 'verifying') continue
      return failed
    }
    failed += 1
    const where = `${stage} ${passing}: ${stderr}`
    assert.equal(code, 1, where)
    assert.match(stderr, /PostgreSQL|database|pg_dump|pg_restore/, where)
    assert.doesNotMatch(stderr, /Unexpected error|\n\s+at /, where)
    await check()
  }
  return failed
}

test('a backup fails with a sentence and leaves no file', POSTGRES, async () => {
  await using folder = await createFolder()
  await using place = await createDatabaseLocation()
  await withDatabase(place.address, (database) => seedDemo(database, TEST_NOW))
  await using hole = await startBlackHole(asAdmin(place.address))
  const environment = { WEFT_DATABASE: place.address, WEFT_BACKUP_DATABASE: hole.url }
  let file = ''
  const failed = await breakEverywhere(
    hole,
    async () => {
      file = join(folder.path, `copy-${(await readdir(folder.path)).length}`)
      return runWeft(environment, ['backup', file])
    },
    async () => assert.equal((await readdir(folder.path)).join().includes(basename(file)), false),
  )
  assert.ok(failed >= 4, `${failed} failures`)
})

test('a migration fails with a sentence, and the next one completes it', POSTGRES, async () => {
  await using place = await createDatabaseLocation('new')
  await using hole = await startBlackHole(place.address)
  const failed = await breakEverywhere(hole, () =>
    runWeft({ WEFT_DATABASE: hole.url }, ['migrate']),
  )
  assert.ok(failed >= 4, `${failed} failures`)
  const again = await runWeft({ WEFT_DATABASE: place.address }, ['migrate'])
  assert.equal(again.stdout, 'The schema is up to date.\n')
})

test('a restore fails with a sentence', POSTGRES, async () => {
  await using folder = await createFolder()
  await using place = await createDatabaseLocation()
  await using target = await createDatabaseLocation('new')
  await withDatabase(place.address, (database) => seedDemo(database, TEST_NOW))
  const file = join(folder.path, 'copy')
  const environment = { WEFT_DATABASE: place.address, WEFT_BACKUP_DATABASE: asAdmin(place.address) }
  assert.equal((await runWeft(environment, ['backup', file])).code, 0)
  await using hole = await startBlackHole(target.address)
  for (const passing of [0, 1, 2, 5]) {
    hole.breakAt('active', passing)
    const { code, stderr } = await runWeft({ WEFT_DATABASE: hole.url }, ['restore', file])
    hole.forward()
    assert.equal(code, 1, stderr)
    assert.match(stderr, /PostgreSQL|database|pg_restore/, `${passing}`)
    assert.doesNotMatch(stderr, /Unexpected error|\n\s+at /, `${passing}`)
  }
  const whole = await runWeft({ WEFT_DATABASE: target.address }, ['restore', file])
  assert.equal(whole.code, 0, whole.stderr)
})

test(
  'a move to PostgreSQL fails with a sentence and leaves the target empty',
  POSTGRES,
  async () => {
    await using folder = await createFolder()
    await using place = await createDatabaseLocation()
    const source = `sqlite:${join(folder.path, 'source')}.db`
    await withDatabase(source, (database) => seedDemo(database, TEST_NOW))
    await using hole = await startBlackHole(place.address)
    const failed = await breakEverywhere(
      hole,
      () => runWeft({ WEFT_DATABASE: source }, ['move', '--to', hole.url]),
      () =>
        withDatabase(place.address, async (database) =>
          assert.deepEqual(await listMembers(database, { limit: 1 }), []),
        ),
    )
    assert.ok(failed >= 4, `${failed} failures`)
  },
)

test('a move from PostgreSQL fails with a sentence', POSTGRES, async () => {
  await using folder = await createFolder()
  await using place = await createDatabaseLocation()
  await withDatabase(place.address, (database) => seedDemo(database, TEST_NOW))
  await using hole = await startBlackHole(place.address)
  const target = `sqlite:${join(folder.path, 'target')}.db`
  const failed = await breakEverywhere(
    hole,
    () => runWeft({ WEFT_DATABASE: hole.url }, ['move', '--to', target]),
    () =>
      withDatabase(target, async (database) =>
        assert.deepEqual(await listMembers(database, { limit: 1 }), []),
      ),
  )
  assert.ok(failed >= 4, `${failed} failures`)
})
