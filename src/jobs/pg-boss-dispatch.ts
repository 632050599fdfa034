/**
 * Job dispatch with pg-boss, for any number of nodes on one PostgreSQL database. Messages are only hints: the `jobs` table
 * holds state, attempts and results, so pg-boss does not retry or archive anything.
 */

import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { PgBoss } from 'pg-boss'
import { DAY, HOUR, MINUTE, SECOND } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { connectionLimits, verifyReadWrite } from '../db/engines/postgres/connection-pool.ts'
import { JOB_QUEUE_POOL_SIZE } from '../db/engines/postgres/job-queue-connections.ts'
import { currentRole, grantRows } from '../db/engines/postgres/runtime-role.ts'
import { databaseTimeouts, type DatabaseTimeouts } from '../db/timeouts.ts'
import type { Log } from '../base/log.ts'
import type { JobDispatch, JobClaimer } from './job-dispatch.ts'

/** The schema for the tables of pg-boss, in the same database. */
const SCHEMA = 'pgboss'
const QUEUE = 'weft-jobs'

const QUEUE_OPTIONS = {
  notify: true,
  retryLimit: 0,
  // A message is active while its job runs, and a day is the maximum of pg-boss.
  expireInSeconds: DAY / SECOND,
  retentionSeconds: DAY / SECOND,
  deleteAfterSeconds: MINUTE / SECOND,
} as const

/** Fallbacks for lost notifications. The workers poll the table more often than this. */
const POLLING = {
  pollingIntervalSeconds: (5 * SECOND) / SECOND,
  notifyPollingIntervalSeconds: MINUTE / SECOND,
} as const

/** How long connections can take to close when the service stops. Milliseconds. */
const CLOSE_TIMEOUT_MS = 2 * SECOND

const START_RETRY_INTERVAL_MS = 5 * SECOND
/** During an outage pg-boss reports every failed statement, so these log lines are throttled. Milliseconds. */
const ERROR_LOG_INTERVAL_MS = MINUTE / 2

/**
 * Creates the schema and the queue as the owner of the database, and lets the role that serves use them.
 *
 * @param url of the role that serves
 */
export async function prepareQueue(
  ownerUrl: string,
  url: string,
  timeouts: DatabaseTimeouts,
): Promise<void> {
  const role = await withClient(url, timeouts, currentRole)
  const boss = new PgBoss({
    ...connectionLimits(ownerUrl, timeouts),
    application_name: 'weft-jobs',
    max: 1,
    schema: SCHEMA,
    createSchema: !(await checkRights(ownerUrl, timeouts)),
    supervise: false,
    schedule: false,
  })
  boss.on('error', () => {})
  try {
    await boss.start()
    await boss.createQueue(QUEUE, QUEUE_OPTIONS)
  } finally {
    await boss.stop({ graceful: false })
  }
  await withClient(ownerUrl, timeouts, (client) => grantRows(client, SCHEMA, role))
}

interface Message {
  readonly job_id: number | null
}

/**
 * Connects, and creates the schema and the queue if they are missing.
 *
 * @throws {RequestError} `unavailable` when the database cannot be reached.
 * @throws {RequestError} `conflict` when the role lacks a privilege.
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
    max: JOB_QUEUE_POOL_SIZE,
    schema: SCHEMA,
    createSchema: !hasSchema,
    useListenNotify: true,
    schedule: false,
    maintenanceIntervalSeconds: HOUR / SECOND,
  })
  let loggedAt = Number.NEGATIVE_INFINITY
  boss.on('error', (error) => {
    if (performance.now() - loggedAt < ERROR_LOG_INTERVAL_MS) return
    loggedAt = performance.now()
    log.warn({ err: error }, 'pg-boss reported an error; workers find jobs by polling meanwhile')
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

/** Options that pg-boss passes to its `pg` pool and to the client that listens. */
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
  /** The sockets of its open connections. */
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

  begin(claimer: JobClaimer): void {
    this.#beginning ??= this.#begin(claimer)
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
    // The worker was stopped before, so there is nothing to wait for.
    const cut = setTimeout(() => this.#cutConnections(), CLOSE_TIMEOUT_MS)
    await this.#boss.stop({ graceful: false })
    clearTimeout(cut)
    this.#cutConnections()
  }

  /** Without this, closing a silently dropped connection would wait forever. */
  #cutConnections(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async #send(message: Message): Promise<void> {
    try {
      await this.#boss.send(QUEUE, message)
    } catch (error) {
      this.#log.warn(
        { err: error, ...message },
        'a job notification was not sent; a worker will find the job by polling',
      )
    }
  }

  async #begin(claimer: JobClaimer): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        const options = { ...POLLING, localConcurrency: claimer.places }
        await this.#boss.work<Message>(QUEUE, options, async (messages) => {
          for (const { data } of messages) await claimer.takeOne(data.job_id ?? undefined)
        })
        return
      } catch (error) {
        this.#log.warn({ err: error }, 'pg-boss could not start to work the queue; retrying')
        await sleep(START_RETRY_INTERVAL_MS, undefined, { signal: this.#stop.signal }).catch(
          () => {},
        )
      }
    }
  }
}

/** Whether the schema exists. Checked because `create schema if not exists` requires the privilege even if it does. */
async function checkRights(url: string, timeouts: DatabaseTimeouts): Promise<boolean> {
  return withClient(url, timeouts, async (client) => {
    const { rows } = await client.query<Rights>(RIGHTS, [SCHEMA])
    const [rights] = rows
    if (rights?.has_schema === false && !rights.may_create)
      throw missingRight(`create the schema ${SCHEMA}`)
    return rights?.has_schema === true
  })
}

async function withClient<T>(
  url: string,
  timeouts: DatabaseTimeouts,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ ...connectionLimits(url, timeouts), application_name: 'weft-jobs' })
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
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

function missingRight(action: string, cause?: unknown): RequestError {
  const error = new RequestError(
    'conflict',
    `The role in WEFT_DATABASE is not allowed to ${action}, which the job queue needs.`,
    {
      hint: `As the owner of the database, run one of these, with your own names:
  grant create on database weft to weft;
  create schema ${SCHEMA} authorization weft;
If another role owns the database, set WEFT_OWNER_DATABASE and run weft migrate.`,
    },
  )
  error.cause = cause
  return error
}
