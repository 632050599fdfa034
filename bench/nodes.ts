/**
 * Several nodes on one PostgreSQL: how soon a change on one node is visible on another, and metered calls per second on
 * one, two and three nodes compared with SQLite. PostgreSQL is a private cluster with fsync on, on the same machine.
 * `node bench/nodes.ts`.
 */

import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { mintApiToken, revokeApiToken } from '../src/access/api-token.ts'
import { systemClock } from '../src/base/clock.ts'
import { openDatabase } from '../src/db/engines/open.ts'
import type { DatabaseAddress } from '../src/db/database-address.ts'
import {
  createMember,
  disableMember,
  enableMember,
  requireMemberByUsername,
  updateMember,
} from '../src/members/member.ts'
import { callOf } from './support/calls.ts'
import { startEngines } from './support/engines.ts'
import { median, print, printFigures, ratioOf, spread, type Figure } from './support/figures.ts'
import { machineLine } from './support/machine.ts'
import { addressOf, freePort, serve, type Served, type Settings } from './support/weft.ts'
import { load, requireWrk, writeRequests, type LoadResult } from './support/wrk.ts'
import type { Database } from '../src/db/database.ts'

const ROUNDS = 3
const SECONDS = 3
const NODES = 3
/** Divided by the nodes that take part. */
const CONNECTIONS = 24
/** The charges of one member are serialized, whatever the number of nodes. */
const MEMBERS = 48
const CHANGES = 30

export const title = `Nodes on one PostgreSQL, ${availableParallelism()} cores for all of them, the server and the load`

export async function measure(): Promise<Figure[]> {
  requireWrk()
  await using engines = await startEngines()
  const { folder } = engines
  const sqlite = await engines.create('SQLite')
  const postgres = await engines.create('PostgreSQL')
  await using servers = new AsyncDisposableStack()
  const start = async (settings: Settings) =>
    servers.use(await serve(settings, await freePort(), 'any'))
  const server = addressOf(postgres)
  const [ofSqlite, ofPostgres] = [await addCallers(addressOf(sqlite)), await addCallers(server)]
  const targets = [await targetOf(folder, ofSqlite, [await start(sqlite)])]
  const nodes: Served[] = []
  for (let index = 0; index < NODES; index++) nodes.push(await start(postgres))
  for (const count of [1, 2, 3])
    targets.push(await targetOf(folder, ofPostgres, nodes.slice(0, count)))
  return [...(await measureRates(targets)), ...(await measurePropagation(server, nodes))]
}

/** Nodes that share a load. */
interface Target {
  readonly name: string
  readonly nodes: readonly Served[]
  readonly files: readonly string[]
  readonly perSecond: number[]
  readonly micros: number[]
}

interface Callers {
  readonly engine: string
  readonly tokens: readonly string[]
}

