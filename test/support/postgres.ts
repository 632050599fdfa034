/** A private PostgreSQL cluster for tests. It uses the installed programs and is removed when the process ends. */

import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { env, getuid } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { until } from './until.ts'

export interface Cluster extends AsyncDisposable {
  /** A URL for a superuser and the database `postgres`. */
  readonly url: string
  /** Stops the server as for a restart, and closes all connections. */
  stop(): Promise<void>
  start(): Promise<void>
}

/** The program folder of the newest installed PostgreSQL; undefined if there is none from version 15 on. */
export async function findPostgres(): Promise<string | undefined> {
  const versions = await readdir('/usr/lib/postgresql').catch(() => [])
  const numbered = versions.map(Number).filter((version) => version >= OLDEST)
  const folders = [
    ...numbered.sort((a, b) => b - a).map((version) => `/usr/lib/postgresql/${version}/bin`),
    ...(env['PATH'] ?? '').split(delimiter),
    ...['18', '17', '16', '15'].map((version) => `/opt/homebrew/opt/postgresql@${version}/bin`),
    '/usr/local/pgsql/bin',
  ]
  return folders.find((folder) => PROGRAMS.every((program) => existsSync(join(folder, program))))
}

export interface ClusterOptions {
  readonly durable?: boolean
  readonly replicable?: boolean
  /** The parent of the cluster's folder; by default the system's temporary folder. */
  readonly parent?: string
  readonly maxWalMegabytes?: number
}

/**
 * Starts a cluster in a new folder. It listens only on a socket in that folder. Tests do not need durability, so nothing
 * is synced; `durable` is for benchmarks of a real server. A `replicable` cluster can have a standby.
 */
export async function startCluster(
  programs: string,
  { durable = false, replicable = false, parent = tmpdir(), maxWalMegabytes }: ClusterOptions = {},
): Promise<Cluster> {
  const owner = await ownerOfCluster()
  const folder = await mkdtemp(join(parent, 'weft-pg-'))
  await chmod(folder, 0o700)
  if (owner) await chown(folder, owner.uid, owner.gid)
  // Detached: Ctrl-C reaches this process alone, and the keeper cleans up when its standard input closes.
  const settings = [
    durable ? DURABLE : QUICK,
    ...(replicable ? ['-c wal_level=replica'] : []),
    ...(maxWalMegabytes === undefined ? [] : [`-c max_wal_size=${maxWalMegabytes}MB`]),
  ].join(' ')
  const keeper = spawn(
    '/bin/sh',
    ['-c', KEEPER, 'weft-postgres', programs, folder, settings, initialCluster()],
    { stdio: ['pipe', 'ignore', 'ignore'], detached: true, cwd: folder, ...owner },
  )
  const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`
  const order = (word: string) => keeper.stdin?.write(`${word}\n`)
  await untilReady(url, keeper)
  return {
    url,
    async stop() {
      order('stop')
      while (await isReady(url)) await sleep(20)
    },
    async start() {
      order('start')
      await untilReady(url, keeper)
    },
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => keeper.once('exit', resolve))
      keeper.stdin?.end()
      await ended
    },
  }
}

/**
 * Returns a URL for a role that can create databases and has no other privileges, as in production. If `url` is a
 * superuser's, the role is created; otherwise `url` is returned.
 */
export async function workingRole(url: string): Promise<string> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ rolsuper: boolean }>(
      'select rolsuper from pg_roles where rolname = current_user',
    )
    if (rows[0]?.rolsuper !== true) return url
    await client.query(`
      do $$ begin
        create role weft_test login createdb password 'weft_test';
      exception when duplicate_object then null; end $$`)
    const address = new URL(url)
    address.username = 'weft_test'
    address.password = 'weft_test'
    return address.href
  })
}

/** Creates an empty database that belongs to such a role. `url` is a superuser's. */
export async function workingDatabase(url: string, name = 'weft'): Promise<string> {
  const role = await workingRole(url)
  await withClient(role, (client) =>
    client.query(`create database ${name} encoding 'UTF8' template template0`),
  )
  return databaseUrl(role, name)
}

export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Replaces the database in a URL. */
export function databaseUrl(url: string, database: string): string {
  const address = new URL(url)
  address.pathname = `/${database}`
  return address.href
}

const OLDEST = 15
const PROGRAMS = ['initdb', 'postgres']

/** The folder of a cluster with a copy of its files from before its first start. */
const INITIAL = 'initial'

/**
 * The files of the test run's own cluster, if it has one: copying them takes a tenth of the CPU time of `initdb`. All
 * clusters of a run use the same programs.
 */
function initialCluster(): string {
  const server = env['WEFT_TEST_POSTGRES'] ?? ''
  const folder = URL.canParse(server) ? new URL(server).searchParams.get('host') : null
  return folder === null ? '' : join(folder, INITIAL)
}

/**
 * Supervises one server. It reads commands from its standard input. When that closes, because the parent process ended
 * or was killed, it stops the server immediately and removes the folder.
 */
const KEEPER = `
  trap '' INT TERM HUP
  programs=$1 folder=$2 settings=$3 initial=$4
  create() {
    if [ -d "$initial" ]; then cp -Rp "$initial" "$folder/data"; return; fi
    "$programs/initdb" -D "$folder/data" -U postgres --auth=trust --encoding=UTF8 --locale=C --no-sync \\
      >"$folder/log" 2>&1 </dev/null && cp -Rp "$folder/data" "$folder/${INITIAL}"
  }
  start() {
    "$programs/postgres" -D "$folder/data" -k "$folder" -c listen_addresses= -c max_connections=200 \\
      -c shared_buffers=128MB -c max_wal_size=4GB $settings \\
      >>"$folder/log" 2>&1 </dev/null &
    server=$!
  }
  create && start
  while read -r order; do
    case $order in
      stop) kill -INT $server; wait $server ;;
      start) start ;;
    esac
  done
  kill -QUIT $server 2>/dev/null
  wait $server 2>/dev/null
  cd /
  rm -rf "$folder"`

/** PostgreSQL does not run as root, so it runs as the user that its package created. */
export async function ownerOfCluster(): Promise<{ uid: number; gid: number } | undefined> {
  if (getuid?.() !== 0) return undefined
  const line = (await readFile('/etc/passwd', 'utf8'))
    .split('\n')
    .find((one) => one.startsWith('postgres:'))
  const [, , uid, gid] = line?.split(':') ?? []
  if (uid === undefined || gid === undefined)
    throw new Error('PostgreSQL does not run as root, and there is no user named postgres')
  return { uid: Number(uid), gid: Number(gid) }
}

const QUICK =
  '-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c wal_level=minimal -c max_wal_senders=0 ' +
  '-c checkpoint_timeout=1h -c autovacuum=off -c jit=off'
const DURABLE = '-c fsync=on -c synchronous_commit=on -c full_page_writes=on'

async function untilReady(url: string, keeper: ChildProcess): Promise<void> {
  await until(() => {
    if (keeper.exitCode !== null) throw new Error('the private PostgreSQL did not start')
    return isReady(url)
  })
}

async function isReady(url: string): Promise<boolean> {
  return withClient(url, async (client) => client.query('select 1')).then(
    () => true,
    () => false,
  )
}
