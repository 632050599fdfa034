/**
 * Runs jobs in this process: claims them from the table, and holds a lease while each runs (job-run.ts). Any number of
 * workers in any number of processes share the table. `wake` makes the worker of this process look for new jobs at once;
 * those of other processes find them by polling.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { HOUR, SECOND, type Clock } from '../base/clock.ts'
import { RETRY_PAUSE_MS } from './job-attempts.ts'
import { RENEW_INTERVAL_MS, type JobLease } from './job-lease.ts'
import { JobRun, type RunDeps } from './job-run.ts'
import { claimJob, claimNextJob, requeueOfOtherHosts } from './claim-job.ts'
import type { Job, JobProgress } from './job.ts'
import { isTerminal, progressOf, type StoredJob } from './job-record.ts'
import { requireJob } from './start-job.ts'
import { sweepUploads } from './uploads.ts'
import { newWorkerId } from '../base/concurrency/worker-id.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../db/database.ts'

/**
 * The maximum delay for a job that another process created or released, if this one has capacity. A poll is two reads of
 * a partial index that contains only unfinished jobs.
 */
const POLL_INTERVAL_MS = SECOND
/** How often `runToEnd` polls a job that another worker runs. */
const PROGRESS_INTERVAL_MS = SECOND / 4
const SWEEP_INTERVAL_MS = HOUR
/** Jobs that do not stop in this time keep their lease, and are taken over as after a crash. */
const SHUTDOWN_TIMEOUT_MS = 10 * SECOND

/** One more job runs beside large ones if it reads at most so much: the work of a second. */
const SMALL_JOB_BYTES = 256 * 1024

/** What a worker needs of a job kind. */
export type RunnableJob = Pick<Job, 'kind' | 'run'>

export interface WorkerDeps {
  readonly database: Database
  readonly jobs: readonly RunnableJob[]
  readonly clock: Clock
  readonly log: Log
  readonly concurrency?: number
  /** Whether no other host uses the database, as on SQLite. */
  readonly isOnOneHost?: boolean
  readonly onEnded?: RunDeps['onEnded']
  readonly trace?: RunDeps['trace']
  /** Pause before the second attempt of a failed job. Milliseconds. */
  readonly retryPauseMs?: number
  /** Run one worker per process: a second one with the same process ID would consider the first one dead. */
  readonly workerId?: string
}

export class JobWorker implements AsyncDisposable {
  readonly id: string
  readonly #database: Database
  readonly #clock: Clock
  readonly #log: Log
  readonly #runDeps: RunDeps
  /** How many more jobs may run. */
  #free: number
  /** Whether one more small job may run. */
  #isSmallFree = true
  readonly #definitions: ReadonlyMap<string, RunnableJob>
  readonly #runs = new Map<number, { readonly run: JobRun; readonly ended: Promise<void> }>()
  readonly #stop = new AbortController()
  #pollTimer: NodeJS.Timeout | undefined
  #polling: Promise<void> | undefined
  #isPollRequested = false
  /** Jobs of an earlier container are to be taken over at the first poll. */
  #isTakeoverDue: boolean
  #sweptAt = Number.NEGATIVE_INFINITY

