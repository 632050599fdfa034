/** A bar chart of credits by day and tool, rendered as SVG without a script, and the same data as a table. */

import { t } from '../../languages/message.ts'
import { perLanguage } from '../../languages/language.ts'
import { dateFormatter } from '../../dates/format-date.ts'
import { NOTHING, html, type Html } from '../../html/html.ts'
import { utcDay, utcLongDay } from '../../ui/time.ts'
import { asTable } from '../../ui/charts.ts'
import { numberText, countOf } from '../../ui/numbers.ts'
import type { Month, Series } from './spending.ts'

/** SVG units; the chart is stretched to the page width. A day is STEP wide, of which a fifth is a gap. */
const STEP = 10
const BAR = 8
const HEIGHT = 100

/** A fragment. Requires some spending. */
export function monthChart(month: Month): Html {
  const { days, series } = month
  const totals = days.map((_, day) => totalOf(series, day))
  const scale = scaleFor(Math.max(...totals))
  const bars = days.map((at, day) => bar(at, day, series, scale))
  return html`<figure class="chart">
    <div class="plot">
      <div class="scale" aria-hidden="true">
        <span>${numberText(scale)}</span><span>${numberText(scale / 2)}</span><span>0</span>
      </div>
      <svg
        role="img"
        aria-labelledby="chart-title chart-desc"
        viewBox="0 0 ${days.length * STEP} ${HEIGHT}"
        preserveAspectRatio="none"
      >
        <title id="chart-title">Credits spent by day</title>
        <desc id="chart-desc">${described(month, totals)}</desc>
        <path class="grid" d="M0 0.5H${days.length * STEP}M0 ${HEIGHT / 2}H${days.length * STEP}" />
        ${bars}
      </svg>
      ${dayScale(days)}
    </div>
    <figcaption>${legend(series)}</figcaption>
  </figure>`
}

function bar(at: number, day: number, series: readonly Series[], scale: number): Html {
  let top = HEIGHT
  const parts = series.map(({ label, days }, index) => {
    const credits = days[day] ?? 0
    const height = (credits / scale) * HEIGHT
    top -= height
    if (credits === 0) return NOTHING
    const said = `${utcLongDay(at)}, ${label}: ${countOf(credits, 'credit')}`
    return html`<rect
      class="series-${index}"
      x="${day * STEP + (STEP - BAR) / 2}"
      y="${rounded(top)}"
      width="${BAR}"
      height="${rounded(height)}"
    >
      <title>${said}</title>
    </rect>`
  })
  return html`${parts}`
}

/** The axis labels: the first, middle and last day. */
function dayScale(days: readonly number[]): Html {
  const marked = [days[0], days[Math.floor(days.length / 2)], days.at(-1)]
  const texts = marked.map(
    (at) => html`<span>${at === undefined ? '' : SHORT_DAY().format(at)}</span>`,
  )
  return html`<div class="days" aria-hidden="true">${texts}</div>`
}

function legend(series: readonly Series[]): Html {
  const items = series.map(
    ({ label, total }, index) =>
      html`<li>
        <svg class="key" aria-hidden="true"><rect class="series-${index}" /></svg>
        ${label} <small>${numberText(total)}</small>
      </li>`,
  )
  return html`<ul class="legend">
    ${items}
  </ul>`
}

/** A fragment: the same numbers as a table, for accessibility and exact values. */
export function monthTable({ days, series, total }: Month): Html {
  const head = series.map(({ label }) => html`<th class="number" scope="col">${label}</th>`)
  const rows = days.flatMap((at, day) => {
    const sum = totalOf(series, day)
    if (sum === 0) return []
    const cells = series.map((one) => html`<td class="number">${shown(one.days[day])}</td>`)
    return html`<tr>
      <td>${utcDay(at)}</td>
      ${cells}
      <td class="number">${numberText(sum)}</td>
    </tr>`
  })
  const sums = series.map((one) => html`<td class="number">${numberText(one.total)}</td>`)
  return asTable(
    html`<section class="wide" tabindex="0" aria-label="Credits by day and tool">
      <table>
        <thead>
          <tr>
            <th scope="col">Day</th>
            ${head}
            <th class="number" scope="col">Total</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
          <tr>
            <td>Total</td>
            ${sums}
            <td class="number">${numberText(total)}</td>
          </tr>
        </tbody>
      </table>
    </section>`,
  )
}

function described({ days, total }: Month, totals: readonly number[]): string {
  const most = Math.max(...totals)
  const at = days[totals.indexOf(most)]
  const day = at === undefined ? '' : `, most of it on ${utcLongDay(at)} (${numberText(most)})`
  return t('{total} this month{day}.', { total: countOf(total, 'credit'), day })
}

/** Rounds up to 2, 4, 10, 20, 40, 100, …: the top of the scale, whose half is an integer. */
function scaleFor(most: number): number {
  for (let power = 1; ; power *= 10)
    for (const step of [2, 4, 10]) if (step * power >= most) return step * power
}

function totalOf(series: readonly Series[], day: number): number {
  return series.reduce((sum, { days }) => sum + (days[day] ?? 0), 0)
}

function shown(credits: number | undefined): string {
  return credits === undefined || credits === 0 ? '–' : numberText(credits)
}

function rounded(length: number): string {
  return String(Math.round(length * 1000) / 1000)
}

const SHORT_DAY = perLanguage(() =>
  dateFormatter({ day: 'numeric', month: 'short', timeZone: 'UTC' }),
)
