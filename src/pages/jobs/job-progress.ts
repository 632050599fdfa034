/** The progress of an unfinished job, as a fragment. */

import { html, joinHtml, type Html } from '../../html/html.ts'
import { progressText, stateBadge } from '../ui/job-item.ts'
import type { StoredJob } from '../../jobs/job-record.ts'

/** `timeLeft` is a text for people, such as `about 2 minutes left`. */
export function jobProgress(job: StoredJob, timeLeft?: string): Html {
  const { progress_done: done, progress_total: total } = job
  if (total === null || total === 0 || job.state === 'queued')
    return html`<p>${stateBadge(job)} ${progressText(job)}</p>
      <progress aria-label="Progress"></progress>`
  const share = percent(done, total)
  const facts = [progressText(job), share, ...(timeLeft === undefined ? [] : [timeLeft])]
  return html`<p>
      ${stateBadge(job)}
      ${joinHtml(
        facts.map((fact) => html`${fact}`),
        ' · ',
      )}
    </p>
    <progress aria-label="Progress" value="${done}" max="${total}">${share}</progress>`
}

function percent(done: number, total: number): string {
  return `${Math.min(100, Math.floor((100 * done) / total))}\u00A0%`
}
