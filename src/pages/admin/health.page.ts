/** `GET /admin`: this node, the database, all jobs, and rate-limited requests. */

import { phrase, t } from '../../languages/message.ts'
import { ADMIN_PATH } from '../../html/site-map.ts'
import { perLanguage } from '../../languages/language.ts'
import { pageRoute } from '../../forms/page-route.ts'
import { type Times, timesOf } from '../../ui/time.ts'
import { numberText, countOf } from '../../ui/numbers.ts'
import { formatBytes } from '../../base/format-bytes.ts'
import { countMembers, type MemberCounts } from './member-list.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { panel, table, fact } from '../../ui/sections.ts'
import {
  type QueueState,
  type Queue,
  type ActiveKind,
  readQueue,
  type FailedKind,
} from './job-queue.ts'
import { html, type Html } from '../../html/html.ts'
import { adminPage } from './admin-layout.ts'
import { REQUEST_ERRORS } from '../../base/request-error.ts'
import type { Route } from '../../http/route.ts'
import type { AdminDeps } from './admin-deps.ts'
import type { DatabaseDescription } from '../../db/database.ts'

interface HealthView {
  readonly times: Times
  readonly deps: AdminDeps
  readonly described: DatabaseDescription
  readonly queue: Queue
  readonly members: MemberCounts
}

export function healthRoute(deps: AdminDeps): Route {
  const { database } = deps
  return pageRoute(deps, {
    path: ADMIN_PATH,
    async handle({ browser, now }) {
      const [described, queue, members] = await Promise.all([
        database.describe(),
        readQueue(database, now),
        countMembers(database),
      ])
      const view = { times: timesOf(browser, now), deps, described, queue, members }
      return adminPage({
        browser,
        title: t('Service'),
        tab: 'Service',
        body: html`${nodeSection(view)} ${jobSection(view)} ${limitSection(view)}`,
      })
    },
  })
}

function nodeSection({ deps, described, members, times }: HealthView): Html {
  const { version, node } = deps
  const body = html`<dl class="facts across">
    ${fact(t('This node'), html`<bdi>${node.name}</bdi>`)}
    ${fact(t('Started'), times.ago(node.startedAt))}
    ${fact(t('Memory'), formatBytes(node.memoryBytes()))}
    ${fact(t('Database'), `${described.engine}, ${formatBytes(described.bytes)}`)}
    ${fact(t('Members'), memberText(members))} ${fact(t('Background jobs'), concurrencyText(node))}
  </dl>`
  return panel('node', t('Weft {version}', { version }), body)
}

function memberText({ members, disabled, admins }: MemberCounts): string {
  const others = [
    countOf(admins, 'admin'),
    ...(disabled > 0 ? [t('{disabled} disabled', { disabled: numberText(disabled) })] : []),
  ]
  return t('{members}, including {and}', {
    members: numberText(members),
    and: others.join(' and '),
  })
}

function concurrencyText({ jobConcurrency }: AdminDeps['node']): string {
  return jobConcurrency === 0
    ? t('Run by other nodes')
    : t('{jobConcurrency} at a time', { jobConcurrency: numberText(jobConcurrency) })
}

function jobSection({ deps, queue, times }: HealthView): Html {
  const titles = new Map(deps.jobs.map(({ kind, title }) => [kind, title]))
  const titleOf = (kind: string) => t(titles.get(kind) ?? kind)
  const { active, failed, state } = queue
  const body = html`${STATES()[state]}
    ${active.length === 0 ? '' : activeTable(active, titleOf, times)}
    <h3>Failed in the last 24 hours</h3>
    ${failed.length === 0 ? html`<p class="quiet">None.</p>` : failedTable(failed, titleOf)}`
  return panel('jobs', t('Jobs of all members'), body)
}

const STATES = perLanguage((): Readonly<Record<QueueState, Html>> => ({
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
}))

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
      <td class="number">${numberText(waiting)}${since}</td>
      <td class="number">${numberText(running)}${lost}</td>
    </tr>`
  })
  return table([t('Kind'), [t('Waiting'), 'number'], [t('Running'), 'number']], rows)
}

function failedTable(failed: readonly FailedKind[], titleOf: (kind: string) => string): Html {
  const rows = failed.map(
    ({ kind, code, jobs }) =>
      html`<tr>
        <td>${titleOf(kind)}</td>
        <td>
          ${t(titleOfError(code))}<br /><small><code>${code}</code></small>
        </td>
        <td class="number">${numberText(jobs)}</td>
      </tr>`,
  )
  return table([t('Kind'), t('Why'), [t('Background jobs'), 'number']], rows)
}

function titleOfError(code: string): string {
  return Object.entries(REQUEST_ERRORS).find(([name]) => name === code)?.[1][1] ?? phrase('Failed')
}

function limitSection({ deps, times }: HealthView): Html {
  const rejections = deps.limits.rejected().toSorted((a, b) => b.count - a.count)
  const since = html`since this node started, ${times.ago(deps.node.startedAt)}`
  const rows = rejections.map(
    ({ policy, count, lastAt }) =>
      html`<tr>
        <td><code>${policy}</code><br /><small>${quotaOf(policy, deps)}</small></td>
        <td class="number">${numberText(count)}</td>
        <td class="number">${times.ago(lastAt)}</td>
      </tr>`,
  )
  const list = html`<p class="quiet">Requests rejected ${since}.</p>
    ${table([t('Policy'), [t('Rejected'), 'number'], [t('Last'), 'number']], rows)}`
  const none = html`<p class="quiet">No requests were rate-limited ${since}.</p>`
  const body = html`${rejections.length === 0 ? none : list}
    <p class="quiet">
      Quotas are part of the server configuration. Each node counts requests separately.
    </p>`
  return panel('limits', t('Rate limits on this node'), body)
}

/** `600 per 60 s, per credential` */
function quotaOf(policy: string, { rateLimits }: Pick<AdminDeps, 'rateLimits'>): string {
  const usual = Object.values(LIMITS).find(({ name }) => name === policy)
  if (!usual) return ''
  const { quota, window, per } = { ...usual, ...rateLimits[policy] }
  return t('{quota} per {window} s, per {per}', {
    quota: numberText(quota),
    window: numberText(window),
    per,
  })
}
