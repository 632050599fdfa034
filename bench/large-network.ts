/**
 * A network of 100,000 people in one process, on each engine that this machine has: building and loading its search index,
 * every kind of search, type-ahead, duplicates, summaries, and memory. Searches and counts are the shortest of some runs,
 * because other work on the machine makes the others longer; what runs in threads is CPU time of the process.
 * `node bench/large-network.ts [sqlite] [postgres]`
 */

import { enableCompileCache } from 'node:module'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../src/db/engines/open.ts'
import { parseDatabaseAddress, type DatabaseAddress } from '../src/db/database-address.ts'
import { systemClock } from '../src/base/clock.ts'
import { NOTES } from '../src/connections/notes/notes.ts'
import { insertDrafts } from '../src/records/recorded-table.ts'
import { recordSearchChanges } from '../src/connections/model/search-changes.ts'
import { listDuplicates } from '../src/connections/duplicates/duplicate-page.ts'
import { summarizeNetwork } from '../src/connections/overview/network-summary.ts'
import { searchConnections, suggestConnections } from '../src/connections/search/search.ts'
import { readSnapshot } from '../src/connections/search/index/index-snapshots.ts'
import { readIndex } from '../src/connections/search/index/network-index.ts'
import { openEmbedder } from '../src/embeddings/embedder.ts'
import { listTags } from '../src/connections/tags/tags.ts'
import { readNetworkState } from '../src/tools/network-state.ts'
import { findPostgres, startCluster, workingDatabase } from '../test/support/postgres.ts'
import { count, percentile, print, printFigures, type Figure } from './support/figures.ts'
import { machineLine, temporaryFolder } from './support/machine.ts'
import {
  addMember,
  addPeople,
  PEOPLE,
  queryKinds,
  records,
  secondRecords,
  typedBeginnings,
  type QueryKind,
} from './support/large-network.ts'
import type { Database, MemberDatabase } from '../src/db/database.ts'

export const title = `A network of ${count(PEOPLE)} people`

const ENGINES = ['sqlite', 'postgres'] as const
type Engine = (typeof ENGINES)[number]

/** Runs of each query; the shortest counts. */
const ROUNDS = 4
const COLD_LOADS = 15
const REPEATS = 20
/** As the pages of tools and of the search field. */
const [PAGE, SUGGESTIONS] = [20, 8]

export async function measure(engines: readonly Engine[] = ENGINES): Promise<Figure[]> {
  await using folder = await temporaryFolder()
  const figures: Figure[] = []
  if (engines.includes('sqlite'))
    figures.push(...(await measureOn('sqlite', `sqlite:${folder.path}/weft.db`)))
  if (!engines.includes('postgres')) return figures
  const programs = await findPostgres()
  if (programs === undefined) return [...figures, { name: 'PostgreSQL', value: 'not installed' }]
  await using cluster = await startCluster(programs, { durable: true })
  return [...figures, ...(await measureOn('postgres', await workingDatabase(cluster.url)))]
}

async function measureOn(engine: Engine, written: string): Promise<Figure[]> {
  const address = parseDatabaseAddress(written)
  if (!address) throw new Error(`${written} is no database`)
  const ids = await seed(address)
  const figures: Figure[] = []
  const add = (name: string, value: string, aim?: string) =>
    void figures.push({ name: `${engine}: ${name}`, value, ...(aim !== undefined && { aim }) })
  await measureBuild(address, ids.once, add)
  await measureColdLoads(address, ids.once, add)
  await using database = await open(address)
  const db = database.member(ids.once)
  await measureSearches(db, add)
  await measureCounts(db, add)
  await measureChanges(db, add)
  await measureDuplicates('no one is there twice', db, add)
  add('search indexes in memory', `${(database.memoryBytes / 2 ** 20).toFixed(1)} MB`)
  await measureDuplicates('with people who are there twice', database.member(ids.twice), add)
  add('memory of the process', `${count(process.memoryUsage().rss / 2 ** 20)} MB`)
  return figures
}

type AddFigure = (name: string, value: string, aim?: string) => void

async function open(address: DatabaseAddress): Promise<Database> {
  return (await openDatabase(address, { clock: systemClock, searchThreads: 2 })).database
}

/** A member with each person once, and one with some people twice. */
async function seed(address: DatabaseAddress): Promise<{ once: number; twice: number }> {
  await using database = await open(address)
  const [once, twice] = [await addMember(database, 'ada'), await addMember(database, 'grace')]
  await addPeople(database, once, records())
  await addPeople(database, twice, records())
  await addPeople(database, twice, secondRecords())
  return { once, twice }
}

// Index

async function measureBuild(address: DatabaseAddress, memberId: number, add: AddFigure) {
  await using database = await open(address)
  const spent = await measured(() => readIndex(database.member(memberId)))
  add('index built from the rows, in a thread', spent.text, 'aim 3,000')
  // The snapshot is stored afterwards, and not when the database is closing.
  while (!(await readSnapshot(database.member(memberId)))) await sleep(100)
}

async function measureColdLoads(address: DatabaseAddress, memberId: number, add: AddFigure) {
  const [times, summaries]: [number[], number[]] = [[], []]
  for (let nth = 0; nth < COLD_LOADS; nth += 1) {
    await using database = await open(address)
    const db = database.member(memberId)
    const network = await readNetworkState(db) // opens a connection
    times.push(await timeOf(() => search(db, `anna ${nth}`)))
    summaries.push(await timeOf(() => summarizeNetwork(db, network)))
  }
  add('first search, index loaded from its snapshot', percentilesOf(times), 'under 60')
  add('first get_network_summary, index loaded', percentilesOf(summaries), 'under 10')
}

