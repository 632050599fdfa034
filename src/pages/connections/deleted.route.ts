/** `/user/connections/deleted`: lists and restores deleted connections. */

import { listDeleted, restoreConnections } from '../../connections/deletion/deletion.ts'
import { messagePage, errorPage } from '../../html/message.page.ts'
import { seeOther } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { changeNoticePath, readNoticed } from '../activity/change-notice.ts'
import { changeOnce } from '../ui/manual-change.ts'
import { cursorOf, PAGED_ANSWERS } from '../ui/cursor.ts'
import { timesOf } from '../ui/time.ts'
import { deletedPage } from './deleted.page.ts'
import { DELETED_CONNECTIONS_PATH } from '../../html/site-map.ts'
import type { ConnectionDeps } from './connection-deps.ts'

const PAGE_SIZE = 50

/** A name and an id. */
const MAX_FORM_BYTES = 4 * 1024

export function deletedRoutes(deps: ConnectionDeps): Route[] {
  return [showRoute(deps), restoreRoute(deps)]
}

function showRoute({ database, clock, undoers }: ConnectionDeps): Route {
  return defineRoute({
    method: 'GET',
    path: DELETED_CONNECTIONS_PATH,
    operationId: 'showDeletedConnections',
    summary: 'List deleted connections',
    access: 'session',
    answers: PAGED_ANSWERS,
    onError: errorPage,
    async handle({ search, browser }) {
      const db = database.member(browser.member.memberId)
      const cursor = cursorOf(search)
      return deletedPage({
        browser,
        times: timesOf(browser, clock.now()),
        page: await listDeleted(db, PAGE_SIZE, cursor),
        isFirst: cursor === undefined,
        noticed: await readNoticed(db, search, undoers),
      })
    },
  })
}

function restoreRoute(deps: ConnectionDeps): Route {
  return defineRoute({
    method: 'POST',
    path: DELETED_CONNECTIONS_PATH,
    operationId: 'restoreConnection',
    summary: 'Restore a deleted connection',
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: {
      303: { description: 'Done; back to the page' },
      404: { description: 'Connection not found', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ body, browser }) {
      const publicId = body.get('connection_id') ?? ''
      const form = { browser, body, form: DELETED_CONNECTIONS_PATH }
      const activityId = await changeOnce(deps, form, async ({ tx, now, record }) => {
        const { change } = await restoreConnections(tx, [publicId], now)
        return change && record(change)
      })
      if (activityId !== undefined)
        return seeOther(changeNoticePath(DELETED_CONNECTIONS_PATH, activityId))
      return messagePage({
        status: 404,
        title: 'Connection not found',
        text: 'It was already restored or permanently deleted. No changes were made.',
        action: { href: DELETED_CONNECTIONS_PATH, label: 'Back to deleted connections' },
      })
    },
  })
}
