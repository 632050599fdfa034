/** A chart of up to 40 people around one person or company, laid out in rings by the server. */

import { t } from '../../languages/message.ts'
import { html, NOTHING, type Html } from '../../html/html.ts'
import { asTable } from '../ui/charts.ts'
import { buttonLink, panel, table, emptyNote } from '../ui/sections.ts'

export interface Neighbor {
  readonly name: string
  /** How they are related: `colleague`, or a relation. */
  readonly relation: string
  readonly path: string
  /** Path of the chart of the people around them. */
  readonly around: string
}

interface Neighborhood {
  readonly name: string
  readonly path: string
  readonly neighbors: readonly Neighbor[]
  /** Path of the page with everyone, if there are more people. */
  readonly all: string | undefined
}

/** SVG units. */
const [WIDTH, HEIGHT] = [880, 560]
const [X, Y] = [WIDTH / 2, HEIGHT / 2]

/** People of the inner ring; the others are in the outer one. */
const INNER = 14

/** Longer names are cut. */
const MAX_LABEL = 18 // characters

export function neighborhoodPanel({ name, path, neighbors, all }: Neighborhood): Html {
  const title = html`Around <bdi>${name}</bdi>`
  if (neighbors.length === 0) return panel('around', title, emptyNote(t('No other people found.')))
  const inner = neighbors.slice(0, neighbors.length <= INNER + 4 ? neighbors.length : INNER)
  const outer = neighbors.slice(inner.length)
  const placed = [...ring(inner, 0.62), ...ring(outer, 1)]
  const rows = neighbors.map(
    (one) =>
      html`<tr>
        <td>
          <a href="${one.path}"><bdi>${one.name}</bdi></a>
        </td>
        <td><bdi>${one.relation}</bdi></td>
        <td>
          <a href="${one.around}">Around them<span class="unseen">, ${one.name}</span></a>
        </td>
      </tr>`,
  )
  const chart = html`<div class="around">
    <svg
      role="group"
      aria-label="${t('People around {name}', { name })}"
      viewBox="0 0 ${WIDTH} ${HEIGHT}"
    >
      ${placed.map(({ x, y }) => html`<path d="M${X} ${Y}L${x} ${y}" />`)}
      <a href="${path}" aria-label="${name}">
        <circle class="center" cx="${X}" cy="${Y}" r="12" />
        <text x="${X}" y="${Y + 30}" text-anchor="middle">${cut(name)}</text>
      </a>
      ${placed.map(node)}
    </svg>
  </div>`
  const more = all === undefined ? NOTHING : buttonLink(all, t('Show everyone in the list'))
  return panel(
    'around',
    title,
    html`${chart} ${more} ${asTable(table([t('Name'), t('Relation'), t('Chart')], rows))}`,
  )
}

interface Placed extends Neighbor {
  readonly x: number
  readonly y: number
}

/** On an ellipse that is `share` of the chart. */
function ring(people: readonly Neighbor[], share: number): Placed[] {
  return people.map((one, at) => {
    const angle = (2 * Math.PI * (at + (share < 1 ? 0 : 0.5))) / people.length - Math.PI / 2
    return {
      ...one,
      x: Math.round(X + Math.cos(angle) * share * (WIDTH / 2 - 150)),
      y: Math.round(Y + Math.sin(angle) * share * (HEIGHT / 2 - 26)),
    }
  })
}

function node({ name, relation, path, x, y }: Placed): Html {
  const side = x < X - 5 ? { dx: -11, anchor: 'end' } : { dx: 11, anchor: 'start' }
  return html`<a href="${path}" aria-label="${name}, ${relation}">
    <title>${name}, ${relation}</title>
    <circle cx="${x}" cy="${y}" r="7" />
    <text x="${x + side.dx}" y="${y + 5}" text-anchor="${side.anchor}">${cut(name)}</text>
  </a>`
}

function cut(name: string): string {
  return name.length <= MAX_LABEL ? name : `${name.slice(0, MAX_LABEL - 1).toWellFormed()}…`
}
