/** Jobs over HTTP. */

import * as Type from '../base/type.ts'
import type { Static } from 'typebox'
import type { Clock } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { LIMITS } from '../guards/rate-limit-policies.ts'
import { respondOnce } from '../guards/idempotent-response.ts'
import { keyOfRequest } from '../guards/idempotency-key.ts'
import { json, type Answer } from '../http/response.ts'
import { defineRoute, type Route } from '../http/route.ts'
import {
  isTerminal,
  JOB,
  JOB_STATES,
  jobUrl,
  publishJob,
  retryAfter,
  type StoredJob,
  parseJobId,
} from './job-record.ts'
import { readJobPage, type JobPage } from './job-list.ts'
import { findJob, jobNotFound, requestCancel, startJob } from './start-job.ts'
import { requireAllData, type RequireTool } from '../tools/allowed-tools.ts'
import type { Database, MemberReader } from '../db/database.ts'
import type { InFlight } from '../guards/in-flight.ts'
import type { Job } from './job.ts'

interface JobRouteDeps {
  readonly database: Database
  readonly jobs: readonly Job[]
  readonly clock: Clock
  /** `WEFT_PUBLIC_URL`, without a trailing slash. */
  readonly publicUrl: string
  /** `WEFT_MONTHLY_CREDITS`. */
  readonly quota: number
  readonly inFlight: InFlight
  /** Agents may do here what their member allows them to do with the corresponding tool. */
  readonly requireTool: RequireTool
  /** Called after a job was created, with its ID, or after a cancel was requested. */
  wake(): void
}

/** Members call them with a token; agents use the tools. */
export function jobRoutes(deps: JobRouteDeps): Route[] {
  return [startRoute(deps), listRoute(deps), readRoute(deps), cancelRoute(deps)]
}

/** A file of 10 MB can be sent inside the JSON, which escapes quotes and line ends. Larger files are uploaded. */
const MAX_JOB_BYTES = 16 * 1024 * 1024

const DEFAULT_PAGE = 20
const MAX_PAGE_SIZE = 100

const NO_STORE = { 'cache-control': 'no-store' }
const BY_ID = Type.Object({ task_id: Type.String() })
const NOT_ALLOWED = { description: 'The member does not allow this agent to do it' }
const NOT_FOUND = { description: 'You have no job with this ID' }

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
      'If you already have a queued or running job of this kind, returns that job. Nothing is started or charged.',
    access: 'bearer',
    limit: LIMITS.jobs,
    body: { kind: 'json', schema: startBody(deps.jobs), maxBytes: MAX_JOB_BYTES },
    answers: {
      202: {
        description: 'The job that was started or is already running',
        schema: JOB,
        headers: ['Location', 'Retry-After'],
      },
      400: { description: 'Unknown kind, or invalid input' },
      402: { description: 'Not enough monthly credits' },
      403: NOT_ALLOWED,
    },
    idempotent: true,
    async handle({ body, caller, header }) {
      const { kind, ...input } = body
      const definition = requireKind(deps.jobs, kind)
      deps.requireTool(caller, definition.tool)
      if (definition.readsEverything) requireAllData(caller)
      const now = clock.now()
      const key = keyOfRequest(header, { scope: caller.credential.id, surface: 'api/jobs', body })
      const once = { key, inFlight: deps.inFlight, now }
      let createdId: number | undefined
      const answer = await respondOnce(database.member(caller.memberId), once, async (tx) => {
        const { job, started } = await startJob(tx, {
          definition,
          input,
          credentialId: caller.credential.id,
          charge: true,
          quota,
          now,
        })
        createdId = started ? job.job_id : undefined
        return jobAnswer(deps, job, 202, { location: jobUrl(job.job_id, deps.publicUrl) })
      })
      if (createdId !== undefined) deps.wake()
      return answer
    },
  })
}

function readRoute(deps: JobRouteDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/jobs/:task_id',
    operationId: 'getJob',
    summary: 'Job status and result',
    access: 'bearer',
    limit: LIMITS.jobs,
    params: BY_ID,
    answers: {
      200: {
        description: 'The job, with Retry-After until it has ended',
        schema: JOB,
        headers: ['Retry-After'],
      },
      403: NOT_ALLOWED,
      404: NOT_FOUND,
    },
    async handle({ params, caller }) {
      deps.requireTool(caller, 'get_jobs')
      const db = deps.database.member(caller.memberId)
      return jobAnswer(deps, await requireListedJob(db, params.task_id))
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
      'A queued job is canceled at once, a running job as soon as it can stop. A job that has ended does not change.',
    access: 'bearer',
    limit: LIMITS.jobs,
    params: BY_ID,
    answers: {
      200: { description: 'The current state of the job', schema: JOB },
      403: NOT_ALLOWED,
      404: NOT_FOUND,
    },
    async handle({ params, caller }) {
      deps.requireTool(caller, 'cancel_job')
      const job = await deps.database.member(caller.memberId).write(async (tx) => {
        const { job_id } = await requireListedJob(tx, params.task_id)
        return requestCancel(tx, job_id, deps.clock.now())
      })
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
    answers: { 200: { description: 'A page of jobs', schema: JOB_LIST }, 403: NOT_ALLOWED },
    async handle({ query, caller }) {
      deps.requireTool(caller, 'get_jobs')
      const { limit = DEFAULT_PAGE, state, kind, cursor } = query
      const db = deps.database.member(caller.memberId)
      return listAnswer(deps, await readJobPage(db, { state, kind, limit }, cursor))
    },
  })
}

/** The fields of the kind are next to `kind`, and are validated with the schema of the kind. */
function startBody(jobs: readonly Job[]) {
  return Type.Object(
    { kind: Type.String({ description: jobs.map(describeKind).join('\n') }) },
    { additionalProperties: true, description: 'The kind, with its own fields next to it' },
  )
}

/** One line, for the list of kinds. */
function describeKind({ kind, title, credits, input }: Job): string {
  const { properties = {} } = input as { readonly properties?: object }
  const fields = Object.keys(properties).join(', ')
  return `${kind}: ${title}. Credits: ${credits}, refunded if it fails. Fields: ${fields === '' ? 'none' : fields}.`
}

function requireKind(jobs: readonly Job[], kind: string): Job {
  const definition = jobs.find((job) => job.kind === kind)
  if (definition) return definition
  const kinds = kindsOf(jobs)
  throw new RequestError('unknown_kind', `Unknown job kind. Use one of ${kinds.join(', ')}.`, {
    members: { kinds },
  })
}

function kindsOf(jobs: readonly Job[]): string[] {
  return jobs.map(({ kind }) => kind)
}

/** @throws {RequestError} `job_not_found` when the text is not a job ID. */
export function readJobId(text: string): number {
  const jobId = parseJobId(text)
  if (jobId === undefined) throw jobNotFound('GET /api/jobs')
  return jobId
}

/** @throws {RequestError} `job_not_found` when the caller has no such job; the hint is for HTTP. */
async function requireListedJob(reader: MemberReader, taskId: string): Promise<StoredJob> {
  const job = await findJob(reader, readJobId(taskId))
  if (!job) throw jobNotFound('GET /api/jobs')
  return job
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
