/** Two PostgreSQL servers with synchronous replication by Patroni, behind HAProxy, with etcd for leader election. */

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../support/free-port.ts'
import { ownerOfCluster, withClient } from '../support/postgres.ts'

export interface PatroniPair extends AsyncDisposable {
  /** A superuser's URL of the current primary. */
  readonly url: string
  /** Kills the primary and its Patroni. Resolves when the other server is the primary and the first one is back. */
  failOver(): Promise<void>
}

/** The programs that are not installed; null if a pair can run. */
export function missingForPatroni(): string | null {
  const missing = ['/usr/bin/patroni', '/usr/bin/etcd', '/usr/sbin/haproxy'].filter(
    (path) => !existsSync(path),
  )
  return missing.length === 0 ? null : `not installed: ${missing.join(', ')}`
}

interface Server {
  readonly name: string
  readonly port: number
  readonly restPort: number
  readonly config: string
  readonly dataFolder: string
}

export async function startPatroniPair(folder: string, programs: string): Promise<PatroniPair> {
  const owner = await ownerOfCluster()
  await chmod(folder, 0o777)
  const [clientPort, peerPort, proxyPort] = [await freePort(), await freePort(), await freePort()]
  const etcd = startEtcd(folder, clientPort, peerPort)
  const servers: Server[] = []
  for (const name of ['first', 'second']) {
    const server = {
      name,
      port: await freePort(),
      restPort: await freePort(),
      config: join(folder, `${name}.yml`),
      dataFolder: join(folder, name),
    }
    await mkdir(server.dataFolder, { mode: 0o700 })
    if (owner) await chown(server.dataFolder, owner.uid, owner.gid)
    await writeFile(server.config, patroniConfig(server, { clientPort, programs }))
    servers.push(server)
  }
  const keepers = new Map<Server, ChildProcess>()
  const start = (server: Server) => {
    const keeper = spawn('patroni', [server.config], { stdio: 'ignore', cwd: folder, ...owner })
    keepers.set(server, keeper)
  }
  const [first, second] = servers
  if (first === undefined || second === undefined) throw new Error('two servers are needed')
  start(first)
  await untilRole(first, 'primary')
  start(second)
  await untilRole(second, 'sync')
  const proxy = await startDatabaseProxy(folder, proxyPort, servers)
  const url = `postgres://postgres:secret@127.0.0.1:${proxyPort}/postgres`
  await untilPrimaryOnly(url)
  return {
    url,
    async failOver() {
      const [primary, standby] = (await hasRole(first, 'primary'))
        ? [first, second]
        : [second, first]
      await kill(keepers.get(primary))
      await killPostmaster(primary)
      await untilRole(standby, 'primary')
      start(primary)
      await untilRole(primary, 'replica')
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...keepers.values()].map(kill))
      await Promise.all(servers.map(killPostmaster))
      await kill(proxy)
      await kill(etcd)
    },
  }
}

function startEtcd(folder: string, clientPort: number, peerPort: number): ChildProcess {
  const client = `http://127.0.0.1:${clientPort}`
  const peer = `http://127.0.0.1:${peerPort}`
  const options = {
    'data-dir': join(folder, 'etcd'),
    name: 'only',
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `only=${peer}`,
  }
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
  return spawn('etcd', args, { stdio: 'ignore' })
}

/** The shortest times that Patroni allows: it detects the loss of a primary after at most 20 seconds. */
function patroniConfig(
  { name, port, restPort, dataFolder }: Server,
  { clientPort, programs }: { readonly clientPort: number; readonly programs: string },
): string {
  return `scope: weft
name: ${name}
restapi: { listen: '127.0.0.1:${restPort}', connect_address: '127.0.0.1:${restPort}' }
etcd3: { hosts: '127.0.0.1:${clientPort}' }
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 1
    retry_timeout: 3
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      parameters: { max_connections: 200, wal_log_hints: 'on' }
  initdb: [{ encoding: UTF8 }, { locale: C }]
  pg_hba: ['host all all 127.0.0.1/32 md5', 'host replication all 127.0.0.1/32 md5']
postgresql:
  listen: '127.0.0.1:${port}'
  connect_address: '127.0.0.1:${port}'
  data_dir: ${dataFolder}/data
  bin_dir: ${programs}
  pgpass: ${dataFolder}/pgpass
  authentication:
    superuser: { username: postgres, password: secret }
    replication: { username: replicator, password: secret }
  parameters: { unix_socket_directories: ${dataFolder} }
`
}

async function startDatabaseProxy(
  folder: string,
  port: number,
  servers: readonly Server[],
): Promise<ChildProcess> {
  const lines = servers.map(
    ({ name, port: to, restPort }) => `  server ${name} 127.0.0.1:${to} check port ${restPort}`,
  )
  const config = join(folder, 'database-haproxy.cfg')
  await writeFile(
    config,
    `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${lines.join('\n')}
`,
  )
  return spawn('haproxy', ['-q', '-db', '-f', config], { stdio: 'ignore' })
}

type Role = 'primary' | 'replica' | 'sync'

/** The result of Patroni's health check. */
async function hasRole({ restPort }: Server, role: Role): Promise<boolean> {
  return fetch(`http://127.0.0.1:${restPort}/${role}`).then(
    ({ status }) => status === 200,
    () => false,
  )
}

const ROLE_TIMEOUT_MS = 120_000

async function untilRole(server: Server, role: Role): Promise<void> {
  const until = Date.now() + ROLE_TIMEOUT_MS
  while (!(await hasRole(server, role))) {
    if (Date.now() > until) throw new Error(`${server.name} did not become ${role}`)
    await sleep(200)
  }
}

/** The proxy treats both servers as primaries until it has checked them. */
async function untilPrimaryOnly(url: string): Promise<void> {
  const until = Date.now() + ROLE_TIMEOUT_MS
  for (let inARow = 0; inARow < CHECKS_IN_A_ROW;) {
    inARow = (await isPrimary(url)) ? inARow + 1 : 0
    if (Date.now() > until) throw new Error('the primary cannot be reached through the proxy')
    await sleep(200)
  }
}

const CHECKS_IN_A_ROW = 10

async function isPrimary(url: string): Promise<boolean> {
  const query = 'select pg_is_in_recovery() as standby'
  return withClient(url, (client) => client.query<{ standby: boolean }>(query)).then(
    ({ rows }) => rows[0]?.standby === false,
    () => false,
  )
}

async function kill(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

async function killPostmaster({ dataFolder }: Server): Promise<void> {
  const lock = await readFile(join(dataFolder, 'data/postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number(lock.split('\n')[0])
  if (pid > 0)
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // The process has ended.
    }
}
