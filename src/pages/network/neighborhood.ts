/** Who is around a person: relations as labels of lines, how strong each is by its last contact, and the colleagues as one bubble. */

import { t } from '../../languages/message.ts'
import { initialsOf } from '../../base/initials.ts'
import { html, NOTHING, type Html } from '../../html/html.ts'
import { ownPhotoPath, smallPhotoPath } from '../../html/site-map.ts'
import { face, hueOf } from '../../html/face.ts'
import { numberText } from '../../ui/numbers.ts'
import { emptyNote } from '../../ui/sections.ts'
import { introductionForm } from './introduction-form.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'

/** How lately: in the last 3 months, 3 to 12 months ago, or longer ago and unknown. */
export type Strength = 'quarter' | 'year' | 'longer'

export interface Neighbor {
  readonly name: string
  readonly photo: string | undefined
  /** How they are related, such as `spouse` or `met together`. */
  readonly relation: string
  readonly strength: Strength
  readonly path: string
  /** Path of the chart of the people around them. */
  readonly around: string
  /** The day, as on the page; empty without contact. */
  readonly lastContact: string
}

/** A circle of the drawing: a photo or initials, above the label, which is the name by default. */
export interface Face extends Pick<Neighbor, 'name' | 'photo'> {
  /** The path of the photo, if it is not one of a connection. */
  readonly path?: string | undefined
  readonly label?: string
}

/** The member, as a circle. */
export function selfOf({ member: { name, photo } }: SignedInRequest): Face {
  return photo == null ? { name, photo: undefined } : { name, photo, path: ownPhotoPath(photo) }
}

interface Neighborhood {
  readonly name: string
  readonly photo: string | undefined
  /** Undefined for a company. */
  readonly own: { readonly label: string; readonly strength: Strength } | undefined
  readonly path: string
  readonly neighbors: readonly Neighbor[]
  readonly colleagues: {
    readonly company: string
    readonly path: string
    /** Sorted by last contact, latest first. */
    readonly shown: readonly Neighbor[]
    readonly count: number
  }
}

/** SVG units. */
const [WIDTH, HEIGHT, X, Y] = [760, 520, 380, 250]
/** The height with only one beside them: all stand in a row. */
const ROW = 200
/** Beyond it, people are in the list only. */
const MAX_DRAWN = 8
/** Longer names are cut. */
const MAX_LABEL = 22 // characters

/** `self` is the member. */
export function neighborhoodView(around: Neighborhood, self: Face): Html {
  const { name, neighbors, colleagues } = around
  const known = neighbors.length + colleagues.count
  const says = html`<p class="says"><b>${sentence(around)}</b></p>`
  if (known === 0)
    return html`${says}
    ${emptyNote(t('Add a relation or a company on the page of the person, or log a meeting with several people. They appear here.'))}`
  return html`${says}
    <div class="around">
      <div class="drawing" aria-hidden="true">${drawing(around, self)} ${strengths()}</div>
      <div class="around-lists">
        ${neighbors.length === 0 ? NOTHING : peopleList('known', t('Who knows {name}', { name }), neighbors, ({ relation }) => relation)}
        ${
          colleagues.shown.length === 0
            ? NOTHING
            : html`${peopleList('colleagues', colleaguesTitle(around), colleagues.shown, ({ lastContact }) => lastContact)}
                <p>
                  <a href="${colleagues.path}"
                    >${t('All {count} at {company}', { count: numberText(colleagues.count), company: colleagues.company })}</a
                  >
                </p>`
        }
        <section aria-labelledby="path">
          <h2 id="path">Path to someone else</h2>
          ${introductionForm('')}
        </section>
      </div>
    </div>`
}

function colleaguesTitle({ own }: Neighborhood): string {
  return own ? t('Colleagues') : t('People there')
}

function sentence({ name, own, neighbors, colleagues }: Neighborhood): string {
  const others = numberText(neighbors.length)
  const { company, count } = colleagues
  if (!own) return t('You know {count} people at {company}.', { count: numberText(count), company })
  if (neighbors.length + count === 0) return t('No one around {name} is known yet.', { name })
  if (count === 0)
    return t('{others, plural, one {# person is} other {# people are}} connected with {name}.', {
      others: neighbors.length,
      name,
    })
  if (neighbors.length === 0)
    return t('You know {count} colleagues of {name} at {company}.', {
      count: numberText(count),
      name,
      company,
    })
  return t('{name} knows {others} of your people, and you know {count} more at {company}.', {
    name,
    others,
    count: numberText(count),
    company,
  })
}

