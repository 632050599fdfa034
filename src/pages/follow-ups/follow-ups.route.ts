/** `/user/follow-ups`: lists and completes a member's follow-ups. */

import { RequestError } from '../../base/request-error.ts'
import { markFollowUpComplete } from '../../connections/follow-ups/complete-follow-up.ts'
import { listFollowUps } from '../../connections/follow-ups/follow-up-list.ts'
import { messagePage, errorPage } from '../../html/message.page.ts'
import { seeOther } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { changeNoticePath, readNoticed } from '../activity/change-notice.ts'
import { changeManually } from '../ui/manual-change.ts'
import { cursorOf, PAGED_ANSWERS } from '../ui/cursor.ts'
import { timesOf } from '../ui/time.ts'
import { followUpsPage } from './follow-ups.page.ts'
import { COMPLETE_FOLLOW_UP_PATH, FOLLOW_UPS_PATH } from '../../html/site-map.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../db/database.ts'
import type { Undoer } from '../../tools/undo.ts'

export interface FollowUpDeps {
  readonly database: Database
  readonly clock: Clock
  readonly undoers: readonly Undoer[]
}

/** A name and an id. */
const MAX_FORM_BYTES = 4 * 1024

const PAGE_SIZE = 50

export function followUpRoutes(deps: FollowUpDeps): Route[] {
  return [showRoute(deps), doneRoute(deps)]
}

function showRoute({ database, clock, undoers }: FollowUpDeps): Route {
  return defineRoute({
    method: 'GET',
    path: FOLLOW_UPS_PATH,
    operationId: 'showFollowUps',
    summary: 'List follow-ups by due date',
    access: 'session',
    answers: PAGED_ANSWERS,
    onError: errorPage,
    async handle({ search, browser }) {
      const db = database.member(browser.member.memberId)
      const cursor = cursorOf(search)
      const page = await listFollowUps(db, { status: 'open' }, PAGE_SIZE, cursor)
      const { followUps, hasMore } = page
      return followUpsPage({
        browser,
        times: timesOf(browser, clock.now()),
        followUps,
        next: hasMore ? page.cursorAfter(followUps.length - 1) : undefined,
        isFirst: cursor === undefined,
        noticed: await readNoticed(db, search, undoers),
      })
    },
  })
}

function doneRoute({ database, clock }: FollowUpDeps): Route {
  return defineRoute({
    method: 'POST',
    path: COMPLETE_FOLLOW_UP_PATH,
    operationId: 'finishFollowUp',
    summary: 'Mark a follow-up as done',
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: {
      303: { description: 'Done; back to the page' },
      404: { description: 'The member has no such follow-up', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ body, browser }) {
      const id = body.get('follow_up_id') ?? ''
      try {
        const { activityId } = await changeManually(
          database,
          browser.member,
          clock.now(),
          (changing) => markFollowUpComplete(changing, id, browser.timeZone),
        )
        // A follow-up that was already done, as by a double click, shows no notice.
        return seeOther(changeNoticePath(FOLLOW_UPS_PATH, activityId))
      } catch (error) {
        if (!(error instanceof RequestError) || error.code !== 'not_found') throw error
        return messagePage({
          status: error.status,
          title: 'Follow-up not found',
          text: 'It may have been undone since you loaded the page. No changes were made.',
          action: { href: FOLLOW_UPS_PATH, label: 'Back to follow-ups' },
        })
      }
    },
  })
}
