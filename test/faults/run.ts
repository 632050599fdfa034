/**
 * Injects faults while members write, search and import, and checks that no confirmed write is lost or duplicated,
 * every ledger is exact, every job ends, and clients see no error but 503 with Retry-After. `npm run faults`, or `npm
 * run faults -- killed disk` for the scenarios whose names contain a word.
 */

import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process, { stdout } from 'node:process'
import { promisify } from 'node:util'
import { mintApiToken } from '../../src/access/api-token.ts'
import { systemClock } from '../../src/base/clock.ts'
import { openDatabase } from '../../src/db/engines/open.ts'
import { parseDatabaseAddress } from '../../src/db/database-address.ts'
import { createMember } from '../../src/members/member.ts'
import {
  databaseUrl,
  findPostgres,
  startCluster,
  withClient,
  workingDatabase,
  type Cluster,
} from '../support/postgres.ts'
import { freePort } from '../support/free-port.ts'
import { startPgBouncer } from '../support/pgbouncer.ts'
import { startRedis } from '../support/redis.ts'
import { startFleet } from './fleet.ts'
import { brokenInvariants } from './invariants.ts'
import { extractPrevious } from './previous-version.ts'
import { startPatroniPair, type PatroniPair } from './patroni.ts'
import { startLoad, type LoadMember, type LoadReport } from './load.ts'
import { startProxy } from './proxy.ts'
import { SCENARIOS, type Scenario } from './scenarios.ts'
import type { Database } from '../../src/db/database.ts'

const MEMBERS = 4

const execute = promisify(execFile)

function isSelected({ name }: Scenario): boolean {
  const words = process.argv.slice(2)
  return words.length === 0 || words.some((word) => name.includes(word))
}

/** All problems, as sentences. */
async function runScenario(scenario: Scenario): Promise<string[]> {
  await using work = await createFolder()
  await using disk = await createFolder(scenario.diskMegabytes)
  const { folder } = disk
  await using target = await createTarget(scenario, folder)
  const { address, cluster, superuser, pair } = target
  await using redis = scenario.hasRedis === true ? await startRedis() : undefined
  const proxyPort = await freePort()
  const previous =
    scenario.startsWithPrevious === true ? await extractPrevious(work.folder) : undefined
  const publicUrl = `http://127.0.0.1:${proxyPort}`
  await using bouncer =
    scenario.isBehindPgBouncer === true ? await startPgBouncer(address) : undefined
  await using fleet = await startFleet({
    size: scenario.nodes,
    folder: work.folder,
    address: bouncer?.url ?? address,
    publicUrl,
    ...(scenario.hasMovableClocks === true && { hasMovableClocks: true }),
    ...(redis && { environment: { WEFT_REDIS_URL: redis.url } }),
    ...(previous !== undefined && { main: previous, environment: DRAINING }),
  })
  await using proxy = await startProxy(work.folder, proxyPort, fleet.ports)
  const members =
    previous === undefined || superuser === undefined
      ? await addMembers(address)
      : await addMembersWith(previous, address, superuser)
  const load = startLoad(proxy.url, members)
  await scenario.inject({ fleet, folder, cluster, superuser, pair, redis })
  const healedAt = Date.now()
  // Long enough for the slowest retry and every health check.
  await new Promise((resolve) => setTimeout(resolve, RECOVERY_MS))
  const report = await load.stop()
  const { unexpectedExits } = fleet
  const ended = unexpectedExits === 0 ? [] : [`nodes ended by themselves ${unexpectedExits} times`]
  const problems = [...ended, ...report.violations, ...(await checkDatabase(address, report))]
  describe(scenario, report, { healedAt, isFine: problems.length === 0 })
  return problems
}

const RECOVERY_MS = 5000
/** A little more than the interval of the proxy's checks. */
const DRAINING = { WEFT_DRAIN_SECONDS: '1' }

function describe(
  { name }: Scenario,
  report: LoadReport,
  { healedAt, isFine }: { readonly healedAt: number; readonly isFine: boolean },
): void {
  const { accounts, statuses, longestGapMs } = report
  const total = (of: (account: LoadReport['accounts'][number]) => number) =>
    accounts.reduce((sum, account) => sum + of(account), 0)
  const answers = [...statuses].map(([status, count]) => `${count} x ${status}`).join(', ')
  stdout.write(
    `${isFine ? 'passed ' : 'FAILED '}  ${name}: ${total(({ people, notes }) => people.length + notes.length)} writes, ` +
      `${total(({ imports }) => imports.length)} imports, ${total(({ searches }) => searches)} searches; ${answers}; ` +
      `longest gap ${longestGapMs} ms, first success ${report.recoveryMs(healedAt)} ms after the fault\n`,
  )
}

