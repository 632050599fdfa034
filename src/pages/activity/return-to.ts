/** Where the page is, where its forms are sent, and to which pages an undo leads back. */

import { CONNECTIONS_PATH, DELETED_PATH, DUPLICATES_PATH } from '../connections/paths.ts'
import { FOLLOW_UPS_PATH } from '../follow-ups/paths.ts'
import { JOBS_PATH } from '../jobs/paths.ts'

export const ACTIVITY_PATH = '/user/activity'
/** `publicId` names the connection that it is to be about, `cursor` where it goes on. */
export function activityPath(publicId?: string, cursor?: string): string {
  const asked = Object.entries({ connection: publicId, cursor })
  const given = asked.filter((one): one is [string, string] => one[1] !== undefined)
  return given.length === 0
    ? ACTIVITY_PATH
    : `${ACTIVITY_PATH}?${new URLSearchParams(given).toString()}`
}

export const UNDO_PATH = `${ACTIVITY_PATH}/undo`

/** By the name that a form gives them. */
const BACK = {
  activity: ACTIVITY_PATH,
  'follow-ups': FOLLOW_UPS_PATH,
  connections: CONNECTIONS_PATH,
  duplicates: DUPLICATES_PATH,
  deleted: DELETED_PATH,
} as const

/** A name of those, or the page of a job or of a connection. */
export type BackTo =
  | keyof typeof BACK
  | `${typeof JOBS_PATH}/${number}`
  | `${typeof CONNECTIONS_PATH}/c_${number}`

const PAGE_OF_ONE = new RegExp(`^(${JOBS_PATH}/|${CONNECTIONS_PATH}/c_)[1-9]\\d{0,15}$`)

/** The activity, for a name that is none. */
export function backPath(name: string | null): string {
  if (name !== null && PAGE_OF_ONE.test(name)) return name
  return Object.entries(BACK).find(([one]) => one === name)?.[1] ?? ACTIVITY_PATH
}
