/** The state of the list of people, as its URL has it. */

/** The state of the list: every parameter of its URL, empty if it is absent. */
export type ListState = Readonly<Record<keyof typeof EMPTY, string>>

const EMPTY = {
  q: '',
  /** `meaning`, or empty for words. */
  mode: '',
  company: '',
  title: '',
  tag: '',
  place: '',
  /** A city, as people write it. */
  near: '',
  /** How far from there they may be, in kilometers; 50 by default. */
  km: '',
  source: '',
  /** The ID of an import job. */
  import: '',
  /** `email` or `phone`. */
  has: '',
  lacks: '',
  /** A number of days without contact. */
  silent: '',
  /** YYYY-MM-DD: last contact before that day. */
  before: '',
  /** Due by their cadence within this number of days. */
  due: '',
  /** Added within this number of days. */
  added: '',
  /** The Monday (YYYY-MM-DD) of the week in which they were contacted. */
  contacted: '',
  /** YYYY in which they were met. */
  met: '',
  /** The public ID of a custom field. */
  field: '',
  /** What the field holds: `Gold`, `>=5`, or empty for any value. */
  value: '',
  /** `changed`: people who left a position. */
  jobs: '',
  /** `possible`: people in a pair that waits for a decision. */
  duplicates: '',
  /** `1`: the list is a tab of *Tidy up*, as long as it is filtered. */
  tidy: '',
  /** The columns beside the name, separated by commas; empty for the usual ones. */
  columns: '',
  /** A column, with `-` before it in reverse. */
  sort: '',
  page: '',
}

export const NO_FILTERS: ListState = EMPTY

/** The query string, without empty parameters. The same state has the same string, whatever the order of its keys. */
export function listQuery(state: Partial<ListState>): string {
  const texts = Object.entries({ ...EMPTY, ...state }).filter(([, text]) => text !== '')
  return new URLSearchParams(texts).toString()
}

/** The state in a query string. */
export function readListQuery(query: string): ListState {
  const given = new URLSearchParams(query)
  const texts = Object.keys(NO_FILTERS).map((name) => [name, given.get(name) ?? ''])
  return { ...NO_FILTERS, ...(Object.fromEntries(texts) as Partial<ListState>) }
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
