/** Every connection to PostgreSQL: a bounded pool with shared settings, and single connections. */

import { Socket } from 'node:net'
import { hostname } from 'node:os'
import {
  Client,
  Pool,
  types,
  type ClientBase,
  type ClientConfig,
  type PoolClient,
  type PoolConfig,
} from 'pg'
import { MINUTE, SECOND } from '../../../base/clock.ts'
import { RequestError } from '../../../base/request-error.ts'
import { databaseUnavailable } from '../../unavailable.ts'
import { prepareScope, type Settings } from './scoped-query.ts'
import { breaksConnection, isSharedFault, translateFailure } from './failures.ts'
import type { PostgresAddress } from '../../database-address.ts'
import type { DatabaseTimeouts } from '../../timeouts.ts'
import type { PoolUsage } from '../../database.ts'

interface PoolOptions {
  /** `postgres://…` */
  readonly url: string
  /** Maximum connections. */
  readonly size: number
  readonly poolMode?: PostgresAddress['poolMode']
  /** Session settings besides timeouts. */
  readonly settings?: Settings
  readonly timeouts: DatabaseTimeouts
}

/** Names the process in `pg_stat_activity`, at most 63 bytes. `weft doctor` counts these names. */
const NODE_NAME = `weft ${hostname().slice(0, 40)}:${process.pid}`

/**
 * How much longer the client waits than the server, so that a responsive server cancels first and the connection survives.
 * Milliseconds.
 */
const SILENCE = 2 * SECOND

/** Detects dead idle connections. */
const KEEP_ALIVE_AFTER = 10 * SECOND

export class ConnectionPool implements AsyncDisposable {
  readonly #pool: Pool
  /** By `performance.now()`. */
  readonly #openedAt = new WeakMap<ClientBase, number>()
  readonly #size: number
  #trustedSince = 0
  /** The settings of each transaction, if its session may have those of others; undefined if each session has them. */
  readonly settings: Settings | undefined

  constructor({ url, size, poolMode, settings = {}, timeouts }: PoolOptions) {
    this.#size = size
    const all = { ...serverTimeouts(timeouts), ...settings }
    this.settings = poolMode === 'transaction' ? all : undefined
    this.#pool = new Pool({
      ...connectionOptions(url, timeouts),
      Client: PostgresClient,
      verify: prepareConnection(timeouts.wait, this.settings ? undefined : all),
      max: size,
      idleTimeoutMillis: MINUTE,
      // Idle connections do not keep the process alive.
      allowExitOnIdle: true,
    })
    // A connection that breaks while idle leaves the pool.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => this.#openedAt.set(client, performance.now()))
  }

  /**
   * Lends a connection to `work`. Discards it if `work` leaves its state uncertain.
   *
   * @throws {RequestError} `unavailable` when the database does not respond or no connection is free in time.
   */
  async lend<T>(work: (connection: PoolClient) => Promise<T>): Promise<T> {
    const connection = await this.#acquire()
    try {
      const value = await work(connection)
      connection.release()
      return value
    } catch (error) {
      if (isSharedFault(error)) this.#trustedSince = performance.now()
      if (breaksConnection(error) || isUncertain(connection)) discard(connection)
      else connection.release()
      throw translateFailure(error)
    }
  }

  get usage(): Omit<PoolUsage, 'pool'> {
    const { totalCount, idleCount, waitingCount } = this.#pool
    return { size: this.#size, used: totalCount - idleCount, waiting: waitingCount }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.end()
  }

  /** Skips connections that probably share the fault of another one. */
  async #acquire(): Promise<PoolClient> {
    for (;;) {
      const connection = await this.#pool.connect().catch((error: unknown) => {
        throw databaseUnavailable(error)
      })
      if ((this.#openedAt.get(connection) ?? 0) >= this.#trustedSince) return connection
      discard(connection)
    }
  }
}

/**
 * Options of every connection, pooled or not. The timeouts of the server are set once it is open: PgBouncer rejects startup
 * parameters that it does not know.
 */
export function connectionOptions(
  url: string,
  { statement, wait }: DatabaseTimeouts,
): ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: wait,
    query_timeout: silenceAfter(statement),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER,
    application_name: NODE_NAME,
    // Pipelining: statements are sent without waiting for earlier results.
    pipeline: true,
    types: { getTypeParser },
  }
}

/** Returns when the client abandons the connection, given the server's statement timeout in milliseconds. */
export function silenceAfter(statementTimeout: number): number {
  return statementTimeout + SILENCE
}

/** Milliseconds, as settings of the server. */
function serverTimeouts({ statement, wait }: DatabaseTimeouts): Settings {
  return {
    statement_timeout: String(statement),
    lock_timeout: String(wait),
    // An idle transaction belongs to a process that stopped or lost its connection.
    idle_in_transaction_session_timeout: String(statement),
  }
}

