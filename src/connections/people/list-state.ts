/** The state of the list of people, as its URL has it. */

/** The state of the list: every parameter of its URL, empty if it is absent. */
export interface ListState {
  readonly q: string
  /** `meaning`, or empty for words. */
  readonly mode: string
  readonly company: string
  readonly title: string
  readonly tag: string
  readonly place: string
  readonly source: string
  /** The ID of an import job. */
  readonly import: string
  /** `email` or `phone`. */
  readonly has: string
  readonly lacks: string
  /** A number of days without contact. */
  readonly silent: string
  /** YYYY-MM-DD: last contact before that day. */
  readonly before: string
  /** Due by their cadence within this number of days. */
  readonly due: string
  /** Added within this number of days. */
  readonly added: string
  /** The Monday (YYYY-MM-DD) of the week in which they were contacted. */
  readonly contacted: string
  /** YYYY in which they were met. */
  readonly met: string
  /** The public ID of a custom field. */
  readonly field: string
  /** What the field holds: `Gold`, `>=5`, or empty for any value. */
  readonly value: string
  /** `changed`: people who left a position. */
  readonly jobs: string
  /** `possible`: people in a pair that waits for a decision. */
  readonly duplicates: string
  /** A column, with `-` before it in reverse. */
  readonly sort: string
  readonly page: string
}

export const NO_FILTERS: ListState = {
  q: '',
  mode: '',
  company: '',
  title: '',
  tag: '',
  place: '',
  source: '',
  import: '',
  has: '',
  lacks: '',
  silent: '',
  before: '',
  due: '',
  added: '',
  contacted: '',
  met: '',
  field: '',
  value: '',
  jobs: '',
  duplicates: '',
  sort: '',
  page: '',
}

/** The query string, without empty parameters. */
export function listQuery(state: Partial<ListState>): string {
  return new URLSearchParams(Object.entries(state).filter(([, text]) => text !== '')).toString()
}

/** The state in a query string. */
export function readListQuery(query: string): ListState {
  const given = new URLSearchParams(query)
  const texts = Object.keys(NO_FILTERS).map((name) => [name, given.get(name) ?? ''])
  return { ...NO_FILTERS, ...(Object.fromEntries(texts) as Partial<ListState>) }
}

/** True if it shows fewer people than the whole network. */
export function isNarrowed({ mode: _mode, sort: _sort, page: _page, ...filters }: ListState) {
  return Object.values(filters).some((text) => text !== '')
}
