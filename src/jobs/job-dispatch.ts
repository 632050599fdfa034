/**
 * Notifies workers of queued jobs. A notification is only a hint: the `jobs` table decides which worker gets a job, and
 * workers poll it to find jobs whose notification was lost.
 */

/** The interface of a worker to the dispatch. */
export interface JobClaimer {
  /** The number of jobs that it runs concurrently. */
  readonly places: number
  /** Runs this job, or another queued one, once there is capacity. Resolves when it has ended, or if none was queued. */
  takeOne(jobId: number | undefined): Promise<void>
  /** Claims queued jobs while there is capacity. Returns at once. */
  takeWaiting(): void
}

export interface JobDispatch extends AsyncDisposable {
  /**
   * Call it after the transaction that created or requeued the job has committed, without `jobId` if it is unknown. Never
   * rejects: if the notification fails, the job waits in the table.
   */
  offer(jobId?: number): Promise<void>
  /** Starts to notify this worker. */
  begin(claimer: JobClaimer): void
  /** Stops notifying. Resolves when the jobs it has passed on have ended. */
  stop(): Promise<void>
}

/** For SQLite, where few processes share a file: makes the worker of this process query the table. */
export class InProcessDispatch implements JobDispatch {
  #claimer: JobClaimer | undefined

  async offer(): Promise<void> {
    this.#claimer?.takeWaiting()
  }

  begin(claimer: JobClaimer): void {
    this.#claimer = claimer
  }

  async stop(): Promise<void> {
    this.#claimer = undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }
}
