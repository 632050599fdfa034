/** Jobs and emails of all members: never what they read or wrote. */

import { messageOf } from '../base/thrown.ts'
import { randomUUID } from 'node:crypto'
import { rfc3339 } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { requirePublicUrl, requireSmtp } from '../config/config.ts'
import { testEmail } from '../email/compose.ts'
import { openMailServer, senderDomain } from '../email/smtp.ts'
import { JOB_STATES, type JobError } from '../jobs/job-record.ts'
import { listAllJobs, requireOwner, retryJob } from '../jobs/operate-jobs.ts'
import { requestCancel } from '../jobs/start-job.ts'
import { phrase } from '../languages/message.ts'
import { isEmailAddress } from '../members/member-fields.ts'
import { findMember, requireMemberByUsername } from '../members/member.ts'
import { EMAIL_STATES, listEmails, retryEmail } from '../outbox/outbox.ts'
import { changeAct, listAct, showAct, type ServiceCall } from './act.ts'
import { argument, choice, option, optionOr, wholeNumber } from './act-arguments.ts'

const LIMIT = optionOr('number', 'how many', 50, wholeNumber(999_999))
const JOB_ID = argument('id', 'ID of the job', wholeNumber())

async function usernameOf({ database }: ServiceCall, memberId: number): Promise<string> {
  return (await findMember(database, memberId))?.username ?? ''
}

export const JOB_ACTS = [
  listAct({
    name: 'jobs list',
    summary: 'List jobs, newest first; never what they read or wrote',
    fields: {
      member: option('username', 'only jobs of this member'),
      state: choice('state', 'only jobs in this state', JOB_STATES),
      limit: LIMIT,
    },
    async list(call, { member, state = null, limit }) {
      const { database } = call
      const owner =
        member === undefined ? null : (await requireMemberByUsername(database, member)).memberId
      const jobs = await listAllJobs(database, { state, limit, memberId: owner })
      const ids = new Set(jobs.map((job) => job.member_id))
      const names = new Map(
        await Promise.all([...ids].map(async (id) => [id, await usernameOf(call, id)] as const)),
      )
      return jobs.map((job) => ({
        job_id: job.job_id,
        member: names.get(job.member_id) ?? '',
        kind: job.kind,
        state: job.state,
        progress: job.progress_message,
        // Only the code: the detail may quote a member's file.
        error: job.error === null ? null : (JSON.parse(job.error) as JobError).code,
        attempts: job.attempts,
        created_at: rfc3339(job.created_at),
        started_at: rfc3339(job.started_at),
        finished_at: rfc3339(job.finished_at),
      }))
    },
    none: () => 'No jobs.',
    columns: ['job_id', 'member', 'kind', 'state', 'created_at', 'progress', 'error'],
  }),
  changeAct({
    name: 'jobs cancel',
    summary: 'Cancel a job: a queued one at once, a running one at its next step',
    action: 'cancel_job',
    label: phrase('Canceled a job'),
    fields: { id: JOB_ID },
    prepare: ({ database }, { id }) => requireOwner(database, id),
    async change(call, { id }, memberId) {
      const { state } = await requestCancel(call.tx.member(memberId), id, call.now)
      return { state, member: await usernameOf(call, memberId) }
    },
    about: ({ id }, { member }) => ({ member, reason: String(id) }),
    done({ state }, _, { id }) {
      if (state === 'cancelled') return `Canceled job ${id}.`
      if (state === 'running') return `Job ${id} is running and stops at its next step.`
      return `Job ${id} has already ${state}. No changes were made.`
    },
  }),
  changeAct({
    name: 'jobs retry',
    summary: 'Queue a failed or canceled job again, from the start and free of charge',
    action: 'retry_job',
    label: phrase('Queued a job again'),
    fields: { id: JOB_ID },
    prepare: ({ database }, { id }) => requireOwner(database, id),
    async change(call, { id }, memberId) {
      await retryJob(call.tx.member(memberId), id)
      return { member: await usernameOf(call, memberId) }
    },
    about: ({ id }, { member }) => ({ member, reason: String(id) }),
    done: (_, _call, { id }) =>
      `Queued job ${id} again. A running \`weft serve\` starts it in a few seconds.`,
  }),
]

export const EMAIL_ACTS = [
  showAct({
    name: 'email test',
    summary: 'Send a test email now and report what the mail server says',
    databaseMay: 'be missing',
    fields: { address: argument('address') },
    async show({ settings }, { address: to }) {
      const smtp = requireSmtp(settings)
      if (!isEmailAddress(to))
        throw new RequestError('invalid_request', `“${to}” is not an email address.`)
      const messageId = `${randomUUID()}@${senderDomain(smtp)}`
      const text = testEmail({ publicUrl: requirePublicUrl(settings) })
      try {
        const reply = await openMailServer(smtp).send({ messageId, to, date: new Date(), ...text })
        return { text: `${smtp.host} accepted the email for ${to}: ${reply}` }
      } catch (error) {
        const reason = messageOf(error)
        throw new RequestError('conflict', `The email was not accepted: ${reason}`, {
          hint: 'Check WEFT_SMTP_URL and WEFT_SMTP_FROM, and the log of the mail server.',
        })
      }
    },
    text: ({ text }) => text,
  }),
  listAct({
    name: 'email list',
    summary: 'List emails, newest first; never their text',
    fields: {
      state: choice('state', 'only emails in this state', EMAIL_STATES),
      limit: LIMIT,
    },
    async list({ database }, { state = null, limit }) {
      // Without the recipient and the details, as the list of jobs shows no content.
      return (await listEmails(database, { state, limit })).map((email) => ({
        email_id: email.emailId,
        kind: email.kind,
        state: email.state,
        attempts: email.attempts,
        created_at: rfc3339(email.createdAt),
        next_attempt_at: email.state === 'queued' ? rfc3339(email.dueAt) : null,
        ended_at: rfc3339(email.endedAt),
        error: email.error,
      }))
    },
    none: () => 'No emails.',
    columns: ['email_id', 'kind', 'state', 'created_at', 'attempts', 'next_attempt_at', 'error'],
  }),
  changeAct({
    name: 'email retry',
    summary: 'Queue a failed email again',
    action: 'retry_email',
    label: phrase('Queued an email again'),
    fields: { id: argument('id') },
    async change({ tx, now }, { id }) {
      if (await retryEmail(tx, id, now)) return id
      throw new RequestError('not_found', `No failed email has the ID ${id}.`, {
        hint: 'List them with `weft email list --state failed`.',
      })
    },
    about: ({ id }) => ({ reason: id }),
    done: (id) => `Queued ${id} again. A running \`weft serve\` sends it in a few seconds.`,
  }),
]
