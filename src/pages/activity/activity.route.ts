/** `/user/activity`: the changes to a member's data, with undo. */

import { readConnectionId } from '../../connections/model/connection.ts'
import { findConnection } from '../../connections/model/connection-store.ts'
import { errorPage } from '../../html/message.page.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { readActivityPage } from '../../tools/activity-page.ts'
import { countOwnChangesSince, type ListedChange } from '../../tools/read-activity.ts'
import { MAX_UNDONE } from '../../tools/undo-change.ts'
import { cursorOf, PAGED_ANSWERS } from '../ui/cursor.ts'
import { timesOf } from '../ui/time.ts'
import { activityPage, type ActivityFilter } from './activity.page.ts'
import { readNoticed } from './change-notice.ts'
import { describeChanges } from './described-change.ts'
import { undoRoutes, type UndoDeps } from './undo.route.ts'
import { ACTIVITY_PATH } from '../../html/site-map.ts'
import type { MemberReader } from '../../db/database.ts'

const PAGE_SIZE = 25

export function activityRoutes(deps: UndoDeps): Route[] {
  return [showRoute(deps), ...undoRoutes(deps)]
}

function showRoute({ database, clock, undoers }: UndoDeps): Route {
  return defineRoute({
    method: 'GET',
    path: ACTIVITY_PATH,
    operationId: 'showActivity',
    summary: 'List changes, newest first',
    access: 'session',
    answers: PAGED_ANSWERS,
    onError: errorPage,
    async handle({ search, browser }) {
      const db = database.member(browser.member.memberId)
      const cursor = cursorOf(search)
      const only = await readOnly(db, search)
      const connectionId = only && (readConnectionId(only.publicId) ?? 0)
      const page = await readActivityPage(db, PAGE_SIZE, { cursor, connectionId })
      const { changes, hasMore } = page
      return activityPage({
        browser,
        times: timesOf(browser, clock.now()),
        only,
        changes: await describeChanges(db, changes, undoers),
        since: only ? new Map() : await undoableTogether(db, changes),
        older: hasMore ? page.cursorAfter(changes.length - 1) : undefined,
        isNewest: cursor === undefined,
        noticed: await readNoticed(db, search, undoers),
      })
    },
  })
}

/** For each change, how many by the same agent could be undone with it; only if that is more than itself. */
async function undoableTogether(
  reader: MemberReader,
  changes: readonly ListedChange[],
): Promise<ReadonlyMap<number, number>> {
  const oldest = changes.at(-1)
  if (!oldest) return new Map()
  const counts = await countOwnChangesSince(reader, oldest.activityId)
  return new Map([...counts].filter(([, count]) => count > 1 && count <= MAX_UNDONE))
}

/** The connection that the query string names. */
async function readOnly(reader: MemberReader, search: string): Promise<ActivityFilter | undefined> {
  const publicId = new URLSearchParams(search).get('connection')
  if (publicId === null) return undefined
  const found = await findConnection(reader, readConnectionId(publicId) ?? 0)
  return { publicId, name: found?.name, isDeleted: found?.deletedAt !== null }
}
