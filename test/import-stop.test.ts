/** Interrupting `weft import` and continuing it, with real processes and signals, one in a real pseudo-terminal. */

import assert from 'node:assert/strict'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLog } from '../src/base/log.ts'
import { systemClock } from '../src/base/clock.ts'
import { memberStatement } from '../src/db/statement.ts'
import { openDatabase } from '../src/db/engines/open.ts'
import { parseDatabaseAddress } from '../src/db/database-address.ts'
import { fileImportJob } from '../src/imports/file-import.job.ts'
import { JobWorker } from '../src/jobs/worker.ts'
import { requireMemberByUsername } from '../src/members/member.ts'
import { createHome, assertRejected, MAIN, outcome, type Home } from './support/command-line.ts'
import type { Ran } from './support/in-process.ts'
import { linkedinCsv } from './support/invented.ts'
import { onOneEngine } from './support/engine-options.ts'
import { until } from './support/until.ts'
import type { MemberDatabase } from '../src/db/database.ts'

/** Enough rows for an import to be stopped twice before its last transaction. */
const ROWS = 10_000
const FILE = 'Connections.csv'
const IMPORT = ['import', FILE, '--member', 'ada']

describe('a stopped import', { concurrency: true }, () => {
  test('SIGTERM releases the job and exits with 143; the same file continues it', async () => {
    await using world = await createTestWorld()
    await assertStops(world, 'SIGTERM', 143)
    await writeFile(join(world.home.folder, 'other.csv'), linkedinCsv(3, 5))
    const refused = await world.importHere('other.csv')
    assertRejected(
      refused,
      1,
      /^An import of Connections\.csv into the network of ada is not finished \([0-9,]+ rows read\)\.\n/,
    )
    assert.match(refused.stderr, /--resume --member ada\n.*--cancel --member ada/)

    world.isWhole(await world.importHere(FILE, '--json'))
  })

  test('a killed import can be continued at once, with its file or with --resume', async () => {
    await using world = await createTestWorld()
    for (const args of [IMPORT, ['import', '--resume', '--member', 'ada']]) {
      const child = world.home.start(args)
      await world.untilRowsAreSaved()
      child.kill('SIGKILL')
      await once(child, 'close')
      assert.equal((await world.job()).state, 'running', 'the job was not released')
    }
    world.isWhole(await world.home.run('import', '--resume', '--member', 'ada', '--json'))
    assertRejected(
      await world.home.run('import', '--resume', '--member', 'ada'),
      1,
      /^ada has no unfinished import\.\n$/,
    )
  })

  test('--cancel cancels a killed import, and another file can be imported', async () => {
    await using world = await createTestWorld()
    const child = world.home.start(IMPORT)
    await world.untilRowsAreSaved()
    child.kill('SIGKILL')
    await once(child, 'close')
    const cancelled = await world.home.run('import', '--cancel', '--member', 'ada')
    assert.deepEqual([cancelled.code, (await world.job()).state], [0, 'cancelled'])
    await writeFile(join(world.home.folder, 'other.csv'), linkedinCsv(3, 5))
    assert.equal((await world.importHere('other.csv')).code, 0)
    assertRejected(await world.home.run('import', '--member', 'ada'), 2, /a file, --resume or/)
    assertRejected(await world.home.run(...IMPORT, '--cancel'), 2, /a file, --resume or/)
  })

  test('the command follows an import in another process, and stopping the command does not stop the import', async () => {
    await using world = await createTestWorld()
    await assertStops(world, 'SIGINT', 130)
    // A worker of this process, which holds the job until the test releases it.
    const held = Promise.withResolvers<void>()
    const holding = Promise.withResolvers<void>()
    await using worker = new JobWorker({
      database: world.database,
      jobs: [
        {
          ...fileImportJob,
          async run(job) {
            holding.resolve()
            await held.promise
            return fileImportJob.run(job)
          },
        },
      ],
      clock: systemClock,
      log: createLog('silent'),
    })
    const running = worker.runToEnd(world.db.memberId, (await world.job()).job_id)
    await holding.promise
    const follower = world.home.start(IMPORT)
    const followed = outcome(follower)
    let said = ''
    follower.stderr?.on('data', (chunk) => (said += String(chunk)))
    await until(() => said.includes('Continuing'))
    await sleep(300)
    follower.kill('SIGINT')
    const { code, stderr } = await followed
    assert.equal(code, 130, stderr)
    assert.match(stderr, /The import continues in another process/)
    assert.equal((await world.job()).worker, worker.id)
    held.resolve()
    assert.equal((await running).state, 'succeeded')
  })

  test(
    'Ctrl-C typed in a terminal exits 130 and releases the job',
    hasScript() ? onOneEngine : { skip: 'script(1) is not installed' },
    async () => {
      await using world = await createTestWorld()
      const terminal = inTerminal(world.home, IMPORT)
      const ended = outcome(terminal)
      await world.untilRowsAreSaved()
      terminal.stdin?.write('\u0003')
      const { code, stdout } = await ended
      assert.equal(code, 130, stdout)
      assert.match(stdout, /Importing \S+ {2}[█░]+ +[0-9]+ % /)
      assert.match(stdout, /The import was stopped \(/)
      assert.equal((await world.job()).state, 'queued')
    },
  )
})

/** Starts the import, and stops it once rows are saved. */
async function assertStops(world: World, signal: NodeJS.Signals, code: number): Promise<void> {
  const child = world.home.start(IMPORT)
  const stopped = outcome(child)
  await world.untilRowsAreSaved()
  child.kill(signal)
  const { code: exit, stderr } = await stopped
  assert.equal(exit, code, stderr)
  assert.match(stderr, /^The import was stopped \([0-9,]+ rows read\)\.[^]*same command again/)
  const { state, worker, checkpoint } = await world.job()
  assert.deepEqual([state, worker], ['queued', null])
  assert.ok(checkpoint)
}

interface World extends AsyncDisposable {
  readonly home: Home
  readonly database: Awaited<ReturnType<typeof openDatabase>>['database']
  readonly db: MemberDatabase
  job(): Promise<JobRow>
  /** Imports a file of the home folder, in this process. */
  importHere(file: string, ...options: string[]): Promise<Ran>
  /** Waits until more rows are saved. Rejects if the import ends before. */
  untilRowsAreSaved(): Promise<void>
  /** Checks that the whole file was imported, each row once. */
  isWhole(ran: Ran): void
}

interface JobRow {
  readonly job_id: number
  readonly state: string
  readonly worker: string | null
  readonly checkpoint: string | null
}

const LATEST_JOB = memberStatement<object, JobRow>()(`
  select job_id, state, worker, checkpoint from jobs
  where member_id = :member_id order by created_at desc, job_id desc limit 1`)

const ACTIVE = new Set(['queued', 'running'])

/** The checkpoint, unlike the progress, never counts rows that were read ahead. */
function savedRows(job: JobRow | undefined): number {
  const checkpoint = JSON.parse(job?.checkpoint ?? 'null') as { readonly row: number } | null
  return checkpoint?.row ?? 0
}

async function createTestWorld(): Promise<World> {
  const home = await createHome({ WEFT_LOG_LEVEL: 'error' })
  await writeFile(join(home.folder, FILE), linkedinCsv(ROWS, 11))
  const made = await home.run('member', 'create', '--username', 'ada', '--name', 'Ada')
  assert.equal(made.code, 0, made.stderr)
  const address = parseDatabaseAddress(home.address)
  assert.ok(address)
  const { database } = await openDatabase(address, { clock: systemClock, searchThreads: 1 })
  const { memberId } = await requireMemberByUsername(database, 'ada')
  const db = database.member(memberId)
  return {
    home,
    database,
    db,
    async job() {
      const row = await db.get(LATEST_JOB, {})
      assert.ok(row)
      return row
    },
    importHere: (file, ...options) =>
      home.run('import', join(home.folder, file), '--member', 'ada', ...options),
    async untilRowsAreSaved() {
      const before = savedRows(await db.get(LATEST_JOB, {}))
      for (;;) {
        const row = await db.get(LATEST_JOB, {})
        if (savedRows(row) > before) return
        assert.ok(!row || ACTIVE.has(row.state), `the import ended too early: ${row?.state}`)
        await sleep(5)
      }
    },
    isWhole({ code, stdout, stderr }) {
      assert.equal(code, 0, stderr)
      const { rows, created } = JSON.parse(stdout) as { rows: number; created: number }
      assert.deepEqual([rows, created], [ROWS, ROWS])
    },
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await home[Symbol.asyncDispose]()
    },
  }
}

function hasScript(): boolean {
  return spawnSync('script', ['--version']).status === 0
}

/** Runs a command in a pseudo-terminal with script(1) of util-linux, which exits with the command's exit code. */
function inTerminal(home: Home, args: readonly string[]): ChildProcess {
  const command = [process.execPath, MAIN, ...args].map((word) => `'${word}'`).join(' ')
  return spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd: home.folder,
    env: { ...home.environment, TERM: 'xterm', COLUMNS: '100' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}
