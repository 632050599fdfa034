/**
 * Runs jobs in this process: claims them from the table, holds a lease while each runs, and records how it ended. Any
 * number of workers in any number of processes share the table. A dispatch notifies workers of new jobs. Workers also poll
 * at a low rate to find jobs whose worker died or whose notification was lost.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { HOUR, SECOND, type Clock } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { errorType, type Span, type Trace } from '../base/tracing.ts'
import {
  endJob,
  LEASE,
  releaseJob,
  RETRY_PAUSE_MS,
  RENEW_INTERVAL_MS,
  renewLease,
  saveCheckpoint,
  type JobLease,
  type Outcome,
  type LeaseState,
} from './job-lease.ts'
import { claimJob, claimNextJob } from './claim-job.ts'
import { InProcessDispatch, type JobDispatch } from './job-dispatch.ts'
import { JobInterrupted, type Job, type JobProgress, type RunningJob } from './job.ts'
import { isTerminal, progressOf, type StoredJob } from './job-record.ts'
import { Semaphore } from '../base/semaphore.ts'
import { requireJob } from './start-job.ts'
import { sweepUploads } from './uploads.ts'
import { newWorkerId } from './worker-id.ts'
import type { Log } from '../base/log.ts'
import type { Database, MemberTransaction } from '../db/database.ts'

/** The maximum delay for a job without a notification. */
const POLL_INTERVAL_MS = 3 * SECOND
/** How often `runToEnd` polls a job that another worker runs. */
const PROGRESS_INTERVAL_MS = SECOND / 4
const SWEEP_INTERVAL_MS = HOUR
/** For writes during a database outage. A restart takes a second or two; after the lease another worker may have the job. */
const RETRY_INTERVAL_MS = SECOND / 2
const WRITE_RETRY_TIMEOUT_MS = LEASE
/** Jobs that do not stop in this time keep their lease, and are taken over as after a crash. */
const SHUTDOWN_TIMEOUT_MS = 10 * SECOND

export interface WorkerDeps {
  readonly database: Database
  readonly jobs: readonly Job[]
  readonly clock: Clock
  readonly log: Log
  /** Disposed by its creator. Without one, the worker relies on `wake` and polling. */
  readonly dispatch?: JobDispatch
  /** The number of concurrent jobs. */
  readonly concurrency?: number
  /** Called after a job has ended in this process. */
  readonly onEnded?: ((kind: string, state: Outcome['state']) => void) | undefined
  readonly trace?: Trace | undefined
  /** Pause before the second attempt of a failed job. Milliseconds. */
  readonly retryPauseMs?: number
  /** Run one worker per process: a second one with the same process ID would consider the first one dead. */
  readonly workerId?: string
}

type Interruption = Exclude<LeaseState, 'held'> | 'stopping'

/** A job that runs in this process. */
interface Run {
  readonly lease: JobLease
  readonly abort: AbortController
  interruption: Interruption | undefined
}

const REASONS: Readonly<Record<Interruption, string>> = {
  cancelled: 'the job was cancelled',
  lost: 'another worker has the job, or it has ended',
  stopping: 'the service is stopping',
}

export class JobWorker implements AsyncDisposable {
  readonly id: string
  readonly #database: Database
  readonly #clock: Clock
  readonly #log: Log
  readonly #dispatch: JobDispatch
  readonly #concurrency: number
  readonly #onEnded: WorkerDeps['onEnded']
  readonly #trace: Trace | undefined
  readonly #retryPauseMs: number
  readonly #permits: Semaphore
  readonly #definitions: ReadonlyMap<string, Job>
  readonly #runs = new Map<number, { readonly run: Run; readonly ended: Promise<void> }>()
  readonly #stop = new AbortController()
  #pollTimer: NodeJS.Timeout | undefined
  #polling: Promise<void> | undefined
  #isPollRequested = false
  #sweptAt = Number.NEGATIVE_INFINITY

  constructor(deps: WorkerDeps) {
    this.id = deps.workerId ?? newWorkerId()
    this.#database = deps.database
    this.#clock = deps.clock
    this.#log = deps.log
    this.#dispatch = deps.dispatch ?? new InProcessDispatch()
    this.#concurrency = deps.concurrency ?? 2
    this.#onEnded = deps.onEnded
    this.#trace = deps.trace
    this.#retryPauseMs = deps.retryPauseMs ?? RETRY_PAUSE_MS
    this.#permits = new Semaphore(this.#concurrency)
    this.#definitions = new Map(deps.jobs.map((job) => [job.kind, job]))
  }

