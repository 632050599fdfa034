/** Where the bubbles and labels of a map stand: a label covers neither a bubble nor another label. */

import { t } from '../../languages/message.ts'
import { perLanguage } from '../../languages/language.ts'
import type { City } from '../../search/questions/cities.ts'
import { isSilent, type PeopleGroup } from '../../connections/overview/places.ts'

export interface Place extends PeopleGroup {
  readonly city: City
}

/** A place on the map, in SVG units. */
interface PlacedPoint {
  readonly place: Place
  readonly x: number
  readonly y: number
}

export interface Bubble extends PlacedPoint {
  /** Also of the places that it covered; `place` is the largest of them. */
  readonly name: string
  readonly people: number
  readonly recent: number
  /** True if no one there has heard from the member for a year. */
  readonly isSilent: boolean
  readonly radius: number
  /** Where its label fits; undefined if nowhere. */
  readonly label: Label | undefined
}

interface Label {
  readonly x: number
  /** The position of the baseline of the first line. */
  readonly y: number
  readonly anchor: 'start' | 'middle' | 'end'
  readonly lines: readonly string[]
}

export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** SVG units between two dots of land. */
export const UNIT = 10

/** SVG units at a scale of 1. */
const [MIN_RADIUS, MAX_RADIUS, GAP] = [7, 22, 4]
export const [FONT_SIZE, LINE] = [13, 15]

/** Smaller places of a large network have no label. */
const MIN_LABELED = 2
const MAX_LABELS = 14
/** A place without a label is only a dot, unless it has as many people. */
const [DOT, MIN_UNLABELED] = [3, 4]

/** The ring around the part of a circle remains visible. */
const RING = 3

/** The radius of the part of a circle. */
export function innerRadius(radius: number, share: number): number {
  return Math.round(Math.min(radius * Math.sqrt(share), Math.max(radius - RING, radius / 2)))
}

interface Space {
  readonly size: readonly [width: number, height: number]
  /** The number of people of the largest bubble of all maps. */
  readonly most: number
  /** How much smaller the map is shown than the other one: its bubbles and texts are larger. */
  readonly scale: number
  /** The second line of a label. */
  readonly captionOf: (group: Pick<Bubble, 'people' | 'recent' | 'isSilent'>) => string
  /** Rows of dots, which labels cover only where the sea has no room. */
  readonly land: readonly Box[]
  /** The part that another map shows: no label reaches into it. */
  readonly avoided: Box | undefined
}

/** The largest bubble first. */
export function layOutBubbles(points: readonly PlacedPoint[], space: Space): readonly Bubble[] {
  const isMinor = ({ people }: Pick<Bubble, 'people'>) =>
    people < MIN_LABELED && space.most > MIN_LABELED + 1
  const asDot = (bubble: Bubble) => Object.assign(bubble, { radius: DOT * space.scale })
  const bubbles = withoutCovered(points, space).map((one) => (isMinor(one) ? asDot(one) : one))
  const labels: Box[] = []
  const isFree = (box: Box) =>
    isWithin(box, space.size) &&
    !(space.avoided && overlap(box, space.avoided)) &&
    !labels.some((other) => overlap(box, other)) &&
    !bubbles.some((bubble) => covers(box, bubble))
  return bubbles.map((bubble) => {
    const isFull = labels.length === MAX_LABELS
    const spot = isMinor(bubble) || isFull ? undefined : spotFor(bubble, space, isFree)
    if (!spot)
      return bubble.people < MIN_UNLABELED && space.most > MIN_LABELED + 1 ? asDot(bubble) : bubble
    labels.push(spot.box)
    return Object.assign(bubble, { label: spot.label })
  })
}

type IsFree = (box: Box) => boolean

type Unlabeled = Omit<Bubble, 'name' | 'label' | 'radius' | 'isSilent'> & {
  readonly places: readonly Place[]
}

/** A place whose point lies in the bubble of a larger one becomes a part of it, and so may that one in turn. */
function withoutCovered(points: readonly PlacedPoint[], space: Space): readonly Bubble[] {
  let groups: readonly Unlabeled[] = points.map((point) => {
    const { people, recent } = point.place
    return { ...point, people, recent, places: [point.place] }
  })
  for (;;) {
    const kept: Unlabeled[] = []
    for (const group of groups.toSorted((one, other) => other.people - one.people)) {
      const at = kept.findIndex(
        (other) => Math.hypot(other.x - group.x, other.y - group.y) < radiusOf(other, space),
      )
      const larger = kept[at]
      if (larger) kept[at] = joined(larger, group)
      else kept.push(group)
    }
    const isDone = kept.length === groups.length
    groups = kept
    if (isDone)
      return kept.map((group) =>
        Object.assign(group, {
          name: nameOf(group.places),
          isSilent: group.places.every((place) => isSilent(place)),
          radius: radiusOf(group, space),
          label: undefined,
        }),
      )
  }
}