/** Distinct connections, one at a time, with a search after each; then many at once. */
async function measureChanges(db: MemberDatabase, add: AddFigure) {
  const times: number[] = []
  for (let nth = 1; nth <= REPEATS; nth += 1) {
    await change(db, [nth * 1000])
    times.push(await timeOf(() => search(db, 'anna')))
  }
  add('search after a change of one connection', percentilesOf(times))
  await change(
    db,
    Array.from({ length: 900 }, (_, index) => 50_000 + index),
  )
  const longest = await longestTurn(() => search(db, 'anna'))
  add(
    'longest turn of the main thread while 900 changes are indexed',
    `${longest.toFixed(1)} ms wall`,
    'about 10',
  )
}

async function change(db: MemberDatabase, ids: readonly number[]): Promise<void> {
  const note = { text: 'Lunch', happenedOn: null, origin: 'typed', createdAt: 0 } as const
  await db.write(async (tx) => {
    await insertDrafts(
      NOTES,
      tx,
      ids.map((connectionId) => ({ ...note, connectionId })),
    )
    await recordSearchChanges(tx, ids)
  })
}

/** The longest time in milliseconds between two turns of the event loop. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const state = { longest: 0, last: performance.now(), isDone: false }
  const tick = () => {
    const now = performance.now()
    state.longest = Math.max(state.longest, now - state.last)
    state.last = now
    if (!state.isDone) setImmediate(tick)
  }
  setImmediate(tick)
  await work()
  state.isDone = true
  return state.longest
}

// Searches

async function measureSearches(db: MemberDatabase, add: AddFigure) {
  for (const kind of queryKinds())
    add(`search, ${kind.name}`, await measureKind(db, kind, search), 'p99 under 5')
  for (const length of [1, 2, 3, 4, 6, 9])
    add(
      `type-ahead, ${length} typed`,
      await measureKind(db, typedBeginnings(length), suggest),
      'p99 under 1',
    )
}

async function measureKind(db: MemberDatabase, { queries }: QueryKind, ask: Ask): Promise<string> {
  const times = queries.map((): number[] => [])
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [at, query] of queries.entries()) {
      const time = await timeOf(() => ask(db, query))
      if (round > 0) times[at]?.push(time) // the first round reads the rows of the page
    }
  return percentilesOf(times.map((all) => Math.min(...all)))
}

type Ask = (db: MemberDatabase, query: string) => Promise<unknown>

function search(db: MemberDatabase, query: string) {
  const asked = { query: { query }, mode: 'keyword', limit: PAGE } as const
  return searchConnections(db, asked, { embedder, now: systemClock.now(), signal: NEVER })
}

const embedder = openEmbedder(null)
const NEVER = new AbortController().signal

function suggest(db: MemberDatabase, typed: string) {
  return suggestConnections(db, typed, SUGGESTIONS)
}

// Counts

async function measureCounts(db: MemberDatabase, add: AddFigure) {
  const [summaries, tags]: [number[], number[]] = [[], []]
  for (let nth = 0; nth < REPEATS; nth += 1) {
    await change(db, [nth * 500 + 1])
    await search(db, 'anna')
    const network = await readNetworkState(db)
    summaries.push(await timeOf(() => summarizeNetwork(db, network)))
    tags.push(await timeOf(() => listTags(db, { limit: PAGE, network })))
  }
  add('get_network_summary after a change', percentilesOf(summaries), 'under 10')
  add('list_tags after a change', percentilesOf(tags), 'under 10')
}

// Duplicates

async function measureDuplicates(name: string, db: MemberDatabase, add: AddFigure) {
  await readIndex(db)
  const before = process.memoryUsage().rss
  const peak = watchMemory()
  const found: number[] = []
  const find = async () => {
    const { total } = await listDuplicates(db, {
      minScore: 0.6,
      limit: PAGE,
      signal: new AbortController().signal,
    })
    found.push(total)
  }
  const first = await measured(find)
  const more = (peak.stop() - before) / 2 ** 20
  add(
    `duplicates, ${name}, first call`,
    `${first.text}, ${count(found[0] ?? 0)} groups`,
    'under 1,000',
  )
  add(`duplicates, ${name}, first call, memory`, `${count(more)} MB more at most`)
  add(`duplicates, ${name}, again`, (await measured(find)).text)
  await change(db, [4_711])
  add(`duplicates, ${name}, after a change`, (await measured(find)).text)
}

function watchMemory(): { stop(): number } {
  let most = process.memoryUsage().rss
  const look = () => (most = Math.max(most, process.memoryUsage().rss))
  const timer = setInterval(look, 20)
  return {
    stop() {
      look()
      clearInterval(timer)
      return most
    },
  }
}

// Times

/** The CPU time of all threads of this process. */
async function measured(work: () => Promise<unknown>): Promise<{ readonly text: string }> {
  const [began, startedAt] = [process.cpuUsage(), performance.now()]
  await work()
  const [cpu, wall] = [cpuSince(began), performance.now() - startedAt]
  await sleep(100)
  return { text: `${count(cpu)} ms (${count(wall)} ms wall)` }
}

function cpuSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}

/** In milliseconds. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

function percentilesOf(times: readonly number[]): string {
  const at = (share: number) => percentile(times, share).toFixed(2)
  return `p50 ${at(0.5)}  p95 ${at(0.95)}  p99 ${at(0.99)}  most ${at(1)} ms of ${times.length}`
}

if (import.meta.main) {
  // As the program does for its threads. The first run on a machine fills the cache.
  const { directory } = enableCompileCache()
  if (directory !== undefined) process.env['NODE_COMPILE_CACHE'] ??= directory
  print(machineLine())
  const asked = process.argv.slice(2)
  printFigures(title, await measure(asked.length > 0 ? (asked as Engine[]) : ENGINES))
}
