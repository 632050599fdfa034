/** Questions for people with a new job, such as `Who changed jobs this quarter?`, and the time that they name. */

import { daysLater, dayOf, monthsLater, startOfDay } from '../../dates/calendar-day.ts'
import { dayInZone } from '../../dates/time-zone.ts'
import { readDateText, type DateContext } from '../../dates/read-date.ts'
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

/** Of `recently`. */
const RECENT_DAYS = 90

function periodOf(text: string, context: DateContext): JobChangePeriod | undefined {
  const today = dayInZone(context.timeZone, context.now)
  if (text === '' || text === 'recently' || text === 'lately')
    return { since: daysLater(today, -RECENT_DAYS) }
  const [first = '', ...rest] = text.split(' ')
  const unit = rest.at(-1) ?? ''
  if (first === 'since') return sinceText(rest.join(' '), context)
  if (rest.length === 1 && first === 'this') return startsOf(unit, today)
  if (rest.length === 1 && (first === 'last' || first === 'previous')) {
    const until = startsOf(unit, today)?.since
    const since = until && startsOf(unit, daysLater(until, -1))?.since
    return since === undefined || until === undefined ? undefined : { since, until }
  }
  const last = LAST.find((words) => text.startsWith(words))
  if (last === undefined) return undefined
  const length = text.slice(last.length)
  return sinceText(/^\d/.test(length) ? `${length} ago` : `1 ${length} ago`, context)
}

/** `in the last 3 months` */
const LAST = [
  'in the last ',
  'in the past ',
  'within the last ',
  'over the last ',
  'during the last ',
]

function sinceText(text: string, context: DateContext): JobChangePeriod | undefined {
  const reading = readDateText(text, context, 'latest-first')
  return reading.ok ? { since: reading.day } : undefined
}

/** The week (from Monday), month, quarter or year of a day. */
function startsOf(unit: string, day: string): JobChangePeriod | undefined {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  switch (unit) {
    case 'week':
      return { since: daysLater(day, -((new Date(startOfDay(day)).getUTCDay() + 6) % 7)) }
    case 'month':
      return { since: dayOf(year, month, 1) }
    case 'quarter':
      return { since: monthsLater(dayOf(year, month, 1), -((month - 1) % 3)) }
    case 'year':
      return { since: dayOf(year, 1, 1) }
    default:
      return undefined
  }
}
