/** `/user/credits`: a member's credit balance, spending this month, and ledger. */

import { t } from '../../languages/message.ts'
import { perLanguage } from '../../languages/language.ts'
import { type CreditOverview, readCreditOverview, titlesOf } from './overview.ts'
import { cursorOf } from '../../ui/pager.ts'
import { type PageDeps, pageRoute } from '../../forms/page-route.ts'
import { type Html, html, NOTHING } from '../../html/html.ts'
import { monthChart, monthTable } from './spending-chart.ts'
import { ledgerPanel, spenderName } from './ledger-panel.ts'
import { timesOf, utcDay, utcLongDay } from '../../ui/time.ts'
import { numberText, countOf } from '../../ui/numbers.ts'
import { CREDITS_PATH } from '../../html/site-map.ts'
import { panel, table } from '../../ui/sections.ts'
import { memberPage } from '../../html/member-layout.ts'
import type { Tool } from '../../tools/tool.ts'
import type { Job } from '../../jobs/job.ts'
import type { Route } from '../../http/route.ts'
import type { Month } from './spending.ts'
import type { CreditBalance } from '../../credits/account.ts'

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
        body: html`${balancePanel(balance)}
          <div class="spending">
            ${ledgerPanel(overview, cursor, timesOf(browser, now))}
            <div>${monthPanel(month, balance)} ${spenderPanel(overview)}</div>
          </div>`,
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
      to ${numberText(quota)} on ${utcDay(resetsAt)}. Unused credits expire. Failed calls are free.
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
  // The history already shows what a single one spent.
  if (spenders.length < 2) return NOTHING
  const rows = spenders.map(
    ({ credentialId, calls, credits }) =>
      html`<tr>
        <td>${spenderName(credentialId, names)}</td>
        <td class="number">${numberText(calls)}</td>
        <td class="number">${numberText(credits)}</td>
      </tr>`,
  )
  const headings = [t('Agent or token'), [t('Calls'), 'number'], [t('Credits'), 'number']] as const
  return panel('spenders', t('By agent and token'), table(headings, rows))
}
