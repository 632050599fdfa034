/** Where the page is, where its forms are sent, and to which pages an undo leads back. */

import {
  JOBS_PATH,
  CONNECTIONS_PATH,
  DELETED_CONNECTIONS_PATH,
  DUPLICATES_PATH,
  FOLLOW_UPS_PATH,
  ACTIVITY_PATH,
} from '../../html/site-map.ts'

/** By the name that a form gives them. */
const BACK = {
  activity: ACTIVITY_PATH,
  'follow-ups': FOLLOW_UPS_PATH,
  connections: CONNECTIONS_PATH,
  duplicates: DUPLICATES_PATH,
  deleted: DELETED_CONNECTIONS_PATH,
} as const

/** A name of those, or the page of a job or of a connection. */
export type ReturnTo =
  | keyof typeof BACK
  | `${typeof JOBS_PATH}/${number}`
  | `${typeof CONNECTIONS_PATH}/c_${number}`

const PAGE_OF_ONE = new RegExp(`^(${JOBS_PATH}/|${CONNECTIONS_PATH}/c_)[1-9]\\d{0,15}$`)

/** The activity, for a name that is none. */
export function returnToPath(name: string | null): string {
  if (name !== null && PAGE_OF_ONE.test(name)) return name
  return Object.entries(BACK).find(([one]) => one === name)?.[1] ?? ACTIVITY_PATH
}
