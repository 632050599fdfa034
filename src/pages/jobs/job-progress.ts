/** The state and progress of a job, as fragments. */

import { html, type Html } from '../../html/html.ts'
import type { JobState, StoredJob } from '../../jobs/job-record.ts'

const STATES: Readonly<Record<JobState, readonly [word: string, tone: string]>> = {
  queued: ['waiting', ''],
  running: ['running', 'warning'],
  succeeded: ['done', 'success'],
  failed: ['failed', 'danger'],
  cancelled: ['cancelled', ''],
}

export function stateBadge(job: StoredJob): Html {
  const isStopping = job.state === 'running' && job.cancel_requested_at !== null
  const [word, tone] = isStopping ? ['stopping', 'warning'] : STATES[job.state]
  return html`<span class="badge ${tone}">${word}</span>`
}

/** The progress of an unfinished job. */
export function jobProgress(job: StoredJob): Html {
  const { progress_done: done, progress_total: total, progress_message: message } = job
  const bar =
    total === null || total === 0 || job.state === 'queued'
      ? html`<progress aria-label="Progress"></progress>`
      : html`<progress aria-label="Progress" value="${done}" max="${total}">
          ${percent(done, total)}
        </progress>`
  return html`<p>${stateBadge(job)} ${message ?? 'Waiting for a free worker.'}</p>
    ${bar}`
}

function percent(done: number, total: number): string {
  return `${Math.min(100, Math.floor((100 * done) / total))}\u00A0%`
}
