/** One run of a claimed job: its lease, its checkpoints, what interrupts it, and how its end is recorded. */

import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND, type Clock } from '../base/clock.ts'
import { messagesOf, RequestError } from '../base/request-error.ts'
import { errorType, type Span, type Trace } from '../base/monitoring/tracing.ts'
import { isDiskFull } from '../db/unavailable.ts'
import { WHOLE_ATTEMPT_MS, type ReleaseCause } from './job-attempts.ts'
import {
  endJob,
  LEASE,
  releaseJob,
  renewLease,
  saveCheckpoint,
  type JobLease,
  type LeaseState,
  type Outcome,
} from './job-lease.ts'
import { JobInterrupted, type Job, type JobProgress, type RunningJob } from './job.ts'
import type { Log } from '../base/log.ts'
import type { Database, MemberTransaction } from '../db/database.ts'

/** For writes during a database outage. */
const RETRY_INTERVAL_MS = SECOND / 2
/** How long a stopping worker tries to release a job. Then its lease would expire anyway. */
const STOPPED_RETRY_TIMEOUT_MS = LEASE

/** What all runs of a worker share. */
export interface RunDeps {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  /** Called after a job has ended in this process. */
  readonly onEnded?: ((kind: string, state: Outcome['state']) => void) | undefined
  readonly trace?: Trace | undefined
  /** Pause before the second attempt of a failed job. Milliseconds. */
  readonly retryPauseMs: number
  /** Fires when the worker stops. */
  readonly stop: AbortSignal
  /** Throws for an unknown kind. */
  definitionOf(kind: string): Pick<Job, 'run'>
}

type Interruption = Exclude<LeaseState, 'held'> | 'stopping'

const REASONS: Readonly<Record<Interruption, string>> = {
  cancelled: 'the job was cancelled',
  lost: 'another worker has the job, or it has ended',
  stopping: 'the service is stopping',
}

export class JobRun {
  readonly #deps: RunDeps
  readonly #lease: JobLease
  readonly #onProgress: ((progress: JobProgress) => void) | undefined
  readonly #abort = new AbortController()
  readonly #beganAt: number
  /** Whether a renewal has counted the attempt as one. */
  #isWhole = false
  #interruption: Interruption | undefined

  constructor(deps: RunDeps, lease: JobLease, onProgress?: (progress: JobProgress) => void) {
    this.#deps = deps
    this.#lease = lease
    this.#onProgress = onProgress
    this.#beganAt = deps.clock.now()
  }

  /**
   * Rejects if the end of the job could not be recorded. A job runs long after the request that created it, maybe on
   * another node, so it has its own trace.
   */
  run(): Promise<void> {
    const { kind, attempt } = this.#lease
    const { trace } = this.#deps
    if (!trace) return this.#run()
    const attributes = { 'weft.job.kind': kind, 'weft.job.attempt': attempt }
    return trace({ name: `job ${kind}`, kind: 'consumer', attributes, isRoot: true }, (span) =>
      this.#run(span),
    )
  }

  /** Keeps the first reason. */
  interrupt(interruption: Interruption): void {
    if (this.#interruption) return
    this.#interruption = interruption
    this.#abort.abort(new JobInterrupted(REASONS[interruption]))
  }

  /** Extends the lease, unless another worker has it or the job was cancelled, which interrupts the run. */
  async renew(): Promise<void> {
    if (this.#interruption) return
    const { database, clock, log } = this.#deps
    const { memberId, jobId } = this.#lease
    try {
      const now = clock.now()
      const isWhole = !this.#isWhole && now - this.#beganAt >= WHOLE_ATTEMPT_MS
      const standing = await database
        .member(memberId)
        .write((tx) => renewLease(tx, this.#lease, { now, isWhole }))
      if (isWhole) this.#isWhole = true
      if (standing !== 'held') this.interrupt(standing)
    } catch (error) {
      log.warn({ err: error, job_id: jobId }, 'could not renew a lease')
    }
  }

  async #run(span?: Span): Promise<void> {
    try {
      const definition = this.#deps.definitionOf(this.#lease.kind)
      const result = await definition.run(this.#runningJob())
      await this.#end({ state: 'succeeded', result })
    } catch (error) {
      span?.fail(this.#interruption ?? errorType(error))
      await this.#settle(error)
    }
  }

  #runningJob(): RunningJob {
    const { database, clock } = this.#deps
    const lease = this.#lease
    const { signal } = this.#abort
    return {
      jobId: lease.jobId,
      db: database.member(lease.memberId),
      input: JSON.parse(lease.input) as unknown,
      checkpoint: lease.checkpoint === null ? null : (JSON.parse(lease.checkpoint) as unknown),
      credentialId: lease.credentialId,
      now: () => clock.now(),
      signal,
      save: async (tx, checkpoint, progress) => {
        signal.throwIfAborted()
        const standing = await saveCheckpoint(tx, lease, checkpoint, progress, clock.now())
        if (standing !== 'held') this.interrupt(standing)
        signal.throwIfAborted()
        this.#onProgress?.(progress)
      },
    }
  }

  /** Ends or releases a job whose `run` threw. */
  async #settle(error: unknown): Promise<void> {
    if (this.#interruption === 'lost') return
    if (this.#interruption === 'cancelled') return this.#end({ state: 'cancelled' })
    // A server error, such as a locked file, is not the fault of the input, so the job is retried.
    if (error instanceof RequestError && error.status < 500) {
      const { code, title, message, details } = error
      const detail = details.hint === undefined ? message : `${message} ${details.hint}`
      const texts = messagesOf(message, details.hint, details.texts)
      return this.#end({ state: 'failed', error: { code, title, detail, texts } })
    }
    if (this.#interruption === 'stopping') return this.#release('stopped')
    const { jobId, kind, attempt } = this.#lease
    this.#deps.log.error({ err: error, job_id: jobId, kind, attempt }, 'a job failed')
    return this.#release(causeOf(error))
  }

  async #end(outcome: Outcome): Promise<void> {
    const { clock, onEnded } = this.#deps
    await this.#writeWithRetry((tx) => endJob(tx, this.#lease, outcome, clock.now()))
    onEnded?.(this.#lease.kind, outcome.state)
  }

  async #release(cause: ReleaseCause): Promise<void> {
    const { clock, retryPauseMs } = this.#deps
    const pause = { now: clock.now(), retryPauseMs, isWhole: this.#isWhole }
    await this.#writeWithRetry(async (tx) => void (await releaseJob(tx, this.#lease, cause, pause)))
  }

  /**
   * Retries until the database works again: a job whose end is not recorded would block the member's next one. The write is
   * idempotent, and has no effect once another worker has the job.
   */
  async #writeWithRetry(work: (tx: MemberTransaction) => Promise<void>): Promise<void> {
    const { database, stop } = this.#deps
    let stoppedAt: number | undefined
    for (;;) {
      try {
        return await database.member(this.#lease.memberId).write(work)
      } catch (error) {
        if (!isUnavailable(error)) throw error
        if (stop.aborted) stoppedAt ??= performance.now()
        if (performance.now() - (stoppedAt ?? Infinity) > STOPPED_RETRY_TIMEOUT_MS) throw error
        const untilStop = stop.aborted ? {} : { signal: stop }
        await sleep(RETRY_INTERVAL_MS, undefined, untilStop).catch(() => {})
      }
    }
  }
}

function causeOf(error: unknown): ReleaseCause {
  if (isDiskFull(error)) return 'disk_full'
  return isUnavailable(error) ? 'unavailable' : 'failed'
}

function isUnavailable(error: unknown): boolean {
  return error instanceof RequestError && error.code === 'unavailable'
}