  /** Starts to claim jobs, including those that an earlier process left unfinished. */
  start(): void {
    this.#pollTimer ??= setInterval(() => {
      this.#renewAll()
      this.#poll()
    }, POLL_INTERVAL_MS)
    this.#dispatch.begin({
      places: this.#concurrency,
      takeOne: (jobId) => this.#takeOne(jobId),
      takeWaiting: () => this.#poll(),
    })
    this.#poll()
  }

  /** Call it after a job was created or its cancel requested, so that workers notice before the next poll. */
  wake(jobId?: number): void {
    this.#renewAll()
    void this.#dispatch.offer(jobId)
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
    this.#permits.close()
    const dispatchStopped = this.#dispatch.stop()
    await this.#polling
    const runs = [...this.#runs.values()]
    for (const { run } of runs) interrupt(run, 'stopping')
    const timeout = new AbortController()
    await Promise.race([
      Promise.all([dispatchStopped, ...runs.map(({ ended }) => ended)]),
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
      while (this.#isPollRequested) {
        this.#isPollRequested = false
        while (this.#permits.tryAcquire()) if (!(await this.#startNext())) break
        await this.#sweep()
      }
    } catch (error) {
      this.#log.error({ err: error }, 'could not claim jobs; retrying at the next poll')
    } finally {
      this.#polling = undefined
    }
  }

  /** The caller has acquired a permit. Returns whether there was a job to claim. */
  async #startNext(): Promise<boolean> {
    let lease: JobLease | undefined
    try {
      lease = await this.#claim()
    } finally {
      if (!lease) this.#permits.release()
    }
    if (lease) void this.#begin(lease).finally(() => this.#releasePermit())
    return lease !== undefined
  }

  #releasePermit(): void {
    this.#permits.release()
    this.#poll()
  }

  /** Handles a notification. The table decides which job is claimed. */
  async #takeOne(jobId: number | undefined): Promise<void> {
    if (!(await this.#permits.acquire())) return this.#dispatch.offer(jobId)
    try {
      const named = jobId === undefined ? undefined : await this.#claim(jobId)
      const lease = named ?? (await this.#claim())
      if (lease) await this.#begin(lease)
    } catch (error) {
      this.#log.error({ err: error, job_id: jobId }, 'could not claim a job; a poll will find it')
    } finally {
      this.#permits.release()
    }
  }

  async #claim(jobId?: number): Promise<JobLease | undefined> {
    return claimNextJob(this.#database, {
      worker: this.id,
      kinds: [...this.#definitions.keys()],
      busy: [...this.#runs.keys()],
      now: this.#clock.now(),
      jobId,
    })
  }

  async #sweep(): Promise<void> {
    const now = this.#clock.now()
    if (this.#stop.signal.aborted || now - this.#sweptAt < SWEEP_INTERVAL_MS) return
    this.#sweptAt = now
    await sweepUploads(this.#database, now)
  }

  /** Runs a claimed job. The promise never rejects. */
  #begin(lease: JobLease, onProgress?: (progress: JobProgress) => void): Promise<void> {
    const run: Run = { lease, abort: new AbortController(), interruption: undefined }
    const renewal = setInterval(() => void this.#renew(run), RENEW_INTERVAL_MS)
    const ended = this.#runTraced(run, onProgress)
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
    if (this.#stop.signal.aborted) interrupt(run, 'stopping')
    return ended
  }

  /** A job runs long after the request that created it, maybe on another node, so it has its own trace. */
  #runTraced(run: Run, onProgress: ((progress: JobProgress) => void) | undefined): Promise<void> {
    const { kind, attempt } = run.lease
    if (!this.#trace) return this.#run(run, onProgress)
    const attributes = { 'weft.job.kind': kind, 'weft.job.attempt': attempt }
    return this.#trace(
      { name: `job ${kind}`, kind: 'consumer', attributes, isRoot: true },
      (span) => this.#run(run, onProgress, span),
    )
  }

  async #run(
    run: Run,
    onProgress: ((progress: JobProgress) => void) | undefined,
    span?: Span,
  ): Promise<void> {
    try {
      const definition = this.#definitionOf(run.lease.kind)
      const result = await definition.run(this.#runningJob(run, onProgress))
      await this.#end(run, { state: 'succeeded', result })
    } catch (error) {
      span?.fail(run.interruption ?? errorType(error))
      await this.#settle(run, error)
    }
  }

  #runningJob(run: Run, onProgress: ((progress: JobProgress) => void) | undefined): RunningJob {
    const { lease } = run
    return {
      jobId: lease.jobId,
      db: this.#database.member(lease.memberId),
      input: JSON.parse(lease.input) as unknown,
      checkpoint: lease.checkpoint === null ? null : (JSON.parse(lease.checkpoint) as unknown),
      credentialId: lease.credentialId,
      now: () => this.#clock.now(),
      signal: run.abort.signal,
      save: async (tx, checkpoint, progress) => {
        run.abort.signal.throwIfAborted()
        const standing = await saveCheckpoint(tx, lease, checkpoint, progress, this.#clock.now())
        if (standing !== 'held') interrupt(run, standing)
        run.abort.signal.throwIfAborted()
        onProgress?.(progress)
      },
    }
  }

  /** Ends or releases a job whose `run` threw. */
  async #settle(run: Run, error: unknown): Promise<void> {
    const { lease, interruption } = run
    if (interruption === 'lost') return
    if (interruption === 'cancelled') return this.#end(run, { state: 'cancelled' })
    // A server error, such as a locked file, is not the fault of the input, so the job is retried.
    if (error instanceof RequestError && error.status < 500) {
      const { code, title, message } = error
      return this.#end(run, { state: 'failed', error: { code, title, detail: message } })
    }
    if (interruption === 'stopping') return this.#release(run, 'stopped')
    const { jobId, kind, attempt } = lease
    this.#log.error({ err: error, job_id: jobId, kind, attempt }, 'a job failed')
    return this.#release(run, 'failed')
  }

  async #end({ lease }: Run, outcome: Outcome): Promise<void> {
    await this.#writeWithRetry(lease, (tx) => endJob(tx, lease, outcome, this.#clock.now()))
    this.#onEnded?.(lease.kind, outcome.state)
  }

  async #release({ lease }: Run, cause: 'stopped' | 'failed'): Promise<void> {
    const pause = { now: this.#clock.now(), retryPauseMs: this.#retryPauseMs }
    await this.#writeWithRetry(
      lease,
      async (tx) => void (await releaseJob(tx, lease, cause, pause)),
    )
    void this.#dispatch.offer(lease.jobId)
  }

  /** Retries during a short database outage, so that finished work is not repeated. The write is idempotent. */
  async #writeWithRetry(
    lease: JobLease,
    work: (tx: MemberTransaction) => Promise<void>,
  ): Promise<void> {
    const startedAt = performance.now()
    for (;;) {
      try {
        return await this.#database.member(lease.memberId).write(work)
      } catch (error) {
        const isConnectionLost = error instanceof RequestError && error.code === 'unavailable'
        if (!isConnectionLost || performance.now() - startedAt > WRITE_RETRY_TIMEOUT_MS) throw error
        if (this.#stop.signal.aborted) throw error
        await this.#pause(RETRY_INTERVAL_MS)
      }
    }
  }

  #renewAll(): void {
    for (const { run } of this.#runs.values()) void this.#renew(run)
  }

  async #renew(run: Run): Promise<void> {
    if (run.interruption) return
    try {
      const db = this.#database.member(run.lease.memberId)
      const standing = await db.write((tx) => renewLease(tx, run.lease, this.#clock.now()))
      if (standing !== 'held') interrupt(run, standing)
    } catch (error) {
      this.#log.warn({ err: error, job_id: run.lease.jobId }, 'could not renew a lease')
    }
  }

  #definitionOf(kind: string): Job {
    const definition = this.#definitions.get(kind)
    if (!definition) throw new Error(`this worker does not know jobs of the kind ${kind}`)
    return definition
  }

  async #pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.#stop.signal }).catch(() => {})
  }
}

/** Keeps the first reason. */
function interrupt(run: Run, interruption: Interruption): void {
  if (run.interruption) return
  run.interruption = interruption
  run.abort.abort(new JobInterrupted(REASONS[interruption]))
}
