/** The page "Network": charts of who the member knows. Every shape links to its people. */

import { t } from '../../languages/message.ts'
import { html, NOTHING, type Html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { CONNECTIONS_PATH } from '../../html/site-map.ts'
import { listPath } from '../ui/list-path.ts'
import { barList, barTable, columnChart, type Bar } from '../ui/charts.ts'
import { countOf, numberText } from '../ui/numbers.ts'
import { panel } from '../ui/sections.ts'
import { dateText } from '../../dates/format-date.ts'
import type { CompanyTag } from '../../connections/overview/network-charts.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { Answer } from '../../http/response.ts'
import type { ValueCount } from '../../search/index/count-values.ts'

interface NetworkView {
  readonly browser: SignedInRequest
  readonly people: number
  readonly years: readonly ValueCount[]
  readonly companies: readonly ValueCount[]
  readonly locations: readonly ValueCount[]
  readonly companyTags: readonly CompanyTag[]
  /** By the Monday of each week. */
  readonly weeks: readonly ValueCount[]
  /** The chart of the people around one person or company. */
  readonly around: Html
}

export function chartsPage(view: NetworkView): Answer {
  const { browser, people, around } = view
  const charts = [
    columns(
      'years',
      t('When you met'),
      [t('Year'), t('connections')],
      'connection',
      barsOf(view.years, (met) => listPath({ met })),
    ),
    columns(
      'weeks',
      t('Contacts per week'),
      [t('Week of'), t('contacts')],
      'contact',
      weekBars(view.weeks),
    ),
    rows(
      'companies',
      t('Companies'),
      barsOf(view.companies, (company) => listPath({ company })),
    ),
    rows(
      'locations',
      t('Locations'),
      barsOf(view.locations, (place) => listPath({ place })),
    ),
    matrixPanel(view.companyTags),
  ]
  return memberPage({
    title: t('Network'),
    heading: html`Network <small class="total">${countOf(people, 'connection')}</small>`,
    browser,
    current: 'network',
    isWide: true,
    body: html`${around}
      <div class="charts">${people === 0 ? emptyPanel() : charts}</div>`,
  })
}

function emptyPanel(): Html {
  return html`<section class="panel" aria-label="No connections">
    <p class="empty">No connections yet. <a href="${CONNECTIONS_PATH}">Add some</a>.</p>
  </section>`
}

function barsOf(counts: readonly ValueCount[], pathOf: (value: string) => string): Bar[] {
  return counts.map(({ value, count }) => ({ label: value, count, path: pathOf(value) }))
}

function weekBars(weeks: readonly ValueCount[]): Bar[] {
  return weeks.map(({ value, count }) => ({
    label: dateText(value),
    count,
    path: listPath({ contacted: value }),
  }))
}

function columns(
  id: string,
  title: string,
  headings: readonly [string, string],
  unit: string,
  bars: Bar[],
): Html {
  if (bars.every(({ count }) => count === 0)) return NOTHING
  return panel(id, title, html`${columnChart(bars, title, unit)} ${barTable(bars, headings)}`)
}

function rows(id: string, title: string, bars: Bar[]): Html {
  if (bars.length === 0) return NOTHING
  return panel(id, title, html`${barList(bars)} ${barTable(bars, [title, t('Connections')])}`)
}

/** The largest circle, in SVG units. */
const RADIUS = 11

/** Companies and tags. The area of a circle is the number of people. */
function matrixPanel(cells: readonly CompanyTag[]): Html {
  if (cells.length === 0) return NOTHING
  const tags = [...new Set(cells.map(({ tag }) => tag))]
  const byCompany = Map.groupBy(cells, ({ company }) => company)
  const most = Math.max(...cells.map(({ count }) => count))
  const lines = [...byCompany].map(([company, own]) => {
    const counts = new Map(own.map(({ tag, count }) => [tag, count]))
    const shown = tags.map((tag) => {
      const count = counts.get(tag) ?? 0
      if (count === 0) return html`<td></td>`
      const radius = (RADIUS * Math.sqrt(count / most)).toFixed(1)
      return html`<td>
        <a href="${listPath({ company, tag })}">
          <svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="${radius}" /></svg>
          <span>${numberText(count)}</span>
        </a>
      </td>`
    })
    return html`<tr>
      <th scope="row"><bdi>${company}</bdi></th>
      ${shown}
    </tr>`
  })
  const matrix = html`<table class="matrix">
    <thead>
      <tr>
        <td></td>
        ${tags.map((tag) => html`<th scope="col"><bdi>${tag}</bdi></th>`)}
      </tr>
    </thead>
    <tbody>
      ${lines}
    </tbody>
  </table>`
  return panel('matrix', t('Companies by tag'), matrix)
}
