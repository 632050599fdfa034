/**
 * Whether the size of the database shows: calls of members with 1,000 connections each in a database of 1,000,000 members
 * and 10,000,000 connections, against the same calls in one of a hundredth of that, in turn; and how long starts, sweeps
 * and `weft doctor` take. Needs 40 GB of disk and most of an hour.
 * `node bench/database-size.ts [sqlite] [postgres] [NETWORKS]`; NETWORKS is 10,000, a hundredth of the members, unless given.
 */

import { join } from 'node:path'
import { linkedinCsv } from '../test/support/invented.ts'
import { startPurges, sweep, sweepActivity } from '../src/operate/sweep.ts'
import { Caller } from './support/caller.ts'
import { callOf, queriesOf, SEED } from './support/calls.ts'
import { ENGINES, startEngines, type Engine, type Engines } from './support/engines.ts'
import { count, median, percentile, print, printFigures, type Figure } from './support/figures.ts'
import {
  buildDatabase,
  CONNECTIONS_PER_NETWORK,
  IMPORTED_NETWORKS,
  MEMBERS_PER_NETWORK,
  withDatabase,
} from './support/large-database.ts'
import { machineLine, pinMyself } from './support/machine.ts'
import { freePort, served, startWeft, weft, type Served, type Settings } from './support/weft.ts'
import { load, requireWrk, Rounds, writeRequests, type PreparedRequest } from './support/wrk.ts'

const NETWORKS = 10_000
/** How many times smaller the other database is. */
const FACTOR = 100
const CALLERS = 100
const QUERIES_PER_CALLER = 20
const ROUNDS = 3
const SECONDS = 4
/** Members who import a file, and its rows. */
const [IMPORTERS, FILE_ROWS] = [10, 100]

export const title = `Calls in a large database (32 connections) and in one ${FACTOR} times smaller; the ratio is large : small`

interface Case {
  readonly size: 'small' | 'large'
  readonly settings: Settings
  readonly tokens: readonly string[]
  /** Milliseconds, by what was measured. */
  readonly times: Record<'start' | 'first search' | 'import' | 'readyz', number[]>
  /** Loads, by name. */
  readonly loads: Map<string, Rounds>
}

export async function measure(
  asked: readonly Engine[] = ENGINES,
  networks = NETWORKS,
): Promise<Figure[]> {
  requireWrk()
  await using engines = await startEngines()
  const figures: Figure[] = []
  for (const engine of asked) figures.push(...(await measureOn(engines, engine, networks)))
  return figures
}

async function measureOn(engines: Engines, engine: Engine, networks: number): Promise<Figure[]> {
  const small = await build(engines, engine, 'small', networks / FACTOR)
  const large = await build(engines, engine, 'large', networks)
  pinMyself()
  for (let round = 0; round < ROUNDS; round++)
    for (const one of [small, large]) await measureRound(one, round)
  return [
    ...figuresOf(engine, small, large),
    ...(await operate(engine, small)),
    ...(await operate(engine, large)),
  ]
}

async function build(
  engines: Engines,
  engine: Engine,
  size: Case['size'],
  networks: number,
): Promise<Case> {
  const settings = await engines.create(engine, size)
  const superuserUrl = engines.superuserUrl(size)
  const startedAt = performance.now()
  const tokens = await buildDatabase({ settings, superuserUrl, networks, callers: CALLERS })
  const [members, connections] = [MEMBERS_PER_NETWORK, CONNECTIONS_PER_NETWORK].map((each) =>
    count(each * networks),
  )
  const seconds = count((performance.now() - startedAt) / 1000)
  print(`${engine}: ${members} members with ${connections} connections, made in ${seconds} s`)
  const times = { start: [], 'first search': [], import: [], readyz: [] }
  return { size, settings, tokens, times, loads: new Map() }
}

async function measureRound(one: Case, round: number): Promise<void> {
  const { settings, tokens, times } = one
  const startedAt = performance.now()
  await using service = await serveReady(settings)
  times.start.push(performance.now() - startedAt)
  const callers = tokens.map((token) => new Caller(service, token))
  for (const [nth, caller] of callers.entries()) {
    const { ms } = await caller.call('search_connections', queryOf(nth, round) ?? {})
    times['first search'].push(ms)
  }
  for (const [name, expected, requests] of kinds(tokens)) {
    const file = join(settings.folder, 'requests')
    await writeRequests(file, service.port, requests)
    const { port, process: child } = service
    const rounds = one.loads.get(name) ?? new Rounds()
    one.loads.set(name, rounds)
    rounds.add(await load({ port, pid: child.pid, file, seconds: SECONDS, expected }))
  }
  for (const [nth, caller] of callers.slice(0, IMPORTERS).entries()) {
    const csv = [...linkedinCsv(FILE_ROWS, 1_000 + IMPORTERS * round + nth)].join('')
    const { perSecond } = await caller.import(csv, FILE_ROWS, 'created')
    times.import.push((FILE_ROWS / perSecond) * 1000)
  }
  for (let asked = 0; asked < 50; asked++) times.readyz.push(await timeOf(() => ready(service)))
}