function peopleList(
  id: string,
  title: string,
  people: readonly Neighbor[],
  noteOf: (one: Neighbor) => string,
): Html {
  const items = people.map(
    (one) =>
      html`<li>
        <a class="who" href="${one.path}">${face(one)}<bdi>${one.name}</bdi></a>
        <small><bdi>${noteOf(one)}</bdi></small>
        <a class="further" href="${one.around}"
          >Around them<span class="unseen">, ${one.name}</span></a
        >
      </li>`,
  )
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}"><bdi>${title}</bdi></h2>
    <ul class="known">
      ${items}
    </ul>
  </section>`
}

interface Point {
  readonly x: number
  readonly y: number
}

/** The member is above, the colleagues who are not drawn are below, and the others to the sides. */
function drawing(around: Neighborhood, self: Face): Html {
  const { name, photo, own, path, neighbors, colleagues } = around
  const near = colleagues.shown.map((one) => ({ ...one, relation: '' }))
  const drawn = [...neighbors, ...near].slice(0, MAX_DRAWN)
  const rest = colleagues.count - Math.max(drawn.length - neighbors.length, 0)
  const isRow = drawn.length + Math.min(rest, 1) < 2
  const beside = { x: 660, y: 84 }
  const points = drawn.map((_, at) => (isRow ? beside : sidePoint(at, drawn.length)))
  const center = { x: X, y: isRow ? 84 : Y }
  const you = isRow ? { x: 90, y: 84 } : { x: X, y: 52 }
  const bubble = { x: X, y: 428 }
  const isHalf = rest === 0 && drawn.length < 3
  // The contacts of the member with each.
  const ties = drawn.flatMap(({ lastContact, strength }, at) =>
    lastContact === '' ? [] : line(you, points[at] ?? you, strength, ''),
  )
  return html`<svg viewBox="0 0 ${WIDTH} ${isRow ? ROW : isHalf ? HEIGHT - 190 : HEIGHT}">
    ${isRow ? NOTHING : ties} ${own ? line(center, you, own.strength, own.label) : NOTHING}
    ${drawn.map(({ relation }, at) => line(center, points[at] ?? you, 'longer', relation))}
    ${rest === 0 ? NOTHING : line(center, bubble, 'longer', own ? t('colleagues') : '')}
    ${node({ ...self, label: t('You') }, you, 24)}
    ${drawn.map((one, at) => html`<a href="${one.path}" tabindex="-1">${node(one, points[at] ?? you, 24)}</a>`)}
    ${rest === 0 ? NOTHING : crowd({ ...colleagues, count: rest, shown: colleagues.shown.slice(colleagues.count - rest) }, bubble)}
    <a href="${path}" tabindex="-1">${node({ name, photo }, center, 36)}</a>
  </svg>`
}

/** Alternately right and left of the center, from above to below. */
function sidePoint(at: number, count: number): Point {
  const isRight = at % 2 === 0
  const rows = isRight ? Math.ceil(count / 2) : Math.floor(count / 2)
  const row = Math.floor(at / 2)
  const y = rows === 1 ? Y : 90 + (row * 320) / (rows - 1)
  // An arc: the middle ones are farther away.
  const reach = 290 - Math.abs(y - Y) * 0.45
  return { x: Math.round(X + (isRight ? reach : -reach)), y: Math.round(y) }
}

/** From the center, with its label on it. */
function line(center: Point, { x, y }: Point, strength: Strength, label: string): Html {
  const [middleX, middleY] = [Math.round((center.x + x) / 2), Math.round((center.y + y) / 2)]
  return html`<path class="${strength}" d="M${center.x} ${center.y}L${x} ${y}" />
    <text class="relation" x="${middleX}" y="${middleY + 4}" text-anchor="middle"
      >${cut(label)}</text
    >`
}

function node({ name, photo, path, label = name }: Face, { x, y }: Point, radius: number): Html {
  const inside =
    photo === undefined
      ? html`<circle class="hue-${hueOf(name)}" cx="${x}" cy="${y}" r="${radius}" />
          <text class="letters hue-${hueOf(name)}" x="${x}" y="${y + 5}" text-anchor="middle"
            >${initialsOf(name)}</text
          >`
      : html`<image
          href="${path ?? smallPhotoPath(photo)}"
          x="${x - radius}"
          y="${y - radius}"
          width="${2 * radius}"
          height="${2 * radius}"
          preserveAspectRatio="xMidYMid slice"
        />`
  return html`${inside}
    <text class="name" x="${x}" y="${y + radius + 16}" text-anchor="middle">${cut(label)}</text>`
}

/** Up to nine colleagues in one bubble. */
function crowd({ shown, count, company, path }: Neighborhood['colleagues'], { x, y }: Point): Html {
  const inside = shown.slice(0, 9).map(({ name }, at) => {
    const angle = (at * 2 * Math.PI) / Math.min(shown.length, 9)
    const far = shown.length === 1 ? 0 : 32
    const [cx, cy] = [Math.round(x + far * Math.cos(angle)), Math.round(y + far * Math.sin(angle))]
    const hue = `hue-${hueOf(name)}`
    return html`<circle class="${hue}" cx="${cx}" cy="${cy}" r="11" />
      <text class="letters tiny ${hue}" x="${cx}" y="${cy + 3}" text-anchor="middle"
        >${initialsOf(name)}</text
      >`
  })
  return html`<a href="${path}" tabindex="-1">
    <circle class="crowd" cx="${x}" cy="${y}" r="58" />
    ${inside}
    <text class="name" x="${x}" y="${y + 78}" text-anchor="middle"
      >${t('{count} more at {company}', { count: numberText(count), company: cut(company) })}</text
    >
  </a>`
}

function cut(name: string): string {
  return name.length <= MAX_LABEL ? name : `${name.slice(0, MAX_LABEL - 1).toWellFormed()}…`
}

function strengths(): Html {
  return html`<ul class="legend">
    <li><span class="stroke quarter"></span>in the last 3 months</li>
    <li><span class="stroke year"></span>3 to 12 months ago</li>
    <li><span class="stroke longer"></span>longer ago or unknown</li>
  </ul>`
}
