/** `/user/credits`: a member's credit balance and spending. */

import { errorPage } from '../../html/message.page.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { cursorOf, PAGED_ANSWERS } from '../ui/cursor.ts'
import { readCreditOverview, titlesOf } from './overview.ts'
import { creditsPage } from './credits.page.ts'
import { CREDITS_PATH } from '../../html/site-map.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../db/database.ts'
import type { Job } from '../../jobs/job.ts'
import type { Tool } from '../../tools/tool.ts'

export interface CreditDeps {
  readonly database: Database
  readonly clock: Clock
  /** `WEFT_MONTHLY_CREDITS` */
  readonly quota: number
  readonly tools: readonly Tool[]
  readonly jobs: readonly Job[]
}

export function creditRoutes({ database, clock, quota, tools, jobs }: CreditDeps): Route[] {
  const titles = titlesOf(tools, jobs)
  return [
    defineRoute({
      method: 'GET',
      path: CREDITS_PATH,
      operationId: 'showCredits',
      summary: 'Show the credit balance and spending',
      access: 'session',
      answers: PAGED_ANSWERS,
      onError: errorPage,
      async handle({ search, browser }) {
        const db = database.member(browser.member.memberId)
        const cursor = cursorOf(search)
        const asked = { quota, now: clock.now(), cursor }
        const overview = await readCreditOverview(db, titles, asked)
        return creditsPage({ browser, overview, isNewest: cursor === undefined })
      },
    }),
  ]
}
