/** What the parts of the page of a connection share. */

import { readConnectionId } from '../model/connection.ts'
import { CONNECTIONS_PATH, connectionPath, type ConnectionAction } from '../../html/site-map.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { InvalidForm } from '../../ui/invalid-form.ts'
import type { Times } from '../../ui/time.ts'

export interface PersonView {
  readonly browser: SignedInRequest
  readonly times: Times
  readonly publicId: string
  readonly connectionId: number
  /** The rejected form. */
  readonly invalid: InvalidForm | undefined
  /** The query of the page, without what it says once. */
  readonly view: string
  /** What is edited in place: the ID of an entry, or the name of a field. */
  readonly edit: string | undefined
}

/** The part of a query that later pages keep. Everything else is dropped. */
export function viewIn(search: string): string {
  const sent = new URLSearchParams(search)
  const kept = KEPT.flatMap((name) => {
    const value = sent.get(name)
    return value === null ? [] : [[name, value]]
  })
  return new URLSearchParams(kept).toString()
}

/** What the timeline shows, and the list from which the page was opened. */
const KEPT = ['show', 'older', 'in'] as const

/** The page itself, as it is shown. */
export function viewPath({ publicId, view }: Pick<PersonView, 'publicId' | 'view'>): PersonPath {
  const path = `${CONNECTIONS_PATH}/c_${readConnectionId(publicId) ?? 0}` as const
  return view === '' ? path : `${path}?${view}`
}

type PersonPath =
  | `${typeof CONNECTIONS_PATH}/c_${number}`
  | `${typeof CONNECTIONS_PATH}/c_${number}?${string}`

/** The form of an action, which returns to the page as it is shown. */
export function actionPath(
  { publicId, view }: Pick<PersonView, 'publicId' | 'view'>,
  act: ConnectionAction,
): string {
  return `${connectionPath(publicId, act)}${view === '' ? '' : `?${view}`}`
}
