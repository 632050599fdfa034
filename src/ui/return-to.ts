/** The pages that an undo can return to. */

import {
  CALENDAR_PATH,
  CUSTOM_FIELDS_PATH,
  TAG_CADENCES_PATH,
  DUPLICATES_PATH,
  JOBS_PATH,
  CONNECTIONS_PATH,
  DELETED_CONNECTIONS_PATH,
  ACTIVITY_PATH,
  FOLLOW_UPS_PATH,
  USER_PATH,
} from '../html/site-map.ts'

/** Keyed by the value of the form's `back` field. */
const BACK = {
  activity: ACTIVITY_PATH,
  calendar: CALENDAR_PATH,
  connections: CONNECTIONS_PATH,
  duplicates: DUPLICATES_PATH,
  deleted: DELETED_CONNECTIONS_PATH,
  'custom-fields': CUSTOM_FIELDS_PATH,
  tags: TAG_CADENCES_PATH,
} as const

/** The page *Today*, of a day other than today with its query, or the list of all follow-ups. */
export type TodayPath = typeof USER_PATH | `${typeof USER_PATH}?${string}` | typeof FOLLOW_UPS_PATH

/** One of these names, the page *Today*, or the page of a job, of a connection or of all activity, also with a query. */
export type ReturnTo =
  | keyof typeof BACK
  | typeof ACTIVITY_PATH
  | TodayPath
  | `${typeof JOBS_PATH}/${number}`
  | `${typeof CONNECTIONS_PATH}/c_${number}`
  | `${typeof ACTIVITY_PATH | `${typeof CONNECTIONS_PATH}/c_${number}`}?${string}`

// regex-ok: without unbounded repetition
const PAGE = new RegExp(
  `^(?:${ACTIVITY_PATH}|${USER_PATH}|${FOLLOW_UPS_PATH}|(?:${JOBS_PATH}/|${CONNECTIONS_PATH}/c_)[1-9]\\d{0,15})$`,
)

/** Falls back to the activity page for an unknown name. */
export function returnToPath(name: string | null): string {
  const [path = '', query] = (name ?? '').split('?', 2)
  if (PAGE.test(path))
    return query === undefined ? path : `${path}?${new URLSearchParams(query).toString()}`
  return Object.entries(BACK).find(([one]) => one === name)?.[1] ?? ACTIVITY_PATH
}

/** The path in a form's `back` field if it is a `TodayPath`. */
export function todayPathIn(back: string | null): string | undefined {
  const [page] = (back ?? '').split('?', 1)
  return page === USER_PATH || page === FOLLOW_UPS_PATH ? returnToPath(back) : undefined
}
