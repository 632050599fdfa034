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
  contactTerm,
  meetingTerm,
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
  readonly connected?: ZonedRange
  /** Words of which the company must have none. */
  readonly notCompany?: readonly QueryWord[]
  /** When the member was in touch with them, or met them. */
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

/** Days as YYYY-MM-DD. */
interface DayRange {
  /** Inclusive. */
  readonly from?: string | undefined
  /** Exclusive. */
  readonly to?: string | undefined
}

interface ZonedRange extends DayRange {
  /** IANA name. */
  readonly timeZone: string
}

interface ContactFilter extends DayRange {
  /** `met`: the date connected, or a meeting. `first-met`: the date connected, or the first meeting of people without one. */
  readonly what: 'contact' | 'met' | 'first-met'
  /** Whether only the newest counts; then people without any pass, too. */
  readonly isLast: boolean
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
  { what, isLast, from = FIRST_DAY, until = LAST_DAY, ...filter }: ContactFilter,
  scratch: SearchScratch,
): PeopleSet {
  const { to = from < until ? until : LAST_DAY } = filter
  if (what === 'first-met') return peopleFirstMet(layout, { from, to }, scratch)
  const between = (start: string, end: string) => {
    const days = { from: start, to: end }
    if (what === 'contact') return peopleOnDays(layout, days, contactTerm, scratch)
    const met = peopleOnDays(layout, days, meetingTerm, scratch)
    unite(met, peopleConnectedIn(layout, days, scratch))
    return met
  }
  const inRange = between(from, to)
  if (!isLast) return inRange
  // The newest is in the range if one is, and none is later.
  if (to < until) subtract(inRange, between(to, until))
  const never = scratch.emptySet().fill(0xffffffff)
  subtract(never, between(FIRST_DAY, until))
  unite(inRange, never)
  return inRange
}

/** By the date connected, or by the first meeting of people without one. */
function peopleFirstMet(
  layout: Layout,
  days: Required<DayRange>,
  scratch: SearchScratch,
): PeopleSet {
  const { from = FIRST_DAY } = days
  const met = peopleOnDays(layout, days, meetingTerm, scratch)
  subtract(met, peopleOnDays(layout, { from: FIRST_DAY, to: from }, meetingTerm, scratch))
  subtract(met, peopleConnectedIn(layout, {}, scratch))
  unite(met, peopleConnectedIn(layout, days, scratch))
  return met
}

function peopleOnDays(
  layout: Layout,
  { from = FIRST_DAY, to = LAST_DAY }: DayRange,
  termOf: (day: string) => string,
  scratch: SearchScratch,
): PeopleSet {
  const days = { first: termOf(from), last: termOf(to), field: FIELD.value }
  return peopleBetween(layout, days, scratch)
}

function peopleConnectedIn(
  layout: Layout,
  { from = FIRST_DAY, to = LAST_DAY }: DayRange,
  scratch: SearchScratch,
): PeopleSet {
  // Day 0 stands for none.
  return peopleConnected(layout, Math.max(1, dayNumber(from)), dayNumber(to), scratch)
}

/** Those who come first in a list of the people that the member met at a time: those met for the first time. */
export function leadingPeople(
  layout: Layout,
  { contacts = [] }: IndexFilters,
  scratch: SearchScratch,
): PeopleSet | undefined {
  const met = contacts.find(({ what, isLast }) => what !== 'contact' && !isLast)
  return met && peopleConnectedIn(layout, met, scratch)
}

function peopleAdded(
  layout: Layout,
  { timeZone, ...days }: ZonedRange,
  scratch: SearchScratch,
): PeopleSet {
  const { from = FIRST_DAY, to = LAST_DAY } = days
  const startIn = (day: string) => instantAt(timeZone, startOfDay(day))
  const first = addedTerm(from === FIRST_DAY ? 0 : startIn(from))
  const last = addedTerm(to === LAST_DAY ? LAST_TIME : startIn(to))
  const added = peopleBetween(layout, { first, last, field: FIELD.value }, scratch)
  subtract(added, peopleConnectedIn(layout, {}, scratch))
  unite(added, peopleConnectedIn(layout, days, scratch))
  return added
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
