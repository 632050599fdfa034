/** Reads the state of the list from its URL, and what it asks for. */

import * as Type from '../../base/type.ts'
import { daysLater } from '../../dates/calendar-day.ts'
import { DAY } from '../../base/clock.ts'
import { requireDay } from '../../dates/calendar-day.ts'
import { customFieldNumber, type CustomField } from '../custom-fields/custom-fields.ts'
import { cityOf } from '../../search/questions/cities.ts'
import { PEOPLE_SORTS, type PeopleQuery, type Presence } from './people-query.ts'
import { MAX_FILTER_LENGTH, MAX_QUERY_LENGTH } from '../search/query-limits.ts'
import { readTyped } from '../../forms/field-errors.ts'
import { NO_FILTERS, type ListState } from './list-state.ts'
import { SOURCE_LABELS } from './source-labels.ts'
import type { Source } from '../model/connection.ts'

const Text = Type.Optional(Type.String({ maxLength: MAX_FILTER_LENGTH }))
const Days = Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,4}$' }))
const Presences = Type.Optional(Type.Enum(['email', 'phone', 'contact'], { type: 'string' }))

const SORTS = PEOPLE_SORTS.flatMap((sort) => [sort, `-${sort}` as const])

const State = Type.Object({
  q: Type.Optional(Type.String({ maxLength: MAX_QUERY_LENGTH })),
  mode: Type.Optional(Type.Enum(['meaning'], { type: 'string' })),
  company: Text,
  title: Text,
  tag: Text,
  place: Text,
  near: Text,
  km: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,4}$' })),
  source: Type.Optional(Type.Enum(Object.keys(SOURCE_LABELS) as Source[], { type: 'string' })),
  import: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,15}$' })),
  has: Presences,
  lacks: Presences,
  silent: Days,
  before: Type.Optional(Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' })),
  due: Type.Optional(Type.String({ pattern: '^[0-9]{1,5}$' })),
  added: Days,
  contacted: Type.Optional(Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' })),
  met: Type.Optional(Type.String({ pattern: '^[0-9]{4}$' })),
  field: Text,
  value: Text,
  jobs: Type.Optional(Type.Enum(['changed'], { type: 'string' })),
  duplicates: Type.Optional(Type.Enum(['possible'], { type: 'string' })),
  tidy: Type.Optional(Type.Enum(['1'], { type: 'string' })),
  columns: Type.Optional(Type.String({ pattern: '^[a-z]{1,20}(?:,[a-z]{1,20}){0,19}$' })),
  sort: Type.Optional(Type.Enum(SORTS, { type: 'string' })),
  page: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,5}$' })),
})

/** @throws {RequestError} `invalid_request` when a parameter is not valid. */
export function readListState(search: string): ListState {
  const sent = [...new URLSearchParams(search)].map(([name, text]) => [name, text.trim()])
  return { ...NO_FILTERS, ...pick(readTyped(State, Object.fromEntries(sent) as object)) }
}

/** Other parameters, such as that of a notice, are no state of the list. */
function pick(read: object): Partial<ListState> {
  return Object.fromEntries(
    Object.entries(read).filter(([name]) => Object.hasOwn(NO_FILTERS, name)),
  )
}

/** A city and its surroundings. */
export const NEAR_KM = 50

/** An email or a phone number is in the search index, a contact is not. */
function presenceOf(
  name: 'has' | 'lacks',
  value: string,
): Pick<PeopleQuery['filters'], 'has' | 'lacks' | 'contacted'> {
  if (value === '') return {}
  if (value === 'contact') return { contacted: name === 'has' ? 'ever' : 'never' }
  // Safe: checked by the schema.
  return { [name]: [value as Presence] }
}

interface Asking {
  readonly fields: readonly CustomField[]
  /** YYYY-MM-DD in the member's time zone. */
  readonly today: string
  readonly now: number
}

/** @throws {RequestError} `invalid_request` when a date does not exist. */
export function peopleQueryOf(state: ListState, { fields, today, now }: Asking): PeopleQuery {
  const { q, mode, company, title, tag, place, source, has, lacks, due, added, met } = state
  const custom = customConditionOf(state, fields)
  const silentSince = silentSinceOf(state, today)
  return {
    query: q,
    mode: mode === 'meaning' ? 'semantic' : 'auto',
    filters: {
      ...(company !== '' && { company }),
      ...(title !== '' && { title }),
      ...(tag !== '' && { tag }),
      ...(place !== '' && { location: place }),
      ...(state.near !== '' && {
        near: { city: cityOf(state.near), kilometers: Number(state.km || NEAR_KM) },
      }),
      // Safe: checked by the schema.
      ...(source !== '' && { source: source as Source }),
      ...(state.import !== '' && { importJobId: Number(state.import) }),
      ...presenceOf('has', has),
      ...presenceOf('lacks', lacks),
      ...(silentSince !== undefined && { silentSince }),
      ...(due !== '' && { dueBy: daysLater(today, Number(due)) }),
      ...(added !== '' && { addedSince: now - Number(added) * DAY }),
      ...(state.contacted !== '' && { contactedIn: weekFrom(state.contacted) }),
      ...(met !== '' && { metIn: met }),
      ...(custom !== undefined && { custom: [custom] }),
      ...(state.jobs !== '' && { changedJobs: true as const }),
      ...(state.duplicates !== '' && { possibleDuplicates: true as const }),
    },
    ...sortOf(state),
  }
}

/** The order of the list: the best matches, the latest job changes, the next due dates, or names, unless a column is chosen. */
export function sortOf({
  q,
  jobs,
  due,
  sort,
}: ListState): Pick<PeopleQuery, 'sort' | 'isReversed'> {
  const column = PEOPLE_SORTS.find((one) => one === sort || `-${one}` === sort)
  if (column !== undefined && (column !== 'relevance' || q !== ''))
    return { sort: column, isReversed: sort.startsWith('-') }
  return {
    sort: q !== '' ? 'relevance' : jobs !== '' ? 'jobs' : due !== '' ? 'due' : 'name',
    isReversed: false,
  }
}

/** Milliseconds from this day until a week later. */
function weekFrom(text: string): { from: number; to: number } {
  const day = requireDay(text, 'contacted')
  return { from: Date.parse(day), to: Date.parse(daysLater(day, 7)) }
}

function silentSinceOf({ silent, before }: ListState, today: string): string | undefined {
  const days = [
    ...(silent === '' ? [] : [daysLater(today, -Number(silent))]),
    ...(before === '' ? [] : [requireDay(before, 'before')]),
  ]
  return days.toSorted()[0]
}

/** The filter by a custom field, as the search takes it; undefined if there is none. */
function customConditionOf(
  { field: id, value }: ListState,
  fields: readonly CustomField[],
): string | undefined {
  const field = fields.find(({ fieldId }) => fieldId === customFieldNumber(id))
  if (!field) return undefined
  if (value === '') return `${field.name}=*`
  return /^(?:[<>]=?|=)/.test(value) ? `${field.name}${value}` : `${field.name}=${value}`
}