/**
 * Sets up a session in one round trip. Accepts only a writable server, as target_session_attrs=read-write does. `timeout`
 * is in milliseconds.
 */
export async function requireReadWrite(
  client: ClientBase,
  timeout: number,
  settings: Settings,
): Promise<void> {
  const values = Object.entries(settings).flat()
  const set = Object.keys(settings).map(
    (_, index) => `, set_config($${2 * index + 1}, $${2 * index + 2}, false)`,
  )
  const query = {
    text: `select current_setting('transaction_read_only') as read_only${set.join('')}`,
    values,
    query_timeout: timeout,
  }
  const { rows } = await client.query<{ read_only: string }>(query)
  if (rows[0]?.read_only !== 'off')
    throw new Error(
      'the PostgreSQL server is read-only: a standby, or default_transaction_read_only is on',
    )
}

/**
 * The same for a `pg` pool, which runs it on every new connection. Also prepares statements that act for a member, if the
 * session is the connection's own. `timeout` is in milliseconds.
 */
function prepareConnection(
  timeout: number,
  settings: Settings | undefined,
): NonNullable<PoolConfig['verify']> {
  return (client, done) => {
    const prepared = Promise.all([
      requireReadWrite(client, timeout, settings ?? {}),
      settings && prepareScope(client, timeout),
    ])
    void prepared.then(() => done(), done)
  }
}

/**
 * The only class of clients, pooled or not. A test rejects all others.
 *
 * It has an error listener for its whole life, because without one, a broken connection ends the process. `pg` also
 * rejects the running statement or the next one, which is how the caller learns of the error. A pool of `pg` listens only
 * while a connection is idle.
 *
 * Its socket can be closed immediately. `pg` would send a terminate message and wait for the server, which may be gone if
 * the connection was dropped silently.
 */
class PostgresClient extends Client {
  readonly socket: Socket

  constructor(config?: ClientConfig) {
    const socket = new Socket()
    super({ ...config, stream: () => socket })
    this.socket = socket
    this.on('error', () => {})
  }
}

/** Opens a single connection. The caller ends it. */
export async function openClient(config: ClientConfig): Promise<PostgresClient> {
  const client = new PostgresClient(config)
  try {
    await client.connect()
    return client
  } catch (error) {
    client.socket.destroy()
    throw error
  }
}

interface SingleClient extends ClientConfig {
  /** Sets the connection up. */
  readonly prepare?: (client: Client) => Promise<void>
}

/**
 * As `openClient`, for commands.
 *
 * @throws {RequestError} `unavailable` with the reason when it cannot be opened.
 */
export async function openCommandClient({ prepare, ...config }: SingleClient): Promise<Client> {
  try {
    const client = await openClient(config)
    await prepare?.(client).catch(async (error: unknown) => {
      await client.end()
      throw error
    })
    return client
  } catch (error) {
    throw new RequestError(
      'unavailable',
      `Cannot open the PostgreSQL database: ${reasonOf(error)}.`,
      {
        hint: 'Check that WEFT_DATABASE or WEFT_BACKUP_DATABASE is correct, the server is running, and the role and database exist.',
      },
    )
  }
}

/**
 * Runs `use` on a single connection.
 *
 * @throws {RequestError} `unavailable` when it cannot be opened, or breaks.
 */
export async function withClient<T>(
  config: SingleClient,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await openCommandClient(config)
  try {
    return await use(client)
  } catch (error) {
    throw translateFailure(error)
  } finally {
    await client.end()
  }
}

/** A host with several addresses fails with one error per address. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message || error.constructor.name : String(error)
}

function discard(connection: PoolClient): void {
  if (connection instanceof PostgresClient) connection.socket.destroy()
  connection.release(true)
}

/** `I` between transactions (PostgreSQL, chapter 55.7, ReadyForQuery). */
function isUncertain(connection: PoolClient): boolean {
  return connection.getTransactionStatus() !== 'I'
}

const INT8 = 20
const BYTEA = 17
const NUMERIC = 1700

const parserOf: (oid: number) => (text: string) => unknown = types.getTypeParser

/** Numbers are below 2^53, so int8 is parsed as a number; sums are numeric. bytea matches SQLite. */
function getTypeParser(oid: number) {
  if (oid === INT8 || oid === NUMERIC) return Number
  return oid === BYTEA ? bytesOf : parserOf(oid)
}

/** `\\x` and two hexadecimal digits per byte. */
function bytesOf(text: string): Uint8Array {
  const bytes = Buffer.from(text.slice(2), 'hex')
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
