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
import {
  innerRadius,
  layOutBubbles,
  FONT_SIZE,
  LINE,
  UNIT,
  type Box,
  type Bubble,
  type Place,
} from './map-layout.ts'

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

/** The rows of dots of each part of the world. */
const land = lazy(() => {
  const file = new URL('../../html/assets/land.svg', import.meta.url)
  const parts = readFileSync(file, 'utf8').split('<symbol id="').slice(1)
  return new Map(
    parts.map((part) => {
      const rows = [...part.matchAll(/M(\d+) (\d+)h(\d+)/g)].map(([, ...numbers]) => {
        const [from = 0, y = 0, length = 0] = numbers.map(Number)
        return { left: from, top: y, right: from + length, bottom: y }
      })
      return [part.slice(0, part.indexOf('"')), rows] as const
    }),
  )
})

/** Beside another map, the world is shown smaller, and its texts are larger: one of the sizes of all pages. */
const WORLD_SCALE = 24 / FONT_SIZE

/** A part of the world is shown beside it if it has this share of the people, and this many cities. */
const [MIN_SHARE, MIN_CITIES] = [0.3, 3]

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
  const outside = others.reduce((sum, { people }) => sum + people, 0)
  return html`<div class="maps two" aria-hidden="true">
    ${regionMap(world, others, { most, scale: WORLD_SCALE, frame: best.region })}
    ${regionMap(best.region, best.own, { most, scale: 1 })}
    ${outside > 0 && html`<p class="outside">${t('{count, plural, one {# person is} other {# people are}} outside this map.', { count: outside })}</p>`}
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
  const size = sizeOf(region)
  const [width, height] = size
  const { frame, most, scale } = drawing
  const points = places.map((place) => ({
    place,
    ...pointOf(region, place.city.longitude, place.city.latitude),
  }))
  const bubbles = layOutBubbles(points, {
    size,
    most,
    scale,
    captionOf: captionText,
    land: land().get(region.id) ?? [],
    avoided: frame && boxOf(region, frame),
  })
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

/** A part of the region, as a box of its map. */
function boxOf(region: Region, { west, east, south, north }: Region): Box {
  const [from, to] = [pointOf(region, west, north), pointOf(region, east, south)]
  return { left: from.x, top: from.y, right: to.x, bottom: to.y }
}

function frameOf(region: Region, part: Region): Html {
  const { left, top, right, bottom } = boxOf(region, part)
  return html`<rect
    class="frame"
    x="${left}"
    y="${top}"
    width="${right - left}"
    height="${bottom - top}"
    rx="8"
  />`
}

/** The list below has the same links, so the map is not in the order of the keyboard. */
function bubbleShape(bubble: Bubble): Html {
  const { place, name, x, y, radius, people, recent } = bubble
  const inner = innerRadius(radius, recent / people)
  return html`<a href="${listPath({ near: place.label })}" tabindex="-1">
    <title>${name}: ${captionText(bubble)}</title>
    <circle class="all" cx="${x}" cy="${y}" r="${radius}" />
    ${inner === 0 ? NOTHING : html`<circle class="recent" cx="${x}" cy="${y}" r="${inner}" />`}
  </a>`
}

function labelOf({ label }: Bubble, { scale }: Drawing): Html {
  if (!label) return NOTHING
  const { x, y, anchor, lines } = label
  const [name, caption] = lines
  return html`<text x="${x}" y="${y}" text-anchor="${anchor}" font-size="${FONT_SIZE * scale}">
    <tspan class="name">${name}</tspan>
    ${caption === undefined ? NOTHING : html`<tspan x="${x}" dy="${LINE * scale}">${caption}</tspan>`}
  </text>`
}

/** As `9, 7 within a year` or `8, silent`. */
export function captionOf(group: PeopleGroup): string {
  return captionText({ ...group, isSilent: isSilent(group) })
}

function captionText({
  people,
  recent,
  isSilent: isQuiet,
}: Pick<Bubble, 'people' | 'recent' | 'isSilent'>): string {
  if (isQuiet) return t('{people}, silent', { people: numberText(people) })
  return recent === 0
    ? numberText(people)
    : t('{people}, {recent} within a year', {
        people: numberText(people),
        recent: numberText(recent),
      })
}
