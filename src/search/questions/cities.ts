/** The world's larger cities: where they are and what time it is there. `data/cities.txt` holds about 1,000. */

import { readDataSections } from '../../base/data-file.ts'
import { lazy } from '../../base/lazy.ts'
import { memoize } from '../../base/memoize.ts'
import { tokenize } from '../../base/tokenize.ts'
import { thesaurus, type Concept } from './thesaurus.ts'

export interface City {
  /** The English name, such as `Munich`. */
  readonly name: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  /** Degrees north. */
  readonly latitude: number
  /** Degrees east. */
  readonly longitude: number
  /** The IANA name, such as `Europe/Berlin`. */
  readonly timeZone: string
}

/**
 * The city that a location names in any language that the search knows: `Munich`, `Greater Munich Area, Germany`,
 * `80331 Munich`. Undefined if it names no known city, or another place of the same name (`Paris, Texas`), or does not tell
 * which of two.
 */
export function cityOf(location: string): City | undefined {
  return findCity(location.slice(0, MAX_LENGTH)).city
}

/** Kilometers along the surface of the Earth. */
export function kilometersBetween(one: City, other: City): number {
  const latitude = Math.sin(radians(other.latitude - one.latitude) / 2) ** 2
  const longitude = Math.sin(radians(other.longitude - one.longitude) / 2) ** 2
  const parallels = Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude))
  return EARTH_DIAMETER_KM * Math.asin(Math.min(1, Math.sqrt(latitude + parallels * longitude)))
}

const EARTH_DIAMETER_KM = 12_742

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}

/** Characters. Locations are shorter; the rest of a longer text cannot change the city that it starts with. */
const MAX_LENGTH = 200

interface Entry {
  readonly city: City
  readonly state: string | undefined
  /** Normalized, without its country. */
  readonly stateName: string
  /** The city in the thesaurus, which has its names in other languages. */
  readonly concept: Concept | undefined
  /** The city's state, country and other regions that contain it. */
  readonly regions: ReadonlySet<Concept>
}

interface Cities {
  readonly byName: ReadonlyMap<string, readonly Entry[]>
  readonly byConcept: ReadonlyMap<Concept, Entry>
  readonly regions: ReadonlySet<Concept>
  readonly states: ReadonlySet<string>
  /** Words before the name of a city. */
  readonly fillers: ReadonlySet<string>
  readonly maxTokens: number
}

const findCity = memoize((location: string): { readonly city: City | undefined } => {
  const named = regionsIn(location)
  const parts = location.split(/[,;/|•·\n]/).map(tokenize)
  for (const at of parts.keys()) {
    const city = cityAtStart(parts.slice(at).flat(), named)
    if (city) return { city }
  }
  return { city: undefined }
})

/** Words, postal codes and single letters may stand before the city. */
function cityAtStart(tokens: readonly string[], named: NamedRegions): City | undefined {
  for (let at = 0; at < tokens.length; at += 1) {
    const city = cityAt(tokens.slice(at, at + cities().maxTokens), named)
    if (city) return city
    const token = tokens[at] ?? ''
    if (!cities().fillers.has(token) && !/^[a-zа-я]$|\d/.test(token)) return undefined
  }
  return undefined
}

/** The city with the longest name at the start of the tokens. */
function cityAt(tokens: readonly string[], named: NamedRegions): City | undefined {
  for (let length = tokens.length; length > 0; length -= 1) {
    const phrase = tokens.slice(0, length).join(' ')
    const found = entriesNamed(phrase)
    const fitting = found.filter((entry) => fits(entry, named, phrase))
    if (fitting.length === 1) return fitting[0]?.city
    // The search knows which of several cities is meant by the name alone.
    if (fitting.length > 1)
      return fitting.find(({ concept }) => concept && concept === placeNamed(phrase))?.city
    if (found.length > 0) return undefined
  }
  return undefined
}

function entriesNamed(phrase: string): readonly Entry[] {
  const { byName, byConcept } = cities()
  const named = byName.get(phrase)
  if (named) return named
  const concept = placeNamed(phrase)
  const known = concept && byConcept.get(concept)
  return known ? [known] : []
}

interface NamedRegions {
  readonly regions: readonly { readonly place: Concept; readonly phrase: string }[]
  /** Two capital letters at the end of a part that are a state of the United States. */
  readonly states: readonly string[]
}

/** The regions and countries that a location names besides the city. */
function regionsIn(location: string): NamedRegions {
  const states = location
    .split(',')
    .map(stateAtEnd)
    .filter((code) => cities().states.has(code))
  const skipped = new Set(states.map((code) => code.toLowerCase()))
  const tokens = tokenize(location)
  const regions: { place: Concept; phrase: string }[] = []
  for (let at = 0; at < tokens.length;) {
    const length = skipped.has(tokens[at] ?? '') ? 0 : longestPlace(tokens, at)
    const phrase = tokens.slice(at, at + length).join(' ')
    const place = placeNamed(phrase)
    if (place && cities().regions.has(place)) regions.push({ place, phrase })
    at += Math.max(1, length)
  }
  return { regions, states }
}

