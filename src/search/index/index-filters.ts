/** Filters of a search as a set of people. */

import { startOfDay } from '../../dates/calendar-day.ts'
import { instantAt } from '../../dates/time-zone.ts'
import { dayNumber } from '../index/special-terms.ts'
import { FIELD, type FieldNumber } from './search-fields.ts'
import { include, includes, intersect, subtract, unite, type PeopleSet } from './people-set.ts'
import {
  complementOf,
  peopleBetween,
  peopleConnected,
  peopleWith,
  peopleWithTerm,
} from './people-with-terms.ts'
import { findPerson } from './segment.ts'
import type { Layout } from './segment.ts'
import {
  addedTerm,
  contactDayTerm,
  contactTimeTerm,
  occasionTerm,
  valueTerm,
  type Occasion,
} from './special-terms.ts'
import type { QueryWord } from './query-word.ts'
import type { SearchScratch } from './people-set.ts'

export interface IndexFilters {
  /** Words that the field must contain; the last may be a prefix. */
  readonly company?: readonly QueryWord[]
  readonly title?: readonly QueryWord[]
  readonly location?: readonly QueryWord[]
  /** A term of `tagTerm`. */
  readonly tag?: string
  /** YYYYMMDD; connected on or after that day. */
  readonly since?: number
  /** When they were connected, or added if it is not known when they were connected. */
  readonly connected?: DayRange
  /** Words of which the company must have none. */
  readonly notCompany?: readonly QueryWord[]
  /** Days of notes and interactions. */
  readonly contacts?: readonly ContactFilter[]
  readonly occasions?: readonly OccasionFilter[]
  /** What people must have or lack. */
  readonly presence?: readonly PresenceFilter[]
  /** Leaves out people who have all words of an entry in its field. */
  readonly excluded?: readonly ExcludedWords[]
}

interface PresenceFilter {
  readonly what: 'email' | 'phone' | 'note' | 'tag'
  readonly isMissing: boolean
}

interface ExcludedWords {
  readonly field: 'company' | 'title' | 'location'
  readonly words: readonly QueryWord[]
}

/** Days as MM-DD; if `to` is not after `from`, the range includes the end of the year. */
interface OccasionFilter {
  readonly occasion: Occasion
  /** Inclusive. */
  readonly from: string
  /** Exclusive. */
  readonly to: string
}

/** Days as YYYY-MM-DD, in a time zone. */
interface DayRange {
  /** Inclusive. */
  readonly from?: string | undefined
  /** Exclusive. */
  readonly to?: string | undefined
  /** IANA name. */
  readonly timeZone: string
}

interface ContactFilter extends DayRange {
  /** Whether only the newest note or interaction counts; then people without any pass, too. */
  readonly isLast: boolean
  /** Whether the date connected counts for people without notes and interactions. */
  readonly isMet: boolean
  /** Exclusive: what is later is planned, and says nothing about who was contacted. */
  readonly until?: string | undefined
}

/** The people who pass all filters; undefined if there are none. `scratch` provides the sets. */
export function filterPeople(
  layout: Layout,
  filters: IndexFilters,
  scratch: SearchScratch,
): PeopleSet | undefined {
  const sets = setsOf(layout, filters, scratch)
  const [first, ...others] = sets
  for (const other of others) if (first) intersect(first, other)
  return first
}

function setsOf(layout: Layout, filters: IndexFilters, scratch: SearchScratch): PeopleSet[] {
  const sets: PeopleSet[] = []
  for (const field of ['company', 'title', 'location'] as const)
    for (const [index, word] of (filters[field] ?? []).entries()) {
      const isLast = index === (filters[field]?.length ?? 0) - 1
      sets.push(peopleWith(layout, { word, field: FIELD[field], isLast }, scratch))
    }
  const { tag, since, connected, notCompany = [], contacts = [], occasions = [] } = filters
  if (tag !== undefined) sets.push(peopleWithTag(layout, tag, scratch))
  if (since !== undefined) sets.push(peopleConnected(layout, since, Infinity, scratch))
  if (connected) sets.push(peopleAdded(layout, connected, scratch))
  if (notCompany.length > 0) {
    const company = { words: notCompany, field: FIELD.company }
    sets.push(peopleWithout(layout, company, scratch))
  }
  for (const contact of contacts) sets.push(peopleInContact(layout, contact, scratch))
  for (const one of filters.presence ?? []) sets.push(peopleWho(layout, one, scratch))
  for (const { field, words } of filters.excluded ?? [])
    if (words.length > 0) sets.push(peopleWithout(layout, { words, field: FIELD[field] }, scratch))
  for (const range of occasions) sets.push(peopleWithOccasion(layout, range, scratch))
  return sets
}

function peopleWithTag(layout: Layout, tag: string, scratch: SearchScratch): PeopleSet {
  return peopleWithTerm(layout, { term: tag, field: FIELD.value }, scratch)
}

