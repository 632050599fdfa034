/** weft jobs: list, cancel and retry the jobs of all members. */

import { Option, type Command } from 'commander'
import { rfc3339 } from '../base/clock.ts'
import { JOB_STATES, type JobError, type JobState } from '../jobs/job-record.ts'
import { listAllJobs, requireOwner, retryJob, type OperatedJob } from '../jobs/operate-jobs.ts'
import { requestCancel } from '../jobs/start-job.ts'
import { findMember, requireMemberByUsername } from '../members/member.ts'
import { printList } from './terminal/table.ts'
import { say, type Terminal } from './terminal/terminal.ts'
import { wholeNumberUpTo } from './terminal/whole-number.ts'
import { withDatabase } from './with-database.ts'
import type { Database } from '../db/database.ts'

interface ListOptions {
  readonly member?: string
  readonly state?: JobState
  readonly limit: number
  readonly json?: true
}

const DEFAULT_LIMIT = 50

const wholeNumber = wholeNumberUpTo(Number.MAX_SAFE_INTEGER)

export function addJobsCommands(program: Command, terminal: Terminal): void {
  const jobs = program.command('jobs').description('List, cancel and retry jobs of all members')
  jobs
    .command('list')
    .description('List jobs, newest first; never what they read or wrote')
    .option('--member <username>', 'only jobs of this member')
    .addOption(new Option('--state <state>', 'only jobs in this state').choices(JOB_STATES))
    .option('--limit <number>', 'how many', wholeNumber, DEFAULT_LIMIT)
    .option('--json', 'as JSON lines')
    .action((options: ListOptions) => list(terminal, options))
  jobs
    .command('cancel')
    .description('Cancel a job: a queued one at once, a running one at its next step')
    .argument('<id>', 'ID of the job', wholeNumber)
    .action((id: number) => cancel(terminal, id))
  jobs
    .command('retry')
    .description('Queue a failed or canceled job again, from the start and free of charge')
    .argument('<id>', 'ID of the job', wholeNumber)
    .action((id: number) => retry(terminal, id))
}

async function list(terminal: Terminal, options: ListOptions): Promise<void> {
  await withDatabase(terminal, async ({ database }) => {
    const { state = null, limit, json } = options
    const member =
      options.member === undefined ? null : await requireMemberByUsername(database, options.member)
    const filter = { state, limit, memberId: member?.memberId ?? null }
    const entries = await withUsernames(database, await listAllJobs(database, filter))
    printList(terminal, entries, { json, none: 'No jobs.', headings: HEADINGS, rowOf })
  })
}

const HEADINGS = ['ID', 'MEMBER', 'KIND', 'STATE', 'CREATED', 'PROGRESS']

async function withUsernames(database: Database, jobs: readonly OperatedJob[]) {
  const ids = [...new Set(jobs.map(({ member_id: memberId }) => memberId))]
  const members = await Promise.all(ids.map((memberId) => findMember(database, memberId)))
  const names = new Map(members.map((member, index) => [ids[index], member?.username ?? '']))
  return jobs.map((job) => entryOf(job, names.get(job.member_id) ?? ''))
}

/** An error only by its code: its detail may quote a member's file. */
function entryOf(job: OperatedJob, member: string) {
  const error = job.error === null ? null : (JSON.parse(job.error) as JobError).code
  return {
    job_id: job.job_id,
    member,
    kind: job.kind,
    state: job.state,
    progress: job.progress_message,
    error,
    attempts: job.attempts,
    created_at: rfc3339(job.created_at),
    started_at: rfc3339(job.started_at),
    finished_at: rfc3339(job.finished_at),
  }
}

function rowOf({ job_id, created_at, error, progress, ...one }: ReturnType<typeof entryOf>) {
  const { member, kind, state } = one
  return [String(job_id), member, kind, state, created_at.slice(0, 16), error ?? progress ?? '']
}

async function cancel(terminal: Terminal, jobId: number): Promise<void> {
  await withDatabase(terminal, async ({ database, now }) => {
    const db = database.member(await requireOwner(database, jobId))
    const { state } = await db.write((tx) => requestCancel(tx, jobId, now))
    if (state === 'cancelled') say(terminal, `Canceled job ${jobId}.`)
    else if (state === 'running')
      say(terminal, `Job ${jobId} is running and stops at its next step.`)
    else say(terminal, `Job ${jobId} has already ${state}. No changes were made.`)
  })
}

async function retry(terminal: Terminal, jobId: number): Promise<void> {
  await withDatabase(terminal, async ({ database }) => {
    const db = database.member(await requireOwner(database, jobId))
    await db.write((tx) => retryJob(tx, jobId))
    say(terminal, `Queued job ${jobId} again. A running \`weft serve\` starts it in a few seconds.`)
  })
}