/** Members with a token each. */
async function addCallers(address: DatabaseAddress): Promise<Callers> {
  const { database } = await openDatabase(address, { clock: systemClock, searchThreads: 1 })
  await using _closed = database
  const tokens: string[] = []
  for (let index = 0; index < MEMBERS; index++) {
    const { memberId } = await memberOf(database, `caller-${index}`)
    tokens.push(await tokenOf(database, memberId, 'bench'))
  }
  return { engine: address.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL', tokens }
}

async function targetOf(
  folder: string,
  { engine, tokens }: Callers,
  nodes: readonly Served[],
): Promise<Target> {
  const call = { query: 'x' }
  const requests = tokens.map((token) => callOf('legacy', token, 'search_connections', call))
  const files = await Promise.all(
    nodes.map(({ port }) =>
      writeRequests(join(folder, `${engine}-${nodes.length}-${port}`), port, requests),
    ),
  )
  const name = `${engine}, ${nodes.length} ${nodes.length === 1 ? 'node' : 'nodes'}`
  return { name, nodes, files, perSecond: [], micros: [] }
}

async function measureRates(targets: readonly Target[]): Promise<Figure[]> {
  for (let round = 0; round <= ROUNDS; round++)
    for (const target of targets) {
      const results = await loadAll(target)
      if (round === 0) continue // warm-up
      const answered = results.reduce((sum, one) => sum + one.answered, 0)
      target.perSecond.push(results.reduce((sum, one) => sum + one.perSecond, 0))
      target.micros.push(
        results.reduce((sum, one) => sum + one.micros * one.answered, 0) / answered,
      )
    }
  const [base] = targets
  return targets.map(({ name, perSecond, micros }) => ({
    name: `metered calls, ${name}`,
    value: `${spread(perSecond, 'calls/s')}  ${median(micros).toFixed(0)} us CPU of the nodes per call`,
    ratio: `${ratioOf(perSecond, base?.perSecond ?? []).toFixed(2)} of SQLite`,
  }))
}

function loadAll({ nodes, files }: Target): Promise<LoadResult[]> {
  return Promise.all(
    nodes.map(({ port, process: child }, index) =>
      load({
        port,
        pid: child.pid,
        file: files[index] ?? '',
        seconds: SECONDS,
        expected: '"structuredContent":{"connections":[',
        connections: CONNECTIONS / nodes.length,
      }),
    ),
  )
}

/** From the commit of a change to the first answer of another node that shows it. */
async function measurePropagation(
  address: DatabaseAddress,
  nodes: readonly Served[],
): Promise<Figure[]> {
  const [other] = nodes
  if (!other) throw new Error('no node')
  const { database } = await openDatabase(address, { clock: systemClock, searchThreads: 1 })
  await using _closed = database
  const base = `http://127.0.0.1:${other.port}`
  const figures: Figure[] = []
  for (const [name, change] of Object.entries(CHANGES_SEEN)) {
    const [times, requests]: [number[], number[]] = [[], []]
    for (let turn = 0; turn < CHANGES; turn++) {
      const isSeen = await change(database, base, turn)
      const changedAt = performance.now()
      let asked = 0
      do asked += 1
      while (!(await isSeen()))
      times.push(performance.now() - changedAt)
      requests.push(asked)
    }
    const slowest = Math.max(...times).toFixed(1)
    const most = Math.max(...requests)
    figures.push({
      name: `${name}, seen on another node`,
      value: `${median(times).toFixed(1)} ms, slowest ${slowest} ms, after ${most === 1 ? 'one request' : `at most ${most} requests`}`,
    })
  }
  return figures
}

/** Commits a change in this process, as a node would, and returns a request to another node that tells whether it shows it. */
type SeenChange = (
  database: Database,
  base: string,
  turn: number,
) => Promise<() => Promise<boolean>>

async function memberOf(database: Database, username: string) {
  return database.write((tx) => createMember(tx, { username, name: 'N' }, Date.now()))
}

async function tokenOf(database: Database, memberId: number, name: string): Promise<string> {
  const token = { name, holder: 'ai_client', lifetimeDays: null } as const
  const minted = await database.member(memberId).write((tx) => mintApiToken(tx, token, Date.now()))
  return minted.secret
}

async function isRejected(base: string, token: string): Promise<boolean> {
  const response = await fetch(`${base}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'whoami', arguments: {} },
    }),
  })
  await response.arrayBuffer()
  return response.status === 401
}

async function requireAccepted(base: string, token: string): Promise<void> {
  if (await isRejected(base, token)) throw new Error('the token was not accepted')
}

const CHANGES_SEEN: Readonly<Record<string, SeenChange>> = {
  async 'token revoked'(database, base, turn) {
    const { memberId } = await requireMemberByUsername(database, 'caller-0')
    const name = `revoked ${turn}`
    const token = await tokenOf(database, memberId, name)
    await requireAccepted(base, token)
    await database.member(memberId).write((tx) => revokeApiToken(tx, name, Date.now()))
    return () => isRejected(base, token)
  },
  async 'member disabled'(database, base, turn) {
    const { memberId } = await memberOf(database, `disabled-${turn}`)
    const token = await tokenOf(database, memberId, 'x')
    await requireAccepted(base, token)
    await database.write((tx) => disableMember(tx, memberId, Date.now()))
    return () => isRejected(base, token)
  },
  async 'member enabled'(database, base, turn) {
    const { memberId } = await requireMemberByUsername(database, `disabled-${turn}`)
    const token = await tokenOf(database, memberId, 'y')
    await database.write((tx) => enableMember(tx, memberId))
    return async () => !(await isRejected(base, token))
  },
  async 'profile changed'(database, base, turn) {
    const { memberId } = await requireMemberByUsername(database, 'caller-0')
    const headline = `Headline ${turn}`
    await database.write((tx) => updateMember(tx, memberId, { headline }, Date.now()))
    return async () => (await (await fetch(`${base}/api/human/caller-0`)).text()).includes(headline)
  },
}

if (import.meta.main) {
  print(machineLine())
  printFigures(title, await measure())
}
