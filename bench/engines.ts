/**
 * Compares both storage engines: profile reads, whoami, the metered search of 10,000 connections, and an import.
 * PostgreSQL is a private cluster on the same machine, with fsync on, reached by socket. `node bench/engines.ts`
 */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { linkedinCsv } from '../test/support/invented.ts'
import { callOf, queriesOf, SEED } from './support/calls.ts'
import { ENGINES, startEngines, type Engine } from './support/engines.ts'
import { count, print, printFigures, ratioOf, type Figure } from './support/figures.ts'
import { machineLine, pinMyself } from './support/machine.ts'
import { freePort, seedCaller, serve, weft, type Served, type Settings } from './support/weft.ts'
import {
  CONNECTIONS,
  load,
  requireWrk,
  Rounds,
  writeRequests,
  type PreparedRequest,
} from './support/wrk.ts'

const PEOPLE = 10_000
const ROUNDS = 3
const SECONDS = 3

export const title = `Both engines, ${CONNECTIONS} connections; the ratio is PostgreSQL : SQLite`

interface Case {
  readonly name: string
  readonly engine: Engine
  readonly served: Served
  readonly file: string
  readonly expected: string
  readonly rounds: Rounds
}

export async function measure(): Promise<Figure[]> {
  requireWrk()
  await using engines = await startEngines()
  const { folder } = engines
  const file = join(folder, 'Connections.csv')
  await writeFile(file, linkedinCsv(PEOPLE, SEED))
  const imports = new Map<Engine, number>()
  const cases: Case[] = []
  await using services = new AsyncDisposableStack()
  for (const engine of ENGINES) {
    const settings = await engines.create(engine)
    const token = await seedCaller(settings)
    imports.set(engine, await importRate(settings, file))
    const served = services.use(await serve(settings, await freePort()))
    for (const [name, expected, requests] of kinds(token)) {
      const prepared = await writeRequests(
        join(folder, `requests-${cases.length}`),
        served.port,
        requests,
      )
      cases.push({ name, engine, served, expected, file: prepared, rounds: new Rounds() })
    }
  }
  pinMyself()
  for (let round = 0; round <= ROUNDS; round++)
    for (const one of cases) {
      const { port, process: child } = one.served
      const result = await load({
        port,
        pid: child.pid,
        file: one.file,
        seconds: SECONDS,
        expected: one.expected,
      })
      if (round > 0) one.rounds.add(result) // the first round is warm-up
    }
  return [...cases.map((one) => figureOf(one, cases)), ...importFigures(imports)]
}

function kinds(token: string): [name: string, expected: string, requests: PreparedRequest[]][] {
  const searches = queriesOf(PEOPLE).map((args) =>
    callOf('legacy', token, 'search_connections', args),
  )
  return [
    ['profile', '"username":"ada"', [{ method: 'GET', path: '/api/human/ada', headers: {} }]],
    ['whoami', '"username":"ada"', [callOf('legacy', token, 'whoami', {})]],
    ['search_connections', '"structuredContent":{"connections":[', searches],
  ]
}

/** Rows per second of the whole command, including its start. */
async function importRate(settings: Settings, file: string): Promise<number> {
  const started = performance.now()
  await weft(settings, 'import', file, '--member', 'ada')
  return PEOPLE / ((performance.now() - started) / 1000)
}

function figureOf({ name, engine, rounds }: Case, cases: readonly Case[]): Figure {
  const other = cases.find((one) => one.name === name && one.engine === 'SQLite')
  const value = rounds.describe('requests/s')
  if (engine === 'SQLite' || !other) return { name: `${name}, ${engine}`, value }
  const ratio = ratioOf(rounds.all('perSecond'), other.rounds.all('perSecond')).toFixed(2)
  return { name: `${name}, ${engine}`, value, ratio }
}

function importFigures(imports: ReadonlyMap<Engine, number>): Figure[] {
  const [sqlite = 0, postgres = 0] = imports.values()
  return [
    { name: `import of ${PEOPLE} rows, SQLite`, value: `${count(sqlite)} rows/s` },
    {
      name: `import of ${PEOPLE} rows, PostgreSQL`,
      value: `${count(postgres)} rows/s`,
      ratio: (postgres / sqlite).toFixed(2),
    },
  ]
}

if (import.meta.main) {
  print(machineLine())
  printFigures(title, await measure())
}
