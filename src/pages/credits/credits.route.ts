/** `/user/credits`: a member's credit balance, spending this month, and ledger. */

import { phrase, t } from '../../languages/message.ts'
import { perLanguage } from '../../languages/language.ts'
import { type CreditOverview, type Names, readCreditOverview, titlesOf } from './overview.ts'
import { BY_TIME, cursorOf, pager } from '../../ui/pager.ts'
import { type PageDeps, pageRoute } from '../../forms/page-route.ts'
import { type Html, html, NOTHING } from '../../html/html.ts'
import { monthChart, monthTable } from './spending-chart.ts'
import { timesOf, utcDay, utcLongDay, type Times } from '../../ui/time.ts'
import { signedText, numberText, countOf } from '../../ui/numbers.ts'
import { CREDITS_PATH } from '../../html/site-map.ts'
import { panel, table, emptyNote } from '../../ui/sections.ts'
import { memberPage } from '../../html/member-layout.ts'
import type { Tool } from '../../tools/tool.ts'
import type { Job } from '../../jobs/job.ts'
import type { Route } from '../../http/route.ts'
import type { Month } from './spending.ts'
import type { LedgerEntry } from '../../credits/ledger.ts'
import type { CreditBalance } from '../../credits/account.ts'
import type { LedgerKind } from '../../credits/open-month.ts'

export interface CreditDeps extends PageDeps {
  /** `WEFT_MONTHLY_CREDITS` */
  readonly quota: number
  readonly tools: readonly Tool[]
  readonly jobs: readonly Job[]
}

export function creditRoutes(deps: CreditDeps): Route[] {
  const { quota } = deps
  const titles = titlesOf(deps.tools, deps.jobs)
  const route = pageRoute(deps, {
    path: CREDITS_PATH,
    async handle({ search, browser, db, now }) {
      const cursor = cursorOf(search)
      const overview = await readCreditOverview(db, titles, { quota, now, cursor })
      const { balance, month } = overview
      return memberPage({
        title: t('Credits'),
        browser,
        current: 'credits',
        body: html`${balancePanel(balance)} ${monthPanel(month, balance)} ${spenderPanel(overview)}
          ${ledgerPanel(overview, cursor, timesOf(browser, now))}
          <p class="quiet">
            Failed calls are free. Credits for failed jobs are refunded. Spending is counted by UTC
            day; the ledger has your own time.
          </p>`,
      })
    },
  })
  return [route]
}

function balancePanel({ remaining, quota, resetsAt }: CreditBalance): Html {
  const body = html`<p class="figure">
      <b>${numberText(remaining)}</b> of ${countOf(quota, 'credit')}
    </p>
    <progress
      value="${remaining}"
      max="${Math.max(quota, 1)}"
      aria-label="Credits remaining this month"
    ></progress>
    <p class="quiet">
      ${remaining === 0 ? t('You have no credits left. Calls that cost credits fail until the reset. ') : ''}Resets
      to ${numberText(quota)} on ${utcDay(resetsAt)}. Unused credits expire.
    </p>`
  return panel('balance', t('Remaining this month'), body)
}

function monthPanel(month: Month, { periodStart }: CreditBalance): Html {
  const body =
    month.series.length === 0
      ? html`<p class="empty">
          No credits spent since ${utcLongDay(periodStart)}. Your agents' calls appear here, by
          tool.
        </p>`
      : html`${monthChart(month)} ${monthTable(month)}`
  return panel(
    'spent',
    t('Spent in {periodStart}', { periodStart: MONTH().format(periodStart) }),
    body,
  )
}

const MONTH = perLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
)

function spenderPanel({ spenders, names }: CreditOverview): Html {
  if (spenders.length === 0) return NOTHING
  const rows = spenders.map(
    ({ credentialId, calls, credits }) =>
      html`<tr>
        <td>${spenderName(credentialId, names)}</td>
        <td class="number">${numberText(calls)}</td>
        <td class="number">${numberText(credits)}</td>
      </tr>`,
  )
  const headings = [t('Agent or token'), [t('Calls'), 'number'], [t('Credits'), 'number']] as const
  return panel('spenders', t('By agent and token this month'), table(headings, rows))
}

/** Every balance change, newest first. */
function ledgerPanel(
  { ledger, names }: CreditOverview,
  cursor: string | undefined,
  times: Times,
): Html {
  const { entries, next } = ledger
  const list = table(
    LEDGER_HEADINGS.map(([text, kind]) => [t(text), kind] as const),
    entries.map((entry) => ledgerRow(entry, names, times)),
  )
  const [path, labels] = [CREDITS_PATH, BY_TIME]
  const pages = pager({ path, first: path, cursor, next, labels, id: 'ledger' })
  return panel(
    'ledger',
    t('Ledger'),
    html`${entries.length === 0 ? emptyNote(t('No entries yet. Calls that cost credits appear here.')) : list}
    ${pages}`,
  )
}

const LEDGER_HEADINGS = [
  [phrase('Date'), ''],
  [phrase('Description'), ''],
  [phrase('By'), 'extra'],
  [phrase('Credits'), 'number'],
  [phrase('Balance'), 'number extra'],
] as const

function ledgerRow(entry: LedgerEntry, names: Names, times: Times): Html {
  const { at, kind, delta, balanceAfter, reason, credentialId } = entry
  const own = kind === 'adjust' ? adjustmentText(names, reason) : KINDS[kind] && t(KINDS[kind])
  const named =
    kind === 'refund'
      ? t('Refund: {reason}', { reason: names.reason(reason) })
      : names.reason(reason)
  return html`<tr>
    <td>${times.day(at)} <small>${times.time(at)}</small></td>
    <td>${own ?? named}</td>
    <td class="extra">${own === undefined ? spenderName(credentialId, names) : ''}</td>
    <td class="number">${signedText(delta)}</td>
    <td class="number extra">${numberText(balanceAfter)}</td>
  </tr>`
}

/** Descriptions of entries that do not belong to a tool or job. */
const KINDS: Readonly<Partial<Record<LedgerKind, string>>> = {
  grant: phrase('Monthly allowance'),
  expire: phrase('Expired at the end of the month'),
}

/** The reason is that of an admin, or the tool whose call found that the clock was wrong. */
function adjustmentText(names: Names, reason: string): string {
  return names.reason(reason) === reason
    ? t('Changed by an admin: {reason}', { reason })
    : t('Correction after a clock error')
}

/** Names who spent credits. Without a credential, it was the member on these pages; commands spend none. */
function spenderName(credentialId: string | null, names: Names): Html {
  if (credentialId === null) return html`You`
  const credential = names.credential(credentialId)
  if (!credential) return html`<span class="quiet">Disconnected app</span>`
  const { name, ended } = credential
  return html`<bdi>${name}</bdi>
    ${ended === undefined ? '' : html`<span class="badge">${t(ended)}</span>`}`
}
