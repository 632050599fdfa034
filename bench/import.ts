/**
 * Rows per second and memory of `weft import`, and the response times of a running service during an import.
 * `node bench/import.ts`
 */

import { stat, writeFile } from 'node:fs/promises'
import { Agent, request, type RequestOptions } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { googleCsv, linkedinCsv, vcards } from '../test/support/invented.ts'
import { finished, machineLine, memoryOf, pinMyself, temporaryFolder } from './support/machine.ts'
import { count, median, percentile, print, printFigures, type Figure } from './support/figures.ts'
import { freePort, seedCaller, serve, startWeft, weft, type Settings } from './support/weft.ts'

const ROUNDS = 3
const SEED = 33
const MAX_MEGABYTES = 50
const IMPORTED_BESIDE = 100_000
/** Milliseconds between two requests of each kind while the service imports. */
const PACE = 10

export const title = 'weft import as a separate process: rows/s from start to exit'

interface Case {
  readonly name: string
  readonly rows: number
  readonly file: string
  readonly fresh: Run[]
  readonly again: Run[]
}

interface Run {
  readonly perSecond: number
  /** The job alone, without starting Node or copying the file into the database. */
  readonly jobPerSecond: number
  readonly megabytes: number
}

export async function measure(): Promise<Figure[]> {
  await using folder = await temporaryFolder()
  const cases = [
    await writeCase(folder.path, 'LinkedIn CSV', 10_000, linkedinCsv(10_000, SEED)),
    await writeCase(folder.path, 'LinkedIn CSV', 200_000, linkedinCsv(200_000, SEED)),
    await writeCase(folder.path, 'Google CSV', 10_000, googleCsv(10_000, SEED)),
    await writeCase(folder.path, 'vCard 3.0', 10_000, vcards(10_000, SEED, '3.0')),
  ]
  for (let round = 0; round < ROUNDS; round++)
    for (const [nth, { rows, file, fresh, again }] of cases.entries()) {
      const settings = { folder: folder.path, database: `round-${round}-${nth}.db` }
      await weft(settings, 'member', 'create', '--username', 'ada', '--name', 'Ada Lovelace')
      fresh.push(await importOnce(settings, file, rows, 'created'))
      again.push(await importOnce(settings, file, rows, 'unchanged'))
    }
  return [...figuresOf(cases), ...(await measureBeside(folder.path))]
}

async function writeCase(
  folder: string,
  name: string,
  rows: number,
  text: Iterable<string>,
): Promise<Case> {
  const file = join(folder, `${name}-${rows}`.replaceAll(' ', '-'))
  await writeFile(file, text)
  const megabytes = (await stat(file)).size / 1024 / 1024
  if (megabytes > MAX_MEGABYTES) throw new Error(`${file} has ${megabytes} MB, too many to import`)
  return {
    name: `${name}, ${count(rows)} rows, ${megabytes.toFixed(1)} MB`,
    rows,
    file,
    fresh: [],
    again: [],
  }
}

type ReportCounts = Record<'rows' | 'created' | 'updated' | 'unchanged' | 'rejected_count', number>

async function importOnce(
  settings: Settings,
  file: string,
  rows: number,
  expected: 'created' | 'unchanged',
): Promise<Run> {
  const started = performance.now()
  const child = startWeft('any', settings, ['import', file, '--member', 'ada', '--json'])
  // The process is taskset until it executes Node, so early values are too low and do not matter for the maximum.
  let megabytes = 0
  const watch = setInterval(() => {
    megabytes = Math.max(megabytes, memoryOf(child.pid, 'VmHWM') || 0)
  }, 10)
  const { code, stdout, stderr } = await finished(child)
  const seconds = (performance.now() - started) / 1000
  clearInterval(watch)
  if (code !== 0) throw new Error(`the import failed: ${stderr}`)
  const told = JSON.parse(stdout) as ReportCounts
  // A few invented people are so similar that the import merges them.
  if (told.rows !== rows || told.rejected_count > 0 || told[expected] < rows * 0.97)
    throw new Error(`not the expected import: ${stdout}`)
  return { perSecond: rows / seconds, jobPerSecond: rows / jobSeconds(settings), megabytes }
}

/** The duration of the newest job, in seconds. */
function jobSeconds({ folder, database = 'weft.db' }: Settings): number {
  using store = new DatabaseSync(join(folder, database), { readOnly: true })
  const row = store
    .prepare('select finished_at - started_at as took from jobs order by finished_at desc limit 1')
    .get() as { took: number } | undefined
  return (row?.took ?? Number.NaN) / 1000
}

function figuresOf(cases: readonly Case[]): Figure[] {
  const [small, large] = cases
  return [
    ...cases.flatMap(({ name, fresh, again }) => [
      figureOf(`${name}: new`, fresh, 'aim 20,000 rows/s'),
      figureOf(`${name}: the same again`, again, 'aim 20,000 rows/s'),
    ]),
    {
      name: 'memory, 20 times the rows',
      value: `${(megabytesOf(large?.fresh) - megabytesOf(small?.fresh)).toFixed(0)} MB more`,
      ratio: `${(megabytesOf(large?.fresh) / megabytesOf(small?.fresh)).toFixed(2)} times`,
      aim: 'aim: constant',
    },
  ]
}

