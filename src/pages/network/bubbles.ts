/** The largest companies as circles in one scale: blue is everyone there, copper who heard from the member within a year. */

import { html, NOTHING, type Html } from '../../html/html.ts'
import { listPath } from '../../connections/people/list-path.page.ts'
import { captionOf } from './map.ts'
import { innerRadius } from './map-layout.ts'
import type { PeopleGroup } from '../../connections/overview/places.ts'

/** SVG units, which are CSS pixels if there is room. */
const [MAX_WIDTH, MAX_RADIUS, GAP] = [1000, 48, 8]
/** Room for a name. */
const MIN_CELL = 122
/** Characters of a line in the narrowest cell, and lines of a name. */
const [MAX_NAME, MAX_LINES] = [20, 2]
const LINE = 15
/** How many times the largest company is at least as large as the smallest that is drawn. */
const MIN_RATIO = 1.5

export function companyBubbles(groups: readonly PeopleGroup[]): Html {
  const most = groups[0]?.people ?? 1
  let width = 0
  const shapes: Html[] = []
  for (const group of groups) {
    const radius = MAX_RADIUS * Math.sqrt(group.people / most)
    const cell = Math.max(2 * radius, MIN_CELL) + GAP
    if (width + cell > MAX_WIDTH) break
    shapes.push(bubble(group, Math.round(width + cell / 2), Math.round(radius)))
    width += cell
  }
  // Circles of nearly the same size say nothing.
  const least = groups[shapes.length - 1]?.people ?? 1
  if (shapes.length < 2 || most < MIN_RATIO * least) return NOTHING
  const [shownWidth, height] = [Math.round(width), 2 * MAX_RADIUS + (MAX_LINES + 1.5) * LINE]
  return html`<svg
    class="bubbles"
    viewBox="0 0 ${shownWidth} ${height}"
    width="${shownWidth}"
    height="${height}"
    aria-hidden="true"
  >
    ${shapes}
  </svg>`
}

/** The list below has the same links, so the circles are not in the order of the keyboard. */
function bubble(group: PeopleGroup, x: number, radius: number): Html {
  const { label, people, recent } = group
  const inner = innerRadius(radius, recent / people)
  const y = MAX_RADIUS + 1
  const lines = linesOf(label)
  const below = 2 * MAX_RADIUS + LINE
  return html`<a href="${listPath({ company: label })}" tabindex="-1">
    <title>${label}: ${captionOf(group)}</title>
    <circle class="all" cx="${x}" cy="${y}" r="${radius}" />
    ${inner === 0 ? NOTHING : html`<circle class="recent" cx="${x}" cy="${y}" r="${inner}" />`}
    ${lines.map((line, at) => html`<text class="name" x="${x}" y="${below + at * LINE}">${line}</text>`)}
    <text x="${x}" y="${below + lines.length * LINE}">${captionOf(group)}</text>
  </a>`
}

/** The words of a name on at most two lines; what does not fit is cut. */
function linesOf(name: string): readonly string[] {
  const lines: string[] = []
  for (const word of name.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < MAX_NAME)
      lines[lines.length - 1] = `${last} ${word}`
    else if (lines.length < MAX_LINES) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.map((line) =>
    line.length <= MAX_NAME ? line : `${line.slice(0, MAX_NAME - 1).toWellFormed()}…`,
  )
}
