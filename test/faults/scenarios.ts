/** The faults that are injected, each while the load runs. */

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client, DatabaseError } from 'pg'
import { withClient, type Cluster } from '../support/postgres.ts'
import { PGBOUNCER_MISSING } from '../support/pgbouncer.ts'
import { REDIS_MISSING, type TestRedis } from '../support/redis.ts'
import { canMoveClocks, type Fleet } from './fleet.ts'
import { missingForPatroni, type PatroniPair } from './patroni.ts'
import { missingForPrevious } from './previous-version.ts'

/** The targets of a scenario. */
export interface Victim {
  readonly fleet: Fleet
  /** The folder of the database, on a separate file system if the scenario needs it. */
  readonly folder: string
  /** Undefined on SQLite. */
  readonly cluster: Cluster | undefined
  /** A superuser's URL of the service's database; undefined on SQLite. */
  readonly superuser: string | undefined
  /** Only on a pair of servers. */
  readonly pair: PatroniPair | undefined
  /** Only if the nodes count their limits in it. */
  readonly redis: TestRedis | undefined
}

export interface Scenario {
  readonly name: string
  /** `patroni` is PostgreSQL with a synchronous standby. */
  readonly engine: 'sqlite' | 'postgres' | 'patroni'
  readonly nodes: number
  readonly hasMovableClocks?: boolean
  /** The nodes count rate limits in a Redis. */
  readonly hasRedis?: boolean
  /** The nodes connect to PostgreSQL through PgBouncer. */
  readonly isBehindPgBouncer?: boolean
  /** The database is on a file system of this size. */
  readonly diskMegabytes?: number
  /** All nodes run the previous version at first. */
  readonly startsWithPrevious?: boolean
  /** Why it cannot run here; null if it can. */
  unavailable?(): string | null
  /** Injects a fault, and repairs it before it returns. */
  inject(victim: Victim): Promise<void>
}

const run = promisify(execFile)

/** Whether this user can mount a file system. */
const mountable = () =>
  process.getuid?.() === 0 ? null : 'only root can mount a small file system'
const movable = () => (canMoveClocks() ? null : 'the Debian package faketime is not installed')

export const SCENARIOS: readonly Scenario[] = [
  { name: 'nothing fails', engine: 'postgres', nodes: 3, inject: () => sleep(5000) },
  { name: 'a node is killed every two seconds', engine: 'postgres', nodes: 3, inject: killNodes },
  {
    name: 'PostgreSQL is stopped and started',
    engine: 'postgres',
    nodes: 3,
    inject: restartPostgres,
  },
  {
    name: 'PostgreSQL restarts ten times behind PgBouncer',
    engine: 'postgres',
    nodes: 3,
    isBehindPgBouncer: true,
    unavailable: () => PGBOUNCER_MISSING || null,
    inject: restartTenTimes,
  },
  { name: 'PostgreSQL is killed', engine: 'postgres', nodes: 3, inject: killPostgres },
  { name: 'PostgreSQL pauses for 8 seconds', engine: 'postgres', nodes: 3, inject: pausePostgres },
  {
    name: 'connections are terminated',
    engine: 'postgres',
    nodes: 3,
    inject: terminateConnections,
  },
  { name: 'connections are exhausted', engine: 'postgres', nodes: 3, inject: exhaustConnections },
  { name: 'tables are locked for 8 seconds', engine: 'postgres', nodes: 3, inject: holdLocks },
  {
    name: 'the disk of PostgreSQL is full',
    engine: 'postgres',
    nodes: 3,
    diskMegabytes: 600,
    unavailable: mountable,
    inject: fillDisk,
  },
  {
    name: 'clocks jump by an hour',
    engine: 'postgres',
    nodes: 3,
    hasMovableClocks: true,
    unavailable: movable,
    inject: moveClocks,
  },
  {
    name: 'the primary of PostgreSQL fails over',
    engine: 'patroni',
    nodes: 3,
    unavailable: missingForPatroni,
    inject: failOver,
  },
  {
    name: 'Redis pauses and is killed',
    engine: 'postgres',
    nodes: 3,
    hasRedis: true,
    unavailable: () => REDIS_MISSING || null,
    inject: loseRedis,
  },
  {
    name: 'nodes are upgraded from the previous version one by one',
    engine: 'postgres',
    nodes: 3,
    startsWithPrevious: true,
    unavailable: missingForPrevious,
    inject: upgradeNodes,
  },
  {
    name: 'the only node is killed every two seconds',
    engine: 'sqlite',
    nodes: 1,
    inject: killNodes,
  },
  {
    name: 'the disk of SQLite is full',
    engine: 'sqlite',
    nodes: 1,
    diskMegabytes: 200,
    unavailable: mountable,
    inject: fillDisk,
  },
  {
    name: 'the clock jumps by an hour',
    engine: 'sqlite',
    nodes: 1,
    hasMovableClocks: true,
    unavailable: movable,
    inject: moveClocks,
  },
]

