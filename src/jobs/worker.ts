/**
 * Runs jobs in this process: takes them one by one from the table, holds each while it runs, writes down how it ended.
 * Any number of workers, in any number of processes, share the table.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { HOUR, SECOND, type Clock } from '../base/clock.ts'
import { Refusal } from '../base/refusal.ts'
import {
  claimJob,
  claimNextJob,
  endJob,
  internalError,
  MOST_ATTEMPTS,
  releaseJob,
  RENEW_EVERY,
  renewLease,
  saveCheckpoint,
  type JobHold,
  type Outcome,
  type Standing,
} from './job-hold.ts'
import { JobInterrupted, type Job, type JobProgress, type RunningJob } from './job.ts'
import { isTerminal, progressOf, type StoredJob } from './job-record.ts'
import { requireJob } from './start-job.ts'
import { sweepUploads } from './uploads.ts'
import { newWorkerId } from './worker-id.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../db/database.ts'

/** How long a job made by another process may wait to be seen. */
const POLL_EVERY = 3 * SECOND
/** How often a job that another worker runs is looked at by whoever waits for it here. */
const FOLLOW_EVERY = SECOND / 4
const SWEEP_EVERY = HOUR
/** Jobs that do not let go in this time keep their lease, and are taken over as after a crash. */
const STOP_PATIENCE = 10 * SECOND

export interface WorkerParts {
  readonly database: Database
  readonly jobs: readonly Job[]
  readonly clock: Clock
  readonly log: Log
  /** Jobs at a time. */
  readonly concurrency?: number
  /** One worker a process: a second one with the same process number would pass for its dead forerunner. */
  readonly workerId?: string
}

type Interruption = Exclude<Standing, 'held'> | 'stopping'

/** A job that runs here. */
interface Run {
  readonly hold: JobHold
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
  readonly #concurrency: number
  readonly #definitions: ReadonlyMap<string, Job>
  readonly #runs = new Map<number, { readonly run: Run; readonly ended: Promise<void> }>()
  readonly #stop = new AbortController()
  #poll: NodeJS.Timeout | undefined
  #working: Promise<void> | undefined
  #isWorkWanted = false
  #sweptAt = Number.NEGATIVE_INFINITY

  constructor(parts: WorkerParts) {
    this.id = parts.workerId ?? newWorkerId()
    this.#database = parts.database
    this.#clock = parts.clock
    this.#log = parts.log
    this.#concurrency = parts.concurrency ?? 2
    this.#definitions = new Map(parts.jobs.map((job) => [job.kind, job]))
  }

  /** Takes jobs from now on, those first that an earlier process left unfinished. */
  start(): void {
    this.#poll ??= setInterval(() => this.wake(), POLL_EVERY)
    this.wake()
  }

  /** Call it when a job was made or cancelled: it is then seen at once, not at the next poll. */
  wake(): void {
    for (const { run } of this.#runs.values()) void this.#renew(run)
    if (!this.#poll || this.#stop.signal.aborted) return
    this.#isWorkWanted = true
    this.#working ??= this.#work()
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
        await this.#pause(FOLLOW_EVERY)
      }
    }
  }

  /** Stops gracefully: running jobs are told, and go back to the queue with what they saved. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    clearInterval(this.#poll)
    await this.#working
    const runs = [...this.#runs.values()]
    for (const { run } of runs) interrupt(run, 'stopping')
    const patience = new AbortController()
    await Promise.race([
      Promise.all(runs.map(({ ended }) => ended)),
      sleep(STOP_PATIENCE, undefined, { signal: patience.signal }).catch(() => {}),
    ])
    patience.abort()
  }

  async #work(): Promise<void> {
    try {
      while (this.#isWorkWanted) {
        this.#isWorkWanted = false
        await this.#claimWhileThereIsRoom()
        await this.#sweep()
      }
    } catch (error) {
      this.#log.error({ err: error }, 'taking jobs failed; it is tried again at the next poll')
    } finally {
      this.#working = undefined
    }
  }

  async #claimWhileThereIsRoom(): Promise<void> {
    while (!this.#stop.signal.aborted && this.#runs.size < this.#concurrency) {
      const hold = await claimNextJob(this.#database, {
        worker: this.id,
        kinds: [...this.#definitions.keys()],
        busy: [...this.#runs.keys()],
        now: this.#clock.now(),
      })
      if (!hold) return
      void this.#begin(hold).then(() => this.wake())
    }
  }

  async #sweep(): Promise<void> {
    const now = this.#clock.now()
    if (this.#stop.signal.aborted || now - this.#sweptAt < SWEEP_EVERY) return
    this.#sweptAt = now
    await sweepUploads(this.#database, now)
  }

  /** Runs a job that was taken; the promise never rejects. */
  #begin(hold: JobHold, onProgress?: (progress: JobProgress) => void): Promise<void> {
    const run: Run = { hold, abort: new AbortController(), interruption: undefined }
    const renewal = setInterval(() => void this.#renew(run), RENEW_EVERY)
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
    if (error instanceof Refusal && error.status < 500) {
      const { code, title, message } = error
      return this.#end(run, { state: 'failed', error: { code, title, detail: message } })
    }
    if (interruption === 'stopping') return this.#release(run, hold.attempt - 1)
    const { jobId, kind, attempt } = hold
    this.#log.error({ err: error, job_id: jobId, kind, attempt }, 'a job failed')
    if (attempt < MOST_ATTEMPTS) return this.#release(run, attempt)
    const detail = `The job failed on our side, ${MOST_ATTEMPTS} times. What it cost was given back.`
    return this.#end(run, { state: 'failed', error: internalError(detail) })
  }

  async #end({ hold }: Run, outcome: Outcome): Promise<void> {
    const db = this.#database.member(hold.memberId)
    await db.write((tx) => endJob(tx, hold, outcome, this.#clock.now()))
  }

  async #release({ hold }: Run, attemptsUsed: number): Promise<void> {
    const db = this.#database.member(hold.memberId)
    await db.write((tx) => releaseJob(tx, hold, attemptsUsed, this.#clock.now()))
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
