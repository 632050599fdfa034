/** `/user/connections/deleted`: who was deleted lately, each with the button that restores. */

import { listDeleted, restoreConnections } from '../../connections/deletion/deletion.ts'
import { messagePage, refusePage } from '../../html/message.page.ts'
import { seeOther } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { noticePath, readNoticed } from '../activity/change-notice.ts'
import { changeByHand } from '../ui/manual-change.ts'
import { cursorOf, PAGED_ANSWERS } from '../ui/cursor.ts'
import { timesOf } from '../ui/time.ts'
import { deletedPage } from './deleted.page.ts'
import { DELETED_PATH } from './paths.ts'
import type { ConnectionParts } from './connection-deps.ts'

const PAGE_SIZE = 50

/** A name and an id. */
const MOST_FORM_BYTES = 4 * 1024

export function deletedRoutes(parts: ConnectionParts): Route[] {
  return [showRoute(parts), restoreRoute(parts)]
}

function showRoute({ database, clock, undoers }: ConnectionParts): Route {
  return defineRoute({
    method: 'GET',
    path: DELETED_PATH,
    operationId: 'showDeletedConnections',
    summary: 'The page of connections that can be restored',
    access: 'session',
    answers: PAGED_ANSWERS,
    refuse: refusePage,
    async handle({ search, visit }) {
      const db = database.member(visit.member.memberId)
      const cursor = cursorOf(search)
      return deletedPage({
        visit,
        times: timesOf(visit, clock.now()),
        page: await listDeleted(db, PAGE_SIZE, cursor),
        isFirst: cursor === undefined,
        noticed: await readNoticed(db, search, undoers),
      })
    },
  })
}

function restoreRoute({ database, clock }: ConnectionParts): Route {
  return defineRoute({
    method: 'POST',
    path: DELETED_PATH,
    operationId: 'restoreConnection',
    summary: 'Restore a deleted connection',
    access: 'session',
    body: { kind: 'form', maxBytes: MOST_FORM_BYTES },
    answers: {
      303: { description: 'Done; back to the page' },
      404: { description: 'There is nobody to restore', type: 'text/html' },
    },
    refuse: refusePage,
    async handle({ body, visit }) {
      const publicId = body.get('connection_id') ?? ''
      const activityId = await changeByHand(
        database,
        visit.member,
        clock.now(),
        async ({ tx, now, record }) => {
          const { change } = await restoreConnections(tx, [publicId], now)
          return change && record(change)
        },
      )
      if (activityId !== undefined) return seeOther(noticePath(DELETED_PATH, activityId))
      return messagePage({
        status: 404,
        title: 'There is nobody to restore',
        text: 'It was restored already, or is gone for good. Nothing was changed.',
        action: { href: DELETED_PATH, label: 'Back to deleted connections' },
      })
    },
  })
}
