/** A private PgBouncer in front of a PostgreSQL that listens on a socket: in session mode with TLS, or in transaction mode. */

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getuid } from 'node:process'
import { createInterface } from 'node:readline'
import { freePort } from './free-port.ts'

export interface TestPgBouncer extends AsyncDisposable {
  /** The same database through PgBouncer, with certificate verification. */
  readonly url: string
  /** Without TLS, which PgBouncer rejects in session mode. */
  readonly plainUrl: string
}

/** The reason to skip a test; false if PgBouncer and OpenSSL are installed. */
export const PGBOUNCER_MISSING =
  (spawnSync('pgbouncer', ['--version']).error !== undefined ||
    spawnSync('openssl', ['version']).error !== undefined) &&
  'pgbouncer or openssl is not installed (packages pgbouncer, openssl)'

interface PgBouncerOptions {
  readonly poolMode?: 'session' | 'transaction'
  /** Sessions of a database. */
  readonly poolSize?: number
}

export async function startPgBouncer(
  databaseUrl: string,
  { poolMode = 'session', poolSize = 150 }: PgBouncerOptions = {},
): Promise<TestPgBouncer> {
  const target = new URL(databaseUrl)
  const folder = await mkdtemp(join(tmpdir(), 'weft-pgbouncer-'))
  const port = await freePort()
  const at = (name: string) => join(folder, name)
  const request =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=localhost'
  const subject = ['-addext', 'subjectAltName=DNS:localhost']
  const files = ['-keyout', at('key.pem'), '-out', at('cert.pem')]
  spawnSync('openssl', [...request.split(' '), ...subject, ...files])
  await writeFile(at('users.txt'), `"${target.username}" "${target.password}"\n`)
  await writeFile(
    at('pgbouncer.ini'),
    `[databases]
* = host=${target.searchParams.get('host') ?? target.hostname} port=${target.port || 5432}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
pool_mode = ${poolMode}
default_pool_size = ${poolSize}
max_client_conn = 400
server_login_retry = 1
auth_type = plain
auth_file = ${at('users.txt')}
client_tls_sslmode = ${poolMode === 'session' ? 'require' : 'allow'}
client_tls_key_file = ${at('key.pem')}
client_tls_cert_file = ${at('cert.pem')}
`,
  )
  // It refuses to run as root, and only the user of PostgreSQL can open the socket.
  for (const name of ['key.pem', 'users.txt', 'pgbouncer.ini', 'cert.pem'])
    await chmod(at(name), 0o644)
  await chmod(folder, 0o755)
  const user = getuid?.() === 0 ? ['-u', 'postgres'] : []
  const child = spawn('pgbouncer', [...user, at('pgbouncer.ini')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  for await (const line of createInterface({ input: child.stderr }))
    if (line.includes('process up')) break
    else if (line.includes('FATAL')) throw new Error(line)
  child.stderr.resume()
  const address = (parameters: Readonly<Record<string, string>>) =>
    `postgres://${target.username}:${target.password}@localhost:${port}${target.pathname}?${new URLSearchParams(parameters).toString()}`
  return {
    url: address({ sslmode: 'verify-full', sslrootcert: at('cert.pem') }),
    plainUrl: address({}),
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}
