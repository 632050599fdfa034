/** `GET /admin`: how the service is. */

import { refusePage } from '../../html/message.page.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { timesOf } from '../ui/time.ts'
import { healthPage } from './health.page.ts'
import { ADMIN_PATH } from './paths.ts'
import { readQueue } from './queue.ts'
import { countMembers } from './member-list.ts'
import type { AdminParts } from './admin-deps.ts'

export function healthRoute(parts: AdminParts): Route {
  const { database, clock } = parts
  return defineRoute({
    method: 'GET',
    path: ADMIN_PATH,
    operationId: 'showService',
    summary: 'How the service is: this node, the database, jobs, limits',
    access: 'session',
    answers: { 200: { description: 'The page', type: 'text/html' } },
    refuse: refusePage,
    async handle({ visit }) {
      const now = clock.now()
      const [described, queue, members] = await Promise.all([
        database.describe(),
        readQueue(database, now),
        countMembers(database),
      ])
      return healthPage({ visit, times: timesOf(visit, now), parts, described, queue, members })
    },
  })
}
