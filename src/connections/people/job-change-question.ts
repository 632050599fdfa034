/** Questions for people with a new job, such as `Who changed jobs this quarter?`, and the time that they name. */

import { daysLater } from '../../dates/calendar-day.ts'
import { dayInZone } from '../../dates/time-zone.ts'
import { readPeriodText, type DateContext } from '../../dates/read-date.ts'
import { normalize } from '../../base/tokenize.ts'
import { withoutLast } from '../../base/without-last.ts'

interface JobChangePeriod {
  /** YYYY-MM-DD */
  readonly since: string
  /** YYYY-MM-DD, exclusive. */
  readonly until?: string
}

/** Undefined for any other query. */
export function readJobChangeQuestion(
  query: string,
  context: DateContext,
): JobChangePeriod | undefined {
  if (query.length > MAX_QUESTION) return undefined
  const text = withoutLast(normalize(query).trim().replace(/\s+/g, ' '), '?!. ')
  const begin = BEGINNINGS.find((words) => text === words || text.startsWith(`${words} `))
  return begin === undefined ? undefined : periodOf(text.slice(begin.length).trim(), context)
}

const MAX_QUESTION = 120 // characters

const WHO = ['who', 'who has', 'who have', 'people who', 'contacts who', 'everyone who']
const DID = [
  'changed jobs',
  'changed job',
  'changed their job',
  'changed companies',
  'changed employers',
  'switched jobs',
  'moved jobs',
  'a new job',
  'got a new job',
  'started a new job',
]
const BEGINNINGS = [...WHO.flatMap((who) => DID.map((did) => `${who} ${did}`)), 'job changes']

/** Length of `recently`. */
const RECENT_DAYS = 90

function periodOf(text: string, context: DateContext): JobChangePeriod | undefined {
  const today = dayInZone(context.timeZone, context.now)
  if (text === '' || text === 'recently' || text === 'lately')
    return { since: daysLater(today, -RECENT_DAYS) }
  const spoken = text.replace(LENGTH, (_, unit = '') => `last ${unit === '' ? '' : `1 ${unit}`}`)
  const period = readPeriodText(spoken, context, 'latest')
  if (period === undefined) return undefined
  return period.to > today || text.startsWith('since ')
    ? { since: period.from }
    : { since: period.from, until: period.to }
}

/** `in the last 3 months`; `over the past year` is also up to now. */
const LENGTH = /^(?:in|within|over|during) the (?:last|past) (day|week|month|quarter|year)?/
