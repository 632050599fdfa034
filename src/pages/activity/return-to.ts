/** The pages that an undo can return to. */

import {
  CALENDAR_PATH,
  CUSTOM_FIELDS_PATH,
  DUPLICATES_PATH,
  JOBS_PATH,
  CONNECTIONS_PATH,
  DELETED_CONNECTIONS_PATH,
  ACTIVITY_PATH,
  FOLLOW_UPS_PATH,
  USER_PATH,
} from '../../html/site-map.ts'

/** Keyed by the value of the form's `back` field. */
const BACK = {
  home: USER_PATH,
  activity: ACTIVITY_PATH,
  'follow-ups': FOLLOW_UPS_PATH,
  calendar: CALENDAR_PATH,
  connections: CONNECTIONS_PATH,
  duplicates: DUPLICATES_PATH,
  deleted: DELETED_CONNECTIONS_PATH,
  'custom-fields': CUSTOM_FIELDS_PATH,
} as const

/** One of these names, or the page of a job, of a connection or of all activity, also with a query. */
export type ReturnTo =
  | keyof typeof BACK
  | typeof ACTIVITY_PATH
  | `${typeof JOBS_PATH}/${number}`
  | `${typeof CONNECTIONS_PATH}/c_${number}`
  | `${typeof ACTIVITY_PATH | `${typeof CONNECTIONS_PATH}/c_${number}`}?${string}`

// regex-ok: without unbounded repetition
const PAGE = new RegExp(
  `^(?:${ACTIVITY_PATH}|(?:${JOBS_PATH}/|${CONNECTIONS_PATH}/c_)[1-9]\\d{0,15})$`,
)

/** Falls back to the activity page for an unknown name. */
export function returnToPath(name: string | null): string {
  const [path = '', query] = (name ?? '').split('?', 2)
  if (PAGE.test(path))
    return query === undefined ? path : `${path}?${new URLSearchParams(query).toString()}`
  return Object.entries(BACK).find(([one]) => one === name)?.[1] ?? ACTIVITY_PATH
}
