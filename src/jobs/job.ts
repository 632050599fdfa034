/** A kind of job is a record: what it takes, what it costs, how it runs. */

import type { Static, TSchema } from 'typebox'
import type { MemberDatabase, MemberTransaction } from '../db/database.ts'

export interface JobProgress {
  readonly done: number
  /** Null while it is not known. */
  readonly total: number | null
  readonly message: string | null
}

/** A job in the hands of a worker. Its state outlives the worker: see `save`. */
export interface RunningJob<Input = unknown, Checkpoint = unknown> {
  readonly jobId: number
  readonly db: MemberDatabase
  readonly input: Input
  /** What the last `save` of an earlier run left, or null: where to go on. */
  readonly checkpoint: Checkpoint | null
  readonly credentialId: string | null
  now(): number
  /**
   * Saves how far the job is, in the very transaction that did that part of it; so that a worker killed at any
   * moment leaves either both or neither. Throws `JobInterrupted` when the job was cancelled, taken over by
   * another worker, or the service is stopping: let it pass.
   */
  save(tx: MemberTransaction, checkpoint: Checkpoint, progress: JobProgress): Promise<void>
  /** Fires when the job should stop soon, for the same reasons. */
  readonly signal: AbortSignal
}

export interface JobDefinition<Input extends TSchema = TSchema, Checkpoint = unknown> {
  readonly kind: string
  readonly title: string
  readonly description: string
  readonly input: Input
  /** Charged when it is started over HTTP or by a tool; given back if it fails. */
  readonly credits: number
  /**
   * Checks and stores what the input brings along, in the transaction that makes the job; returns the input to keep.
   * Refuses what cannot work, such as an upload that is not there.
   */
  prepare?(tx: MemberTransaction, input: Static<Input>, now: number): Promise<Static<Input>>
  /** Its value is the job's `result`. A `Refusal` fails the job for good; any other error is tried again, until three attempts in a row made no progress. */
  run(job: RunningJob<Static<Input>, Checkpoint>): Promise<unknown>
}

/** A kind whose types were checked where it was defined. */
export type Job = JobDefinition

export function defineJob<const Input extends TSchema, Checkpoint>(
  definition: JobDefinition<Input, Checkpoint>,
): Job {
  // The queue hands `run` only what it checked against this very schema, and the checkpoints that it saved itself.
  return definition
}

/** Thrown by `save` when this worker must let go of the job. */
export class JobInterrupted extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'JobInterrupted'
  }
}
