/** Jobs and uploads over HTTP. */

import Type, { type Static } from 'typebox'
import { rfc3339, type Clock } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { LIMITS } from '../guards/rate-limit-policies.ts'
import { respondOnce } from '../guards/idempotent-response.ts'
import { keyOfRequest } from '../guards/idempotency-key.ts'
import { json, type Answer } from '../http/response.ts'
import { isType } from '../http/parse-request.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { filenameOf } from './filename.ts'
import {
  isTerminal,
  JOB,
  JOB_STATES,
  jobUrl,
  publishJob,
  retryAfter,
  type StoredJob,
} from './job-record.ts'
import { readJobPage, type JobPage } from './job-list.ts'
import { jobNotFound, requestCancel, requireJob, startJob } from './start-job.ts'
import { storeForm } from './upload-form.ts'
import { MAX_UPLOAD_BYTES, storeUpload, uploadQuota, type StoredUpload } from './uploads.ts'
import type { Database } from '../db/database.ts'
import type { InFlight } from '../guards/in-flight.ts'
import type { Job } from './job.ts'

export interface JobRouteDeps {
  readonly database: Database
  readonly jobs: readonly Job[]
  readonly clock: Clock
  /** `WEFT_PUBLIC_URL`, without a slash at its end. */
  readonly publicUrl: string
  /** `WEFT_MONTHLY_CREDITS`. */
  readonly quota: number
  /** `WEFT_UPLOAD_QUOTA_MB`. */
  readonly uploadQuotaMb: number
  readonly inFlight: InFlight
  /** Called once a job was made, with its number, or a running one is to be cancelled. */
  wake(jobId?: number): void
}

export function jobRoutes(deps: JobRouteDeps): Route[] {
  return [startRoute(deps), listRoute(deps), readRoute(deps), cancelRoute(deps), uploadRoute(deps)]
}

/** A file of 50 MB may come inside the JSON, where quotes and line ends take two characters. */
const MAX_JOB_BYTES = MAX_UPLOAD_BYTES + 14 * 1024 * 1024
/** The lines around a file in a form; the file itself is measured as it is stored. */
const FORM_ALLOWANCE = 64 * 1024

const DEFAULT_PAGE = 20
const MAX_PAGE_SIZE = 100

const NO_STORE = { 'cache-control': 'no-store' }
const BY_ID = Type.Object({ task_id: Type.String() })
const NOT_FOUND = { description: 'There is no job of yours with this number' }

const UPLOAD = Type.Object({
  object: Type.Literal('upload'),
  upload_id: Type.String(),
  filename: Type.Union([Type.String(), Type.Null()]),
  bytes: Type.Integer(),
  expires_at: Type.String({ format: 'date-time' }),
})

const BYTES = Type.String({ contentMediaType: 'application/octet-stream' })
const FORM = Type.Object({ file: BYTES })

const JOB_LIST = Type.Object({
  object: Type.Literal('list'),
  jobs: Type.Array(JOB),
  has_more: Type.Boolean(),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
})

function startRoute(deps: JobRouteDeps): Route {
  const { database, clock, quota } = deps
  return defineRoute({
    method: 'POST',
    path: '/api/jobs',
    operationId: 'startJob',
    summary: 'Start a job',
    description:
      'A kind of which you have a queued or running job reports that one; nothing is started or charged.',
    access: 'bearer',
    limit: LIMITS.jobs,
    body: { kind: 'json', schema: startBody(deps.jobs), maxBytes: MAX_JOB_BYTES },
    answers: {
      202: {
        description: 'The job that was started, or that is running already',
        schema: JOB,
        headers: ['Location', 'Retry-After'],
      },
      400: { description: 'An unknown kind, or an input that does not fit it' },
      402: { description: 'The monthly credits do not cover it' },
    },
    idempotent: true,
    async handle({ body, caller, header }) {
      const { kind, ...input } = body
      const definition = requireKind(deps.jobs, kind)
      const now = clock.now()
      const key = keyOfRequest(header, { scope: caller.credential.id, surface: 'api/jobs', body })
      const once = { key, inFlight: deps.inFlight, now }
      let made: number | undefined
      const answer = await respondOnce(database.member(caller.memberId), once, async (tx) => {
        const { job, started } = await startJob(tx, {
          definition,
          input,
          credentialId: caller.credential.id,
          charge: true,
          quota,
          now,
        })
        made = started ? job.job_id : undefined
        return jobAnswer(deps, job, 202, { location: jobUrl(job.job_id, deps.publicUrl) })
      })
      if (made !== undefined) deps.wake(made)
      return answer
    },
  })
}

function readRoute(deps: JobRouteDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/jobs/:task_id',
    operationId: 'getJob',
    summary: 'How far a job is, and what came of it',
    access: 'bearer',
    limit: LIMITS.jobs,
    params: BY_ID,
    answers: {
      200: {
        description: 'The job; with Retry-After while it is not terminal',
        schema: JOB,
        headers: ['Retry-After'],
      },
      404: NOT_FOUND,
    },
    async handle({ params, caller }) {
      const db = deps.database.member(caller.memberId)
      return jobAnswer(deps, await requireJob(db, readJobId(params.task_id)))
    },
  })
}

