/** Runs `weft` in real processes in a temporary folder, with their output, exit codes and signals. */

import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { runWeft, startWeft, type Ran } from './in-process.ts'
import { createDatabaseLocation, type InitialContent } from './store.ts'

export const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

export interface Home extends AsyncDisposable {
  readonly folder: string
  /** `WEFT_DATABASE` of its processes. */
  readonly address: string
  /** The whole environment of its processes. */
  readonly environment: Environment
  /** Runs a command in a new process. */
  weft(...args: string[]): Promise<Ran>
  /** Runs the command in this process, in a fraction of the time. Relative paths do not refer to `folder`. */
  run(...args: string[]): Promise<Ran>
  start(args: readonly string[], environment?: Environment): ChildProcess
}

/** The one of this run. */
const COMPILE_CACHE: Environment =
  process.env['NODE_COMPILE_CACHE'] === undefined
    ? {}
    : { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }

export type Environment = Readonly<Record<string, string>>

interface HomeOptions {
  /** What the database contains at first. */
  readonly content?: InitialContent
  /** The program to run. */
  readonly main?: string
}

/** A folder with its own database, in which the developer's `.env` is not read. */
export async function createHome(
  settings: Environment = {},
  { content = 'migrated', main = MAIN }: HomeOptions = {},
): Promise<Home> {
  const location = await createDatabaseLocation(content)
  const { folder } = location
  const env = { WEFT_DATABASE: location.address, ...COMPILE_CACHE, ...settings }
  const children: ChildProcess[] = []
  const start = (args: readonly string[], more: Environment = {}) => {
    const child = spawn(process.execPath, [main, ...args], {
      cwd: folder,
      env: { ...env, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children.push(child)
    return child
  }
  return {
    folder,
    address: location.address,
    environment: env,
    start,
    weft: (...args) => outcome(start(args)),
    run: (...args) => runWeft(env, args),
    async [Symbol.asyncDispose]() {
      // Processes that a failed test left running.
      for (const child of children) child.kill('SIGKILL')
      await location[Symbol.asyncDispose]()
    },
  }
}

export async function outcome(child: ChildProcess): Promise<Ran> {
  const { stdout, stderr } = child
  assert.ok(stdout && stderr)
  const [out, err, [code]] = await Promise.all([
    text(stdout),
    text(stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { code, stdout: out, stderr: err }
}

/** Asserts an exit code and an error message without a stack trace. */
export function assertRejected(ran: Ran, code: 1 | 2, sentence: RegExp): void {
  assert.deepEqual([ran.code, ran.stdout], [code, ''], ran.stderr)
  assert.match(ran.stderr, sentence)
  assert.doesNotMatch(ran.stderr, /^ +at |node:internal|\.ts:\d/m)
}

export interface Serving {
  readonly url: string
  /** The output until it listened. */
  readonly said: string
  /** The ID of its own process; none if it runs in this one. */
  readonly pid?: number | undefined
  stop(signal: NodeJS.Signals): Promise<Ran>
}

/** Runs `weft serve` in a new process until it listens. */
export async function serving(home: Home): Promise<Serving> {
  const child = home.start(['serve'])
  const ended = outcome(child)
  assert.ok(child.stdout)
  return {
    ...(await untilListening(child.stdout, ended)),
    pid: child.pid,
    stop(signal) {
      child.kill(signal)
      return ended
    },
  }
}

/** The same in this process, which takes a tenth of the time. Its log would be mixed with the report of the tests. */
export async function servingHere(home: Home, ...options: string[]): Promise<Serving> {
  const environment = { WEFT_LOG_LEVEL: 'error', ...home.environment }
  const running = startWeft(environment, ['serve', ...options])
  const { stdout, ended } = running
  return {
    ...(await untilListening(stdout, ended)),
    stop(signal) {
      running.stop(signal)
      return ended
    },
  }
}

async function untilListening(
  stdout: NodeJS.ReadableStream,
  ended: Promise<Ran>,
): Promise<Pick<Serving, 'url' | 'said'>> {
  const listening = new Promise<Pick<Serving, 'url' | 'said'>>((resolve) => {
    let said = ''
    stdout.on('data', (chunk) => {
      said += String(chunk)
      const url = /listens on (\S+)[^]*Stop with/.exec(said)?.[1]
      if (url !== undefined) resolve({ url, said })
    })
  })
  const failed = ended.then(({ code, stdout: out, stderr }): never => {
    throw new Error(`serve ended with ${code}: ${out}${stderr}`)
  })
  return Promise.race([listening, failed])
}
