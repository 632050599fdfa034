/** The real service and its command line as processes, on the benchmark's own database file. */

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../src/base/clock.ts'
import { openDatabase } from '../../src/db/engines/open.ts'
import type { DatabaseAddress } from '../../src/db/database-address.ts'
import { LIMITS } from '../../src/guards/rate-limit-policies.ts'
import { insertMembers } from '../../src/members/member.ts'
import { type Member } from '../../src/members/member-row.ts'
import { inventedPeople } from '../../test/support/invented.ts'
import { publicMember } from './directory-members.ts'
import { finished, start, stop, type CoreRole } from './machine.ts'
import type { ChildProcess } from 'node:child_process'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** As `npm start` and the image start the service. */
const NODE_OPTIONS = ['--max-semi-space-size=8']
const MALLOC_ARENA_MAX = '2'

/** The public URL of the profiles: a fixed one, so that two servers on two ports write the same bytes. */
export const PUBLIC_URL = 'https://weft.example'

export interface Settings {
  /** Holds the database file and everything else of one benchmark. */
  readonly folder: string
  readonly database?: string
  /** A whole `WEFT_DATABASE`, instead of a file in the folder. */
  readonly address?: string
  /** The public URL; `PUBLIC_URL` by default. */
  readonly publicUrl?: string
  readonly compileCache?: string
  /** Arguments for Node itself, such as `--cpu-prof`. */
  readonly node?: readonly string[]
}

/** The database of these settings. */
export function addressOf({ folder, database = 'weft.db', address }: Settings): DatabaseAddress {
  return address === undefined
    ? { engine: 'sqlite', path: join(folder, database) }
    : { engine: 'postgres', url: address }
}

function environmentOf(settings: Settings) {
  const { folder, database = 'weft.db', address, publicUrl = PUBLIC_URL, compileCache } = settings
  return {
    PATH: process.env['PATH'],
    HOME: folder,
    MALLOC_ARENA_MAX,
    NODE_COMPILE_CACHE: compileCache ?? join(folder, 'compile-cache'),
    WEFT_DATABASE: address ?? `sqlite:${join(folder, database)}`,
    WEFT_PORT: '0',
    WEFT_PUBLIC_URL: publicUrl,
    WEFT_MONTHLY_CREDITS: '1000000000',
    WEFT_LOG_LEVEL: 'warn',
    WEFT_RATE_LIMITS: UNLIMITED,
  }
}

/** Requests are counted as usual, but never reach a quota. */
const UNLIMITED = Object.values(LIMITS)
  .map(({ name }) => `${name}=999999999/60`)
  .join()

/** The command line, started; its output is piped. */
export function startWeft(
  role: CoreRole,
  settings: Settings,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): ChildProcess {
  return start(role, process.execPath, [...NODE_OPTIONS, ...(settings.node ?? []), MAIN, ...args], {
    // Does not read a .env file of the current folder.
    cwd: settings.folder,
    env: { ...environmentOf(settings), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Runs one command to its end; returns what it printed. */
export async function weft(settings: Settings, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await finished(startWeft('any', settings, args))
  if (code !== 0) throw new Error(`weft ${args.join(' ')} failed: ${stderr}`)
  return stdout.trim()
}

export interface Served extends AsyncDisposable {
  readonly port: number
  readonly process: ChildProcess
}

/** `weft serve`, once it responds. */
export async function serve(
  settings: Settings,
  port: number,
  role: CoreRole = 'server',
): Promise<Served> {
  const child = startWeft(role, settings, ['serve'], { WEFT_PORT: String(port) })
  return served(child, port, '/api/human/demo')
}

/** Waits until a started server responds, and stops it afterwards. */
export async function served(child: ChildProcess, port: number, path: string): Promise<Served> {
  let said = ''
  child.stdout?.resume()
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text))
  await untilAnswered(child, port, path, () => said)
  return { port, process: child, [Symbol.asyncDispose]: () => stop(child) }
}

const START_TIMEOUT_MS = 30_000

/** Polls until a response has a status below 500. */
export async function untilAnswered(
  child: ChildProcess,
  port: number,
  path: string,
  said: () => string = () => '',
): Promise<void> {
  const until = performance.now() + START_TIMEOUT_MS
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`the server ended: ${said()}`)
    if ((await statusOf(port, path)) < 500) return
    await sleep(2)
  }
  throw new Error(`the server did not answer on ${port}: ${said()}`)
}

function statusOf(port: number, path: string): Promise<number> {
  return new Promise((resolve) => {
    const asked = request({ host: '127.0.0.1', port, path, agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 599)
    })
    asked.once('error', () => resolve(599))
    asked.end()
  })
}

/** A free port. */
export async function freePort(): Promise<number> {
  const { createServer } = await import('node:net')
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return address.port
}

/** Creates a migrated file with this many public members; returns their usernames. */
export async function seedMembers(
  { folder, database = 'weft.db' }: Settings,
  size: number,
): Promise<string[]> {
  const opened = await openDatabase(
    { engine: 'sqlite', path: join(folder, database) },
    { clock: systemClock, searchThreads: 1 },
  )
  await using store = opened.database
  const people = inventedPeople(7)
  const members = Array.from({ length: size }, (): Member => {
    const person = people.next().value
    const joinedAt = Date.UTC(2026, 0, 1) + person.index * 60_000
    return {
      ...publicMember(person, person.index + 1, joinedAt),
      links: [{ label: 'LinkedIn', url: person.profileUrl }],
    }
  })
  await store.write((tx) => insertMembers(tx, members), { bulk: true })
  return members.map(({ username }) => username)
}

/** A member `ada` with a token; returns the token. */
export async function seedCaller(settings: Settings): Promise<string> {
  const who = ['--username', 'ada', '--name', 'Ada Lovelace', '--email', 'ada@example.org']
  await weft(settings, 'member', 'create', ...who)
  return weft(settings, 'token', 'create', '--member', 'ada', '--name', 'bench')
}
