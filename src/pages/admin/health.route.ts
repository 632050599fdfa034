/** `GET /admin`: service health. */

import { errorPage } from '../../html/message.page.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { timesOf } from '../ui/time.ts'
import { healthPage } from './health.page.ts'
import { ADMIN_PATH } from '../../html/site-map.ts'
import { readQueue } from './queue.ts'
import { countMembers } from './member-list.ts'
import type { AdminDeps } from './admin-deps.ts'

export function healthRoute(deps: AdminDeps): Route {
  const { database, clock } = deps
  return defineRoute({
    method: 'GET',
    path: ADMIN_PATH,
    operationId: 'showService',
    summary: 'Show service health: this node, the database, jobs and rate limits',
    access: 'session',
    answers: { 200: { description: 'The page', type: 'text/html' } },
    onError: errorPage,
    async handle({ browser }) {
      const now = clock.now()
      const [described, queue, members] = await Promise.all([
        database.describe(),
        readQueue(database, now),
        countMembers(database),
      ])
      return healthPage({ browser, times: timesOf(browser, now), deps, described, queue, members })
    },
  })
}
