/** A dotted map with a bubble for each city, drawn by the server: which shows where people are. */

import { readFileSync } from 'node:fs'
import { t } from '../../languages/message.ts'
import { lazy } from '../../base/lazy.ts'
import { assetPath } from '../../html/assets.ts'
import { html, NOTHING, type Html } from '../../html/html.ts'
import { listPath } from '../../connections/people/list-path.page.ts'
import { numberText } from '../../ui/numbers.ts'
import type { City } from '../../search/questions/cities.ts'
import { isSilent, type PeopleGroup } from '../../connections/overview/places.ts'

/** A part of the world; `assets/land.svg` has its land as dots. Degrees, and how much east and west are compressed. */
interface Region {
  readonly id: string
  readonly west: number
  readonly east: number
  readonly south: number
  readonly north: number
  readonly shrink: number
  /** Degrees of latitude between two dots. */
  readonly step: number
}

const regions = lazy(
  () =>
    JSON.parse(readFileSync(new URL('data/regions.json', import.meta.url), 'utf8')) as readonly [
      Region,
      ...Region[],
    ],
)

/** SVG units between two dots. */
const UNIT = 10

/** A part of the world is shown beside it if it has this share of the people, and this many cities. */
const [MIN_SHARE, MIN_CITIES] = [0.3, 3]

interface Place extends PeopleGroup {
  readonly city: City
}

/** The world, and the part of it with most people. `places` are cities, the largest first. */
export function placesMap(places: readonly Place[]): Html {
  const [world, ...parts] = regions()
  const all = places.reduce((sum, { people }) => sum + people, 0)
  const [best] = parts
    .map((region) => {
      const own = places.filter(({ city }) => isIn(region, city))
      return { region, own, people: own.reduce((sum, { people }) => sum + people, 0) }
    })
    .toSorted((one, other) => other.people - one.people)
  const isZoomed = best && best.people >= all * MIN_SHARE && best.own.length >= MIN_CITIES
  const most = Math.max(...places.map(({ people }) => people), 1)
  if (!isZoomed)
    return html`<div class="maps" aria-hidden="true">
      ${regionMap(world, places, { most, scale: 1 })}
    </div>`
  const others = places.filter(({ city }) => !isIn(best.region, city))
  return html`<div class="maps two" aria-hidden="true">
    ${regionMap(world, others, { most, scale: 1.7, frame: best.region })}
    ${regionMap(best.region, best.own, { most, scale: 1 })}
  </div>`
}

function isIn({ west, east, south, north }: Region, { longitude, latitude }: City): boolean {
  return longitude > west && longitude < east && latitude > south && latitude < north
}

interface Drawing {
  /** The number of people of the largest bubble. */
  readonly most: number
  /** How much smaller the map is shown than the other one: its bubbles and texts are larger. */
  readonly scale: number
  /** A part that another map shows. */
  readonly frame?: Region
}

function regionMap(region: Region, places: readonly Place[], drawing: Drawing): Html {
  const [width, height] = sizeOf(region)
  const bubbles = withLabels(places, region, drawing)
  const { frame } = drawing
  return html`<svg
    class="map ${region.id === 'world' ? 'world' : ''}"
    viewBox="0 0 ${width} ${height}"
  >
    <use
      class="land"
      href="${assetPath('land.svg')}#${region.id}"
      width="${width}"
      height="${height}"
    ></use>
    ${frame ? frameOf(region, frame) : NOTHING} ${bubbles.map((bubble) => bubbleShape(bubble))}
    ${bubbles.map((bubble) => labelOf(bubble, drawing))}
  </svg>`
}

function sizeOf({ west, east, south, north, shrink, step }: Region): [number, number] {
  const unit = UNIT / step
  return [Math.round((east - west) * shrink * unit), Math.round((north - south) * unit)]
}

function pointOf({ west, north, shrink, step }: Region, longitude: number, latitude: number) {
  const unit = UNIT / step
  return {
    x: Math.round((longitude - west) * shrink * unit),
    y: Math.round((north - latitude) * unit),
  }
}

function frameOf(region: Region, { west, east, south, north }: Region): Html {
  const [from, to] = [pointOf(region, west, north), pointOf(region, east, south)]
  return html`<rect
    class="frame"
    x="${from.x}"
    y="${from.y}"
    width="${to.x - from.x}"
    height="${to.y - from.y}"
    rx="8"
  />`
}

interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

interface Bubble {
  readonly place: Place
  readonly x: number
  readonly y: number
  readonly radius: number
  /** Position at which its label fits; undefined if there is none. */
  readonly label: { readonly x: number; readonly y: number; readonly anchor: string } | undefined
}

