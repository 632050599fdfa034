/** Starts a job from a form, so that submitting the form twice neither starts nor charges a second one. */

import { submitOnce, type Submission } from '../forms/submission.ts'
import { startJob } from '../jobs/start-job.ts'
import type { MemberDatabase } from '../db/database.ts'
import type { Job } from '../jobs/job.ts'

interface JobStart {
  readonly definition: Job
  readonly input: object
  /** `WEFT_MONTHLY_CREDITS` */
  readonly quota: number
  readonly now: number
  readonly submission: Submission | undefined
}

export interface StartedOnce {
  readonly jobId: number
  /** False if a job of its kind was already queued or running. */
  readonly started: boolean
}

/** @throws {RequestError} `credits_exhausted` when the monthly credits do not cover it. */
export function startJobOnce(
  db: MemberDatabase,
  { submission, ...start }: JobStart,
): Promise<StartedOnce> {
  return db.write((tx) =>
    submitOnce(tx, submission, async () => {
      const { job, started } = await startJob(tx, { ...start, credentialId: null, charge: true })
      return { jobId: job.job_id, started }
    }),
  )
}
