/** The page of one job: its progress while it runs, then its result. */

import { phrase, t } from '../../languages/message.ts'
import { NOTHING, html, type Html, joinHtml } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { isTerminal, type StoredJob } from '../../jobs/job-record.ts'
import { changeNotice, undoButton } from '../../ui/change-notice.ts'
import {
  cancelButton,
  jobHeading,
  jobName,
  stateBadge,
  stateWord,
  progressText,
} from '../../ui/job-item.ts'
import { jobEventsPath, jobPath, JOBS_PATH } from '../../html/site-map.ts'
import { jobOutcome, type ImportedPeople } from './job-result.ts'
import { relationsOffer } from './relations.route.ts'
import { importCountsOf, type InterruptedImport } from './interrupted-import.ts'
import { panel, buttonLink } from '../../ui/sections.ts'
import { countOf } from '../../ui/numbers.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { Times } from '../../ui/time.ts'
import type { DescribedChange } from '../activity/described-change.ts'

interface JobView {
  readonly browser: SignedInRequest
  readonly times: Times
  readonly job: StoredJob
  readonly title: string
  /** A sentence that confirms the last action. */
  readonly notice: string | undefined
  /** The undo just made. */
  readonly noticed: DescribedChange | undefined
  /** Whether the import read relations backwards. */
  readonly hasBackwardRelations: boolean
  /** An import that failed or was stopped. */
  readonly interrupted: InterruptedImport | undefined
  readonly people: ImportedPeople
  /** The change that can be undone now: the job's change, or the undo of it. */
  readonly change: DescribedChange | undefined
}

export function jobPage(view: JobView): Answer {
  const { browser, times, job, title, notice, noticed, interrupted, people } = view
  const back = jobPath(job.job_id)
  const isOver = isTerminal(job.state)
  const outcome = isOver
    ? jobOutcome(job, { times, interrupted, people })
    : { summary: running(job), more: NOTHING }
  return memberPage({
    // Screen readers announce the title when the page of a running job reloads at its end.
    title: `${jobName(job, title)} (${stateWord(job)})`,
    heading: jobHeading(job, title),
    browser,
    current: 'jobs',
    head: isOver ? NOTHING : REFRESH,
    actions: isOver ? stateBadge(job) : NOTHING,
    body: html`${changeNotice(noticed, { back, browser })}
      ${notice === undefined ? '' : html`<p class="notice success" role="status">${notice}</p>`}
      ${panel(
        'standing',
        isOver ? t('Result') : t('Progress'),
        html`${outcome.summary}
        ${
          isOver
            ? undoPart(view)
            : html`<small>${story(view)}</small>
                <div class="actions">${cancelButton(job, title)}</div>`
        }`,
      )}
      ${view.hasBackwardRelations ? relationsOffer(job) : ''} ${outcome.more}
      <div class="actions">${buttonLink(JOBS_PATH, t('All background jobs'))}</div>`,
  })
}

/** Reloads the page in browsers without scripts. In seconds. */
const REFRESH = html`<noscript><meta http-equiv="refresh" content="3" /></noscript>`

function running(job: StoredJob): Html {
  return html`<div class="progress" data-events="${jobEventsPath(job.job_id)}">
    ${jobProgress(job)}
  </div>`
}

function story({ job, times }: JobView): Html {
  const cost = job.credits === 0 ? t('free') : countOf(job.credits, 'credit')
  const ended = job.finished_at === null ? '' : html`, finished ${times.ago(job.finished_at)}`
  return html`Started ${times.ago(job.created_at)}${ended} · ${cost}`
}

/** Connections whose undo takes a few seconds. */
const MAX_QUICK_UNDO = 10_000

const LONG_UNDO = phrase(
  'Undo takes a while for this many people, and continues if you close this page.',
)

/** The notice about an undo already has an undo button. */
function undoPart(view: JobView): Html {
  const { job, change, noticed } = view
  const told = html`<small>${story(view)}</small>`
  if (!change || noticed) return told
  const button = undoButton(change, jobPath(job.job_id))
  const { created = 0, updated = 0 } = importCountsOf(change.change) ?? {}
  const isLong = created + updated > MAX_QUICK_UNDO
  const text =
    (change.change.undoes === null
      ? t('You can undo this import. Later edits are kept.')
      : t('This import was undone.')) + (isLong ? ` ${t(LONG_UNDO)}` : '')
  return html`<div class="with-act">
    <p class="quiet">${text}<br />${told}</p>
    ${button}
  </div>`
}

/** The progress of an unfinished job. `timeLeft` is a text for people, such as `about 2 minutes left`. */
export function jobProgress(job: StoredJob, timeLeft?: string): Html {
  const { progress_done: done, progress_total: total } = job
  if (total === null || total === 0 || job.state === 'queued')
    return html`<p>${stateBadge(job)} ${progressText(job)}</p>
      <progress aria-label="Progress"></progress>`
  const share = `${Math.min(100, Math.floor((100 * done) / total))}\u00A0%`
  const facts = [progressText(job), share, ...(timeLeft === undefined ? [] : [timeLeft])]
  return html`<p>
      ${stateBadge(job)}
      ${joinHtml(
        facts.map((text) => html`${text}`),
        ' · ',
      )}
    </p>
    <progress aria-label="Progress" value="${done}" max="${total}">${share}</progress>`
}
