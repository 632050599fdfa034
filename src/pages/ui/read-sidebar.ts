/** Reads what the sidebar of member pages says. */

import { countDueFollowUps } from '../../connections/follow-ups/count-due.ts'
import { countConnections } from '../../connections/overview/count-connections.ts'
import { timesOf } from './time.ts'
import type { PageDeps } from '../../forms/page-route.ts'

export const readSidebar: NonNullable<PageDeps['readSidebar']> = async ({ db, browser, now }) => {
  const [connections, dueFollowUps] = await Promise.all([
    countConnections(db),
    countDueFollowUps(db, timesOf(browser, now).today),
  ])
  return { connections, dueFollowUps }
}
