/** A bounded pool of PostgreSQL connections with shared settings. */

import { Socket } from 'node:net'
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
import { databaseUnavailable } from '../../unavailable.ts'
import { prepareScope } from './scoped-query.ts'
import { breaksConnection, isSharedFault, translateFailure } from './failures.ts'
import type { DatabaseTimeouts } from '../../timeouts.ts'
import type { PoolUsage } from '../../database.ts'

interface PoolOptions {
  /** `postgres://…` */
  readonly url: string
  /** Maximum connections. Callers wait for a free one, up to a timeout. */
  readonly size: number
  /** Settings of each session, in addition to its timeouts. */
  readonly settings?: Readonly<Record<string, string>>
  readonly timeouts: DatabaseTimeouts
}

export type Connection = PoolClient

/**
 * How much longer the client waits for a statement than the server does. A responsive server cancels it first, and the
 * connection survives; an unresponsive one is abandoned. Milliseconds.
 */
const SILENCE = 2 * SECOND

/** TCP keep-alive delay, so that a dead idle connection is detected before it is used. */
const KEEP_ALIVE_AFTER = 10 * SECOND

export class ConnectionPool implements AsyncDisposable {
  readonly #pool: Pool
  /** By `performance.now()`. */
  readonly #openedAt = new WeakMap<ClientBase, number>()
  readonly #size: number
  #trustedSince = 0

  constructor({ url, size, settings = {}, timeouts }: PoolOptions) {
    this.#size = size
    this.#pool = new Pool({
      ...connectionOptions(url, timeouts),
      Client: OwnSocketClient,
      verify: prepareConnection(timeouts, settings),
      max: size,
      idleTimeoutMillis: MINUTE,
      // Idle connections do not keep the process running.
      allowExitOnIdle: true,
    })
    // A connection that breaks while idle leaves the pool; the next caller gets a new one.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => {
      this.#openedAt.set(client, performance.now())
      client.on('error', () => {})
    })
  }

  /**
   * Lends a connection to `work`. Discards it if `work` fails in a way that leaves its state uncertain.
   *
   * @throws {RequestError} `unavailable` when the database cannot be reached or does not respond, or when no connection
   *   is free in time.
   */
  async lend<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
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

  /** Skips connections opened before another one failed with a fault that they probably share. */
  async #acquire(): Promise<Connection> {
    for (;;) {
      const connection = await this.#pool.connect().catch((error: unknown) => {
        throw databaseUnavailable(error)
      })
      if ((this.#openedAt.get(connection) ?? 0) >= this.#trustedSince) return connection
      discard(connection)
    }
  }
}

/** Options of every connection, pooled or not. */
export function connectionOptions(url: string, timeouts: DatabaseTimeouts): ClientConfig {
  return {
    ...connectionLimits(url, timeouts),
    application_name: 'weft',
    // Pipelining: statements are sent without waiting for earlier results.
    pipeline: true,
    types: { getTypeParser },
  }
}

/**
 * Timeout of every operation on a connection, including those of pg-boss. The timeouts of the server are set once it is open:
 * PgBouncer rejects startup parameters that it does not know.
 */
export function connectionLimits(url: string, { statement, wait }: DatabaseTimeouts) {
  return {
    connectionString: url,
    connectionTimeoutMillis: wait,
    query_timeout: silenceAfter(statement),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER,
  } satisfies ClientConfig
}

/** When the client abandons the connection, given the server's statement timeout in milliseconds. */
export function silenceAfter(statementTimeout: number): number {
  return statementTimeout + SILENCE
}

/** Milliseconds, as settings of the server. */
function serverTimeouts({ statement, wait }: DatabaseTimeouts): Readonly<Record<string, string>> {
  return {
    statement_timeout: String(statement),
    lock_timeout: String(wait),
    // Our transactions wait only for the database, so an idle one belongs to a process that stopped or lost its connection.
    idle_in_transaction_session_timeout: String(statement),
  }
}

/**
 * Sets up a session, in one round trip. Accepts only a writable server, like libpq with target_session_attrs=read-write:
 * standbys and demoted primaries report `on`. `timeout` is in milliseconds.
 */
export async function requireReadWrite(
  client: ClientBase,
  timeout: number,
  settings: Readonly<Record<string, string>>,
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

/** The same for a `pg` pool, which runs it on every new connection. */
export function verifyReadWrite(timeouts: DatabaseTimeouts): NonNullable<PoolConfig['verify']> {
  return (client, done) => {
    void requireReadWrite(client, timeouts.wait, serverTimeouts(timeouts)).then(() => done(), done)
  }
}

/** Also prepares the connection for statements that act for a member. */
function prepareConnection(
  timeouts: DatabaseTimeouts,
  settings: Readonly<Record<string, string>>,
): NonNullable<PoolConfig['verify']> {
  const { wait } = timeouts
  const all = { ...serverTimeouts(timeouts), ...settings }
  return (client, done) => {
    const prepared = Promise.all([requireReadWrite(client, wait, all), prepareScope(client, wait)])
    void prepared.then(() => done(), done)
  }
}

/**
 * A client whose socket can be closed immediately. `pg` would send a terminate message and wait for the server, which may
 * be gone if the connection was dropped silently.
 */
class OwnSocketClient extends Client {
  readonly socket: Socket

  constructor(config?: ClientConfig) {
    const socket = new Socket()
    super({ ...config, stream: () => socket })
    this.socket = socket
  }
}

function discard(connection: Connection): void {
  if (connection instanceof OwnSocketClient) connection.socket.destroy()
  connection.release(true)
}

/** `I` between transactions (PostgreSQL, chapter 55.7, ReadyForQuery). */
function isUncertain(connection: Connection): boolean {
  return connection.getTransactionStatus() !== 'I'
}

const INT8 = 20
const BYTEA = 17
const NUMERIC = 1700

const parserOf: (oid: number) => (text: string) => unknown = types.getTypeParser

/** Our numbers are below 2^53, so int8 is parsed as a number; their sum is numeric. bytea matches SQLite. */
function getTypeParser(oid: number) {
  if (oid === INT8 || oid === NUMERIC) return Number
  return oid === BYTEA ? bytesOf : parserOf(oid)
}

/** `\\x` and two hexadecimal digits per byte. */
function bytesOf(text: string): Uint8Array {
  const bytes = Buffer.from(text.slice(2), 'hex')
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
