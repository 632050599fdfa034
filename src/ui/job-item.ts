/** A job in lists and on its page: its name, its state, and the button that stops it. */

import { phrase, t } from '../languages/message.ts'
import { NOTHING, html, joinHtml, type Html } from '../html/html.ts'
import { CANCEL_JOB_PATH, jobPath } from '../html/site-map.ts'
import { isTerminal, type JobState, type StoredJob } from '../jobs/job-record.ts'
import { confirmButton } from './confirm-button.ts'
import type { Times } from './time.ts'

/** What the job does, as text. `title` is that of its kind. */
export function jobName({ filename }: StoredJob, title: string): string {
  return filename === null ? title : t('Import of {filename}', { filename })
}

/** The same as a fragment. */
export function jobHeading({ filename }: StoredJob, title: string): Html {
  return filename === null ? html`${title}` : html`Import of <bdi>${filename}</bdi>`
}

const STATES: Readonly<Record<JobState, readonly [word: string, tone: string]>> = {
  queued: [phrase('waiting'), ''],
  running: [phrase('running'), 'warning'],
  succeeded: [phrase('done'), 'success'],
  failed: [phrase('failed'), 'danger'],
  cancelled: [phrase('cancelled'), ''],
}

/** Such as `running`. */
export function stateWord(job: StoredJob): string {
  return t(stateOf(job)[0])
}

/** The state of the job, in color. */
export function stateBadge(job: StoredJob): Html {
  const [word, tone] = stateOf(job)
  return html`<span class="badge ${tone}">${t(word)}</span>`
}

function stateOf({ state, cancel_requested_at }: StoredJob): readonly [word: string, tone: string] {
  return state === 'running' && cancel_requested_at !== null
    ? [phrase('stopping'), 'warning']
    : STATES[state]
}

/** What an unfinished job does now. */
export function progressText({ state, progress_message: message }: StoredJob): string {
  return message ?? (state === 'queued' ? t('Waiting for a free worker') : t('Starting'))
}

/** A fragment; empty if cancellation was already requested. */
export function cancelButton(job: StoredJob, title: string): Html {
  if (job.cancel_requested_at !== null) return NOTHING
  return confirmButton({
    verb: t('Stop'),
    name: jobName(job, title),
    text: t('Changes made so far are kept. Credits are refunded only if the job has not started.'),
    action: CANCEL_JOB_PATH,
    field: 'job_id',
    id: String(job.job_id),
  })
}

interface JobList {
  readonly times: Times
  readonly titleOf: (kind: string) => string
}

/** The job as an item of a list. */
export function jobItem(job: StoredJob, { times, titleOf }: JobList): Html {
  const title = titleOf(job.kind)
  const isOver = isTerminal(job.state)
  const facts = [times.ago(job.created_at), ...(isOver ? [] : [html`${progressText(job)}`])]
  return html`<li>
    <div>
      <h2><a href="${jobPath(job.job_id)}">${jobHeading(job, title)}</a> ${stateBadge(job)}</h2>
      <small>${joinHtml(facts, ' · ')}</small>
    </div>
    ${isOver ? '' : cancelButton(job, title)}
  </li>`
}
