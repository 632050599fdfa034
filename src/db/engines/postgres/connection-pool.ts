/** A bounded pool of PostgreSQL connections, each with the settings every connection of Weft has. */

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
import { breaksConnection, isSharedFault, translateFailure } from './failures.ts'
import type { DatabaseTimeouts } from '../../timeouts.ts'

export interface PoolOptions {
  /** `postgres://…` */
  readonly url: string
  /** Connections at most; whoever finds none free waits its turn, but not for ever. */
  readonly size: number
  /** As `-c name=value` of the server. */
  readonly settings?: Readonly<Record<string, string>>
  readonly timeouts: DatabaseTimeouts
}

export type Connection = PoolClient

/**
 * How much longer than the server itself this side waits for a statement: a server that works cancels it first and keeps
 * the connection; one that says nothing at all is given up. Milliseconds.
 */
const SILENCE = 2 * SECOND

/** An idle connection is probed after this long, so that one whose other end is gone is noticed before it is used. */
const KEEP_ALIVE_AFTER = 10 * SECOND

export class ConnectionPool implements AsyncDisposable {
  readonly #pool: Pool
  /** By `performance.now()`. */
  readonly #openedAt = new WeakMap<ClientBase, number>()
  #trustedSince = 0

  constructor({ url, size, settings = {}, timeouts }: PoolOptions) {
    this.#pool = new Pool({
      ...connectionOptions(url, timeouts),
      options: Object.entries(settings)
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(' '),
      Client: OwnSocketClient,
      verify: verifyReadWrite(timeouts),
      max: size,
      idleTimeoutMillis: MINUTE,
      // A process that has nothing else to do ends, though connections are open.
      allowExitOnIdle: true,
    })
    // A connection that breaks while nobody uses it leaves the pool; the next caller gets a new one.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => {
      this.#openedAt.set(client, performance.now())
      client.on('error', () => {})
    })
  }

  /**
   * Lends a connection to `work`; it is thrown away when `work` says so by a failure that leaves it in doubt.
   *
   * @throws Refusal `unavailable` when the database cannot be reached or does not answer, or no connection came free in
   * time.
   */
  async lend<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.#acquire()
    try {
      const value = await work(connection)
      connection.release()
      return value
    } catch (error) {
      if (isSharedFault(error)) this.#trustedSince = performance.now()
      if (breaksConnection(error) || isInDoubt(connection)) discard(connection)
      else connection.release()
      throw translateFailure(error)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.end()
  }

  /** Leaves out connections that were opened before one of them met a fault that they probably share. */
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

/** What every connection is opened with, in a pool or alone. */
export function connectionOptions(url: string, timeouts: DatabaseTimeouts): ClientConfig {
  return {
    ...connectionLimits(url, timeouts),
    application_name: 'weft',
    // Statements go out without waiting for the answers to those before them; each still answers for itself.
    pipeline: true,
    types: { getTypeParser },
  }
}

/** How long a connection may take for anything, those of pg-boss too. */
export function connectionLimits(url: string, { statement, wait }: DatabaseTimeouts) {
  return {
    connectionString: url,
    connectionTimeoutMillis: wait,
    statement_timeout: statement,
    query_timeout: silenceAfter(statement),
    lock_timeout: wait,
    // A transaction of ours waits for nothing but the database: this one's process has stopped or lost its connection.
    idle_in_transaction_session_timeout: statement,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER,
  } satisfies ClientConfig
}

/** For a statement that the server cancels after so many milliseconds, when this side gives the connection up. */
export function silenceAfter(statementTimeout: number): number {
  return statementTimeout + SILENCE
}

/**
 * Accepts a server that writes, as libpq does with target_session_attrs=read-write. A standby, and a primary that was
 * demoted, say `on`. `timeout` in milliseconds.
 */
export async function requireReadWrite(client: ClientBase, timeout: number): Promise<void> {
  const query = { text: 'show transaction_read_only', query_timeout: timeout }
  const { rows } = await client.query<{ transaction_read_only: string }>(query)
  if (rows[0]?.transaction_read_only !== 'off')
    throw new Error(
      'the PostgreSQL server is read-only: a standby, or default_transaction_read_only is on',
    )
}

/** The same for a pool of `pg`, which asks it of every connection it opens. */
export function verifyReadWrite({ wait }: DatabaseTimeouts): NonNullable<PoolConfig['verify']> {
  return (client, done) => {
    void requireReadWrite(client, wait).then(() => done(), done)
  }
}

/**
 * A client whose socket can be closed at once. `pg` would say goodbye and wait for the other end, which a connection that
 * was silently dropped no longer has.
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
function isInDoubt(connection: Connection): boolean {
  return connection.getTransactionStatus() !== 'I'
}

const INT8 = 20
const BYTEA = 17
const NUMERIC = 1700

const parserOf: (oid: number) => (text: string) => unknown = types.getTypeParser

/** Numbers of ours are below 2^53, so an int8 is a number; a sum of them is numeric. bytea comes as on SQLite. */
function getTypeParser(oid: number) {
  if (oid === INT8 || oid === NUMERIC) return Number
  return oid === BYTEA ? bytesOf : parserOf(oid)
}

/** `\\x` and two hexadecimal digits a byte. */
function bytesOf(text: string): Uint8Array {
  const bytes = Buffer.from(text.slice(2), 'hex')
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
