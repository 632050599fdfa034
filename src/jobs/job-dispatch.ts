/**
 * What hands jobs to workers. It only says that a job waits, and to whom: the `jobs` table decides who has it, and a
 * job whose hand-over got lost is found there by the workers' own look.
 */

/** A worker, as a dispatch sees it. */
export interface JobClaimer {
  /** How many jobs it runs at a time. */
  readonly places: number
  /** Runs this job, or another that waits, once there is a place for it; resolves when that has ended, or nothing waited. */
  takeOne(jobId: number | undefined): Promise<void>
  /** Takes what waits while there are places; resolves at once. */
  takeWaiting(): void
}

export interface JobDispatch extends AsyncDisposable {
  /**
   * Call it once the transaction that made the job, or put it back, is committed; without the number where it is not
   * known. Never rejects: what could not be handed over waits in the table.
   */
  offer(jobId?: number): Promise<void>
  /** From now on this worker is handed jobs. */
  begin(taker: JobClaimer): void
  /** Hands over nothing more; resolves when what was handed over has ended. */
  stop(): Promise<void>
}

/** For workers that alone, or with few others, share a file: the one of this process looks into the table itself. */
export class InProcessDispatch implements JobDispatch {
  #taker: JobClaimer | undefined

  async offer(): Promise<void> {
    this.#taker?.takeWaiting()
  }

  begin(taker: JobClaimer): void {
    this.#taker = taker
  }

  async stop(): Promise<void> {
    this.#taker = undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }
}
