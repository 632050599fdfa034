/**
 * The aims of imports inside a running service, on each engine that this machine has: rows/s alone and beside another
 * member's calls, memory, the latency of those calls, and how long the undo of a large import blocks their writes. `node
 * bench/import-aims.ts [sqlite] [postgres]`
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { linkedinCsv } from '../test/support/invented.ts'
import { findPostgres, startCluster, workingDatabase } from '../test/support/postgres.ts'
import { Caller, type Rate } from './support/caller.ts'
import { count, median, percentile, print, printFigures, type Figure } from './support/figures.ts'
import {
  machineLine,
  memoryOf,
  processorSecondsOf,
  resetPeakMemory,
  temporaryFolder,
} from './support/machine.ts'
import { freePort, serve, weft, type Served, type Settings } from './support/weft.ts'

const LARGE = 100_000
const SMALL = 20_000
/** Seeds of the people in the files. */
const [LARGE_SEED, SMALL_SEED, MORE_SEED] = [7, 91, 17]
/** The member's token is the first entry of their activity log. */
const FIRST_IMPORT = 'a_2'
const MAX_MORE_MEGABYTES = 150
const MAX_BLOCKED = 50 // milliseconds
/** The aims for another member's calls during an import: 99 of 100. Milliseconds. */
const MAX_WAITS = 'p99 of whoami 25 ms, of save_note 60 ms'

/** Aims in rows a second: new people in an empty network, new people in a large one, and people who are unchanged. */
const AIMS = {
  sqlite: { empty: 8_000, added: 5_000, unchanged: 15_000 },
  postgres: { empty: 4_000, added: 2_500, unchanged: 7_500 },
} as const

type Engine = keyof typeof AIMS
const ENGINES = ['sqlite', 'postgres'] as const

export const title = 'imports in a running service: rows/s, memory, and what others wait'

export async function measure(engines: readonly Engine[] = ENGINES): Promise<Figure[]> {
  await using folder = await temporaryFolder()
  const figures: Figure[] = []
  if (engines.includes('sqlite'))
    figures.push(...(await measureOn('sqlite', { folder: folder.path })))
  if (!engines.includes('postgres')) return figures
  const programs = await findPostgres()
  if (programs === undefined) return [...figures, { name: 'PostgreSQL', value: 'not installed' }]
  await using cluster = await startCluster(programs, { durable: true })
  const address = await workingDatabase(cluster.url)
  return [...figures, ...(await measureOn('postgres', { folder: folder.path, address }))]
}

async function measureOn(engine: Engine, settings: Settings): Promise<Figure[]> {
  const tokens = {
    ada: await seed(settings, 'ada'),
    mary: await seed(settings, 'mary'),
    grace: await seed(settings, 'grace'),
  }
  await using service = await serve(settings, await freePort(), 'any')
  const [ada, mary] = [new Caller(service, tokens.ada), new Caller(service, tokens.mary)]
  const grace = new Caller(service, tokens.grace)
  const idle = await whileRunning(grace, sleep(3_000))
  const alone = await importAlone(ada, service, AIMS[engine])
  const beside = await importBeside(mary, grace)
  const undone = await whileRunning(grace, mary.undo(FIRST_IMPORT))
  return [
    ...alone.figures,
    ...memoryFigures(alone.peaks),
    ...beside.figures,
    ...waits('idle', idle),
    ...waits('during the import', beside.waits, MAX_WAITS),
    ...waits(`during the undo of ${count(LARGE)} rows`, undone, `under ${MAX_BLOCKED} ms`),
  ].map((figure) => Object.assign(figure, { name: `${engine}: ${figure.name}` }))
}

const NETWORK = `${count(LARGE)} people`

/** The highest memory of the service during one import with its upload, and during the work on searches after it. */
interface Peak {
  readonly part: string
  /** Above the service before the import: it keeps the search index of the network. */
  readonly import: number
  /** Above the idle service. */
  readonly afterwards: number
  /** CPU time for the index and the vectors. */
  readonly processorSeconds: number
}

/** Imports while no one else calls the service. */
async function importAlone(
  importer: Caller,
  { process: { pid = 0 } }: Served,
  aims: Readonly<Record<'empty' | 'added' | 'unchanged', number>>,
): Promise<{ readonly figures: Figure[]; readonly peaks: Peak[] }> {
  const [large, small, more] = [
    linkedin(LARGE, LARGE_SEED),
    linkedin(SMALL, SMALL_SEED),
    linkedin(LARGE, MORE_SEED),
  ]
  await untilSettled(pid)
  const idle = memoryOf(pid, 'VmRSS')
  const [figures, peaks]: [Figure[], Peak[]] = [[], []]
  const measurePart = async (
    part: string,
    expected: 'created' | 'unchanged' | 'updated',
    [csv, rows, aim]: readonly [csv: string, rows: number, aim?: number],
  ) => {
    const before = memoryOf(pid, 'VmRSS')
    resetPeakMemory(pid)
    const rate = await importer.import(csv, rows, expected)
    figures.push(rateOf(`alone, ${part}`, rate, aim))
    const peak = memoryOf(pid, 'VmHWM') - before
    resetPeakMemory(pid)
    const processorSeconds = await untilSettled(pid)
    const afterwards = memoryOf(pid, 'VmHWM') - idle
    peaks.push({ part, import: peak, afterwards, processorSeconds })
  }
  const { empty, added, unchanged } = aims
  const first = `${count(LARGE)} new rows, into an empty network`
  await measurePart(first, 'created', [large, LARGE, empty])
  await measurePart(`${count(SMALL)} new rows, into ${NETWORK}`, 'created', [small, SMALL, added])
  await measurePart(`the same again, in ${NETWORK}`, 'unchanged', [small, SMALL, unchanged])
  await measurePart(`updates, in ${NETWORK}`, 'updated', [withOtherTitles(small), SMALL])
  const many = `${count(LARGE)} new rows, into ${count(LARGE + SMALL)} people`
  await measurePart(many, 'created', [more, LARGE, added])
  return { figures, peaks }
}

