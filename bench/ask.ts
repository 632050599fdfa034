/**
 * `/ask` with the search index of public profiles: recall@5 of the 60 questions of `ask-set/`, then the time of questions,
 * the time to build the index, and its memory.
 * `node bench/ask.ts [-v] [--postgres] [1000 10000 100000]`; `-v` prints every question that the index does not answer
 * completely.
 */

import { readFileSync } from 'node:fs'
import { inventedPeople } from '../test/support/invented.ts'
import { peopleSource } from '../src/ask/profile-source.ts'
import { heldProfileIndex, profileIndexAt } from '../src/ask/profile-index.ts'
import { bytesOfIndex } from '../src/connections/search/index/versioned-index.ts'
import { readDirectoryVersion, readIndexedProfiles } from '../src/members/directory-changes.ts'
import { systemClock } from '../src/base/clock.ts'
import { openDatabase } from '../src/db/engines/open.ts'
import { parseDatabaseAddress } from '../src/db/database-address.ts'
import { createMember, updateMember } from '../src/members/member.ts'
import { insertPeople } from './support/directory-members.ts'
import { startEngines, type Engines } from './support/engines.ts'
import { percentile, print, type Figure } from './support/figures.ts'
import { scoreOf } from './search/score.ts'
import type { Database } from '../src/db/database.ts'
import type { NewMember } from '../src/members/member-fields.ts'

interface AskedQuestion {
  readonly category: string
  readonly query: string
  /** Usernames; all of them answer the question equally well. None for a negative question. */
  readonly people: readonly string[]
}

const SEED = 7
const RESULTS = 10
const QUESTIONS_PER_KIND = 40
const ANSWERS = 3
const isVerbose = process.argv.includes('-v')
const engine = process.argv.includes('--postgres') ? 'PostgreSQL' : 'SQLite'
const sizes = process.argv.slice(2).map(Number).filter(Number.isInteger)

/** Usernames, best first. */
type Ask = (question: string) => Promise<readonly (string | undefined)[]>

async function openEmpty(engines: Engines, name: string): Promise<Database> {
  const { folder, address, database } = await engines.create(engine, name)
  const parsed = parseDatabaseAddress(address ?? `sqlite:${folder}/${database}`)
  if (!parsed) throw new Error(`no database for ${name}`)
  return (await openDatabase(parsed, { clock: systemClock, searchThreads: 1 })).database
}

function askerOf(database: Database): Ask {
  const source = peopleSource({ database, clock: systemClock, publicUrl: 'https://weft.example' })
  return async (question) => {
    const results = await source.search(question, RESULTS)
    return results.map(({ url }) => url.split('/').at(-1))
  }
}

