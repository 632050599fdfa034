/** The page "Jobs": running and finished jobs, newest first. */

import { NOTHING, html, type Html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { jobItem } from '../ui/job-item.ts'
import { JOBS_PATH, IMPORT_PATH } from '../../html/site-map.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { StoredJob } from '../../jobs/job-record.ts'
import type { Times } from '../ui/time.ts'

interface JobsView {
  readonly browser: SignedInRequest
  readonly times: Times
  readonly jobs: readonly StoredJob[]
  /** The cursor of the page of older jobs. */
  readonly older: string | null
  /** Whether the list starts with the newest job. */
  readonly isNewest: boolean
  /** The title of a job kind. */
  readonly titleOf: (kind: string) => string
}

export function jobsPage(view: JobsView): Answer {
  const { browser, times, jobs, titleOf } = view
  const { member, formToken } = browser
  const items = jobs.map((job) => jobItem(job, { times, formToken, titleOf }))
  return memberPage({
    title: 'Jobs',
    member,
    current: 'jobs',
    formToken,
    actions: html`<a class="button plain" href="${IMPORT_PATH}">Import a file</a>`,
    body: html`<section class="panel" aria-label="Jobs">
        ${
          items.length === 0
            ? NONE
            : html`<ul class="items">
                ${items}
              </ul>`
        }
      </section>
      ${pageLinks(view)}`,
  })
}

const NONE = html`<p class="empty">
  No jobs yet. Long-running work, such as importing a contact file, appears here.
</p>`

function pageLinks({ older, isNewest }: JobsView): Html {
  if (older === null && isNewest) return NOTHING
  const newest = isNewest ? '' : html`<a class="button plain" href="${JOBS_PATH}">Newest</a>`
  const path = `${JOBS_PATH}?cursor=${encodeURIComponent(older ?? '')}`
  const next =
    older === null ? '' : html`<a class="button plain" rel="next" href="${path}">Older</a>`
  return html`<div class="actions">${newest} ${next}</div>`
}
