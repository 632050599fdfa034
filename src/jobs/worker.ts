/**
 * Runs jobs in this process: takes them one by one from the table, holds each while it runs, writes down how it ended.
 * Any number of workers, in any number of processes, share the table. A dispatch says when there is one to take; a
 * sparse look of the worker's own finds those whose worker died, and those whose hand-over got lost.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { HOUR, SECOND, type Clock } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import {
  claimJob,
  claimNextJob,
  endJob,
  LEASE,
  releaseJob,
  RENEW_INTERVAL_MS,
  renewLease,
  saveCheckpoint,
  type JobLease,
  type Outcome,
  type LeaseState,
} from './job-lease.ts'
import { InProcessDispatch, type JobDispatch } from './job-dispatch.ts'
import { JobInterrupted, type Job, type JobProgress, type RunningJob } from './job.ts'
import { isTerminal, progressOf, type StoredJob } from './job-record.ts'
import { Semaphore } from '../base/semaphore.ts'
import { requireJob } from './start-job.ts'
import { sweepUploads } from './uploads.ts'
import { newWorkerId } from './worker-id.ts'
import type { Log } from '../base/log.ts'
import type { Database, MemberTransaction } from '../db/database.ts'

/** How long a job that nobody handed over may wait to be seen. */
const POLL_INTERVAL_MS = 3 * SECOND
/** How often a job that another worker runs is looked at by whoever waits for it here. */
const PROGRESS_INTERVAL_MS = SECOND / 4
const SWEEP_INTERVAL_MS = HOUR
/** While the database is gone; a restart takes a second or two, and after the lease another may have the job. */
const RETRY_INTERVAL_MS = SECOND / 2
const LAST_WRITE_AFTER = LEASE
/** Jobs that do not let go in this time keep their lease, and are taken over as after a crash. */
const SHUTDOWN_TIMEOUT_MS = 10 * SECOND

export interface WorkerDeps {
  readonly database: Database
  readonly jobs: readonly Job[]
  readonly clock: Clock
  readonly log: Log
  /** What hands it jobs, disposed by who made it; without one this worker only sees what it is woken for. */
  readonly dispatch?: JobDispatch
  /** Jobs at a time. */
  readonly concurrency?: number
  /** One worker a process: a second one with the same process number would pass for its dead forerunner. */
  readonly workerId?: string
}

type Interruption = Exclude<LeaseState, 'held'> | 'stopping'

/** A job that runs here. */
interface Run {
  readonly hold: JobLease
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
  readonly #places: Semaphore
  readonly #definitions: ReadonlyMap<string, Job>
  readonly #runs = new Map<number, { readonly run: Run; readonly ended: Promise<void> }>()
  readonly #stop = new AbortController()
  #looks: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined
  #isLookWanted = false
  #sweptAt = Number.NEGATIVE_INFINITY

  constructor(deps: WorkerDeps) {
    this.id = deps.workerId ?? newWorkerId()
    this.#database = deps.database
    this.#clock = deps.clock
    this.#log = deps.log
    this.#dispatch = deps.dispatch ?? new InProcessDispatch()
    this.#concurrency = deps.concurrency ?? 2
    this.#places = new Semaphore(this.#concurrency)
    this.#definitions = new Map(deps.jobs.map((job) => [job.kind, job]))
  }