function cancelRoute(deps: JobRouteDeps): Route {
  return defineRoute({
    method: 'DELETE',
    path: '/api/jobs/:task_id',
    operationId: 'cancelJob',
    summary: 'Cancel a job',
    description:
      'A queued job is cancelled at once, a running one as soon as it can stop; one that has ended stays as it is.',
    access: 'bearer',
    limit: LIMITS.jobs,
    params: BY_ID,
    answers: { 200: { description: 'The job as it is now', schema: JOB }, 404: NOT_FOUND },
    async handle({ params, caller }) {
      const jobId = readJobId(params.task_id)
      const job = await deps.database
        .member(caller.memberId)
        .write((tx) => requestCancel(tx, jobId, deps.clock.now()))
      if (!isTerminal(job.state)) deps.wake()
      return jobAnswer(deps, job)
    },
  })
}

function listRoute(deps: JobRouteDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/jobs',
    operationId: 'listJobs',
    summary: 'Your jobs, newest first',
    access: 'bearer',
    limit: LIMITS.jobs,
    query: Type.Object({
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_PAGE }),
      ),
      state: Type.Optional(Type.Enum([...JOB_STATES])),
      kind: Type.Optional(Type.Enum(kindsOf(deps.jobs))),
      cursor: Type.Optional(Type.String({ maxLength: 200 })),
    }),
    answers: { 200: { description: 'A page of jobs', schema: JOB_LIST } },
    async handle({ query, caller }) {
      const { limit = DEFAULT_PAGE, state, kind, cursor } = query
      const db = deps.database.member(caller.memberId)
      return listAnswer(deps, await readJobPage(db, { state, kind, limit }, cursor))
    },
  })
}

function uploadRoute({ database, clock, uploadQuotaMb }: JobRouteDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/uploads',
    operationId: 'uploadFile',
    summary: 'Upload a file for a job',
    description:
      'The bytes themselves with `Content-Type` and the name in `Content-Disposition`, or one file as multipart/form-data. Kept for 24 hours.',
    access: 'bearer',
    limit: LIMITS.jobs,
    body: {
      kind: 'stream',
      maxBytes: MAX_UPLOAD_BYTES + FORM_ALLOWANCE,
      content: { 'application/octet-stream': BYTES, 'multipart/form-data': FORM },
    },
    answers: {
      201: { description: 'The upload', schema: UPLOAD },
      400: { description: 'An empty file, or a form without exactly one file' },
      413: {
        description: "More than 50 MB, or more than the account's uploads may take at a time",
      },
    },
    async handle(request) {
      const { body, caller } = request
      const db = database.member(caller.memberId)
      const terms = { now: clock.now(), quota: uploadQuota(uploadQuotaMb) }
      const contentType = request.header('content-type') ?? null
      if (contentType !== null && isType(contentType, ['multipart/form-data']))
        return uploadAnswer(await storeForm(db, contentType, body, terms))
      const filename = filenameOf(request.header('content-disposition'))
      return uploadAnswer(await storeUpload(db, { filename, contentType, bytes: body, ...terms }))
    },
  })
}

/** The kind's own fields stand beside `kind`; they are checked by the kind's own schema. */
function startBody(jobs: readonly Job[]) {
  return Type.Object(
    { kind: Type.String({ description: `One of ${kindsOf(jobs).join(', ')}` }) },
    { additionalProperties: true, description: 'The kind, and beside it the fields it takes' },
  )
}

function requireKind(jobs: readonly Job[], kind: string): Job {
  const definition = jobs.find((job) => job.kind === kind)
  if (definition) return definition
  const kinds = kindsOf(jobs)
  throw new RequestError('unknown_kind', `Jobs are of the kinds ${kinds.join(', ')}.`, {
    members: { kinds },
  })
}

function kindsOf(jobs: readonly Job[]): string[] {
  return jobs.map(({ kind }) => kind)
}

/** What is no number of a job is a job that nobody has. */
export function readJobId(text: string): number {
  const jobId = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(jobId)) throw jobNotFound()
  return jobId
}

function jobAnswer(
  deps: JobRouteDeps,
  job: StoredJob,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const polling: Record<string, string> = isTerminal(job.state)
    ? {}
    : { 'retry-after': String(retryAfter(job, deps.clock.now())) }
  return json(publishJob(job, deps.publicUrl), status, { ...NO_STORE, ...polling, ...headers })
}

function listAnswer({ publicUrl }: JobRouteDeps, { jobs, nextCursor }: JobPage): Answer {
  const list: Static<typeof JOB_LIST> = {
    object: 'list',
    jobs: jobs.map((job) => publishJob(job, publicUrl)),
    has_more: nextCursor !== null,
    next_cursor: nextCursor,
  }
  return json(list, 200, NO_STORE)
}

function uploadAnswer(upload: StoredUpload): Answer {
  const published: Static<typeof UPLOAD> = {
    object: 'upload',
    upload_id: upload.upload_id,
    filename: upload.filename,
    bytes: upload.bytes,
    expires_at: rfc3339(upload.expires_at),
  }
  return json(published, 201, NO_STORE)
}