function memoryFigures(peaks: readonly Peak[]): Figure[] {
  return peaks.map((peak) => ({
    name: `memory above the service before it, ${peak.part}`,
    value: `${peak.import.toFixed(0)} MB`,
    ratio: `index and vectors afterwards: ${peak.processorSeconds.toFixed(1)} s of the processor, ${peak.afterwards.toFixed(0)} MB above the idle service`,
    aim: `under ${MAX_MORE_MEGABYTES} MB`,
  }))
}

/** Waits until the service does nothing, because it prepares searches after changes. Returns the seconds of the processor. */
async function untilSettled(pid: number): Promise<number> {
  const startedAt = processorSecondsOf(pid)
  for (let before = startedAt, quiet = 0; quiet < QUIET_SECONDS;) {
    await sleep(1_000)
    const now = processorSecondsOf(pid)
    quiet = now - before < 0.1 ? quiet + 1 : 0
    before = now
  }
  return processorSecondsOf(pid) - startedAt
}

/** Longer than a changed network waits for its preparation. */
const QUIET_SECONDS = 6

/** Imports while another member calls tools, one call after the other. */
async function importBeside(
  importer: Caller,
  other: Caller,
): Promise<{ readonly figures: Figure[]; readonly waits: Waits }> {
  const importing = importer.import(linkedin(LARGE, LARGE_SEED), LARGE, 'created')
  const measured = await whileRunning(other, importing)
  const adding = importer.import(linkedin(SMALL, SMALL_SEED), SMALL, 'created')
  await whileRunning(other, adding)
  const name = "beside another member's calls,"
  return {
    waits: measured,
    figures: [
      rateOf(`${name} ${count(LARGE)} new rows, into an empty network`, await importing),
      rateOf(`${name} ${count(SMALL)} new rows, into ${NETWORK}`, await adding),
    ],
  }
}

function linkedin(rows: number, of: number): string {
  return [...linkedinCsv(rows, of)].join('')
}

async function seed(settings: Settings, username: string): Promise<string> {
  await weft(settings, 'member', 'create', '--username', username, '--name', username)
  return weft(settings, 'token', 'create', '--member', username, '--name', 'bench')
}

/** Another company's word for every job: each row changes one field. */
function withOtherTitles(csv: string): string {
  return csv.replaceAll(/,([^,\n]+,\d\d [A-Z][a-z]+ \d{4})$/gm, ',New $1')
}

function rateOf(name: string, { perSecond, perProcessorSecond }: Rate, aim?: number): Figure {
  return {
    name,
    value: `${count(perSecond)} rows/s`,
    ratio: `${count(perProcessorSecond)} per processor second of the service`,
    ...(aim !== undefined && { aim: `aim ${count(aim)}` }),
  }
}

/** Milliseconds of another member's calls. */
interface Waits {
  readonly reads: number[]
  readonly writes: number[]
}

function waits(when: string, { reads, writes }: Waits, aim?: string): Figure[] {
  const figure = (kind: string, times: readonly number[]): Figure => ({
    name: `another member's ${kind}, ${when}`,
    value: `p50 ${median(times).toFixed(1)} ms  p99 ${percentile(times, 0.99).toFixed(1)} ms  longest ${percentile(times, 1).toFixed(0)} ms`,
    ratio: `${count(times.length)} calls`,
    ...(aim !== undefined && { aim }),
  })
  return [figure('whoami', reads), figure('save_note', writes)]
}

/** Calls one after another until `running` has ended. */
async function whileRunning(other: Caller, running: Promise<unknown>): Promise<Waits> {
  const ended = { yet: false }
  void running.finally(() => (ended.yet = true)).catch(() => {})
  const measured: Waits = { reads: [], writes: [] }
  const connection = await other.call('add_connections', { name: 'Alan Turing' })
  const connection_id = /c_\d+/.exec(connection.text)?.[0]
  while (!ended.yet) {
    measured.reads.push((await other.call('whoami', {})).ms)
    measured.writes.push(
      (await other.call('save_note', { people: connection_id, text: 'Hello' })).ms,
    )
  }
  await running
  return measured
}

if (import.meta.main) {
  print(machineLine())
  const asked = process.argv.slice(2)
  printFigures(title, await measure(asked.length > 0 ? (asked as Engine[]) : ENGINES))
}
