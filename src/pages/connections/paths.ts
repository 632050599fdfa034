/** Where the pages are, and where their forms are sent. */

export const CONNECTIONS_PATH = '/user/connections'
export const DUPLICATES_PATH = `${CONNECTIONS_PATH}/duplicates`
export const NEW_PATH = `${CONNECTIONS_PATH}/new`
export const DELETED_PATH = `${CONNECTIONS_PATH}/deleted`

/** Of one connection, by its public id, as the routes name it. */
export const CONNECTION_ROUTE = `${CONNECTIONS_PATH}/:id`

/** What a form of a connection's page does. */
export type Act = 'edit' | 'note' | 'tags' | 'follow-up' | 'done' | 'delete'

export function connectionPath(publicId: string, act?: Act): string {
  return `${CONNECTIONS_PATH}/${publicId}${act === undefined ? '' : `/${act}`}`
}

/** What was asked of the list, as its address says it. */
export interface Asked {
  readonly q: string
  readonly company: string
  readonly tag: string
  readonly place: string
}

export const ASKED_NOTHING: Asked = { q: '', company: '', tag: '', place: '' }

export function listPath(asked: Partial<Asked>, cursor?: string): string {
  const named = Object.entries({ ...asked, cursor: cursor ?? '' }).filter(([, text]) => text !== '')
  const query = new URLSearchParams(named)
  return query.size === 0 ? CONNECTIONS_PATH : `${CONNECTIONS_PATH}?${query.toString()}`
}