async function measureQuality(engines: Engines): Promise<void> {
  const people = readSet<NewMember>('profiles.json')
  const questions = readSet<AskedQuestion>('questions.json')
  await using database = await openEmpty(engines, 'quality')
  await database.write(async (tx) => {
    for (const person of people) await createMember(tx, person, systemClock.now())
  })
  const ask = askerOf(database)
  const scores = new Map<string, number[]>()
  for (const { category, query, people: wanted } of questions) {
    const relevant = new Map(wanted.map((username) => [username, 3]))
    const found = (await ask(query)).map((username) => username ?? '')
    const { recallAt5 } = scoreOf({ relevant }, found)
    if (isVerbose && recallAt5 < 1)
      print(`${recallAt5.toFixed(2)} ${category}: ${query}: ${found.slice(0, 5).join(', ')}`)
    scores.set(category, [...(scores.get(category) ?? []), recallAt5])
  }
  const mean = (values: readonly number[]) =>
    (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(3)
  print(`${people.length} profiles, ${questions.length} questions: recall@5`)
  for (const [category, row] of scores) print(line(`${category} (${row.length})`, [mean(row)]))
  const answered = [...scores].filter(([category]) => category !== 'negative')
  print(line('all that have an answer', [mean(answered.flatMap(([, row]) => row))]))
}

function readSet<T>(file: string): readonly T[] {
  return JSON.parse(readFileSync(new URL(`./ask-set/${file}`, import.meta.url), 'utf8')) as T[]
}

async function measureSize(engines: Engines, size: number): Promise<void> {
  await using database = await openEmpty(engines, `profiles_${size}`)
  await insertPeople(database, size, SEED)
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  const version = await readDirectoryVersion(database)
  while (!(await profileIndexAt(database, version)));
  const built = performance.now() - startedAt
  const { user, system } = process.cpuUsage(cpuBefore)
  const index = heldProfileIndex(database)
  print(
    `\n${size} profiles on ${engine}: built in ${built.toFixed(0)} ms (CPU ${((user + system) / 1000).toFixed(0)}), ${(bytesOfIndex(index) / 2 ** 20).toFixed(1)} MiB\n`,
  )
  const ask = askerOf(database)
  const kinds = questionsOf()
  for (const questions of Object.values(kinds))
    for (const question of questions.slice(0, 5)) await ask(question)
  print(line('', ['p50', 'p99', 'CPU ms']))
  for (const [kind, questions] of Object.entries(kinds)) {
    const times = new Times()
    for (const question of questions)
      for (let nth = 0; nth < ANSWERS; nth += 1) await times.measure(() => ask(question))
    print(line(kind, times.summary()))
  }
  const [member] = await readIndexedProfiles(database, { after: 0, limit: 1 })
  if (!member) return
  const after = new Times()
  for (let nth = 0; nth < QUESTIONS_PER_KIND; nth += 1) {
    const headline = `Beekeeper number ${nth}`
    const { memberId } = member
    await database.write((tx) => updateMember(tx, memberId, { headline }, systemClock.now()))
    await after.measure(() => ask('beekeepers'))
  }
  print(line('after a change of a profile', after.summary()))
}

/** By kind. */
function questionsOf(): Record<string, string[]> {
  const people = inventedPeople(SEED)
  const each = (write: (person: ReturnType<typeof next>) => string) =>
    Array.from({ length: QUESTIONS_PER_KIND }, () => write(next()))
  const next = () => people.next().value
  return {
    'full name': each(({ name }) => name),
    'title and city': each(({ title, city }) => `Who is a ${title} in ${city}?`),
    'subject and city': each(
      ({ skills, city }) => `who works on ${skills[0] ?? 'design'} in ${city}`,
    ),
    company: each(({ company }) => `people at ${company}`),
    'a typo': each(({ familyName }) => `${familyName.slice(0, -2)}${familyName.slice(-1)}q`),
    'no answer': each(({ slug }) => `zq${slug.slice(0, 3)}x sommelier in Antarctica`),
    'a headline, pasted': each(({ headline }) => headline),
  }
}

class Times {
  readonly #milliseconds: number[] = []
  #cpu = 0

  async measure(work: () => Promise<unknown>): Promise<void> {
    const [cpu, startedAt] = [process.cpuUsage(), performance.now()]
    await work()
    this.#milliseconds.push(performance.now() - startedAt)
    const { user, system } = process.cpuUsage(cpu)
    this.#cpu += (user + system) / 1000
  }

  /** The median, the 99th percentile, and the mean CPU time of this process, with its threads. */
  summary(): string[] {
    const values = this.#milliseconds
    return [percentile(values, 0.5), percentile(values, 0.99), this.#cpu / values.length].map(
      (value) => value.toFixed(2),
    )
  }
}

function line(label: string, values: readonly string[]): string {
  return `${label.padEnd(32)}${values.map((value) => value.padStart(9)).join('')}`
}

export const title = '/ask: recall and milliseconds, in the tables above'

/** Prints its tables while it runs, because the large directories take long. */
export async function measure(): Promise<Figure[]> {
  await using engines = await startEngines()
  await measureQuality(engines)
  for (const size of sizes.length > 0 ? sizes : [1000, 10_000, 100_000])
    await measureSize(engines, size)
  return []
}

if (import.meta.main) await measure()
