/** `/user`: what is due today, what agents changed, and what to tidy up. */

import { cookiesFor } from '../../access/cookies.ts'
import { daysLater, instantAt, startOfDay } from '../../base/calendar-day.ts'
import { listReconnects } from '../../connections/cadence/reconnects.ts'
import { listMeetings } from '../../connections/calendars/meeting-store.ts'
import { findConnections } from '../../connections/model/connection-store.ts'
import { listFollowUps } from '../../connections/follow-ups/follow-up-list.ts'
import { openReviews } from '../../connections/matching/match-reviews.ts'
import { searchInMode } from '../../connections/search/search.ts'
import { summarizeNetwork } from '../../connections/overview/network-summary.ts'
import { pageRoute, type PageRequest } from '../../forms/page-route.ts'
import { USER_PATH } from '../../html/site-map.ts'
import { requireMember } from '../../members/member.ts'
import { readNetworkState } from '../../tools/call-state.ts'
import { readNoticed } from '../activity/change-notice.ts'
import { readAgentAccess } from '../agents/access-lists.ts'
import { timesOf, type Times } from '../ui/time.ts'
import { readAgentChanges, readVisits, visitsText } from './agent-changes.ts'
import { homePage } from './home.page.ts'
import { countYears } from '../../connections/overview/network-charts.ts'
import type { Connection } from '../../connections/model/connection.ts'
import type { StoredMeeting } from '../../connections/calendars/counted-meetings.ts'
import type { MemberReader } from '../../db/database.ts'
import type { Embedder } from '../../embeddings/embedder.ts'
import type { PersonDeps } from '../person/details.page.ts'
import type { Route } from '../../http/route.ts'

export interface HomeDeps extends PersonDeps {
  readonly embedder: Embedder
  readonly publicUrl: string
}

const MAX_YEARS = 12

/** The rest are on the follow-ups page. */
const MAX_FOLLOW_UPS = 10

/** So long after its last page, the browser is taken for a new one. */
const COOKIE_SECONDS = 400 * 24 * 60 * 60

export function memberHomeRoutes(deps: HomeDeps): Route[] {
  const cookies = cookiesFor(deps.publicUrl)
  const show = pageRoute(deps, {
    path: USER_PATH,
    async handle(request) {
      const { browser, db, now, search, header } = request
      const visits = readVisits(cookies.read(header('cookie'), 'weft_home'), now)
      const times = timesOf(browser, now)
      const due = { status: 'open', dueBefore: daysLater(times.today, 1) } as const
      const [followUps, meetings, reconnects, birthdays, agents, noticed, reviews, network, steps] =
        await Promise.all([
          listFollowUps(db, due, MAX_FOLLOW_UPS),
          meetingsOn(db, times),
          listReconnects(db, times.today),
          birthdaysOn(deps, request, times.today),
          readAgentChanges(db, deps.undoers, visits.last),
          readNoticed(db, search, deps.undoers),
          openReviews(db),
          summarizeNetwork(db, await readNetworkState(db)),
          readSteps(deps, request),
        ])
      const page = homePage({
        browser,
        times,
        noticed,
        followUps,
        meetings,
        reconnects,
        birthdays,
        agents,
        visitedAt: visits.last,
        reviews: reviews.length,
        network,
        years: await countYears(db, MAX_YEARS),
        steps: { ...steps, hasPeople: network.live > 0 },
      })
      const kept = cookies.write('weft_home', visitsText(visits), COOKIE_SECONDS)
      return { ...page, cookies: [...(page.cookies ?? []), kept] }
    },
  })
  return [show]
}

const MAX_MEETINGS = 20

/** Of the reader's day. */
function meetingsOn(db: MemberReader, { today, timeZone }: Times): Promise<StoredMeeting[]> {
  const from = instantAt(timeZone, startOfDay(today))
  const to = instantAt(timeZone, startOfDay(daysLater(today, 1)))
  return listMeetings(db, { from, to, limit: MAX_MEETINGS })
}

/** People with this birthday, YYYY-MM-DD, found as search finds them. */
async function birthdaysOn(
  { embedder }: HomeDeps,
  { db, now, signal }: PageRequest,
  today: string,
): Promise<Connection[]> {
  const query = { query: 'whose birthday is today' }
  const page = await searchInMode(
    db,
    { query, mode: 'auto', limit: MAX_BIRTHDAYS },
    { embedder, now, signal },
  )
  const found = await findConnections(
    db,
    page.connections.map(({ connectionId }) => connectionId),
  )
  return found.filter(({ birthday }) => birthday?.endsWith(today.slice(4)) === true)
}

const MAX_BIRTHDAYS = 20

/** What a new member has done. */
async function readSteps({ database }: HomeDeps, { browser, db, now }: PageRequest) {
  const [{ headline }, { grants, tokens, cloudAgents }] = await Promise.all([
    requireMember(database, browser.member.memberId),
    readAgentAccess(db, now),
  ])
  return {
    hasAgent: grants.length + tokens.length + cloudAgents.length > 0,
    hasHeadline: headline !== null,
  }
}
