/** The URL of the connection list. */

import { CONNECTIONS_PATH, connectionPath } from '../../html/site-map.ts'
import { listQuery, type ListState } from './list-state.ts'

/** The list in this state. */
export function listPath(state: Partial<ListState>): string {
  const query = listQuery(state)
  return query === '' ? CONNECTIONS_PATH : `${CONNECTIONS_PATH}?${query}`
}

/** The page of a person that was opened from the list. Links there lead to the person before and after. */
export function listedPersonPath(publicId: string, state: Partial<ListState>): string {
  const query = new URLSearchParams({ in: listQuery({ ...state, page: '' }) })
  return `${connectionPath(publicId)}?${query.toString()}`
}
