/**
 * Jobs handed out by pg-boss, to any number of nodes on one PostgreSQL database. Its messages are no more than hints:
 * our table holds state, attempts and results, so pg-boss tries nothing again and keeps nothing.
 */

import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { PgBoss } from 'pg-boss'
import { DAY, HOUR, MINUTE, SECOND } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { connectionLimits, verifyReadWrite } from '../db/engines/postgres/connection-pool.ts'
import { databaseTimeouts, type DatabaseTimeouts } from '../db/timeouts.ts'
import type { Log } from '../base/log.ts'
import type { JobDispatch, JobClaimer } from './job-dispatch.ts'

/** Where pg-boss keeps its tables: beside ours, in the same database. */
const SCHEMA = 'pgboss'
const QUEUE = 'weft-jobs'

/** For sending, fetching and completing, each a short statement; one more connection listens. */
const POOL_SIZE = 2

const QUEUE_OPTIONS = {
  notify: true,
  retryLimit: 0,
  // A message is held while its job runs; pg-boss allows no longer. Then the worker is handed another, and that waits.
  expireInSeconds: DAY / SECOND,
  retentionSeconds: DAY / SECOND,
  deleteAfterSeconds: MINUTE / SECOND,
} as const

/** While nothing is announced: the workers' own look into the table comes sooner than either. */
const POLLING = {
  pollingIntervalSeconds: (5 * SECOND) / SECOND,
  notifyPollingIntervalSeconds: MINUTE / SECOND,
} as const

/** How long its connections may take to close when the service stops. */
const GOODBYE_TIMEOUT = 2 * SECOND

const BEGIN_AGAIN_AFTER = 5 * SECOND
/** pg-boss tells every failed statement of an outage; once in a while is enough. */
const NOTIFY_INTERVAL_MS = MINUTE / 2

interface Message {
  readonly job_id: number | null
}

/**
 * Connects, and makes the schema and the queue where they are missing.
 *
 * @throws Refusal `unavailable` when the database cannot be reached, `conflict` when a right is missing.
 */
export async function openPgBossDispatch(
  url: string,
  log: Log,
  timeouts: DatabaseTimeouts = databaseTimeouts(),
): Promise<JobDispatch> {
  const hasSchema = await checkRights(url, timeouts)
  const sockets = new Set<Socket>()
  const boss = new PgBoss({
    ...poolOptions(url, timeouts, sockets),
    application_name: 'weft-jobs',
    max: POOL_SIZE,
    schema: SCHEMA,
    createSchema: !hasSchema,
    useListenNotify: true,
    schedule: false,
    maintenanceIntervalSeconds: HOUR / SECOND,
  })
  let toldAt = Number.NEGATIVE_INFINITY
  boss.on('error', (error) => {
    if (performance.now() - toldAt < NOTIFY_INTERVAL_MS) return
    toldAt = performance.now()
    log.warn({ err: error }, 'pg-boss has a problem; jobs are found by looking for them meanwhile')
  })
  boss.on('warning', ({ message, data }) => log.debug({ data }, `pg-boss: ${message}`))
  try {
    await boss.start()
    await boss.createQueue(QUEUE, QUEUE_OPTIONS)
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {})
    throw isForbidden(error) ? missingRight(`use the schema ${SCHEMA}`, error) : error
  }
  return new PgBossDispatch({ boss, sockets, log })
}

/** What pg-boss hands on to the pool of `pg` it makes, and to the client that listens. */
function poolOptions(url: string, timeouts: DatabaseTimeouts, sockets: Set<Socket>) {
  const stream = () => {
    const socket = new Socket()
    sockets.add(socket)
    return socket.once('close', () => sockets.delete(socket))
  }
  return { ...connectionLimits(url, timeouts), verify: verifyReadWrite(timeouts), stream }
}

interface OpenedBoss {
  readonly boss: PgBoss
  /** Those of its connections that are open. */
  readonly sockets: ReadonlySet<Socket>
  readonly log: Log
}

class PgBossDispatch implements JobDispatch {
  readonly #boss: PgBoss
  readonly #sockets: ReadonlySet<Socket>
  readonly #log: Log
  readonly #stop = new AbortController()
  readonly #sending = new Set<Promise<void>>()
  #beginning: Promise<void> | undefined
  #isClosed = false

  constructor({ boss, sockets, log }: OpenedBoss) {
    this.#boss = boss
    this.#sockets = sockets
    this.#log = log
  }

  async offer(jobId?: number): Promise<void> {
    if (this.#isClosed) return
    const sending = this.#send({ job_id: jobId ?? null })
    this.#sending.add(sending)
    await sending
    this.#sending.delete(sending)
  }

  begin(taker: JobClaimer): void {
    this.#beginning ??= this.#begin(taker)
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#beginning
    await this.#boss.offWork(QUEUE, { wait: true })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#beginning
    this.#isClosed = true
    await Promise.all(this.#sending)
    // The worker has stopped before, as far as it could: there is nothing to wait for.
    const cut = setTimeout(() => this.#cutConnections(), GOODBYE_TIMEOUT)
    await this.#boss.stop({ graceful: false })
    clearTimeout(cut)
    this.#cutConnections()
  }

  /** A connection that was silently dropped would wait for the other end for ever. */
  #cutConnections(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async #send(message: Message): Promise<void> {
    try {
      await this.#boss.send(QUEUE, message)
    } catch (error) {
      this.#log.warn({ err: error, ...message }, 'a job was not handed over; it will be found')
    }
  }

  async #begin(taker: JobClaimer): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        const options = { ...POLLING, localConcurrency: taker.places }
        await this.#boss.work<Message>(QUEUE, options, async (messages) => {
          for (const { data } of messages) await taker.takeOne(data.job_id ?? undefined)
        })
        return
      } catch (error) {
        this.#log.warn({ err: error }, 'pg-boss hands out nothing yet; it is tried again')
        await sleep(BEGIN_AGAIN_AFTER, undefined, { signal: this.#stop.signal }).catch(() => {})
      }
    }
  }
}

/** Whether the schema is there; `create schema if not exists` asks for the right even where it is. */
async function checkRights(url: string, timeouts: DatabaseTimeouts): Promise<boolean> {
  const client = new Client({ ...connectionLimits(url, timeouts), application_name: 'weft-jobs' })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<Rights>(RIGHTS, [SCHEMA])
    const [rights] = rows
    if (rights?.has_schema === false && !rights.may_create)
      throw missingRight(`make the schema ${SCHEMA}`)
    return rights?.has_schema === true
  } catch (error) {
    if (error instanceof RequestError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new RequestError('unavailable', `The PostgreSQL database cannot be opened: ${reason}.`)
  } finally {
    await client.end()
  }
}

interface Rights {
  readonly has_schema: boolean
  readonly may_create: boolean
}

const RIGHTS = `
  select to_regnamespace($1) is not null as has_schema,
    has_database_privilege(current_database(), 'CREATE') as may_create`

/** insufficient_privilege (PostgreSQL, appendix A). */
function isForbidden(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '42501'
}

function missingRight(what: string, cause?: unknown): RequestError {
  const refusal = new RequestError(
    'conflict',
    `The role of WEFT_DATABASE may not ${what}, by which jobs are handed out.`,
    {
      hint: `As the owner of the database, do one of these, with the names of yours:
  grant create on database weft to weft;
  create schema ${SCHEMA} authorization weft;`,
    },
  )
  refusal.cause = cause
  return refusal
}