  constructor(deps: WorkerDeps) {
    this.id = deps.workerId ?? newWorkerId()
    this.#database = deps.database
    this.#clock = deps.clock
    this.#log = deps.log
    this.#isTakeoverDue = deps.isOnOneHost ?? false
    this.#free = deps.concurrency ?? 2
    this.#definitions = new Map(deps.jobs.map((job) => [job.kind, job]))
    const { database, clock, log, onEnded, trace, retryPauseMs = RETRY_PAUSE_MS } = deps
    this.#runDeps = {
      database,
      clock,
      log,
      onEnded,
      trace,
      retryPauseMs,
      stop: this.#stop.signal,
      definitionOf: (kind) => this.#definitionOf(kind),
    }
  }

  /** Starts to claim jobs, including those that an earlier process left unfinished. */
  start(): void {
    this.#pollTimer ??= setInterval(() => this.#poll(), POLL_INTERVAL_MS)
    this.#poll()
  }

  /** Call it after a job was created or its cancel requested, so that this worker notices before the next poll. */
  wake(): void {
    for (const { run } of this.#runs.values()) void run.renew()
    this.#poll()
  }

  /**
   * Runs this job, or follows it while another worker runs it. Resolves with the job once it has ended, or with its
   * current state when the worker is disposed. Works without `start`.
   *
   * @throws {RequestError} `job_not_found` when the job is unknown.
   */
  async runToEnd(
    memberId: number,
    jobId: number,
    onProgress: (progress: JobProgress) => void = () => {},
  ): Promise<StoredJob> {
    const db = this.#database.member(memberId)
    for (;;) {
      const job = await requireJob(db, jobId)
      if (isTerminal(job.state) || this.#stop.signal.aborted) return job
      this.#definitionOf(job.kind)
      const lease = this.#runs.has(jobId)
        ? undefined
        : await claimJob(this.#database, { worker: this.id, jobId, now: this.#clock.now() })
      if (lease) await this.#begin(lease, onProgress)
      else {
        onProgress(progressOf(job))
        await this.#pause(PROGRESS_INTERVAL_MS)
      }
    }
  }

  /** Stops gracefully: aborts running jobs, which return to the queue with their checkpoint. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    clearInterval(this.#pollTimer)
    await this.#polling
    const runs = [...this.#runs.values()]
    for (const { run } of runs) run.interrupt('stopping')
    const timeout = new AbortController()
    await Promise.race([
      Promise.all(runs.map(({ ended }) => ended)),
      sleep(SHUTDOWN_TIMEOUT_MS, undefined, { signal: timeout.signal }).catch(() => {}),
    ])
    timeout.abort()
  }

  /** Claims queued jobs while there is capacity. Requests made during a running poll are merged. */
  #poll(): void {
    if (!this.#pollTimer || this.#stop.signal.aborted) return
    this.#isPollRequested = true
    this.#polling ??= this.#claimQueued()
  }

  async #claimQueued(): Promise<void> {
    try {
      await this.#takeOver()
      while (this.#isPollRequested) {
        this.#isPollRequested = false
        while (!this.#stop.signal.aborted) if (!(await this.#startNext())) break
        await this.#sweep()
      }
    } catch (error) {
      this.#log.error({ err: error }, 'could not claim jobs; retrying at the next poll')
    } finally {
      this.#polling = undefined
    }
  }

  /** Returns whether there was capacity, and a job to claim. */
  async #startNext(): Promise<boolean> {
    const isSmall = this.#free === 0
    if (isSmall && !this.#isSmallFree) return false
    const lease = await claimNextJob(this.#database, {
      worker: this.id,
      kinds: [...this.#definitions.keys()],
      busy: [...this.#runs.keys()],
      ...(isSmall && { maxBytes: SMALL_JOB_BYTES }),
      now: this.#clock.now(),
    })
    if (!lease) return false
    if (isSmall) this.#isSmallFree = false
    else this.#free -= 1
    void this.#begin(lease).finally(() => {
      if (isSmall) this.#isSmallFree = true
      else this.#free += 1
      this.#poll()
    })
    return true
  }

  async #takeOver(): Promise<void> {
    if (!this.#isTakeoverDue) return
    await requeueOfOtherHosts(this.#database, { worker: this.id, now: this.#clock.now() })
    this.#isTakeoverDue = false
  }

  async #sweep(): Promise<void> {
    const now = this.#clock.now()
    if (this.#stop.signal.aborted || now - this.#sweptAt < SWEEP_INTERVAL_MS) return
    this.#sweptAt = now
    await sweepUploads(this.#database, now)
  }

  /** Runs a claimed job. The promise never rejects. */
  #begin(lease: JobLease, onProgress?: (progress: JobProgress) => void): Promise<void> {
    const run = new JobRun(this.#runDeps, lease, onProgress)
    const renewal = setInterval(() => void run.renew(), RENEW_INTERVAL_MS)
    const ended = run
      .run()
      .catch((error: unknown) => {
        // The lease expires, and another worker takes the job over.
        this.#log.error({ err: error, job_id: lease.jobId }, 'could not record the end of a job')
      })
      .finally(() => {
        clearInterval(renewal)
        this.#runs.delete(lease.jobId)
      })
    this.#runs.set(lease.jobId, { run, ended })
    // The job was claimed while the worker stopped, which aborts only the runs it knew of.
    if (this.#stop.signal.aborted) run.interrupt('stopping')
    return ended
  }

  #definitionOf(kind: string): RunnableJob {
    const definition = this.#definitions.get(kind)
    if (!definition) throw new Error(`this worker does not know jobs of the kind ${kind}`)
    return definition
  }

  async #pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.#stop.signal }).catch(() => {})
  }
}