function peopleWho(
  layout: Layout,
  { what, isMissing }: PresenceFilter,
  scratch: SearchScratch,
): PeopleSet {
  const having = { term: valueTerm('has', what), field: FIELD.value }
  const set = peopleWithTerm(layout, having, scratch)
  return isMissing ? complementOf(set, scratch) : set
}

function peopleWithout(
  layout: Layout,
  { words, field }: { words: readonly QueryWord[]; field: FieldNumber },
  scratch: SearchScratch,
): PeopleSet {
  const sets = words.map((word) => peopleWith(layout, { word, field, isLast: false }, scratch))
  const [having = scratch.emptySet(), ...others] = sets
  for (const other of others) intersect(having, other)
  return complementOf(having, scratch)
}

/** Before and after every day. */
const [FIRST_DAY, LAST_DAY] = ['0000-00-00', '9999-99-99']

function peopleInContact(
  layout: Layout,
  { isLast, isMet, from = FIRST_DAY, to = LAST_DAY, until = LAST_DAY, timeZone }: ContactFilter,
  scratch: SearchScratch,
): PeopleSet {
  const between = (start: string, end: string) =>
    peopleContacted(layout, { from: start, to: end, timeZone }, scratch)
  const inRange = between(from, to)
  if (isMet) {
    // Notes and interactions say more than the date connected. Day 0 stands for none.
    const connected = peopleConnected(layout, Math.max(1, dayNumber(from)), dayNumber(to), scratch)
    subtract(connected, between(FIRST_DAY, until))
    unite(inRange, connected)
  }
  if (!isLast) return inRange
  // The newest is in the range if one is, and none is later.
  if (to < until) subtract(inRange, between(to, until))
  const never = scratch.emptySet().fill(0xffffffff)
  subtract(never, between(FIRST_DAY, until))
  unite(inRange, never)
  return inRange
}

/** On the days of notes and interactions, or when a note without a date was written. */
function peopleContacted(
  layout: Layout,
  range: Required<DayRange>,
  scratch: SearchScratch,
): PeopleSet {
  const { from = FIRST_DAY, to = LAST_DAY } = range
  const [first, last] = [contactDayTerm(from), contactDayTerm(to)]
  const set = peopleBetween(layout, { first, last, field: FIELD.value }, scratch)
  unite(set, peopleAtTimes(layout, range, contactTimeTerm, scratch))
  return set
}

function peopleAdded(layout: Layout, range: DayRange, scratch: SearchScratch): PeopleSet {
  const { from = FIRST_DAY, to = LAST_DAY } = range
  // Day 0 stands for none.
  const added = peopleAtTimes(layout, range, addedTerm, scratch)
  subtract(added, peopleConnected(layout, 1, Infinity, scratch))
  unite(added, peopleConnected(layout, Math.max(1, dayNumber(from)), dayNumber(to), scratch))
  return added
}

function peopleAtTimes(
  layout: Layout,
  { from, to, timeZone }: DayRange,
  termOf: (time: number) => string,
  scratch: SearchScratch,
): PeopleSet {
  const startIn = (day: string) => instantAt(timeZone, startOfDay(day))
  const first = termOf(from === undefined || from === FIRST_DAY ? 0 : startIn(from))
  const last = termOf(to === undefined || to === LAST_DAY ? LAST_TIME : startIn(to))
  return peopleBetween(layout, { first, last, field: FIELD.value }, scratch)
}

const LAST_TIME = startOfDay('9999-12-31')

function peopleWithOccasion(
  layout: Layout,
  { occasion, from, to }: OccasionFilter,
  scratch: SearchScratch,
): PeopleSet {
  const between = (start: string, end: string) => {
    const [first, last] = [occasionTerm(occasion, start), occasionTerm(occasion, end)]
    return peopleBetween(layout, { first, last, field: FIELD.value }, scratch)
  }
  if (from < to) return between(from, to)
  const set = between(from, END_OF_YEAR)
  unite(set, between('', to))
  return set
}

/** After every day of a year. */
export const END_OF_YEAR = '99'

/** The people with these connection IDs. */
export function peopleAmong(
  layout: Layout,
  ids: ReadonlySet<number>,
  scratch: SearchScratch,
): PeopleSet {
  const set = scratch.emptySet()
  const areFew = ids.size < layout.size / 8
  for (const { segment, offset } of layout.segments)
    if (areFew)
      for (const id of ids) {
        const person = findPerson(segment, id)
        if (person >= 0) include(set, offset + person)
      }
    else
      for (const [person, id] of segment.ids.entries())
        if (ids.has(id)) include(set, offset + person)
  return set
}

/** The connection IDs of a set, without those that are gone; of everyone if it is undefined. */
export function connectionIds(layout: Layout, set: PeopleSet | undefined): Set<number> {
  const ids = new Set<number>()
  for (const { segment, gone, offset } of layout.segments)
    for (const [person, id] of segment.ids.entries())
      if (gone?.[person] !== 1 && (!set || includes(set, offset + person))) ids.add(id)
  return ids
}