/** Serves, and is ready. */
async function serveReady(settings: Settings): Promise<Served> {
  const port = await freePort()
  const child = startWeft('server', settings, ['serve'], { WEFT_PORT: String(port) })
  return served(child, port, '/readyz')
}

async function ready({ port }: Served): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`)
  if (!answer.ok) throw new Error(await answer.text())
  await answer.text()
}

const QUERIES = Array.from({ length: IMPORTED_NETWORKS }, (_, origin) =>
  queriesOf(CONNECTIONS_PER_NETWORK, SEED + origin),
)

/** A search for someone in the network of the nth caller. */
function queryOf(caller: number, nth: number): object | undefined {
  const queries = QUERIES[caller % IMPORTED_NETWORKS]
  return queries?.[(caller * QUERIES_PER_CALLER + nth) % queries.length]
}

function kinds(
  tokens: readonly string[],
): [name: string, expected: string, requests: PreparedRequest[]][] {
  const everyone = (tool: string, args: (caller: number, nth: number) => object | undefined) =>
    Array.from({ length: QUERIES_PER_CALLER }, (_, nth) =>
      tokens.map((token, caller) => callOf('legacy', token, tool, args(caller, nth) ?? {})),
    ).flat()
  return [
    ['whoami', '"username":"', everyone('whoami', () => ({}))],
    [
      'search_connections',
      '"structuredContent":{"connections":[',
      everyone('search_connections', queryOf),
    ],
    [
      'list_connections, a page of 20',
      '"structuredContent":{"connections":[',
      everyone('list_connections', (_, nth) => ({ sort: SORTS[nth % SORTS.length] })),
    ],
    ['the directory', '"per_page"', DIRECTORY_REQUESTS],
  ]
}

const SORTS = ['name', 'recent', 'added']

/** People of the directory: by name, the beginning of a name, company and title, and words of a title. */
const DIRECTORY_REQUESTS = queriesOf(MEMBERS_PER_NETWORK * 100).map((asked): PreparedRequest => {
  const q = encodeURIComponent(Object.values(asked).join(' ').trim())
  return { method: 'GET', path: `/api/network/members?q=${q}`, headers: {} }
})

function figuresOf(engine: Engine, small: Case, large: Case): Figure[] {
  const figures: Figure[] = []
  for (const name of small.loads.keys())
    for (const one of [small, large]) {
      const rounds = one.loads.get(name) ?? new Rounds()
      const other = small.loads.get(name) ?? new Rounds()
      const ratio = one === large ? { ratio: rounds.against(other) } : {}
      figures.push({
        name: `${engine}, ${one.size}: ${name}`,
        value: rounds.describe('/s'),
        ...ratio,
      })
    }
  for (const name of Object.keys(small.times) as (keyof Case['times'])[])
    for (const one of [small, large]) {
      const [times, others] = [one.times[name], small.times[name]]
      const ratio = (median(times) / median(others)).toFixed(2)
      figures.push({
        name: `${engine}, ${one.size}: ${NAMES[name]}`,
        value: `p50 ${median(times).toFixed(1)} ms  p99 ${percentile(times, 0.99).toFixed(1)} ms  (${times.length})`,
        ...(one === large && { ratio: `${ratio} times the time` }),
      })
    }
  return figures
}

const NAMES: Readonly<Record<keyof Case['times'], string>> = {
  start: 'start to ready',
  'first search': "a member's first search after a start",
  import: `import of ${FILE_ROWS} rows`,
  readyz: '/readyz',
}

/** What runs now and then, once. */
async function operate(engine: Engine, { size, settings }: Case): Promise<Figure[]> {
  const doctor = await timeOf(() => weft(settings, 'doctor'))
  const figures: Figure[] = [figureOf('weft doctor', doctor)]
  await withDatabase(settings, async (database) => {
    const now = Date.now()
    const swept = await timeOf(() => sweep(database, now))
    const purges = await timeOf(() => startPurges(database, now, () => {}))
    const activity = await timeOf(() => sweepActivity(database, 365, now))
    figures.push(
      figureOf('the hourly sweep, nothing to delete', swept + purges),
      figureOf('the daily sweep of old activity', activity),
    )
  })
  return figures

  function figureOf(name: string, ms: number): Figure {
    return { name: `${engine}, ${size}: ${name}`, value: `${(ms / 1000).toFixed(2)} s` }
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

if (import.meta.main) {
  print(machineLine())
  const args = process.argv.slice(2)
  const engines = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const
  const asked = Object.entries(engines).filter(([name]) => args.includes(name))
  const networks = args.map(Number).find(Number.isInteger)
  const chosen = asked.length > 0 ? asked.map(([, engine]) => engine) : undefined
  printFigures(title, await measure(chosen, networks))
}
