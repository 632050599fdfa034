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
  FOLLOW_UP_READING_PATH,
  FOLLOW_UPS_PATH,
  LOG_CONTACT_PATH,
  todayPath,
  USER_PATH,
} from '../../html/site-map.ts'
import { html } from '../../html/html.ts'
import { pageAnswer } from '../../html/page-response.ts'
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
import { readingText, readShown, typedReading } from './add-follow-up.ts'
import { showFollowUps, type Rejected } from './follow-ups.route.ts'
import { NOTHING_COMING, readComing } from './coming-up.ts'
import { MAX_FACES } from './keeping-up.ts'
import { FOLLOW_UP_ENTRY } from '../../connections/follow-ups/follow-up-form.page.ts'
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
  return [show, briefing, addRoute(deps), readingRoute(deps), logRoute(deps)]
}

async function showToday(
  deps: TodayDeps,
  request: TodayRequest,
  { added, reading, log: invalid }: Rejected = {},
): Promise<Answer> {
  const { browser, db, now, search, header } = request
  const cookies = cookiesFor(deps.publicUrl)
  const visits = readVisits(cookies.read(header('cookie'), 'weft_home'), now)
  const times = timesOf(browser, now)
  const { today } = times
  const query = new URLSearchParams(search)
  const day = dayIn(query, today)
  const back = todayPath(day, today)
  const isToday = day === today
  const [read, days, counts, weeks, agents, first, kept, { joinedAt }] = await Promise.all([
    readDayBriefing(db, briefingDays(day, times)),
    countDays(db, shownDays(day, times)),
    countDue(db, day, { from: day === today ? undefined : day }),
    isToday ? countWeeks(db, today) : [],
    isToday ? readAgentChanges(db, visits.last) : [],
    isToday ? readFirstDay(deps, request, times) : NO_FIRST_DAY,
    isToday ? listKeptPeople(db, today, MAX_FACES) : [],
    requireMember(deps.database, browser.member.memberId),
  ])
  const briefing = day < today ? { ...read, reconnects: [] } : read
  const coming = isToday && !first.firstDay ? await readComing(db, today) : NOTHING_COMING
  const due = loggable([...briefing.followUps, ...briefing.reconnects])
  const later = loggable(coming.entries)
  const [log, notice, keptCounts] = await Promise.all([
    openLog(db, due, { key: query.get('log'), later, browser, times, back, invalid }),
    noticeOf(deps, request, back),
    countKeptPeople(db, today),
  ])
  const page = todayPage({
    browser,
    times,
    back,
    log,
    edit: query.get('edit'),
    day,
    days,
    briefing,
    agents,
    notice,
    kept,
    coming,
    added,
    reading,
    keptCounts,
    due: day < today ? { ...counts, people: 0 } : counts,
    weeks: weeks.slice(-SHOWN_WEEKS),
    visitedAt: visits.last < joinedAt ? undefined : visits.last,
    status: (added ?? invalid)?.status ?? 200,
    problem: log ? undefined : invalid?.problem,
    ...first,
  })
  const visited = cookies.write('weft_home', visitsText(visits), COOKIE_SECONDS)
  return { ...page, cookies: [...(page.cookies ?? []), visited] }
}

/** A past day has the meetings that were, as its dots do. */
function briefingDays(day: string, { today, timeZone, now }: Times) {
  return { day, timeZone, omitsOverdue: day !== today, ...(day >= today && { now }) }
}

function dayIn(query: URLSearchParams, today: string): string {
  const day = query.get('day') ?? ''
  return isDay(day) ? day : today
}

/** Adds a follow-up, once what was read from its text has been shown. */
function addRoute(deps: TodayDeps): Route {
  const { controls, add } = FOLLOW_UP_ENTRY
  return formRoute(deps, {
    path: FOLLOW_UPS_PATH,
    async handle(request) {
      const { body, browser } = request
      const back = todayPathIn(body.get('back')) ?? FOLLOW_UPS_PATH
      const typed = typedIn(FOLLOW_UP_ENTRY, body)
      const shown = body.has('seen') ? await readShown(request) : undefined
      const reject = (added: InvalidForm) =>
        showRejected(deps, { ...request, search: '' }, back, {
          added,
          ...(shown && { reading: { ...shown, isNew: shown.isNew && !body.has('remove') } }),
        })
      if (shown && (shown.isNew || body.has('remove')))
        return reject({ status: 422, typed: Object.fromEntries(body), errors: {} })
      try {
        const activityId = await changeOnce(request, (changing) => {
          const { person, ...read } = typedReading(shown)
          return add({ ...changing, timeZone: browser.timeZone }, person, { ...typed, ...read })
        })
        return seeOther(changeNoticePath(back, activityId))
      } catch (error) {
        return reject(invalidForm(error, controls, body))
      }
    },
  })
}

/** Shows what is read from a text while it is typed. */
function readingRoute(deps: TodayDeps): Route {
  return formRoute(deps, {
    path: FOLLOW_UP_READING_PATH,
    async handle(request) {
      const { today } = timesOf(request.browser, request.now)
      const shown = { ...(await readShown(request)), isNew: false }
      return pageAnswer(html`<output>${readingText(shown, today)}</output>`, { status: 200 })
    },
  })
}

/** The page from which the form was sent, with what was typed. */
function showRejected(
  deps: TodayDeps,
  request: TodayRequest,
  back: string,
  rejected: Rejected,
): Promise<Answer> {
  return back === FOLLOW_UPS_PATH
    ? showFollowUps(deps, request, rejected)
    : showToday(deps, request, rejected)
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
        return showRejected(deps, { ...request, search }, back, { log: invalid })
      }
    },
  })
}
