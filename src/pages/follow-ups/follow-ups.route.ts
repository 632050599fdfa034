/** `/user/follow-ups`: what a member means to do about people, and by when; done in one click. */

import { Refusal } from '../../base/request-error.ts'
import { finishFollowUp } from '../../connections/follow-ups/complete-follow-up.ts'
import { listFollowUps } from '../../connections/follow-ups/follow-ups.ts'
import { messagePage, refusePage } from '../../html/message.page.ts'
import { seeOther } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { noticePath, readNoticed } from '../activity/change-notice.ts'
import { changeByHand } from '../ui/manual-change.ts'
import { cursorOf, PAGED_ANSWERS } from '../ui/cursor.ts'
import { timesOf } from '../ui/time.ts'
import { followUpsPage } from './follow-ups.page.ts'
import { DONE_PATH, FOLLOW_UPS_PATH } from './paths.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../db/database.ts'
import type { Undoer } from '../../tools/undo.ts'

export interface FollowUpParts {
  readonly database: Database
  readonly clock: Clock
  readonly undoers: readonly Undoer[]
}

/** A name and an id. */
const MOST_FORM_BYTES = 4 * 1024

const PAGE_SIZE = 50

export function followUpRoutes(parts: FollowUpParts): Route[] {
  return [showRoute(parts), doneRoute(parts)]
}

function showRoute({ database, clock, undoers }: FollowUpParts): Route {
  return defineRoute({
    method: 'GET',
    path: FOLLOW_UPS_PATH,
    operationId: 'showFollowUps',
    summary: 'The page of what is to be done about people, by the day it is due',
    access: 'session',
    answers: PAGED_ANSWERS,
    refuse: refusePage,
    async handle({ search, visit }) {
      const db = database.member(visit.member.memberId)
      const cursor = cursorOf(search)
      const page = await listFollowUps(db, { status: 'open' }, PAGE_SIZE, cursor)
      const { followUps, hasMore } = page
      return followUpsPage({
        visit,
        times: timesOf(visit, clock.now()),
        followUps,
        next: hasMore ? page.cursorAfter(followUps.length - 1) : undefined,
        isFirst: cursor === undefined,
        noticed: await readNoticed(db, search, undoers),
      })
    },
  })
}

function doneRoute({ database, clock }: FollowUpParts): Route {
  return defineRoute({
    method: 'POST',
    path: DONE_PATH,
    operationId: 'finishFollowUp',
    summary: 'Mark a follow-up as done',
    access: 'session',
    body: { kind: 'form', maxBytes: MOST_FORM_BYTES },
    answers: {
      303: { description: 'Done; back to the page' },
      404: { description: 'The member has no such follow-up', type: 'text/html' },
    },
    refuse: refusePage,
    async handle({ body, visit }) {
      const id = body.get('follow_up_id') ?? ''
      try {
        const { activityId } = await changeByHand(database, visit.member, clock.now(), (changing) =>
          finishFollowUp(changing, id),
        )
        // One that was done before, as by a second click, is no news.
        return seeOther(
          activityId === undefined ? FOLLOW_UPS_PATH : noticePath(FOLLOW_UPS_PATH, activityId),
        )
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== 'not_found') throw error
        return messagePage({
          status: error.status,
          title: 'There is no such follow-up',
          text: 'It may have been taken back since the page was loaded. Nothing was changed.',
          action: { href: FOLLOW_UPS_PATH, label: 'Back to follow-ups' },
        })
      }
    },
  })
}
