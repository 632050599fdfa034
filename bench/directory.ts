/**
 * How fast the directory answers at 10,000, 100,000 and 1,000,000 members.
 * `node bench/directory.ts [--keep] [10000 100000 1000000]` measures SQLite, and with `--postgres` PostgreSQL.
 */

import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inventedPeople, type InventedPerson } from '../test/support/invented.ts'
import { systemClock } from '../src/base/clock.ts'
import { readMigrations } from '../src/db/migrate.ts'
import { openDatabase } from '../src/db/engines/open.ts'
import { searchDirectory, type DirectoryQuestion } from '../src/members/directory.ts'
import { RequestError } from '../src/base/request-error.ts'
import { statement } from '../src/db/statement.ts'
import { insertPeople } from './support/directory-members.ts'
import type { Figure } from './support/figures.ts'
import { openDirectory } from './support/directory-postgres.ts'
import type { Database } from '../src/db/database.ts'

const PUBLIC_URL = 'https://weft.example'
const SEED = 7
const QUESTIONS_PER_CLASS = 150
const PAGES_DEEP = 25

/** A database of another schema is not used again. */
const migrations = await readMigrations('sqlite')
const schema = hash('sha256', migrations.map(({ digest }) => digest).join(), 'hex').slice(0, 8)

const keep = process.argv.includes('--keep')
const sizes = process.argv.slice(2).map(Number).filter(Number.isInteger)
/** Questions of each kind on PostgreSQL. */
const ASKED_PER_CLASS = 10
const CALLERS = 16
/** A prime larger than the number of questions. */
const MIXING_STEP = 7_919

async function measureOnPostgres(size: number): Promise<void> {
  print(`\n${size.toLocaleString('en')} members on PostgreSQL\n`)
  await using directory = await openDirectory(size, SEED)
  const { database } = directory
  const kinds = { ...mix(SEED), 'a whole headline, pasted': headlines(SEED) }
  const all: number[] = []
  print(row('query', ['p50 ms', 'p99 ms', 'max ms']))
  for (const [label, questions] of Object.entries(kinds)) {
    const times = await timeAll(database, questions.slice(0, ASKED_PER_CLASS))
    all.push(...times)
    print(row(label, summary(times)))
  }
  print(row('ALL', summary(all)))
  print(row(`pages 2 to ${PAGES_DEEP}`, summary(await timeDeepPages(database))))
  print(row(`${CALLERS} callers`, await timeCallers(database, Object.values(kinds).flat())))
  await measureBeside(database)
}

/** Callers at once, who each ask the next question of all kinds mixed. */
async function timeCallers(database: Database, questions: readonly string[]): Promise<string[]> {
  // An odd step that shares no factor with the number of questions visits each of them once.
  const count = questions.length
  let asked = 0
  const times: number[] = []
  const started = performance.now()
  const caller = async () => {
    while (asked < count) {
      const q = questions[(asked++ * MIXING_STEP) % count] ?? ''
      times.push(await timeOf(() => searchDirectory(database, { q }, PUBLIC_URL)))
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
  const seconds = (performance.now() - started) / 1_000
  return [...summary(times), `${Math.round(count / seconds)}/s`]
}

/** How long a member's search waits while anonymous callers search without results. Fails after ten seconds. */
async function measureBeside(database: Database): Promise<void> {
  const member = () => database.heavy.all(ONE_ROW, {}).catch(ignoreRefusal)
  const stop = new AbortController()
  const anonymous = Array.from({ length: 8 }, async (_, caller) => {
    for (let nth = 0; !stop.signal.aborted; nth++)
      await searchDirectory(database, { q: `zzq${caller}x${nth}` }, PUBLIC_URL).catch(ignoreRefusal)
  })
  const times: number[] = []
  for (let nth = 0; nth < 15; nth++) times.push(await timeOf(member))
  stop.abort()
  await Promise.all(anonymous)
  print(row("a member's search meanwhile", summary(times)))
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof RequestError)) throw error
}

const ONE_ROW = statement<object, { one: number }>('select 1 as one')

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

async function measureOnSqlite(size: number): Promise<void> {
  const path = join(tmpdir(), `weft-bench-directory-${size}-${schema}.db`)
  print(`\n${size.toLocaleString('en')} members\n`)
  if (!existsSync(path)) await build(path, size)
  const { database } = await open(path)
  for (const questions of Object.values(mix(SEED + 1)))
    await timeAll(database, questions.slice(0, 20))
  const all: number[] = []
  print(row('query', ['p50 ms', 'p99 ms', 'max ms']))
  for (const [label, questions] of Object.entries(mix(SEED))) {
    const times = await timeAll(database, questions)
    all.push(...times)
    print(row(label, summary(times)))
  }
  const deep = await timeDeepPages(database)
  print(row(`pages 2 to ${PAGES_DEEP}`, summary(deep)))
  print(row('ALL', summary([...all, ...deep])))
  print(row('(a whole headline, pasted)', summary(await timeAll(database, headlines(SEED)))))
  await database[Symbol.asyncDispose]()
  if (!keep) await remove(path)
}

