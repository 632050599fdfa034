/** A bounded pool of PostgreSQL connections, each with the settings every connection of Weft has. */

import { Pool, types, type ClientConfig, type PoolClient } from 'pg'
import { MINUTE, SECOND } from '../../../base/clock.ts'
import { translateFailure } from './failures.ts'

export interface PoolOptions {
  /** `postgres://…` */
  readonly url: string
  /** Connections at most; whoever finds none free waits its turn, but not for ever. */
  readonly size: number
  /** As `-c name=value` of the server. */
  readonly settings?: Readonly<Record<string, string>>
}

export type Connection = PoolClient

/** How long a caller waits for a connection before it is told to come again. */
const LONGEST_WAIT = 10 * SECOND
/** Nothing of ours takes as long; what does has lost its way and holds others up. */
const LONGEST_STATEMENT = 2 * MINUTE
const LONGEST_LOCK = 30 * SECOND
/** A transaction of ours waits for nothing but the database: this one's process has stopped. */
const LONGEST_IDLE_TRANSACTION = MINUTE

export class ConnectionPool implements AsyncDisposable {
  readonly #pool: Pool

  constructor({ url, size, settings = {} }: PoolOptions) {
    this.#pool = new Pool({
      ...connectionOptions(url),
      options: Object.entries(settings)
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(' '),
      max: size,
      connectionTimeoutMillis: LONGEST_WAIT,
      idleTimeoutMillis: MINUTE,
      // A process that has nothing else to do ends, though connections are open.
      allowExitOnIdle: true,
    })
    // A connection that breaks while nobody uses it leaves the pool; the next caller gets a new one.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => client.on('error', () => {}))
  }

  /**
   * Lends a connection to `work`; it is thrown away when `work` says so by a failure that leaves it in doubt.
   *
   * @throws Refusal `unavailable` when the database cannot be reached, or no connection came free in time.
   */
  async lend<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    let connection: Connection | undefined
    let failed = false
    try {
      connection = await this.#pool.connect()
      return await work(connection)
    } catch (error) {
      failed = true
      throw translateFailure(error)
    } finally {
      connection?.release(failed && isInDoubt(connection))
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.end()
  }
}

/** What every connection is opened with, in a pool or alone. */
export function connectionOptions(url: string): ClientConfig {
  return {
    connectionString: url,
    application_name: 'weft',
    // Statements go out without waiting for the answers to those before them; each still answers for itself.
    pipeline: true,
    keepAlive: true,
    statement_timeout: LONGEST_STATEMENT,
    lock_timeout: LONGEST_LOCK,
    idle_in_transaction_session_timeout: LONGEST_IDLE_TRANSACTION,
    types: { getTypeParser },
  }
}

/** `I` between transactions (PostgreSQL, chapter 55.7, ReadyForQuery); the pool itself throws away a broken one. */
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