/** SVG units at a scale of 1. */
const [MIN_RADIUS, MAX_RADIUS, LINE, LETTER] = [7, 22, 15, 7]

/** Bubbles of this share of the largest are not covered. */
const LARGE = 0.2
const MAX_LABELS = 14

function withLabels(places: readonly Place[], region: Region, drawing: Drawing): Bubble[] {
  const { most, scale } = drawing
  const points = places.map((place) => {
    const { x, y } = pointOf(region, place.city.longitude, place.city.latitude)
    const radius = Math.max(MIN_RADIUS, MAX_RADIUS * Math.sqrt(place.people / most)) * scale
    return { place, x, y, radius: Math.round(radius) }
  })
  // A label may cover small bubbles, otherwise large ones in a crowd would have none.
  const taken: Box[] = points
    .filter(({ place }) => place.people >= most * LARGE)
    .map(({ x, y, radius }) => boxAt(x - radius, y - radius, 2 * radius, 2 * radius))
  let labels = 0
  return points.map((point) => {
    const isMinor = point.place.people === 1 && most > 3
    if (isMinor || labels === MAX_LABELS) return Object.assign(point, { label: undefined })
    const label = labelAt(point, taken, { size: sizeOf(region), scale })
    if (label) labels += 1
    return Object.assign(point, { label })
  })
}

/** The label of a bubble beside, above or below it, where nothing else is. */
function labelAt(
  { place, x, y, radius }: Omit<Bubble, 'label'>,
  taken: Box[],
  { size: [width, height], scale }: { readonly size: [number, number]; readonly scale: number },
): Bubble['label'] {
  const wide = Math.max(place.label.length, captionOf(place).length * 0.9) * LETTER * scale
  const tall = 2 * LINE * scale
  const gap = radius + 4 * scale
  const middle = y - tall / 2
  const spots = [
    { anchor: 'start', at: x + gap, box: boxAt(x + gap, middle, wide, tall) },
    { anchor: 'end', at: x - gap, box: boxAt(x - gap - wide, middle, wide, tall) },
    { anchor: 'middle', at: x, box: boxAt(x - wide / 2, y - gap - tall, wide, tall) },
    { anchor: 'middle', at: x, box: boxAt(x - wide / 2, y + gap, wide, tall) },
  ]
  const spot = spots.find(
    ({ box }) =>
      box.left >= 0 &&
      box.right <= width &&
      box.top >= 0 &&
      box.bottom <= height &&
      !taken.some((other) => overlap(box, other)),
  )
  if (!spot) return undefined
  taken.push(spot.box)
  const { anchor, at, box } = spot
  return { x: Math.round(at), y: Math.round(box.top + 0.8 * LINE * scale), anchor }
}

function boxAt(left: number, top: number, width: number, height: number): Box {
  return { left, top, right: left + width, bottom: top + height }
}

function overlap(one: Box, other: Box): boolean {
  return (
    one.left < other.right &&
    other.left < one.right &&
    one.top < other.bottom &&
    other.top < one.bottom
  )
}

/** The list below has the same links, so the map is not in the order of the keyboard. */
function bubbleShape({ place, x, y, radius }: Bubble): Html {
  const { people, recent } = place
  const inner = Math.round(radius * Math.sqrt(recent / people))
  return html`<a href="${listPath({ near: place.label })}" tabindex="-1">
    <title>${place.label}: ${captionOf(place)}</title>
    <circle class="all" cx="${x}" cy="${y}" r="${radius}" />
    ${inner === 0 ? NOTHING : html`<circle class="recent" cx="${x}" cy="${y}" r="${inner}" />`}
  </a>`
}

function labelOf({ place, label }: Bubble, { scale }: Drawing): Html {
  if (!label) return NOTHING
  const { x, y, anchor } = label
  return html`<text x="${x}" y="${y}" text-anchor="${anchor}" font-size="${13 * scale}">
    <tspan class="name">${place.label}</tspan>
    <tspan x="${x}" dy="${LINE * scale}">${captionOf(place)}</tspan>
  </text>`
}

/** As `9, 7 lately` or `8, silent`. */
export function captionOf(group: PeopleGroup): string {
  const { people, recent } = group
  if (isSilent(group)) return t('{people}, silent', { people: numberText(people) })
  return recent === 0
    ? numberText(people)
    : t('{people}, {recent} lately', { people: numberText(people), recent: numberText(recent) })
}
