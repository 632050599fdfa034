/** The URL of the connection list. */

import { CONNECTIONS_PATH } from '../../html/site-map.ts'

/** The search and filters of the list, from its URL. */
export interface ListFilters {
  readonly q: string
  readonly company: string
  readonly tag: string
  readonly place: string
  /** The public ID of a custom field. */
  readonly field: string
  /** What the field holds: `Gold`, `>=5`, or empty for any value. */
  readonly value: string
  /** `changed`: people who left a position, latest first. */
  readonly jobs: string
}

export const NO_FILTERS: ListFilters = {
  q: '',
  company: '',
  tag: '',
  place: '',
  field: '',
  value: '',
  jobs: '',
}

export function listPath(filters: Partial<ListFilters>): string {
  const query = new URLSearchParams(Object.entries(filters).filter(([, text]) => text !== ''))
  return query.size === 0 ? CONNECTIONS_PATH : `${CONNECTIONS_PATH}?${query.toString()}`
}
