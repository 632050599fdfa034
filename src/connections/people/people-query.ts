/** What a list of people is asked for: words, filters and an order. */

import type { SearchMode } from '../search/ask.ts'
import type { City } from '../../search/questions/cities.ts'
import type { Source } from '../model/connection.ts'

/** Columns by which a list can be sorted; `relevance` only with words. */
export const PEOPLE_SORTS = [
  'relevance',
  'name',
  'title',
  'company',
  'location',
  'contact',
  'due',
  'since',
  'added',
  'jobs',
  'birthday',
] as const
export type PeopleSort = (typeof PEOPLE_SORTS)[number]

export interface PeopleQuery {
  /** Empty for everyone who passes the filters. */
  readonly query: string
  readonly mode: SearchMode
  readonly filters: PeopleFilters
  readonly sort: PeopleSort
  /** Texts from Z to A, or the oldest date first. */
  readonly isReversed: boolean
  /** Fields that an agent may not search: see `withheldFields`. */
  readonly withheld?: number | undefined
}

/** Each is optional, and people must pass all of them. */
export interface PeopleFilters extends RowFilters {
  readonly company?: string
  readonly title?: string
  readonly location?: string
  readonly tag?: string
  readonly has?: readonly Presence[]
  readonly lacks?: readonly Presence[]
  /** Conditions for custom fields: `Tier=Gold`. */
  readonly custom?: readonly string[]
}

export type Presence = 'email' | 'phone'

/** Filters by columns that the search index does not have. */
export interface RowFilters {
  readonly source?: Source
  /** Whether they were contacted, as far as the network knows. */
  readonly contacted?: 'ever' | 'never'
  /** YYYY-MM-DD: not contacted on or after that day. */
  readonly silentSince?: string
  /** YYYY-MM-DD: due by their cadence on or before that day. */
  readonly dueBy?: string
  /** In milliseconds. */
  readonly addedSince?: number
  /** Only people who left a position. */
  readonly changedJobs?: true
  /** In an interaction of this time, in milliseconds of the local time. */
  readonly contactedIn?: { readonly from: number; readonly to: number }
  /** YYYY in which they were met. */
  readonly metIn?: string
  /** With a location in a city so near to this one; no one, if the city is unknown. */
  readonly near?: { readonly city: City | undefined; readonly kilometers: number }
  /** In a pair that waits for a decision. */
  readonly possibleDuplicates?: true
}
