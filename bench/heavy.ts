/**
 * How long one member's `whoami` takes while another member sends 300 heavy calls at once over a network of 60,000
 * connections, on each engine that this machine has. `node bench/heavy.ts [sqlite] [postgres]`
 */

import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { Agent, request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { linkedinCsv } from '../test/support/invented.ts'
import { findPostgres, startCluster, workingDatabase } from '../test/support/postgres.ts'
import { callOf, SEED } from './support/calls.ts'
import { count, percentile, print, printFigures, type Figure } from './support/figures.ts'
import { machineLine, memoryOf, temporaryFolder } from './support/machine.ts'
import { freePort, served, startWeft, weft, type Settings } from './support/weft.ts'

const CONNECTIONS = 60_000
/** The size of the other member's network. */
const OTHER_CONNECTIONS = 2_000
/** Each member's activity log begins with the import. */
const IMPORT = 'a_1'
const HEAVY_CALLS = 300
const QUIET_CALLS = 500

export const title = `${HEAVY_CALLS} heavy calls at once by one member (${count(CONNECTIONS)} connections); another member meanwhile`

const ENGINES = ['sqlite', 'postgres'] as const

export async function measure(engines: readonly string[] = ENGINES): Promise<Figure[]> {
  const figures: Figure[] = []
  if (engines.includes('sqlite')) {
    await using folder = await temporaryFolder()
    figures.push(...(await measureOn('SQLite', { folder: folder.path })))
  }
  if (!engines.includes('postgres')) return figures
  const programs = await findPostgres()
  if (programs === undefined) return [...figures, { name: 'PostgreSQL', value: 'not installed' }]
  await using folder = await temporaryFolder()
  await using cluster = await startCluster(programs, { durable: true })
  const settings = { folder: folder.path, address: await workingDatabase(cluster.url) }
  return [...figures, ...(await measureOn('PostgreSQL', settings))]
}

async function measureOn(engine: string, settings: Settings): Promise<Figure[]> {
  const [ada, bob] = [
    await seed(settings, 'ada', CONNECTIONS),
    await seed(settings, 'bob', OTHER_CONNECTIONS),
  ]
  const port = await freePort()
  const child = startWeft('any', settings, ['serve'], { WEFT_PORT: String(port) })
  await using service = await served(child, port, '/api/human/demo')
  const [busy, quiet] = [caller(port, ada), caller(port, bob)]
  await embed(busy)
  await quiet('find_duplicates', {})
  const alone = await repeat(QUIET_CALLS, () => quiet('whoami', {}))
  const { answers, whoami, heavy } = await underLoad(busy, quiet)
  const undone = busy('undo', { activity_id: IMPORT })
  const undo = await whileRunning(undone, () => quiet('whoami', {}))
  const { text: outcome } = await undone
  if (outcome.includes('"isError":true')) throw new Error(outcome)
  const answered = answers.filter(({ status }) => status === 200)
  const refused = answers.filter(({ status }) => status === 429)
  if (answered.length + refused.length !== HEAVY_CALLS)
    throw new Error(`${answered.length} answered, ${refused.length} refused`)
  const figure = (name: string, value: string, aim?: string): Figure => ({
    name: `${engine}: ${name}`,
    value,
    ...(aim !== undefined && { aim }),
  })
  return [
    figure('whoami alone', describe(alone)),
    figure('whoami during the heavy calls', describe(whoami), 'p99 under 100 ms'),
    figure("the other member's find_duplicates meanwhile", describe(heavy)),
    figure('heavy calls answered', `${answered.length}; ${describe(answered.map(msOf))}`),
    figure('heavy calls refused with 429', `${refused.length}; ${describe(refused.map(msOf))}`),
    figure('whoami during the undo of the import', describe(undo)),
    figure('memory at most', `${count(memoryOf(service.process.pid, 'VmHWM'))} MB`),
  ]
}

/** A member with a network; returns their token. */
async function seed(settings: Settings, username: string, connections: number): Promise<string> {
  await weft(settings, 'member', 'create', '--username', username, '--name', username)
  const file = join(settings.folder, `${username}.csv`)
  await writeFile(file, linkedinCsv(connections, SEED))
  await weft(settings, 'import', file, '--member', username)
  return weft(settings, 'token', 'create', '--member', username, '--name', 'bench')
}

interface Timed {
  readonly status: number
  readonly ms: number
  readonly text: string
}

type Call = (tool: string, input: object) => Promise<Timed>

/** Uses node:http, which has no timeout; `fetch` gives up after five minutes. */
function caller(port: number, token: string): Call {
  const agent = new Agent({ keepAlive: true })
  return async (tool, input) => {
    const { path, headers, body } = callOf('legacy', token, tool, input)
    const began = performance.now()
    const sent = request({ port, path, method: 'POST', headers, agent, host: '127.0.0.1' })
    sent.end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const answered = await text(response)
    return {
      status: response.statusCode ?? 0,
      ms: performance.now() - began,
      text: answered,
    }
  }
}

/** The first semantic search creates the embeddings; until they are there, it fails. */
async function embed(call: Call): Promise<void> {
  for (;;) {
    const { text: answer } = await call('search_connections', {
      query: 'investor',
      mode: 'semantic',
    })
    if (!answer.includes('"error"')) return
    if (!answer.includes('"conflict"')) throw new Error(answer)
    await sleep(500)
  }
}

/** A call of every tool whose cost grows with the size of the network. */
const MIX: readonly (readonly [tool: string, input: (nth: number) => object])[] = [
  ['find_duplicates', (nth) => ({ min_score: (nth % 10) / 10 })],
  ['get_network_summary', () => ({})],
  ['search_connections', (nth) => ({ query: `fundraising ${nth}`, mode: 'semantic' })],
  ['search_connections', () => ({ query: '', connected_after: '2999-01-01' })],
  ['search_connections', () => ({ tag: 'none has it' })],
  ['find_introductions', () => ({ target: 'Director' })],
]

async function underLoad(busy: Call, quiet: Call) {
  const calls = Array.from({ length: HEAVY_CALLS }, (_, nth) => {
    const [tool, input] = MIX[nth % MIX.length] ?? ['whoami', () => ({})]
    return busy(tool, input(nth))
  })
  const running = Promise.all(calls)
  const [whoami, heavy] = await Promise.all([
    whileRunning(running, () => quiet('whoami', {})),
    whileRunning(running, () => quiet('find_duplicates', {})),
  ])
  return { answers: await running, whoami, heavy }
}

/** The duration of each of a sequence of calls, in milliseconds, until `running` settles. */
async function whileRunning(running: Promise<unknown>, call: () => Promise<Timed>) {
  const ended = { yet: false }
  void running.finally(() => (ended.yet = true))
  const times: number[] = []
  while (!ended.yet) times.push(...(await repeat(1, call)))
  return times
}

async function repeat(times: number, call: () => Promise<Timed>): Promise<number[]> {
  const all: number[] = []
  for (let nth = 0; nth < times; nth += 1) {
    const { status, ms, text: said } = await call()
    if (status !== 200 || said.includes('"isError":true')) throw new Error(`${status} ${said}`)
    all.push(ms)
  }
  return all
}

function msOf({ ms }: Timed): number {
  return ms
}

function describe(times: readonly number[]): string {
  if (times.length === 0) return 'none'
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)]
  const most = Math.max(...times)
  return `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, longest ${count(most)} ms of ${count(times.length)}`
}

if (import.meta.main) {
  print(machineLine())
  const asked = process.argv.slice(2)
  printFigures(title, await measure(asked.length > 0 ? asked : ENGINES))
}