function joined(one: Unlabeled, other: Unlabeled): Unlabeled {
  return {
    ...one,
    people: one.people + other.people,
    recent: one.recent + other.recent,
    places: [...one.places, ...other.places],
  }
}

function radiusOf({ people }: Pick<Unlabeled, 'people'>, { most, scale }: Space): number {
  const radius = Math.min(MAX_RADIUS * Math.sqrt(people / most), 2 * MAX_RADIUS)
  return Math.round(Math.max(MIN_RADIUS, radius) * scale)
}

/** `Hamburg and Kiel`, or `Hamburg and 3 more` */
function nameOf([first, second, ...others]: readonly Place[]): string {
  if (!first || !second) return first?.label ?? ''
  return others.length === 0
    ? LIST().format([first.label, second.label])
    : t('{place} and {more} more', { place: first.label, more: others.length + 1 })
}

const LIST = perLanguage((locale) => new Intl.ListFormat(locale))

/** The first of the possible texts for which there is a place. */
function spotFor(bubble: Bubble, space: Space, isFree: IsFree) {
  const { name, place } = bubble
  const caption = space.captionOf(bubble)
  for (const lines of [[name, caption], [name], [place.label, caption], [place.label]]) {
    const spots = spotsOf(lines, bubble, space.scale).filter(({ box }) => isFree(box))
    const costs = spots.map(({ box }, at) => dotsIn(box, space.land) + at / 2)
    const spot = spots[costs.indexOf(Math.min(...costs))]
    if (spot) return spot
  }
  return undefined
}

/** A label beside, above or below its bubble, or at a corner of it. */
function spotsOf(lines: readonly string[], { x, y, radius }: Bubble, scale: number) {
  const wide = Math.max(...lines.map((line) => widthOf(line))) * scale
  const tall = lines.length * LINE * scale + 1
  const gap = radius + GAP * scale
  const corner = 0.75 * radius + GAP * scale
  const beside = [0.5, 0.9, 0.1, 1.3, -0.3].flatMap((part) => {
    const top = y - part * tall
    return [
      { anchor: 'start', at: x + gap, top } as const,
      { anchor: 'end', at: x - gap, top } as const,
    ]
  })
  const corners = [y - corner - tall, y + corner].flatMap((top) => [
    { anchor: 'start', at: x + corner, top } as const,
    { anchor: 'end', at: x - corner, top } as const,
  ])
  const spots = [
    ...beside.slice(0, 6),
    { anchor: 'middle', at: x, top: y - gap - tall } as const,
    { anchor: 'middle', at: x, top: y + gap } as const,
    ...corners,
    ...beside.slice(6),
  ]
  return spots.map(({ anchor, at, top }) => {
    const left = anchor === 'start' ? at : anchor === 'end' ? at - wide : at - wide / 2
    const box = { left, top, right: left + wide, bottom: top + tall }
    const baseline = Math.round(top + 0.8 * LINE * scale)
    return { box, label: { x: Math.round(at), y: baseline, anchor, lines } }
  })
}

/** An upper bound of the width of a bold text, in SVG units. */
function widthOf(text: string): number {
  let width = 0
  for (const letter of text)
    width += /[\p{Lu}mw@%&]/u.test(letter)
      ? 0.88
      : /[\u2E80-\uFFEF]|\p{Extended_Pictographic}/u.test(letter)
        ? 1.05
        : /[ijl.,'’ ]/.test(letter)
          ? 0.32
          : 0.62
  return width * FONT_SIZE
}

function isWithin({ left, top, right, bottom }: Box, [width, height]: Space['size']): boolean {
  return left >= 0 && top >= 0 && right <= width && bottom <= height
}

/** How many dots of land a label covers. `UNIT` is between two dots of a row. */
function dotsIn({ left, top, right, bottom }: Box, land: readonly Box[]): number {
  return land.reduce((sum, row) => {
    const width = Math.min(right, row.right) - Math.max(left, row.left)
    const isIn = width >= 0 && top <= row.top && row.top <= bottom
    return isIn ? sum + Math.floor(width / UNIT) + 1 : sum
  }, 0)
}

function overlap(one: Box, other: Box): boolean {
  return (
    one.left < other.right &&
    other.left < one.right &&
    one.top < other.bottom &&
    other.top < one.bottom
  )
}

function covers({ left, top, right, bottom }: Box, { x, y, radius }: Bubble): boolean {
  const [nearX, nearY] = [Math.min(Math.max(x, left), right), Math.min(Math.max(y, top), bottom)]
  return Math.hypot(nearX - x, nearY - y) < radius + GAP / 2
}
