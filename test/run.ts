/**
 * Runs the tests: `node test/run.ts [--checks] [--all | --fast] [--pgbouncer] [--durations] [files or options of node:test]`.
 *
 * By default, every test runs on SQLite, and on PostgreSQL those that have the engine as their subject and those that are
 * needed to run every statement of the source there. The run fails if a statement did not run on an engine. PostgreSQL is
 * started privately from the machine's own programs, or is the server that WEFT_TEST_POSTGRES names. Without PostgreSQL,
 * only SQLite is tested; with CI=true that is a failure.
 *
 * `--all` is for a nightly run: every test that opens a database runs on both engines, random tests run longer and with
 * another seed, which is printed, and no test is left out because its files did not change. `--fast` runs the quick tests
 * on SQLite. `--pgbouncer` connects the tests to PostgreSQL through PgBouncer in transaction mode: give it files whose tests
 * need no session of their own. `--checks` runs the static checks beside the tests. `--durations` lists the files that use the most CPU time.
 *
 * Databases and other temporary files are in memory if `/dev/shm` has enough room. Failures are printed as they happen. At
 * most three files with failures run once more, alone, except in the nightly run.
 * The last line has the totals.
 */

import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { globSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process, { argv, env, execPath, exit, stdout } from 'node:process'
import type { Counts, Result } from './support/count-reporter.ts'
import { findPostgres, startCluster, workingRole } from './support/postgres.ts'
import { PGBOUNCER_MISSING, startPgBouncer } from './support/pgbouncer.ts'
import { EVERY_TEST, runsOnPostgres, usesDatabase } from './support/engine-files.ts'
import { inEqualParts, isFast, usesBrowser } from './support/slow-files.ts'
import { missingStatements, sourceStatements } from './support/source-statements.ts'
import { readLedger } from './support/statement-ledger.ts'

const ENGINES = ['sqlite', 'postgres'] as const

/** Options of this program; others are passed on to `node --test`. */
const OPTIONS = ['--checks', '--all', '--fast', '--durations', '--pgbouncer'] as const

/** Per test. A test that hangs fails, and the others are still counted. Generous, because the machine may be busy. */
const TEST_TIMEOUT_MS = 1_200_000

/** More failed files are not run a second time: they failed for a reason that they share. */
const MOST_SECOND_FILES = 3

const LISTED_FILES = 40

/** Test processes of an engine whose tests are divided. A process uses about one core. */
const PROCESSES = 2

const MEMORY_FOLDER = '/dev/shm'
/** The tests of both engines and a browser use less than half of it. */
const MIN_MEMORY_BYTES = 4 * 1024 ** 3

const NOTHING: Result = {
  passed: 0,
  failed: 0,
  skipped: 0,
  skipReasons: {},
  durations: {},
  cpu: {},
  failedFiles: [],
}

type Engine = (typeof ENGINES)[number]

/** One process that runs tests on one engine. */
interface Pass {
  readonly name: string
  readonly engine: Engine
  readonly args: readonly string[]
  readonly server?: string
}

interface Ended extends Pass {
  readonly result: Result
}

interface Server extends AsyncDisposable {
  readonly url?: string
}

exit(await main(argv.slice(2)))

async function main(given: readonly string[]): Promise<number> {
  // Kept between runs: threads and processes of tests would compile the same modules again and again.
  env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache')
  await using temporary = await openTemporaryFolder()
  env['TMPDIR'] = temporary.path
  const has = (option: (typeof OPTIONS)[number]) => given.includes(option)
  const args = given.filter((arg) => !OPTIONS.some((option) => option === arg))
  if (has('--all')) env['WEFT_TEST_ALL'] = '1'
  if (has('--pgbouncer')) env['WEFT_TEST_PGBOUNCER'] = ''
  chooseSeed(has('--all'))
  const [ended, problems] = await Promise.all([
    has('--fast') ? runFast(args) : runEngines(args),
    has('--checks') ? runChecks() : 0,
  ])
  for (const engine of ENGINES) printSkipReasons(engine, resultsOf(ended, engine))
  if (has('--durations'))
    for (const engine of ENGINES) printCpuTimes(engine, resultsOf(ended, engine))
  const missing = has('--fast') || args.length > 0 ? 0 : countMissing(ended)
  const total = (key: keyof Counts) => ended.reduce((sum, { result }) => sum + result[key], 0)
  const engineMissing =
    env['CI'] === 'true' && !has('--fast') && resultsOf(ended, 'postgres').length === 0
  const failed = total('failed') + (engineMissing ? 1 : 0) + problems + missing
  const skipped = total('skipped')
  say(`${total('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  return failed === 0 ? 0 : 1
}

/** Property tests draw the same values in every run, so that a failure is caused by the change under test. */
function chooseSeed(isNightly: boolean): void {
  const given = env['WEFT_TEST_SEED'] ?? (isNightly ? 'random' : '')
  if (given !== 'random') return
  env['WEFT_TEST_SEED'] = String(randomInt(2 ** 31))
  say(`Random tests use WEFT_TEST_SEED=${env['WEFT_TEST_SEED']}.`)
}

/** Returns the number of failures. */
async function runChecks(): Promise<number> {
  const child = spawn(execPath, ['scripts/check.ts'], { stdio: 'inherit' })
  const code = await new Promise((resolve) => child.once('close', resolve))
  return code === 0 ? 0 : 1
}

/** Says which statements of the source did not run on an engine. Returns their number. */
function countMissing(ended: readonly Ended[]): number {
  const statements = sourceStatements()
  const engines = ENGINES.filter((engine) => resultsOf(ended, engine).length > 0)
  const missing = engines.flatMap((engine) => {
    const ran = readLedger(ledgerFolder(), engine)
    return missingStatements(statements, ran).map(({ place }) => `${place} on ${engine}`)
  })
  for (const one of missing) say(`FAILED no test ran the statement ${one}`)
  if (missing.length > 0)
    say(
      'Add a test that runs it. If one does, run `node scripts/choose-postgres-files.ts`, or add its file to test/support/postgres-files.json.',
    )
  return missing.length
}

/** Where the test processes record their statements. */
function ledgerFolder(): string {
  return join(tmpdir(), 'statements')
}

/** A folder in memory, or the default one. */
async function openTemporaryFolder(): Promise<{ readonly path: string } & AsyncDisposable> {
  const memory = await statfs(MEMORY_FOLDER).catch(() => undefined)
  const hasRoom = memory !== undefined && memory.bavail * memory.bsize >= MIN_MEMORY_BYTES
  const path = await mkdtemp(join(hasRoom ? MEMORY_FOLDER : tmpdir(), 'weft-tests-'))
  // PostgreSQL, which has a user of its own, keeps its cluster in a folder inside.
  await chmod(path, 0o711)
  await mkdir(join(path, 'statements'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

async function runFast(args: readonly string[]): Promise<Ended[]> {
  if (namesFiles(args)) return [await runPass({ name: 'sqlite', engine: 'sqlite', args })]
  const files = globSync(EVERY_TEST).filter(isFast)
  return Promise.all(inParts('sqlite', args, files, PROCESSES).map(runPass))
}

async function runEngines(given: readonly string[]): Promise<Ended[]> {
  await using server = await findServer()
  const { url } = server
  await using _pooler = url === undefined ? undefined : await findPooler(url)
  const passes = namesFiles(given)
    ? ENGINES.map((engine) => ({ name: engine, engine, args: given }))
    : everyPass(given)
  // Awaited here: the server must outlive the passes.
  const ended = await Promise.all(
    passes.flatMap((pass) => {
      if (pass.engine === 'sqlite') return [runPass(pass)]
      return url === undefined ? [] : [runPass({ ...pass, server: url })]
    }),
  )
  return namesFiles(given) ? ended : await giveSecondRun(ended)
}

/**
 * Runs the files of failed tests once more, without the others beside them. A test that passes then is named and counts as
 * passed. The nightly run has no second run: there, such a test is a failure.
 */
async function giveSecondRun(ended: readonly Ended[]): Promise<Ended[]> {
  const failed = ended.flatMap(({ result }) => result.failedFiles)
  if (failed.length > MOST_SECOND_FILES || env['WEFT_TEST_ALL'] !== undefined) return [...ended]
  const counted: Ended[] = []
  for (const first of ended) counted.push(await secondRun(first))
  return counted
}

async function secondRun(first: Ended): Promise<Ended> {
  const { name, result } = first
  if (result.failedFiles.length === 0) return first
  const args = [...first.args.filter(isOption), ...result.failedFiles]
  const { failed } = (await runPass({ ...first, name: `${name}, second run`, args })).result
  const recovered = Math.max(0, result.failed - failed)
  if (recovered > 0)
    say(`${name}: ${recovered} FAILED beside other tests, as shown above, and passed alone`)
  return { ...first, result: { ...result, passed: result.passed + recovered, failed } }
}

/** More than the cores: one process waits for the browser, and those of PostgreSQL for the server. */
function everyPass(options: readonly string[]): Pass[] {
  const everyTest = globSync(EVERY_TEST)
  const pages = everyTest.filter(usesBrowser)
  const others = everyTest.filter((file) => !usesBrowser(file))
  const onPostgres = env['WEFT_TEST_ALL'] === undefined ? runsOnPostgres : usesDatabase
  return [
    ...inParts('sqlite', options, others, PROCESSES),
    { name: 'sqlite pages', engine: 'sqlite', args: [...options, ...pages.toSorted()] },
    ...inParts(
      'postgres',
      options,
      others.filter((file) => onPostgres(file)),
      PROCESSES,
    ),
  ]
}

function inParts(
  engine: Engine,
  options: readonly string[],
  files: readonly string[],
  parts: number,
): Pass[] {
  return inEqualParts(files, parts).map((part, index) => ({
    name: parts === 1 ? engine : `${engine} ${index + 1}/${parts}`,
    engine,
    args: [...options, ...part],
  }))
}

function namesFiles(args: readonly string[]): boolean {
  return !args.every(isOption)
}

function isOption(arg: string): boolean {
  return arg.startsWith('-')
}

async function findServer(): Promise<Server> {
  const given = env['WEFT_TEST_POSTGRES']
  if (given !== undefined && given !== '')
    return { url: await workingRole(given), async [Symbol.asyncDispose]() {} }
  const programs = await findPostgres()
  if (programs === undefined) {
    say('PostgreSQL 15 or newer is not installed: the tests run on SQLite only.')
    return { async [Symbol.asyncDispose]() {} }
  }
  const cluster = await startCluster(programs)
  // The cluster's keeper notices any other end of this process by itself.
  return {
    url: await workingRole(cluster.url),
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  }
}

/** Tests that connect through it find its URL in the environment. */
async function findPooler(server: string): Promise<AsyncDisposable | undefined> {
  if (env['WEFT_TEST_PGBOUNCER'] === undefined) return undefined
  if (PGBOUNCER_MISSING !== false) throw new Error(PGBOUNCER_MISSING)
  const pooler = await startPgBouncer(server, { poolMode: 'transaction', poolSize: 4 })
  env['WEFT_TEST_PGBOUNCER'] = `${pooler.plainUrl}pool_mode=transaction`
  return pooler
}

/** A process per pass, so that the engines share no state. */
async function runPass(pass: Pass): Promise<Ended> {
  const folder = await mkdtemp(join(tmpdir(), 'weft-run-'))
  const resultFile = join(folder, 'result.json')
  const started = performance.now()
  const code = await runTests(pass, resultFile)
  const text = await readFile(resultFile, 'utf8').catch(() => '')
  await rm(folder, { recursive: true, force: true })
  const seconds = (performance.now() - started) / 1000
  const read = text === '' ? NOTHING : (JSON.parse(text) as Result)
  // A run that ends without a result, or with an error although every test passed, has failed too.
  const result = code !== 0 && read.failed === 0 ? { ...read, failed: 1 } : read
  const { passed, failed, skipped } = result
  say(
    `${pass.name}: ${passed} passed, ${failed} failed, ${skipped} skipped in ${seconds.toFixed(1)} s`,
  )
  return { ...pass, result }
}

/** @returns the exit code */
function runTests({ name, engine, args, server }: Pass, resultFile: string): Promise<number> {
  const child = spawn(
    execPath,
    [
      `--test-timeout=${TEST_TIMEOUT_MS}`,
      // A test that timed out leaves its service open, which would keep the process alive.
      '--test-force-exit',
      `--import=${new URL('./support/statement-ledger.ts', import.meta.url).href}`,
      ...reporter('live-reporter.ts', 'stdout'),
      ...reporter('count-reporter.ts', resultFile),
      ...args.filter(isOption),
      join(import.meta.dirname, 'support/test-process.ts'),
      ...args.filter((arg) => !isOption(arg)),
    ],
    {
      // A pipe: tests must not find a terminal.
      stdio: ['inherit', 'pipe', 'inherit'],
      env: {
        ...env,
        WEFT_TEST_ENGINE: engine,
        WEFT_TEST_PASS: name,
        WEFT_TEST_LEDGER: ledgerFolder(),
        ...(server !== undefined && { WEFT_TEST_POSTGRES: server }),
      },
    },
  )
  // Ctrl-C reaches the child as well; this process stays to count and to clean up.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  child.stdout.setEncoding('utf8').on('data', (text: string) => stdout.write(text))
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)))
}

function reporter(file: string, destination: string): string[] {
  const { href } = new URL(`./support/${file}`, import.meta.url)
  return [`--test-reporter=${href}`, `--test-reporter-destination=${destination}`]
}

function resultsOf(ended: readonly Ended[], engine: Engine): Result[] {
  return ended.filter((one) => one.engine === engine).map(({ result }) => result)
}

function printSkipReasons(engine: Engine, results: readonly Result[]): void {
  const reasons = largestFirst(results.map(({ skipReasons }) => skipReasons))
  if (reasons.length > 0) say(`Skipped on ${engine}:`)
  for (const [reason, count] of reasons) say(`  ${reason}: ${count}`)
}

/** CPU time, because wall time depends on what else the machine does. PostgreSQL's own is not included. */
function printCpuTimes(engine: Engine, results: readonly Result[]): void {
  const files = largestFirst(results.map(({ cpu }) => cpu))
  const durations = new Map(largestFirst(results.map((result) => result.durations)))
  const total = files.reduce((sum, [, milliseconds]) => sum + milliseconds, 0)
  if (files.length > 0) say(`CPU time on ${engine}: ${inSeconds(total)}. Most of it:`)
  for (const [file, milliseconds] of files.slice(0, LISTED_FILES))
    say(`  ${inSeconds(milliseconds)} in ${inSeconds(durations.get(file) ?? 0)}  ${file}`)
}

function inSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1).padStart(6)} s`
}

/** The entries of several records with the values of each key added. */
function largestFirst(records: readonly Readonly<Record<string, number>>[]): [string, number][] {
  const sums = new Map<string, number>()
  for (const [key, value] of records.flatMap((record) => Object.entries(record)))
    sums.set(key, (sums.get(key) ?? 0) + value)
  return [...sums].toSorted(([, one], [, other]) => other - one)
}

function say(line: string): void {
  stdout.write(`${line}\n`)
}