/** The first one migrates the database, while the others serve with the previous version. */
async function upgradeNodes({ fleet }: Victim): Promise<void> {
  await sleep(2000)
  for (let index = 0; index < fleet.size; index++) {
    await fleet.upgrade(index)
    await sleep(4000)
  }
}

async function killNodes({ fleet }: Victim): Promise<void> {
  for (let round = 0; round < 5; round++) {
    await sleep(2000)
    await fleet.crash(round % fleet.size)
  }
}

async function restartPostgres({ cluster }: Victim): Promise<void> {
  await sleep(2000)
  await cluster?.stop()
  await sleep(3000)
  await cluster?.start()
}

async function restartTenTimes({ cluster }: Victim): Promise<void> {
  for (let round = 0; round < 10; round++) {
    await sleep(2000)
    await cluster?.stop()
    await sleep(1000)
    await cluster?.start()
  }
}

async function killPostgres({ cluster }: Victim): Promise<void> {
  await sleep(2000)
  process.kill(await postmasterOf(cluster), 'SIGKILL')
  await sleep(3000)
  await cluster?.start()
}

async function pausePostgres({ cluster }: Victim): Promise<void> {
  await sleep(2000)
  const { stdout } = await run('pgrep', ['-P', String(await postmasterOf(cluster))])
  const pids = [await postmasterOf(cluster), ...stdout.trim().split('\n').map(Number)]
  for (const pid of pids) signal(pid, 'SIGSTOP')
  await sleep(8000)
  for (const pid of pids) signal(pid, 'SIGCONT')
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It ended in the meantime.
  }
}

/** The first line of its lock file. */
async function postmasterOf(cluster: Cluster | undefined): Promise<number> {
  const folder = new URL(cluster?.url ?? '').searchParams.get('host') ?? ''
  const text = await readFile(join(folder, 'data/postmaster.pid'), 'utf8')
  return Number(text.split('\n')[0])
}

async function terminateConnections({ superuser = '' }: Victim): Promise<void> {
  await withClient(superuser, async (client) => {
    for (let round = 0; round < 20; round++) {
      await sleep(300)
      await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where pid <> pg_backend_pid() and backend_type = 'client backend'`)
    }
  })
}

/** More than any server allows by default. */
const MAX_CLIENTS = 400

async function exhaustConnections({ superuser = '' }: Victim): Promise<void> {
  await sleep(1000)
  const clients: Client[] = []
  for (let count = 0; count < MAX_CLIENTS; count++) {
    const client = new Client({ connectionString: superuser })
    client.on('error', () => {})
    const isConnected = await client.connect().then(
      () => true,
      () => false,
    )
    if (!isConnected) break
    clients.push(client)
  }
  // New persons of the nodes now fail, and their existing ones are terminated.
  await clients[0]?.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where usename = 'weft_test' and backend_type = 'client backend'`)
  await sleep(5000)
  await Promise.all(clients.map((client) => client.end()))
}

async function holdLocks({ superuser = '' }: Victim): Promise<void> {
  await sleep(1000)
  await withClient(superuser, async (client) => {
    await lockTables(client)
    await sleep(8000)
    await client.query('rollback')
  })
}

/** PostgreSQL locks the tables one by one, so this client may be the victim of a deadlock with a node. */
async function lockTables(client: Client): Promise<void> {
  for (;;) {
    await client.query('begin')
    try {
      await client.query(
        'lock table connections, notes, credit_accounts, jobs in access exclusive mode',
      )
      return
    } catch (error) {
      await client.query('rollback')
      if (!(error instanceof DatabaseError && error.code === '40P01')) throw error
    }
  }
}

/** Fills the free space with one file, then removes it. */
async function fillDisk({ folder, cluster }: Victim): Promise<void> {
  await sleep(2000)
  const ballast = join(folder, 'ballast')
  const { bavail, bsize } = await statfs(folder)
  await writeFile(ballast, Buffer.alloc(bavail * bsize)).catch(() => {
    // It ends when the disk is full.
  })
  if (!existsSync(ballast) || (await stat(ballast)).size === 0)
    throw new Error('the disk was not filled')
  await sleep(6000)
  await rm(ballast)
  // A server that could not write its log has ended.
  await cluster?.start()
}

async function loseRedis({ redis }: Victim): Promise<void> {
  await sleep(2000)
  redis?.pause()
  await sleep(4000)
  redis?.resume()
  await sleep(2000)
  await redis?.stop()
  await sleep(4000)
  await redis?.start()
}

async function failOver({ pair }: Victim): Promise<void> {
  await sleep(3000)
  await pair?.failOver()
}

async function moveClocks({ fleet }: Victim): Promise<void> {
  await sleep(2000)
  await fleet.moveClock(0, '+1h')
  await sleep(4000)
  if (fleet.size > 1) await fleet.moveClock(1, '-1h')
  await sleep(4000)
  for (let index = 0; index < fleet.size; index++) await fleet.moveClock(index, '+0')
  await sleep(2000)
}
