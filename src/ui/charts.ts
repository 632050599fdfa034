/** Charts of counts as columns, and tables of the same numbers. Every shape links to its people. */

import { NOTHING, attributes, html, type Html } from '../html/html.ts'
import { countOf, numberText } from './numbers.ts'
import { table } from './sections.ts'

export interface Bar {
  readonly label: string
  readonly count: number
  readonly path: string
  /** A short text below the column; none by default. */
  readonly tick?: string | undefined
  /** Whether it is the present week or year. */
  readonly isNow?: boolean
}

interface ColumnTexts {
  readonly title: string
  /** What is counted, in the singular. */
  readonly unit: string
  /** Below the chart, such as `12 weeks`. */
  readonly caption: string
  /** The width of the chart in CSS pixels, for charts of one width below each other. */
  readonly width?: number
  /** The height of the highest column, in CSS pixels. */
  readonly height?: number
}

/** CSS pixels, as long as there is room; narrow windows shrink the columns and hide the texts. */
const [STEP, MAX_COLUMN] = [24, 40]
/** Above and below the columns. */
const LINE = 16
/** Fewer do not fill the height. */
const LEAST = 4

/** Columns beside each other, each with its number. */
export function columnChart(
  bars: readonly Bar[],
  { title, unit, caption, height: room = 112, width = bars.length * STEP }: ColumnTexts,
): Html {
  const most = Math.max(...bars.map(({ count }) => count), LEAST)
  const base = LINE + room
  const step = width / bars.length
  const column = Math.min(Math.round((step * 2) / 3), MAX_COLUMN)
  const height = base + (bars.some(({ tick }) => tick !== undefined) ? LINE : 1)
  const columns = bars.map(({ label, count, path, tick, isNow }, at) => {
    const high = Math.round((count / most) * room)
    const middle = (at + 0.5) * step
    // The title is the name of the link, which has its visible text: the tick, which names the axis, is outside.
    return html`<a ${attributes({ href: path, class: isNow === true && 'now' })}>
        <title>${label}: ${countOf(count, unit)}</title>
        <rect class="space" x="${at * step}" width="${step}" height="${height}" />
        <rect x="${middle - column / 2}" y="${base - high}" width="${column}" height="${high}" />
        ${count === 0 ? NOTHING : html`<text x="${middle}" y="${base - high - 4}">${numberText(count)}</text>`}
      </a>
      ${tick === undefined ? NOTHING : html`<text x="${middle}" y="${base + 12}" aria-hidden="true">${tick}</text>`}`
  })
  return html`<figure class="${width > MAX_NARROW * STEP ? 'columns many' : 'columns'}">
    <svg
      role="group"
      aria-label="${title}"
      width="${width}"
      height="${height}"
      viewBox="0 0 ${width} ${height}"
      preserveAspectRatio="none"
    >
      ${columns}
      <path d="M0 ${base}.5H${width}" />
    </svg>
    <figcaption>${caption}</figcaption>
  </figure>`
}

/** As many fit a phone without shrinking. */
const MAX_NARROW = 13

/** The same numbers, behind a summary. */
export function barTable(bars: readonly Bar[], headings: readonly [string, string]): Html {
  const rows = bars.map(
    ({ label, count, path }) =>
      html`<tr>
        <td>
          <a href="${path}"><bdi>${label}</bdi></a>
        </td>
        <td class="number">${numberText(count)}</td>
      </tr>`,
  )
  return asTable(table([headings[0], [headings[1], 'number']], rows))
}

/** Hides a table until it is wanted. */
export function asTable(shown: Html): Html {
  return html`<details class="as-table">
    <summary>Show as table</summary>
    ${shown}
  </details>`
}