  /** Takes jobs from now on, those first that an earlier process left unfinished. */
  start(): void {
    this.#looks ??= setInterval(() => {
      this.#renewAll()
      this.#look()
    }, POLL_INTERVAL_MS)
    this.#dispatch.begin({
      places: this.#concurrency,
      takeOne: (jobId) => this.#takeOne(jobId),
      takeWaiting: () => this.#look(),
    })
    this.#look()
  }

  /** Call it when a job was made or is to be cancelled: that is then seen at once, not at the next look. */
  wake(jobId?: number): void {
    this.#renewAll()
    void this.#dispatch.offer(jobId)
  }

  /**
   * Runs this one job here, or follows it where another worker has it; resolves with the job once it has ended, or as
   * it is when the worker is disposed. Needs no `start`.
   *
   * @throws Refusal `job_not_found`
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
      const hold = this.#runs.has(jobId)
        ? undefined
        : await claimJob(this.#database, { worker: this.id, jobId, now: this.#clock.now() })
      if (hold) await this.#begin(hold, onProgress)
      else {
        onProgress(progressOf(job))
        await this.#pause(PROGRESS_INTERVAL_MS)
      }
    }
  }

  /** Stops gracefully: running jobs are told, and go back to the queue with what they saved. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    clearInterval(this.#looks)
    this.#places.close()
    const noMore = this.#dispatch.stop()
    await this.#looking
    const runs = [...this.#runs.values()]
    for (const { run } of runs) interrupt(run, 'stopping')
    const patience = new AbortController()
    await Promise.race([
      Promise.all([noMore, ...runs.map(({ ended }) => ended)]),
      sleep(SHUTDOWN_TIMEOUT_MS, undefined, { signal: patience.signal }).catch(() => {}),
    ])
    patience.abort()
  }

  /** Takes what waits while there are places; several wishes for it in a row are one. */
  #look(): void {
    if (!this.#looks || this.#stop.signal.aborted) return
    this.#isLookWanted = true
    this.#looking ??= this.#takeWaiting()
  }

  async #takeWaiting(): Promise<void> {
    try {
      while (this.#isLookWanted) {
        this.#isLookWanted = false
        while (this.#places.tryTake()) if (!(await this.#takeNext())) break
        await this.#sweep()
      }
    } catch (error) {
      this.#log.error({ err: error }, 'taking jobs failed; it is tried again at the next look')
    } finally {
      this.#looking = undefined
    }
  }

  /** With a place in hand: true when a job was there for it. */
  async #takeNext(): Promise<boolean> {
    let hold: JobLease | undefined
    try {
      hold = await this.#claim()
    } finally {
      if (!hold) this.#places.free()
    }
    if (hold) void this.#begin(hold).finally(() => this.#leavePlace())
    return hold !== undefined
  }

  #leavePlace(): void {
    this.#places.free()
    this.#look()
  }

  /** Runs a job that was handed over; which one it is in the end the table says. */
  async #takeOne(jobId: number | undefined): Promise<void> {
    if (!(await this.#places.take())) return this.#dispatch.offer(jobId)
    try {
      const named = jobId === undefined ? undefined : await this.#claim(jobId)
      const hold = named ?? (await this.#claim())
      if (hold) await this.#begin(hold)
    } catch (error) {
      this.#log.error({ err: error, job_id: jobId }, 'a job was not taken; it will be found')
    } finally {
      this.#places.free()
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

  /** Runs a job that was taken; the promise never rejects. */
  #begin(hold: JobLease, onProgress?: (progress: JobProgress) => void): Promise<void> {
    const run: Run = { hold, abort: new AbortController(), interruption: undefined }
    const renewal = setInterval(() => void this.#renew(run), RENEW_INTERVAL_MS)
    const ended = this.#run(run, onProgress)
      .catch((error: unknown) => {
        // Its lease runs out, and whoever comes next takes it over.
        this.#log.error({ err: error, job_id: hold.jobId }, 'the end of a job was not written down')
      })
      .finally(() => {
        clearInterval(renewal)
        this.#runs.delete(hold.jobId)
      })
    this.#runs.set(hold.jobId, { run, ended })
    // Claimed just as the stop began, which told only the runs that were there.
    if (this.#stop.signal.aborted) interrupt(run, 'stopping')
    return ended
  }

  async #run(run: Run, onProgress: ((progress: JobProgress) => void) | undefined): Promise<void> {
    try {
      const definition = this.#definitionOf(run.hold.kind)
      const result = await definition.run(this.#runningJob(run, onProgress))
      await this.#end(run, { state: 'succeeded', result })
    } catch (error) {
      await this.#settle(run, error)
    }
  }

  #runningJob(run: Run, onProgress: ((progress: JobProgress) => void) | undefined): RunningJob {
    const { hold } = run
    return {
      jobId: hold.jobId,
      db: this.#database.member(hold.memberId),
      input: JSON.parse(hold.input) as unknown,
      checkpoint: hold.checkpoint === null ? null : (JSON.parse(hold.checkpoint) as unknown),
      credentialId: hold.credentialId,
      now: () => this.#clock.now(),
      signal: run.abort.signal,
      save: async (tx, checkpoint, progress) => {
        run.abort.signal.throwIfAborted()
        const standing = await saveCheckpoint(tx, hold, checkpoint, progress, this.#clock.now())
        if (standing !== 'held') interrupt(run, standing)
        run.abort.signal.throwIfAborted()
        onProgress?.(progress)
      },
    }
  }

  /** What becomes of a job whose run threw. */
  async #settle(run: Run, error: unknown): Promise<void> {
    const { hold, interruption } = run
    if (interruption === 'lost') return
    if (interruption === 'cancelled') return this.#end(run, { state: 'cancelled' })
    // A refusal of our own making (the file is locked, say) is no fault of the input: it is tried again.
    if (error instanceof RequestError && error.status < 500) {
      const { code, title, message } = error
      return this.#end(run, { state: 'failed', error: { code, title, detail: message } })
    }
    if (interruption === 'stopping') return this.#release(run, 'stopped')
    const { jobId, kind, attempt } = hold
    this.#log.error({ err: error, job_id: jobId, kind, attempt }, 'a job failed')
    return this.#release(run, 'failed')
  }

  async #end({ hold }: Run, outcome: Outcome): Promise<void> {
    await this.#writeDown(hold, (tx) => endJob(tx, hold, outcome, this.#clock.now()))
  }

  async #release({ hold }: Run, cause: 'stopped' | 'failed'): Promise<void> {
    const now = this.#clock.now()
    await this.#writeDown(hold, async (tx) => void (await releaseJob(tx, hold, cause, now)))
    void this.#dispatch.offer(hold.jobId)
  }

  /** What was done is not done again for a database that is gone for a moment. Written twice, it counts once. */
  async #writeDown(hold: JobLease, work: (tx: MemberTransaction) => Promise<void>): Promise<void> {
    const began = performance.now()
    for (;;) {
      try {
        return await this.#database.member(hold.memberId).write(work)
      } catch (error) {
        const isConnectionLost = error instanceof RequestError && error.code === 'unavailable'
        if (!isConnectionLost || performance.now() - began > LAST_WRITE_AFTER) throw error
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
      const db = this.#database.member(run.hold.memberId)
      const standing = await db.write((tx) => renewLease(tx, run.hold, this.#clock.now()))
      if (standing !== 'held') interrupt(run, standing)
    } catch (error) {
      this.#log.warn({ err: error, job_id: run.hold.jobId }, 'a lease was not renewed')
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

/** The first reason counts. */
function interrupt(run: Run, interruption: Interruption): void {
  if (run.interruption) return
  run.interruption = interruption
  run.abort.abort(new JobInterrupted(REASONS[interruption]))
}