/** The last word, before a ZIP code. */
function stateAtEnd(part: string): string {
  const words = part.trim().split(' ')
  return (/^\d/.test(words.at(-1) ?? '') ? words.at(-2) : words.at(-1)) ?? ''
}

function longestPlace(tokens: readonly string[], at: number): number {
  const longest = Math.min(thesaurus().maxTokens(tokens[at] ?? ''), tokens.length - at)
  for (let length = longest; length > 0; length -= 1)
    if (placeNamed(tokens.slice(at, at + length).join(' '))) return length
  return 0
}

function fits(entry: Entry, named: NamedRegions, name: string): boolean {
  const { city, state, stateName, regions, concept } = entry
  // The sea in a name is not Southeast Asia (SEA).
  const isInName = (phrase: string) => ` ${name} `.includes(` ${phrase} `)
  const isPart = (place: Concept) => !concept && wholesOf(place).some((one) => regions.has(one))
  return (
    // Georgia is a country, and a state. The provinces of cities that are not in the thesaurus are unknown.
    named.regions.every(
      ({ place, phrase }) =>
        regions.has(place) || phrase === stateName || isInName(phrase) || isPart(place),
    ) && named.states.every((code) => code === state || code === city.country)
  )
}

const placeNamed = (phrase: string) =>
  thesaurus()
    .find(phrase)
    .find(({ kind }) => kind === 'location')

const cities = lazy((): Cities => {
  const sections = readDataSections(new URL('data/cities.txt', import.meta.url))
  const { states = [], fillers = [], ...others } = Object.fromEntries(sections)
  const stateNames = new Map(states.map((line) => [line.slice(0, 2), line.slice(3)] as const))
  const byName = new Map<string, Entry[]>()
  const byConcept = new Map<Concept, Entry>()
  const entries = Object.entries(others).flatMap(([section, lines]) => {
    const [timeZone = '', country = '', state] = section.split(' ')
    const place = { timeZone, country, state, stateName: stateNames.get(state ?? '') }
    return lines.map((line) => readCity(line, place, byName))
  })
  for (const entry of entries) if (entry.concept) byConcept.set(entry.concept, entry)
  const regions = new Set<Concept>()
  for (const entry of entries) for (const region of entry.regions) regions.add(region)
  for (const concept of byConcept.keys()) regions.delete(concept)
  const maxTokens = Math.max(...[...byName.keys()].map((name) => name.split(' ').length))
  return {
    byName,
    byConcept,
    regions,
    states: new Set(stateNames.keys()),
    fillers: new Set(fillers.flatMap((line) => line.split(' '))),
    maxTokens,
  }
})

interface Section {
  readonly timeZone: string
  readonly country: string
  readonly state: string | undefined
  readonly stateName: string | undefined
}

/** Adds the city of `name / other names; latitude longitude` to `byName`. */
function readCity(line: string, section: Section, byName: Map<string, Entry[]>): Entry {
  const { timeZone, country, state, stateName = '' } = section
  const [names = '', at = ''] = line.split('; ')
  const [latitude = 0, longitude = 0] = at.split(' ').map(Number)
  const [name = ''] = names.split(' / ')
  const phrases = names.split(' / ').map(phraseOf)
  const [region] = [stateName, countryName(country)].flatMap(regionsOf)
  const concept = [...phrases, phraseOf(`${name} ${stateName || countryName(country)}`)]
    .map(placeNamed)
    .find((place) => place && (!region || wholesOf(place).includes(region)))
  const wider = CHINESE.has(country) ? regionsOf('China') : []
  const regions = new Set([...regionsOf(countryName(country)), ...regionsOf(stateName), ...wider])
  for (const one of wholesOf(concept?.whole)) regions.add(one)
  const entry = {
    city: { name, country, latitude, longitude, timeZone },
    state,
    stateName: phraseOf(stateName.split(',')[0] ?? ''),
    concept,
    regions,
  }
  for (const phrase of new Set(phrases)) byName.set(phrase, [...(byName.get(phrase) ?? []), entry])
  return entry
}

/** Addresses there also name China. */
const CHINESE: ReadonlySet<string> = new Set(['HK', 'MO'])

const phraseOf = (text: string) => tokenize(text).join(' ')

const countryName = (code: string) => ENGLISH.of(code)?.replace(/ SAR China$| \(Burma\)$/, '') ?? ''

const ENGLISH = new Intl.DisplayNames('en', { type: 'region' })

const regionsOf = (name: string) => wholesOf(placeNamed(phraseOf(name)))

/** The place and what it lies in, from the smallest to the continent. */
function wholesOf(place: Concept | undefined): readonly Concept[] {
  return place ? [place, ...wholesOf(place.whole)] : []
}
