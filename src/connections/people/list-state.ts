/** The state of the list of people, as its URL has it. */

import * as Type from '../../base/type.ts'
import { readTyped } from '../../forms/field-errors.ts'
import { MAX_FILTER_LENGTH, MAX_QUERY_LENGTH } from '../search/query-lengths.ts'
import { PEOPLE_SORTS } from './people-query.ts'
import { SOURCE_LABELS } from './source-labels.ts'
import type { Source } from '../model/connection.ts'

const Text = Type.Optional(Type.String({ maxLength: MAX_FILTER_LENGTH }))
const Days = Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,4}$' }))
const Presences = Type.Optional(Type.Enum(['email', 'phone', 'contact'], { type: 'string' }))

const SORTS = PEOPLE_SORTS.flatMap((sort) => [sort, `-${sort}` as const])

const State = Type.Object({
  q: Type.Optional(Type.String({ maxLength: MAX_QUERY_LENGTH })),
  /** `meaning`, or empty for words. */
  mode: Type.Optional(Type.Enum(['meaning'], { type: 'string' })),
  company: Text,
  title: Text,
  tag: Text,
  place: Text,
  /** A city, as people write it. */
  near: Text,
  /** How far from there they may be, in kilometers; 50 by default. */
  km: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,4}$' })),
  source: Type.Optional(Type.Enum(Object.keys(SOURCE_LABELS) as Source[], { type: 'string' })),
  /** The ID of an import job. */
  import: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,15}$' })),
  /** `email` or `phone`. */
  has: Presences,
  lacks: Presences,
  /** A number of days without contact. */
  silent: Days,
  /** YYYY-MM-DD: last contact before that day. */
  before: Type.Optional(Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' })),
  /** Due by their cadence within this number of days. */
  due: Type.Optional(Type.String({ pattern: '^[0-9]{1,5}$' })),
  /** Added within this number of days. */
  added: Days,
  /** The Monday (YYYY-MM-DD) of the week in which they were contacted. */
  contacted: Type.Optional(Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' })),
  /** YYYY in which they were met. */
  met: Type.Optional(Type.String({ pattern: '^[0-9]{4}$' })),
  /** The public ID of a custom field. */
  field: Text,
  /** What the field holds: `Gold`, `>=5`, or empty for any value. */
  value: Text,
  /** `changed`: people who left a position. */
  jobs: Type.Optional(Type.Enum(['changed'], { type: 'string' })),
  /** `possible`: people in a pair that waits for a decision. */
  duplicates: Type.Optional(Type.Enum(['possible'], { type: 'string' })),
  /** `1`: the list is a tab of *Tidy up*, as long as it is filtered. */
  tidy: Type.Optional(Type.Enum(['1'], { type: 'string' })),
  /** The columns beside the name, separated by commas; empty for the usual ones. */
  columns: Type.Optional(Type.String({ pattern: '^[a-z]{1,20}(?:,[a-z]{1,20}){0,19}$' })),
  /** A column, with `-` before it in reverse. */
  sort: Type.Optional(Type.Enum(SORTS, { type: 'string' })),
  page: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,5}$' })),
})

/** The state of the list: every parameter of its URL, empty if it is absent. */
export type ListState = Readonly<Record<keyof typeof State.properties, string>>

export const NO_FILTERS = Object.fromEntries(
  Object.keys(State.properties).map((name) => [name, '']),
) as ListState

/** The query string, without empty parameters. The same state has the same string, whatever the order of its keys. */
export function listQuery(state: Partial<ListState>): string {
  const texts = Object.entries({ ...NO_FILTERS, ...state }).filter(([, text]) => text !== '')
  return new URLSearchParams(texts).toString()
}

/** The state in a query string. */
export function readListQuery(query: string): ListState {
  const given = new Map(new URLSearchParams(query))
  const texts = Object.keys(NO_FILTERS).map((name) => [name, given.get(name) ?? ''])
  return Object.fromEntries(texts) as ListState
}

/**
 * The same, checked.
 *
 * @throws {RequestError} `invalid_request` when a parameter is not valid.
 */
export function readListState(query: string): ListState {
  const texts = Object.entries(readListQuery(query)).map(([name, text]) => [name, text.trim()])
  return { ...NO_FILTERS, ...readTyped(State, Object.fromEntries(texts) as object) }
}

/** True if it shows fewer people than the whole network. */
export function isNarrowed(state: ListState): boolean {
  const {
    mode: _mode,
    tidy: _tidy,
    columns: _columns,
    sort: _sort,
    page: _page,
    ...filters
  } = state
  return Object.values(filters).some((text) => text !== '')
}
