/** Definitions of job kinds: their input, their cost, and how they run. */

import type { Static, TSchema } from 'typebox'
import type { MemberDatabase, MemberReader, MemberTransaction } from '../db/database.ts'

export interface JobProgress {
  readonly done: number
  /** Null while unknown. */
  readonly total: number | null
  readonly message: string | null
}

/** A job while a worker runs it. Its saved state survives the worker; see `save`. */
export interface RunningJob<Input = unknown, Checkpoint = unknown> {
  readonly jobId: number
  readonly db: MemberDatabase
  readonly input: Input
  /** The last checkpoint saved by an earlier attempt, to continue from; null without one. */
  readonly checkpoint: Checkpoint | null
  readonly credentialId: string | null
  now(): number
  /**
   * Saves the progress in the transaction that did the work, so that a killed worker leaves both or neither. Do
   * not catch its error.
   *
   * @throws {JobInterrupted} when the job was canceled, another worker has it, or the service is stopping.
   */
  save(tx: MemberTransaction, checkpoint: Checkpoint, progress: JobProgress): Promise<void>
  /** Aborts when the job should stop soon, for the same reasons. */
  readonly signal: AbortSignal
}

interface JobDefinition<Input extends TSchema = TSchema, Checkpoint = unknown> {
  readonly kind: string
  readonly title: string
  readonly description: string
  readonly input: Input
  /** The tool that does the same. An agent that may not use it cannot start the job either. */
  readonly tool: string
  /** The result contains all of the member's data, so only an agent that may read everything can start it. */
  readonly readsEverything?: true
  /** Charged when the job is started over HTTP or by a tool, and refunded if it fails. */
  readonly credits: number
  /**
   * Checks the input and stores its content in the transaction that creates the job. Returns the input to store.
   *
   * @throws {RequestError} any error of the input, such as a missing upload.
   */
  prepare?(tx: MemberTransaction, input: Static<Input>, now: number): Promise<Static<Input>>
  /** The name of the file that a job with this stored input reads. */
  filenameOf?(reader: MemberReader, input: Static<Input>, now: number): Promise<string | null>
  /** How much a job with this stored input reads, about. Small jobs do not wait for large ones. */
  bytesOf?(reader: MemberReader, input: Static<Input>, now: number): Promise<number>
  /**
   * Returns the job's `result`. A `RequestError` below status 500 fails the job. After any other error the job is retried,
   * up to three consecutive attempts without progress.
   */
  run(job: RunningJob<Static<Input>, Checkpoint>): Promise<unknown>
}

/** A job kind whose types were checked at its definition. */
export type Job = JobDefinition

export function defineJob<const Input extends TSchema, Checkpoint>(
  definition: JobDefinition<Input, Checkpoint>,
): Job {
  // The queue passes `run` only input that it validated against this schema, and checkpoints that it saved itself.
  return definition
}

/** Thrown by `save` when this worker must stop running the job. */
export class JobInterrupted extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'JobInterrupted'
  }
}
