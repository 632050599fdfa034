/** The page "Credits". */

import { lazy } from '../../base/lazy.ts'
import { NOTHING, html, type Html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { countOf } from '../ui/count-of.ts'
import { utcDay, utcLongDay } from '../ui/time.ts'
import { monthChart, monthTable } from './chart.ts'
import { ledgerSection } from './ledger-section.ts'
import { numberText } from '../ui/numbers.ts'
import { spenderName } from './spender-name.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { CreditBalance } from '../../credits/account.ts'
import type { CreditOverview } from './overview.ts'
import type { Month } from './spending.ts'

interface CreditsView {
  readonly browser: SignedInRequest
  readonly overview: CreditOverview
  /** Whether the ledger starts with its newest entry. */
  readonly isNewest: boolean
}

export function creditsPage({ browser, overview, isNewest }: CreditsView): Answer {
  const { member, formToken } = browser
  const { balance, month, ledger, names } = overview
  return memberPage({
    title: 'Credits',
    member,
    current: 'credits',
    formToken,
    body: html`${balanceSection(balance)} ${monthSection(month, balance)}
      ${spenderSection(overview)} ${ledgerSection(ledger, names, isNewest)}
      <p class="quiet">
        Failed calls are free. Credits for failed jobs are refunded. Days are in UTC.
      </p>`,
  })
}

function balanceSection({ remaining, quota, resetsAt }: CreditBalance): Html {
  return html`<section class="panel" aria-labelledby="balance">
    <h2 id="balance">Remaining this month</h2>
    <p class="figure"><b>${numberText(remaining)}</b> of ${countOf(quota, 'credit')}</p>
    <progress
      value="${remaining}"
      max="${Math.max(quota, 1)}"
      aria-label="Credits remaining this month"
    ></progress>
    <p class="quiet">
      ${remaining === 0 ? 'You have no credits left. Calls that cost credits fail until the reset. ' : ''}Resets
      to ${numberText(quota)} on ${utcDay(resetsAt)}. Unused credits expire.
    </p>
  </section>`
}

function monthSection(month: Month, { periodStart }: CreditBalance): Html {
  const { series } = month
  return html`<section class="panel" aria-labelledby="spent">
    <h2 id="spent">Spent in ${MONTH().format(periodStart)}</h2>
    ${
      series.length === 0
        ? html`<p class="empty">
            No credits spent since ${utcLongDay(periodStart)}. Your agents' calls appear here, by
            tool.
          </p>`
        : html`${monthChart(month)} ${monthTable(month)}`
    }
  </section>`
}

function spenderSection({ spenders, names }: CreditOverview): Html {
  if (spenders.length === 0) return NOTHING
  const rows = spenders.map(
    ({ credentialId, calls, credits }) =>
      html`<tr>
        <td>${spenderName(credentialId, names)}</td>
        <td class="number">${numberText(calls)}</td>
        <td class="number">${numberText(credits)}</td>
      </tr>`,
  )
  return html`<section class="panel" aria-labelledby="spenders">
    <h2 id="spenders">By agent and token this month</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">Agent or token</th>
          <th class="number" scope="col">Calls</th>
          <th class="number" scope="col">Credits</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </section>`
}

const MONTH = lazy(
  () => new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
)
