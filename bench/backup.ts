/**
 * The effect of a running backup on metered writes: their 99th percentile with and without one, in alternating rounds,
 * on both engines. PostgreSQL is a private cluster with fsync on, on the same machine. `node bench/backup.ts`.
 */

import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { linkedinCsv } from '../test/support/invented.ts'
import { callOf, SEED } from './support/calls.ts'
import { ENGINES, startEngines, type Engine } from './support/engines.ts'
import { count, median, print, printFigures, ratioOf, type Figure } from './support/figures.ts'
import { finished, machineLine } from './support/machine.ts'
import {
  freePort,
  seedCaller,
  serve,
  startWeft,
  weft,
  type Served,
  type Settings,
} from './support/weft.ts'
import { load, requireWrk, writeRequests, type LoadResult } from './support/wrk.ts'

const PEOPLE = 20_000
const ROUNDS = 4
const SECONDS = 4
/** Few, so that the writes do not fill the machine: a backup needs a core too. */
const CONNECTIONS = 4

export const title = `Metered writes (add_connections) during a backup of ${count(PEOPLE)} connections, ${CONNECTIONS} at a time`

interface Case {
  readonly engine: Engine
  readonly settings: Settings
  readonly environment: Readonly<Record<string, string>>
  readonly served: Served
  readonly file: string
  readonly alone: LoadResult[]
  readonly beside: LoadResult[]
  /** Seconds of each backup. */
  readonly backups: number[]
}

export async function measure(): Promise<Figure[]> {
  requireWrk()
  await using engines = await startEngines()
  const seesAll = { WEFT_BACKUP_DATABASE: engines.superuserUrl() }
  await using servers = new AsyncDisposableStack()
  const cases: Case[] = []
  for (const engine of ENGINES) {
    const settings = await engines.create(engine)
    const environment = engine === 'SQLite' ? {} : seesAll
    const { served, file } = await startCase(settings, join(engines.folder, engine))
    servers.use(served)
    const rounds = { alone: [], beside: [], backups: [] }
    cases.push({ engine, settings, environment, served, file, ...rounds })
  }
  for (const one of cases) await loadOnce(one)
  for (let round = 0; round < ROUNDS; round++)
    for (const one of cases) {
      one.alone.push(await loadOnce(one))
      one.beside.push(await loadDuringBackups(one))
    }
  return cases.flatMap(figuresOf)
}

async function startCase(settings: Settings, prefix: string) {
  const token = await seedCaller(settings)
  const contacts = `${prefix}.csv`
  await writeFile(contacts, linkedinCsv(PEOPLE, SEED))
  await weft(settings, 'import', contacts, '--member', 'ada')
  const served = await serve(settings, await freePort(), 'any')
  const requests = Array.from({ length: 500 }, (_, index) =>
    callOf('legacy', token, 'add_connections', { name: `Person ${index}` }),
  )
  return { served, file: await writeRequests(`${prefix}-requests`, served.port, requests) }
}

function loadOnce({ served, file }: Case): Promise<LoadResult> {
  const { port, process: child } = served
  const expected = '"connection_id":"c_'
  return load({
    port,
    pid: child.pid,
    file,
    seconds: SECONDS,
    expected,
    connections: CONNECTIONS,
  })
}

/** One backup after the other, as long as the load lasts. */
async function loadDuringBackups(one: Case): Promise<LoadResult> {
  const over = new AbortController()
  const backups = (async () => {
    while (!over.signal.aborted) await backUpOnce(one)
  })()
  const result = await loadOnce(one).finally(() => over.abort())
  await backups
  return result
}

async function backUpOnce({ settings, environment, backups }: Case): Promise<void> {
  const file = join(settings.folder, `backup-${process.pid}`)
  const startedAt = performance.now()
  const ran = await finished(startWeft('any', settings, ['backup', file], environment))
  if (ran.code !== 0) throw new Error(ran.stderr)
  backups.push((performance.now() - startedAt) / 1000)
  await rm(file)
}

function figuresOf({ engine, alone, beside, backups }: Case): Figure[] {
  const p99 = (results: readonly LoadResult[]) => results.map((result) => result.p99)
  const rate = (results: readonly LoadResult[]) => results.map((result) => result.perSecond)
  const describe = (results: readonly LoadResult[]) =>
    `p99 ${median(p99(results)).toFixed(1)} ms, ${count(median(rate(results)))} writes/s`
  return [
    { name: `${engine}, no backup`, value: describe(alone) },
    {
      name: `${engine}, during backups of ${median(backups).toFixed(1)} s`,
      value: describe(beside),
      ratio: `p99 ${ratioOf(p99(beside), p99(alone)).toFixed(2)} times, ${ratioOf(rate(beside), rate(alone)).toFixed(2)} of the rate`,
    },
  ]
}

if (import.meta.main) {
  print(machineLine())
  printFigures(title, await measure())
}
