/** `/user`: one page for a day, and the form that logs a contact on it. `/user/briefing` leads there. */

import { cookiesFor } from '../../access/cookies.ts'
import { isDay } from '../../dates/calendar-day.ts'
import { countDays, countDue } from '../../connections/briefing/count-days.ts'
import { readDayBriefing } from '../../connections/briefing/day-briefing.ts'
import { countKeptPeople, listKeptPeople } from '../../connections/cadence/kept-people.ts'
import { completeAlong } from '../../connections/follow-ups/change-follow-ups.ts'
import { countWeeks } from '../../connections/overview/network-charts.ts'
import { formRoute, pageRoute, type PageRequest } from '../../forms/page-route.ts'
import {
  BRIEFING_PATH,
  FOLLOW_UPS_PATH,
  LOG_CONTACT_PATH,
  todayPath,
  USER_PATH,
} from '../../html/site-map.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { requireMember } from '../../members/member.ts'
import { readAgentChanges } from '../activity/agent-changes.ts'
import { changeNoticePath } from '../../ui/change-notice.ts'
import { todayPathIn } from '../../ui/return-to.ts'
import {
  INTERACTION_ENTRY,
  logTyped,
} from '../../connections/interactions/interaction-form.page.ts'
import { invalidForm, type InvalidForm } from '../../ui/invalid-form.ts'
import { changeOnce } from '../../ui/manual-change.ts'
import { timesOf, type Times } from '../../ui/time.ts'
import { shownDays } from './day-switch.ts'
import { NO_FIRST_DAY, readFirstDay } from './first-day.ts'
import { showFollowUps } from './follow-ups.route.ts'
import { loggable, openLog } from './log-form.ts'
import { noticeOf } from './today-notice.ts'
import { todayPage } from './today.page.ts'
import { readVisits, visitsText } from './last-visit.ts'
import { withQuery } from '../../ui/with-query.ts'
import { typedIn } from '../../ui/entry-form.ts'
import type { TodayDeps } from './first-day.ts'
import type { Route } from '../../http/route.ts'

/** A browser that opens no page for this long counts as a new one. */
const COOKIE_SECONDS = 400 * 24 * 60 * 60

/** Fits the longest note when every character takes twelve bytes in the form encoding (`%F0%9F%98%80`). */
const MAX_FORM_BYTES = 256 * 1024

/** People who are next, on a day without anything due. */
const MAX_KEPT = 10

/** Weeks in the chart of contacts. */
const SHOWN_WEEKS = 12

type TodayRequest = Pick<PageRequest, 'browser' | 'db' | 'now' | 'search' | 'header' | 'signal'>

export function todayRoutes(deps: TodayDeps): Route[] {
  const show = pageRoute(deps, {
    path: USER_PATH,
    handle: (request) => showToday(deps, request),
  })
  const briefing = pageRoute(deps, {
    path: BRIEFING_PATH,
    async handle({ search, browser, now }) {
      const { today } = timesOf(browser, now)
      return seeOther(todayPath(dayIn(new URLSearchParams(search), today), today))
    },
  })
  return [show, briefing, logRoute(deps)]
}

async function showToday(
  deps: TodayDeps,
  request: TodayRequest,
  invalid?: InvalidForm,
): Promise<Answer> {
  const { browser, db, now, search, header } = request
  const cookies = cookiesFor(deps.publicUrl)
  const visits = readVisits(cookies.read(header('cookie'), 'weft_home'), now)
  const times = timesOf(browser, now)
  const { today } = times
  const query = new URLSearchParams(search)
  const day = dayIn(query, today)
  const back = todayPath(day, today)
  const [read, days, due, weeks, agents, first, { joinedAt }] = await Promise.all([
    readDayBriefing(db, briefingDays(day, times)),
    countDays(db, shownDays(day, times)),
    countDue(db, day, { from: day === today ? undefined : day }),
    day === today ? countWeeks(db, today) : [],
    day === today ? readAgentChanges(db, visits.last) : [],
    day === today ? readFirstDay(deps, request, times) : NO_FIRST_DAY,
    requireMember(deps.database, browser.member.memberId),
  ])
  const briefing = day < today ? { ...read, reconnects: [] } : read
  const people = loggable(briefing.followUps, briefing.reconnects)
  const isNothingDue =
    briefing.meetings.length + briefing.followUps.length + briefing.reconnects.length === 0
  const [log, notice, nextPeople, keptCounts] = await Promise.all([
    openLog(db, people, { key: query.get('log'), browser, times, back, invalid }),
    noticeOf(deps, request, back),
    day === today && isNothingDue ? listKeptPeople(db, today, MAX_KEPT) : [],
    countKeptPeople(db, today),
  ])
  const page = todayPage({
    browser,
    times,
    back,
    log,
    day,
    days,
    briefing,
    agents,
    notice,
    kept: nextPeople,
    keptCounts,
    due: day < today ? { ...due, people: 0 } : due,
    weeks: weeks.slice(-SHOWN_WEEKS),
    visitedAt: visits.last < joinedAt ? undefined : visits.last,
    status: invalid?.status ?? 200,
    problem: log ? undefined : invalid?.problem,
    ...first,
  })
  const kept = cookies.write('weft_home', visitsText(visits), COOKIE_SECONDS)
  return { ...page, cookies: [...(page.cookies ?? []), kept] }
}

/** A past day has the meetings that were, as its dots do. */
function briefingDays(day: string, { today, timeZone, now }: Times) {
  return { day, timeZone, omitsOverdue: day !== today, ...(day >= today && { now }) }
}

function dayIn(query: URLSearchParams, today: string): string {
  const day = query.get('day') ?? ''
  return isDay(day) ? day : today
}

/** Logs the contact, completes its follow-up if wanted, and opens the form of the next person. */
function logRoute(deps: TodayDeps): Route {
  const { controls } = INTERACTION_ENTRY
  return formRoute(deps, {
    path: LOG_CONTACT_PATH,
    maxBytes: MAX_FORM_BYTES,
    async handle(request) {
      const { body, browser } = request
      const text = (name: string) => body.get(name) ?? ''
      const back = todayPathIn(text('back')) ?? FOLLOW_UPS_PATH
      const typed = typedIn(INTERACTION_ENTRY, body)
      try {
        const activityId = await changeOnce(request, async (changing) => {
          const dated = { ...changing, timeZone: browser.timeZone }
          const along = body.has('done')
            ? await completeAlong(changing, text('row'), browser.timeZone)
            : undefined
          return logTyped(dated, [text('person')], typed, along)
        })
        const next = { ...(text('next') !== '' && { log: text('next') }), logged: text('person') }
        return seeOther(changeNoticePath(withQuery(back, next), activityId))
      } catch (error) {
        const invalid = invalidForm(error, controls, body)
        const search = new URL(withQuery(back, { log: text('row') }), deps.publicUrl).search
        const again = { ...request, search }
        return back === FOLLOW_UPS_PATH
          ? showFollowUps(deps, again, { log: invalid })
          : showToday(deps, again, invalid)
      }
    },
  })
}
