/** Charts of counts as columns, and tables of the same numbers. Every shape links to its people. */

import { html, type Html } from '../html/html.ts'
import { countOf, numberText } from './numbers.ts'
import { table } from './sections.ts'

export interface Bar {
  readonly label: string
  readonly count: number
  readonly path: string
}

/** SVG units. A column fills four fifths of its step. */
const STEP = 10
const HEIGHT = 60

/** Columns beside each other, with the first and the last label below. `unit` is what is counted, in the singular. */
export function columnChart(bars: readonly Bar[], title: string, unit: string): Html {
  const most = Math.max(...bars.map(({ count }) => count), 1)
  const columns = bars.map(({ label, count, path }, at) => {
    const height = (count / most) * HEIGHT
    const said = `${label}: ${countOf(count, unit)}`
    return html`<a href="${path}" aria-label="${said}">
      <title>${said}</title>
      <rect class="space" x="${at * STEP}" width="${STEP}" height="${HEIGHT}" />
      <rect
        x="${at * STEP + 1}"
        y="${(HEIGHT - height).toFixed(1)}"
        width="${STEP - 2}"
        height="${height.toFixed(1)}"
      />
    </a>`
  })
  return html`<figure class="columns">
    <svg
      role="group"
      aria-label="${title}"
      viewBox="0 0 ${bars.length * STEP} ${HEIGHT}"
      preserveAspectRatio="none"
    >
      ${columns}
    </svg>
    <figcaption aria-hidden="true">
      <span>${bars[0]?.label}</span><span>${bars.at(-1)?.label}</span>
    </figcaption>
  </figure>`
}

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