function figureOf(name: string, runs: readonly Run[], aim: string): Figure {
  const job = median(runs.map(({ jobPerSecond }) => jobPerSecond))
  return {
    name,
    value: `${count(median(runs.map(({ perSecond }) => perSecond)))} rows/s (the job alone ${count(job)})`,
    ratio: `${megabytesOf(runs).toFixed(0)} MB at most`,
    aim,
  }
}

function megabytesOf(runs: readonly Run[] = []): number {
  return median(runs.map(({ megabytes }) => megabytes))
}

// Beside a running service

type Latencies = Record<'profile' | 'whoami', number[]>

/** Sends light requests at a steady rate before and during the import. */
async function measureBeside(folder: string): Promise<Figure[]> {
  pinMyself()
  const settings = { folder, database: 'beside.db' }
  const token = await seedCaller(settings)
  await using service = await serve(settings, await freePort())
  const client = new Client(service.port, token)
  const idle = await paced(client, () => client.sleep(3_000))
  let rows = 0
  let took = 0
  const importing = await paced(client, async () => {
    const started = performance.now()
    rows = await client.importAll([...linkedinCsv(IMPORTED_BESIDE, SEED)].join(''))
    took = (performance.now() - started) / 1000
  })
  if (rows !== IMPORTED_BESIDE) throw new Error(`${rows} rows were read, not ${IMPORTED_BESIDE}`)
  const figure = (name: string, times: readonly number[]): Figure => ({
    name,
    value: `p50 ${median(times).toFixed(2)} ms  p99 ${percentile(times, 0.99).toFixed(1)} ms  longest ${percentile(times, 1).toFixed(0)} ms`,
    ratio: `${count(times.length)} requests`,
  })
  return [
    {
      name: `over HTTP into a running service, ${count(IMPORTED_BESIDE)} rows`,
      value: `${count(IMPORTED_BESIDE / took)} rows/s, upload to end, and ${count((2 * 1000) / PACE)} requests/s beside it`,
    },
    figure('  profile read, service idle', idle.profile),
    figure('  profile read, while it imports', importing.profile),
    figure('  whoami, service idle', idle.whoami),
    figure('  whoami, while it imports', importing.whoami),
  ]
}

async function paced(client: Client, during: () => Promise<void>): Promise<Latencies> {
  const latencies: Latencies = { profile: [], whoami: [] }
  const underWay: Promise<void>[] = []
  const failures: unknown[] = []
  const ask = async (kind: keyof Latencies, asked: () => Promise<void>) => {
    const started = performance.now()
    await asked().catch((error: unknown) => failures.push(error))
    latencies[kind].push(performance.now() - started)
  }
  const clock = setInterval(() => {
    underWay.push(
      ask('profile', () => client.profile()),
      ask('whoami', () => client.whoami()),
    )
  }, PACE)
  try {
    await during()
  } finally {
    clearInterval(clock)
    await Promise.all(underWay)
  }
  if (failures.length > 0)
    throw new Error(`${failures.length} requests failed, such as ${String(failures[0])}`)
  return latencies
}

class Client {
  readonly #port: number
  readonly #headers: Record<string, string>
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256 })

  constructor(port: number, token: string) {
    this.#port = port
    this.#headers = { authorization: `Bearer ${token}` }
  }

  async sleep(milliseconds: number): Promise<void> {
    await sleep(milliseconds)
  }

  async profile(): Promise<void> {
    await this.#ask({ path: '/api/human/ada' }, 200, '"username":"ada"')
  }

  async whoami(): Promise<void> {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'whoami' } }
    await this.#json('/mcp', call, 200, '"username":"ada"')
  }

  /** Uploads the file, starts the job and waits until it ends. Returns the number of rows read. */
  async importAll(text: string): Promise<number> {
    const headers = { ...this.#headers, 'content-type': 'text/csv' }
    const post = { path: '/api/uploads', method: 'POST', headers }
    const upload = JSON.parse(await this.#ask(post, 201, 'upload_id', text)) as {
      upload_id: string
    }
    const body = { kind: 'file_import', upload_id: upload.upload_id }
    const job = JSON.parse(await this.#json('/api/jobs', body, 202, 'job_id')) as { job_id: number }
    for (;;) {
      await sleep(100)
      const path = `/api/jobs/${job.job_id}`
      const told = JSON.parse(await this.#ask({ path, headers: this.#headers }, 200, 'state')) as {
        state: string
        result: { rows: number } | null
      }
      if (told.state === 'succeeded') return told.result?.rows ?? 0
      if (told.state === 'failed') throw new Error('the import failed')
    }
  }

  #json(path: string, body: object, status: number, expected: string): Promise<string> {
    const headers = { ...this.#headers, 'content-type': 'application/json' }
    return this.#ask({ path, method: 'POST', headers }, status, expected, JSON.stringify(body))
  }

  #ask(options: RequestOptions, status: number, expected: string, body?: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const where = { host: '127.0.0.1', port: this.#port, agent: this.#agent }
      const asked = request({ ...where, ...options }, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        answer.on('end', () => {
          if (answer.statusCode === status && text.includes(expected)) resolve(text)
          else
            reject(new Error(`${options.path ?? ''} answered ${answer.statusCode ?? 0}: ${text}`))
        })
      })
      asked.once('error', reject)
      asked.end(body)
    })
  }
}

if (import.meta.main) {
  print(machineLine())
  printFigures(title, await measure())
}
