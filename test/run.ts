/**
 * Runs the tests once on each storage engine, both at the same time: `node test/run.ts [files or options of node --test]`. PostgreSQL is
 * started privately from the machine's own programs, or is the server that WEFT_TEST_POSTGRES names. Where there is
 * none, it says so and runs SQLite alone; with CI=true that is a failure.
 */

import { spawn } from 'node:child_process'
import { readFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process, { argv, env, execPath, exit, stdout } from 'node:process'
import type { Counts } from './support/count-reporter.ts'
import { findPostgres, startCluster, workingRole } from './support/postgres.ts'

const EVERY_TEST = ['src/**/*.test.ts', 'test/**/*.test.ts']

type Engine = 'sqlite' | 'postgres'

interface Pass {
  readonly counts: Counts
  readonly seconds: number
}

/** Of one test, in milliseconds: one that hangs fails, and the others are still counted. */
const TEST_TIMEOUT_MS = 300_000

const NOTHING: Counts = { passed: 0, failed: 0, skipped: 0 }

exit(await main(argv.slice(2)))

async function main(args: readonly string[]): Promise<number> {
  await using server = await findServer()
  const files = args.some((arg) => !arg.startsWith('-')) ? args : [...args, ...EVERY_TEST]
  // Neither fills more than a core, and what one prints is shown when it has ended.
  const passes = await Promise.all([
    runPass('sqlite', files),
    ...(server.url === undefined ? [] : [runPass('postgres', files, server.url)]),
  ])
  const total = (key: keyof Counts) => passes.reduce((sum, { counts }) => sum + counts[key], 0)
  const missing = server.url === undefined && env['CI'] === 'true' ? 1 : 0
  const failed = total('failed') + missing
  const skipped = total('skipped')
  say(`${total('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  return failed === 0 ? 0 : 1
}

async function findServer(): Promise<AsyncDisposable & { readonly url?: string }> {
  const given = env['WEFT_TEST_POSTGRES']
  if (given !== undefined && given !== '')
    return { url: await workingRole(given), async [Symbol.asyncDispose]() {} }
  const programs = await findPostgres()
  if (programs === undefined) {
    say('PostgreSQL 15 or newer is not installed: the tests run on SQLite alone.')
    return { async [Symbol.asyncDispose]() {} }
  }
  const cluster = await startCluster(programs)
  // The cluster's keeper notices any other end of this process by itself.
  return {
    url: await workingRole(cluster.url),
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  }
}

/** In a process of its own, so that nothing of the one engine is left over for the other. */
async function runPass(engine: Engine, args: readonly string[], server?: string): Promise<Pass> {
  const folder = await mkdtemp(join(tmpdir(), 'weft-run-'))
  const totals = join(folder, 'totals.json')
  const started = performance.now()
  const { code, output } = await runTests(engine, args, totals, server)
  const text = await readFile(totals, 'utf8').catch(() => '')
  await rm(folder, { recursive: true, force: true })
  const seconds = (performance.now() - started) / 1000
  // A run that ends without totals, or badly though every test passed, has failed too.
  const read = text === '' ? NOTHING : (JSON.parse(text) as Counts)
  const counts = code !== 0 && read.failed === 0 ? { ...read, failed: 1 } : read
  stdout.write(output)
  say(`${engine}: ${counts.passed} passed, ${counts.failed} failed in ${seconds.toFixed(1)} s`)
  return { counts, seconds }
}

function runTests(
  engine: Engine,
  args: readonly string[],
  totals: string,
  server?: string,
): Promise<{ readonly code: number; readonly output: string }> {
  const reporter = new URL('./support/count-reporter.ts', import.meta.url).href
  const child = spawn(
    execPath,
    [
      '--test',
      '--test-isolation=none',
      `--test-timeout=${TEST_TIMEOUT_MS}`,
      '--test-reporter=dot',
      '--test-reporter-destination=stdout',
      `--test-reporter=${reporter}`,
      `--test-reporter-destination=${totals}`,
      ...args,
    ],
    {
      stdio: ['inherit', 'pipe', 'inherit'],
      env: {
        ...env,
        WEFT_TEST_ENGINE: engine,
        ...(server !== undefined && { WEFT_TEST_POSTGRES: server }),
      },
    },
  )
  // Ctrl-C reaches the tests by themselves; this process stays to count them and to clean up.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  const pieces: string[] = []
  child.stdout.setEncoding('utf8').on('data', (piece: string) => pieces.push(piece))
  return new Promise((resolve) =>
    child.once('close', (code) => resolve({ code: code ?? 1, output: pieces.join('') })),
  )
}

function say(line: string): void {
  stdout.write(`${line}\n`)
}