/** A temporary folder, on a separate file system if a size is given. */
async function createFolder(megabytes?: number) {
  const folder = await mkdtemp(join(tmpdir(), 'weft-faults-'))
  if (megabytes !== undefined) {
    await execute('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
    await chmod(folder, 0o755)
  }
  return {
    folder,
    async [Symbol.asyncDispose]() {
      if (megabytes !== undefined) await execute('umount', ['-l', folder])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface FaultTarget extends AsyncDisposable {
  readonly address: string
  readonly cluster: Cluster | undefined
  readonly superuser: string | undefined
  readonly pair: PatroniPair | undefined
}

async function createTarget(
  { engine, diskMegabytes }: Scenario,
  folder: string,
): Promise<FaultTarget> {
  if (engine === 'sqlite')
    return {
      address: `sqlite:${join(folder, 'weft.db')}`,
      cluster: undefined,
      superuser: undefined,
      pair: undefined,
      [Symbol.asyncDispose]: async () => {},
    }
  const programs = await findPostgres()
  if (programs === undefined) throw new Error('PostgreSQL is not installed')
  if (engine === 'patroni') {
    const pair = await startPatroniPair(folder, programs)
    return {
      address: await workingDatabase(pair.url),
      cluster: undefined,
      superuser: databaseUrl(pair.url, 'weft'),
      pair,
      [Symbol.asyncDispose]: () => pair[Symbol.asyncDispose](),
    }
  }
  await chmod(folder, 0o777)
  const cluster = await startCluster(programs, {
    durable: true,
    ...(diskMegabytes !== undefined && { parent: folder, maxWalMegabytes: 64 }),
  })
  return {
    address: await workingDatabase(cluster.url),
    cluster,
    superuser: databaseUrl(cluster.url, 'weft'),
    pair: undefined,
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  }
}

async function addMembers(address: string): Promise<LoadMember[]> {
  return withDatabase(address, async (database) => {
    const members: LoadMember[] = []
    for (let index = 0; index < MEMBERS; index++) {
      const username = `member${index}`
      const { memberId } = await database.write((tx) =>
        createMember(tx, { username, name: `Member ${index}` }, Date.now()),
      )
      const token = { name: 'faults', holder: 'ai_client', lifetimeDays: null } as const
      const { secret } = await database
        .member(memberId)
        .write((tx) => mintApiToken(tx, token, Date.now()))
      members.push({ username, memberId, token: secret })
    }
    return members
  })
}

/** Uses the commands of the other version, because opening the database with this one would migrate it. */
async function addMembersWith(
  main: string,
  address: string,
  superuser: string,
): Promise<LoadMember[]> {
  const weft = async (...args: readonly string[]) => {
    const env = { PATH: process.env['PATH'], WEFT_DATABASE: address }
    return (await execute(process.execPath, [main, ...args], { env, cwd: tmpdir() })).stdout.trim()
  }
  const members: LoadMember[] = []
  for (let index = 0; index < MEMBERS; index++) {
    const username = `member${index}`
    await weft('member', 'create', '--username', username, '--name', `Member ${index}`)
    const token = await weft('token', 'create', '--member', username, '--name', 'faults')
    const { rows } = await withClient(superuser, (client) =>
      client.query<{ id: string }>('select member_id as id from members where username = $1', [
        username,
      ]),
    )
    members.push({ username, memberId: Number(rows[0]?.id), token })
  }
  return members
}

function checkDatabase(address: string, report: LoadReport): Promise<string[]> {
  return withDatabase(address, (database) => brokenInvariants(database, report))
}

async function withDatabase<T>(
  address: string,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const parsed = parseDatabaseAddress(address)
  if (parsed === undefined) throw new Error(`no database at ${address}`)
  const { database } = await openDatabase(parsed, {
    clock: systemClock,
    searchThreads: 1,
  })
  await using opened = database
  return await work(opened)
}

let [passed, failed] = [0, 0]
for (const scenario of SCENARIOS.filter(isSelected)) {
  const reason = scenario.unavailable?.() ?? null
  if (reason !== null) {
    stdout.write(`skipped  ${scenario.name}: ${reason}\n`)
    continue
  }
  const problems = await runScenario(scenario).catch((error: unknown) => [String(error)])
  for (const problem of problems.slice(0, 20)) stdout.write(`         ${problem}\n`)
  if (problems.length === 0) passed += 1
  else failed += 1
}
stdout.write(`faults: ${passed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1
