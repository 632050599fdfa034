/** What the state of the list asks for. */

import { daysLater } from '../../dates/calendar-day.ts'
import { DAY } from '../../base/clock.ts'
import { requireDay } from '../../dates/calendar-day.ts'
import { customFieldNumber, type CustomField } from '../custom-fields/custom-fields.ts'
import { cityOf } from '../../search/questions/cities.ts'
import { PEOPLE_SORTS, type PeopleQuery, type Presence } from './people-query.ts'
import type { ListState } from './list-state.ts'
import type { Source } from '../model/connection.ts'

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
