/** The page "Service": this node, the database, all jobs, and rate-limited requests. */

import { formatBytes } from '../../base/format-bytes.ts'
import { lazy } from '../../base/lazy.ts'
import { REQUEST_ERRORS } from '../../base/request-error.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { html, type Html } from '../../html/html.ts'
import { countOf } from '../ui/count-of.ts'
import { adminPage } from './admin-layout.ts'
import { fact } from './fact.ts'
import type { DatabaseDescription } from '../../db/database.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { Times } from '../ui/time.ts'
import type { AdminDeps } from './admin-deps.ts'
import type { ActiveKind, FailedKind, Queue, QueueState } from './queue.ts'
import type { MemberCounts } from './member-list.ts'

interface HealthView {
  readonly browser: SignedInRequest
  readonly times: Times
  readonly deps: AdminDeps
  readonly described: DatabaseDescription
  readonly queue: Queue
  readonly members: MemberCounts
}

export function healthPage(view: HealthView): Answer {
  return adminPage({
    browser: view.browser,
    title: 'Service',
    tab: 'Service',
    body: html`${nodeSection(view)} ${jobSection(view)} ${limitSection(view)}`,
  })
}

function nodeSection({ deps, described, members, times }: HealthView): Html {
  const { version, node } = deps
  return html`<section class="panel" aria-labelledby="node">
    <h2 id="node">Weft ${version}</h2>
    <dl class="facts across">
      ${fact('This node', html`<bdi>${node.name}</bdi>`)}
      ${fact('Started', times.ago(node.startedAt))}
      ${fact('Memory', html`${formatBytes(node.memoryBytes())}`)}
      ${fact('Database', html`${described.engine}, ${formatBytes(described.bytes)}`)}
      ${fact('Members', html`${memberText(members)}`)}
      ${fact('Jobs', html`${concurrencyText(node)}`)}
    </dl>
  </section>`
}

function memberText({ members, disabled, admins }: MemberCounts): string {
  const others = [
    countOf(admins, 'admin'),
    ...(disabled > 0 ? [`${NUMBER().format(disabled)}\u00A0disabled`] : []),
  ]
  return `${NUMBER().format(members)}, including ${others.join(' and ')}`
}

function concurrencyText({ jobConcurrency }: AdminDeps['node']): string {
  return jobConcurrency === 0
    ? 'Run by other nodes'
    : `${NUMBER().format(jobConcurrency)} at a time`
}

function jobSection({ deps, queue, times }: HealthView): Html {
  const titles = new Map(deps.jobs.map(({ kind, title }) => [kind, title]))
  const titleOf = (kind: string) => titles.get(kind) ?? kind
  const { active, failed, state } = queue
  return html`<section class="panel" aria-labelledby="jobs">
    <h2 id="jobs">Jobs of all members</h2>
    ${STATES[state]} ${active.length === 0 ? '' : activeTable(active, titleOf, times)}
    <h3>Failed in the last 24 hours</h3>
    ${failed.length === 0 ? html`<p class="quiet">None.</p>` : failedTable(failed, titleOf)}
  </section>`
}

const STATES: Readonly<Record<QueueState, Html>> = {
  idle: html`<p class="quiet">No queued or running jobs.</p>`,
  moving: html`<p><span class="badge success">healthy</span> Jobs start without delay.</p>`,
  busy: html`<p>
    <span class="badge warning">busy</span> Jobs have been waiting for more than a minute because
    all workers are busy. Increase the job concurrency, or start another worker with
    <code>weft work</code>.
  </p>`,
  stuck: html`<p>
    <span class="badge danger">stuck</span> Jobs have been waiting for more than a minute and no
    worker is running any. Check that <code>weft work</code>, or <code>weft serve</code> without
    <code>--no-jobs</code>, is running.
  </p>`,
}

function activeTable(
  kinds: readonly ActiveKind[],
  titleOf: (kind: string) => string,
  times: Times,
): Html {
  const rows = kinds.map(({ kind, waiting, waitsSince, running, abandoned }) => {
    const since =
      waitsSince === null ? '' : html`<br /><small>oldest ${times.ago(waitsSince)}</small>`
    const lost = abandoned === 0 ? '' : html`<br /><small>${abandoned} without a worker</small>`
    return html`<tr>
      <td>${titleOf(kind)}</td>
      <td class="number">${NUMBER().format(waiting)}${since}</td>
      <td class="number">${NUMBER().format(running)}${lost}</td>
    </tr>`
  })
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Kind</th>
        <th scope="col" class="number">Waiting</th>
        <th scope="col" class="number">Running</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`
}

function failedTable(failed: readonly FailedKind[], titleOf: (kind: string) => string): Html {
  const rows = failed.map(
    ({ kind, code, jobs }) =>
      html`<tr>
        <td>${titleOf(kind)}</td>
        <td>
          ${titleOfError(code)}<br /><small><code>${code}</code></small>
        </td>
        <td class="number">${NUMBER().format(jobs)}</td>
      </tr>`,
  )
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Kind</th>
        <th scope="col">Why</th>
        <th scope="col" class="number">Jobs</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`
}

function titleOfError(code: string): string {
  return Object.entries(REQUEST_ERRORS).find(([name]) => name === code)?.[1][1] ?? 'Failed'
}

function limitSection({ deps, times }: HealthView): Html {
  const rejections = deps.limits.rejected().toSorted((a, b) => b.count - a.count)
  const since = html`since this node started, ${times.ago(deps.node.startedAt)}`
  return html`<section class="panel" aria-labelledby="limits">
    <h2 id="limits">Rate limits on this node</h2>
    ${
      rejections.length === 0
        ? html`<p class="quiet">No requests were rate-limited ${since}.</p>`
        : html`<p class="quiet">Requests rejected ${since}.</p>
            <table>
              <thead>
                <tr>
                  <th scope="col">Policy</th>
                  <th scope="col" class="number">Rejected</th>
                  <th scope="col" class="number">Last</th>
                </tr>
              </thead>
              <tbody>
                ${rejections.map(
                  ({ policy, count, lastAt }) =>
                    html`<tr>
                      <td><code>${policy}</code><br /><small>${quotaOf(policy, deps)}</small></td>
                      <td class="number">${NUMBER().format(count)}</td>
                      <td class="number">${times.ago(lastAt)}</td>
                    </tr>`,
                )}
              </tbody>
            </table>`
    }
    <p class="quiet">
      Quotas are part of the server configuration. Each node counts requests separately.
    </p>
  </section>`
}

/** `600 per 60 s, per credential` */
function quotaOf(policy: string, { rateLimits }: Pick<AdminDeps, 'rateLimits'>): string {
  const usual = Object.values(LIMITS).find(({ name }) => name === policy)
  if (!usual) return ''
  const { quota, window, per } = { ...usual, ...rateLimits[policy] }
  return `${NUMBER().format(quota)} per ${NUMBER().format(window)}\u00A0s, per ${per}`
}

const NUMBER = lazy(() => new Intl.NumberFormat('en'))
