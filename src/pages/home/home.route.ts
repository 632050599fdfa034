/** `/user`: what is due today, what agents changed, and what to tidy up. */

import { cookiesFor } from '../../access/cookies.ts'
import { readDayBriefing } from '../../connections/briefing/day-briefing.ts'
import { openReviews } from '../../connections/matching/match-reviews.ts'
import { summarizeNetwork } from '../../connections/overview/network-summary.ts'
import { pageRoute, type PageRequest } from '../../forms/page-route.ts'
import { USER_PATH } from '../../html/site-map.ts'
import { requireMember } from '../../members/member.ts'
import { readNetworkState } from '../../tools/call-state.ts'
import { readAgentChanges } from '../activity/agent-changes.ts'
import { readNoticed } from '../activity/change-notice.ts'
import { readAgentAccess } from '../agents/access-lists.ts'
import { recentPeople } from '../person/recent-people.ts'
import { timesOf } from '../ui/time.ts'
import { readVisits, visitsText } from './visits.ts'
import { homePage } from './home.page.ts'
import { countYears } from '../../connections/overview/count-years.ts'
import type { PersonDeps } from '../person/details.page.ts'
import type { Route } from '../../http/route.ts'

const MAX_YEARS = 12

/** So long after its last page, the browser is taken for a new one. */
const COOKIE_SECONDS = 400 * 24 * 60 * 60

export function memberHomeRoutes(deps: PersonDeps): Route[] {
  const cookies = cookiesFor(deps.publicUrl)
  const show = pageRoute(deps, {
    path: USER_PATH,
    async handle(request) {
      const { browser, db, now, search, header } = request
      const visits = readVisits(cookies.read(header('cookie'), 'weft_home'), now)
      const times = timesOf(browser, now)
      const state = await readNetworkState(db)
      const [briefing, recent, agents, noticed, reviews, network, years, own] = await Promise.all([
        readDayBriefing(db, { day: times.today, timeZone: times.timeZone, now }),
        recentPeople(deps.publicUrl, request),
        readAgentChanges(db, deps.undoers, visits.last),
        readNoticed(db, search, deps.undoers),
        openReviews(db),
        summarizeNetwork(db, state),
        countYears(db, state, MAX_YEARS),
        readOwn(deps, request),
      ])
      const { joinedAt, ...steps } = own
      const page = homePage({
        browser,
        times,
        noticed,
        briefing,
        recent,
        agents,
        visitedAt: visits.last < joinedAt ? undefined : visits.last,
        reviews: reviews.length,
        network,
        years,
        steps: { ...steps, hasPeople: network.live > 0 },
      })
      const kept = cookies.write('weft_home', visitsText(visits), COOKIE_SECONDS)
      return { ...page, cookies: [...(page.cookies ?? []), kept] }
    },
  })
  return [show]
}

/** When the member joined, and what a new member has done. */
async function readOwn({ database }: PersonDeps, { browser, db, now }: PageRequest) {
  const [{ headline, joinedAt }, { grants, tokens, cloudAgents }] = await Promise.all([
    requireMember(database, browser.member.memberId),
    readAgentAccess(db, now),
  ])
  return {
    hasAgent: grants.length + tokens.length + cloudAgents.length > 0,
    hasHeadline: headline !== null,
    joinedAt,
  }
}