function open(path: string) {
  return openDatabase({ engine: 'sqlite', path }, { clock: systemClock, searchThreads: 1 })
}

/** Under another name until it is whole, so that an interrupted build is never measured. */
async function build(path: string, size: number): Promise<void> {
  const unfinished = `${path}.building`
  await remove(unfinished)
  const { database } = await open(unfinished)
  const started = performance.now()
  await insertPeople(database, size, SEED)
  const seconds = (performance.now() - started) / 1_000
  await database[Symbol.asyncDispose]()
  await rename(unfinished, path)
  print(
    `built in ${seconds.toFixed(1)} s, ${Math.round(size / seconds).toLocaleString('en')} rows/s\n`,
  )
}

/** What people type, by kind. */
function mix(seed: number): Record<string, string[]> {
  const people = inventedPeople(seed)
  const common =
    'software engineering product management design sales marketing research london berlin united states python sql hiring health systems'.split(
      ' ',
    )
  const rare =
    'thackeray vandergriff süßmilch théophile íscar estêvão gualtiero ødegård świętosława žižka gürbüz wadia chikwanha khuất kudō 欧阳 журба'.split(
      ' ',
    )
  const pick = (list: readonly string[], nth: number) => list[nth % list.length] ?? ''
  const each = (write: (nth: number, person: InventedPerson) => string) =>
    Array.from({ length: QUESTIONS_PER_CLASS }, (_, nth) => write(nth, people.next().value))
  return {
    'nothing (everybody)': each(() => ''),
    'common first name': each((_, { givenName }) => givenName),
    'rare name': each((nth) => pick(rare, nth)),
    'full name': each((_, { name }) => name),
    'name being typed': each((nth, { name }) => name.slice(0, 3 + (nth % 8))),
    'one letter': each((nth) => String.fromCharCode(97 + (nth % 26))),
    'two letters': each((_, { familyName }) => familyName.slice(0, 2)),
    'common word being typed': each((nth) => pick(common, nth).slice(0, 3 + (nth % 6))),
    'two common words': each((nth) => `${pick(common, nth)} ${pick(common, nth * 7 + 3)}`),
    'role and city': each((_, { title, city }) => `${title} ${city}`),
    'software engineering + city': each((_, { city }) => `software engineering ${city}`),
    'rare + common': each((nth) => `${pick(rare, nth)} ${pick(common, nth)}`),
    'common + no hit': each((nth) => `${pick(common, nth)} qx${nth}z`),
    'no hit': each((nth) => `zzq${nth.toString(36)}`),
    username: each((_, { slug }) => slug),
  }
}

/** Six to nine words that each stand in many profiles, and together in few: the dearest question there is. */
function headlines(seed: number): string[] {
  const people = inventedPeople(seed)
  return Array.from({ length: QUESTIONS_PER_CLASS }, () => people.next().value.headline)
}

async function timeAll(database: Database, questions: readonly string[]): Promise<number[]> {
  const times: number[] = []
  for (const q of questions) times.push((await timed(database, { q })).time)
  return times
}

async function timeDeepPages(database: Database): Promise<number[]> {
  const times: number[] = []
  for (const q of [
    '',
    'a',
    'maria',
    'software',
    'engi',
    'london',
    'united states',
    'design london',
  ]) {
    let cursor: string | null = (await timed(database, { q })).cursor
    for (let page = 2; page <= PAGES_DEEP && cursor !== null; page++) {
      const answer: Timed = await timed(database, { q, cursor })
      times.push(answer.time)
      cursor = answer.cursor
    }
  }
  return times
}

interface Timed {
  readonly time: number
  readonly cursor: string | null
}

async function timed(database: Database, question: DirectoryQuestion): Promise<Timed> {
  const started = performance.now()
  const page = await searchDirectory(database, question, PUBLIC_URL)
  return { time: performance.now() - started, cursor: page.next_cursor }
}

function summary(times: readonly number[]): string[] {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return [at(0.5), at(0.99), at(1)].map((time) => time.toFixed(2))
}

function row(label: string, values: readonly string[]): string {
  return `${label.padEnd(46)}${values.map((value) => value.padStart(10)).join('')}\n`
}

function print(text: string): void {
  process.stdout.write(text)
}

async function remove(path: string): Promise<void> {
  for (const end of ['', '-wal', '-shm']) await rm(path + end, { force: true })
}

export const title = 'the directory: milliseconds of questions, in the tables above'

/** Prints its tables while it runs, because the large directories take long. */
export async function measure(): Promise<Figure[]> {
  const onPostgres = process.argv.includes('--postgres')
  for (const size of sizes.length > 0 ? sizes : [10_000, 100_000, 1_000_000])
    await (onPostgres ? measureOnPostgres(size) : measureOnSqlite(size))
  return []
}

if (import.meta.main) await measure()
