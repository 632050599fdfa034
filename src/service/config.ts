/** Settings: from the environment to a checked configuration, with every mistake named at once. */

import { availableParallelism } from 'node:os'
import { Refusal } from '../base/refusal.ts'
import type { LogLevel } from '../base/log.ts'
import { parseDatabaseAddress, type DatabaseAddress } from '../db/open.ts'

export interface Config {
  readonly database: DatabaseAddress
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  /** Where the world reaches this service: an origin, without a slash at its end. */
  readonly publicUrl: string
  /** Credits of a member's calendar month. */
  readonly monthlyCredits: number
  readonly logLevel: LogLevel
  /** Threads for searches on SQLite. */
  readonly searchThreads: number
  /** Jobs that run at the same time in this process. */
  readonly jobConcurrency: number
}

export type Environment = Readonly<Record<string, string | undefined>>

/** One setting as the documentation lists it. */
export interface Setting {
  readonly name: string
  readonly default: string
  readonly description: string
}

const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent']

export const SETTINGS = [
  {
    name: 'WEFT_DATABASE',
    default: 'sqlite:./data/weft.db',
    description:
      'Where the data is: sqlite:<file>, or postgres://<role>:<password>@<host>/<database>',
  },
  { name: 'WEFT_HOST', default: '127.0.0.1', description: 'The address to listen on' },
  { name: 'WEFT_PORT', default: '8787', description: 'The port to listen on; 0 takes a free one' },
  {
    name: 'WEFT_PUBLIC_URL',
    default: 'http://127.0.0.1:<port>',
    description: 'Where people and agents reach the service: scheme, host and port, no path',
  },
  {
    name: 'WEFT_MONTHLY_CREDITS',
    default: '1000',
    description: "Credits of a member's calendar month",
  },
  { name: 'WEFT_LOG_LEVEL', default: 'info', description: LOG_LEVELS.join(', ') },
  {
    name: 'WEFT_SEARCH_THREADS',
    default: 'one less than the processors, 1 to 4',
    description: 'Threads for searches',
  },
  { name: 'WEFT_JOB_CONCURRENCY', default: '2', description: 'Jobs that run at the same time' },
] as const satisfies readonly Setting[]

type SettingName = (typeof SETTINGS)[number]['name']

/** Reads the configuration; refuses with all that is wrong with it. Empty values count as not set. */
export function readConfig(environment: Environment): Config {
  const mistakes: string[] = unknownSettings(environment)
  const read = <T>(name: SettingName, fallback: T, parse: (text: string) => T): T => {
    const text = environment[name]?.trim()
    if (text === undefined || text === '') return fallback
    try {
      return parse(text)
    } catch (error) {
      mistakes.push(`${name} ${error instanceof Error ? error.message : 'is wrong'}`)
      return fallback
    }
  }
  const port = read('WEFT_PORT', 8787, whole(0, 65_535))
  const config: Config = {
    database: read('WEFT_DATABASE', { engine: 'sqlite', path: './data/weft.db' }, databaseAddress),
    host: read('WEFT_HOST', '127.0.0.1', String),
    port,
    publicUrl: read('WEFT_PUBLIC_URL', `http://127.0.0.1:${port}`, origin),
    monthlyCredits: read('WEFT_MONTHLY_CREDITS', 1000, whole(0, 1_000_000_000)),
    logLevel: read('WEFT_LOG_LEVEL', 'info', logLevel),
    searchThreads: read('WEFT_SEARCH_THREADS', defaultSearchThreads(), whole(1, 64)),
    jobConcurrency: read('WEFT_JOB_CONCURRENCY', 2, whole(1, 64)),
  }
  if (mistakes.length > 0)
    throw new Refusal(
      'invalid_request',
      `The configuration has ${count(mistakes.length)}:\n${mistakes.map((one) => `  - ${one}`).join('\n')}`,
      {
        hint: 'Settings are environment variables, or lines of a file .env in the folder Weft is started in.',
      },
    )
  return config
}

/** A misspelt setting would be silently without effect: it is a mistake. */
function unknownSettings(environment: Environment): string[] {
  const known = new Set<string>(SETTINGS.map(({ name }) => name))
  return Object.keys(environment)
    .filter(
      (name) => name.startsWith('WEFT_') && !known.has(name) && !name.startsWith('WEFT_TEST_'),
    )
    .map((name) => `${name} is not a setting of Weft${suggestion(name, known)}`)
}

function suggestion(name: string, known: ReadonlySet<string>): string {
  const near = [...known].find(
    (one) => one.startsWith(name) || name.startsWith(one) || distance(one, name) <= 2,
  )
  return near === undefined ? '' : `; did you mean ${near}?`
}

/** Levenshtein distance of two short names. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}

function count(mistakes: number): string {
  return mistakes === 1 ? 'a mistake' : `${mistakes} mistakes`
}

function databaseAddress(text: string): DatabaseAddress {
  const address = parseDatabaseAddress(text)
  if (!address)
    throw new Error(
      'must be sqlite:<file>, such as sqlite:./data/weft.db, or postgres://<role>:<password>@<host>/<database>',
    )
  return address
}

function origin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new Error('must be an http or https address, such as https://weft.example.org')
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw new Error('must have no path, query or fragment: Weft answers at the root of its host')
  return url.origin
}

function logLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((one) => one === text.toLowerCase())
  if (!level) throw new Error(`must be one of ${LOG_LEVELS.join(', ')}`)
  return level
}

function whole(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^\d{1,15}$/.test(text) || value < least || value > most)
      throw new Error(`must be a whole number from ${least} to ${most}`)
    return value
  }
}

/** One processor is left to the thread that answers everybody. */
function defaultSearchThreads(): number {
  return Math.max(1, Math.min(4, availableParallelism() - 1))
}
