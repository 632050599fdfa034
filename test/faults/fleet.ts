/** Several nodes of the service as processes on one database, which can be killed and restarted. */

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../support/free-port.ts'

const MAIN = join(import.meta.dirname, '../../src/main.ts')

export interface Fleet extends AsyncDisposable {
  readonly ports: readonly number[]
  readonly size: number
  /** How often a node ended that no scenario killed or stopped. */
  readonly unexpectedExits: number
  /** Like a power cut, and restarts them. */
  crash(index: number): Promise<void>
  /** Stops one node and starts it with the code of this version. Resolves once it is ready. */
  upgrade(index: number): Promise<void>
  /** Moves the clock of one node: `+1h`, `-1h`, `+0`. Only with `hasMovableClocks`. */
  moveClock(index: number, by: string): Promise<void>
}

export interface FleetOptions {
  readonly size: number
  readonly folder: string
  /** `WEFT_DATABASE` */
  readonly address: string
  readonly publicUrl: string
  readonly hasMovableClocks?: boolean
  /** The program of another version, which every node runs at first. */
  readonly main?: string
  readonly environment?: Readonly<Record<string, string>>
}

/** Debian's `faketime`, which makes a process see another time. */
export const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1'

export function canMoveClocks(): boolean {
  return existsSync(FAKETIME)
}

export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const { size, folder } = options
  const ports: number[] = []
  for (let index = 0; index < size; index++) ports.push(await freePort())
  const children: (ChildProcess | null)[] = ports.map(() => null)
  const programs = ports.map(() => options.main ?? MAIN)
  const expected = new WeakSet<ChildProcess>()
  let unexpectedExits = 0
  let isEnding = false
  const start = async (index: number): Promise<void> => {
    const child = await startNode(
      { ...options, main: programs[index] ?? MAIN },
      index,
      ports[index] ?? 0,
    )
    children[index] = child
    // A node that ends by itself is started again, as systemd and Docker do.
    child.once('exit', () => {
      if (!isEnding && !expected.has(child)) unexpectedExits += 1
      if (!isEnding && children[index] === child) void restart(index)
    })
  }
  const restart = async (index: number): Promise<void> => {
    await sleep(RESTART_PAUSE_MS)
    if (!isEnding) await start(index)
  }
  // One at a time, because the first migrates the database.
  for (const index of ports.keys()) {
    await writeFile(join(folder, `clock-${index}`), '+0\n')
    await start(index)
    await untilReady(ports[index] ?? 0)
  }
  return {
    ports,
    size,
    get unexpectedExits() {
      return unexpectedExits
    },
    async crash(index) {
      const child = children[index]
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      expected.add(child)
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
    async upgrade(index) {
      programs[index] = MAIN
      // It is started again when it has ended.
      const child = children[index]
      if (child) expected.add(child)
      await end(child ?? null)
      await sleep(2 * RESTART_PAUSE_MS)
      await untilReady(ports[index] ?? 0)
    },
    moveClock: (index, by) => writeFile(join(folder, `clock-${index}`), `${by}\n`),
    async [Symbol.asyncDispose]() {
      isEnding = true
      for (const child of children) await end(child)
    },
  }
}

const RESTART_PAUSE_MS = 200

async function startNode(
  { folder, address, publicUrl, hasMovableClocks = false, environment, main = MAIN }: FleetOptions,
  index: number,
  port: number,
): Promise<ChildProcess> {
  const clock = {
    LD_PRELOAD: FAKETIME,
    FAKETIME_TIMESTAMP_FILE: join(folder, `clock-${index}`),
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  const child = spawn(execPath, [main, 'serve'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: env['PATH'],
      NODE_COMPILE_CACHE: join(folder, 'compile-cache'),
      WEFT_DATABASE: address,
      WEFT_PORT: String(port),
      WEFT_PUBLIC_URL: publicUrl,
      WEFT_SEARCH_THREADS: '1',
      WEFT_MONTHLY_CREDITS: '1000000',
      WEFT_RATE_LIMITS: RATE_LIMITS,
      WEFT_TRUSTED_PROXIES: '127.0.0.1',
      ...(hasMovableClocks && clock),
      ...environment,
    },
  })
  const log = createWriteStream(join(folder, `node-${index}.log`), { flags: 'a' })
  child.stdout.pipe(log, { end: false })
  child.stderr.pipe(log, { end: false })
  await Promise.race([once(child, 'spawn'), once(child, 'error')])
  return child
}

const RATE_LIMITS = 'mcp=10000000/60, jobs=10000000/60'

async function end(child: ChildProcess | null): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  // A node that waits for an unavailable database would delay the report.
  const timer = setTimeout(() => child.kill('SIGKILL'), END_TIMEOUT_MS)
  await exited
  clearTimeout(timer)
}

const END_TIMEOUT_MS = 10_000
const READY_TIMEOUT_MS = 60_000

async function untilReady(port: number): Promise<void> {
  const until = Date.now() + READY_TIMEOUT_MS
  while (Date.now() < until) {
    const status = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (response) => response.status,
      () => 0,
    )
    if (status === 200) return
    await sleep(100)
  }
  throw new Error(`the node on port ${port} did not become ready`)
}
