/** `/user/activity`: what was changed in a member's data, and the way to take it back. */

import { resultCookies } from '../../access/result-cookie.ts'
import { Refusal } from '../../base/request-error.ts'
import { readConnectionId } from '../../connections/model/connection.ts'
import { findConnection } from '../../connections/model/connection-store.ts'
import { html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { messagePage, refusePage } from '../../html/message.page.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { readActivityPage } from '../../tools/activity-page.ts'
import { undoChange } from '../../tools/undo-change.ts'
import { changeByHand } from '../ui/manual-change.ts'
import { countOf } from '../ui/count-of.ts'
import { cursorOf, PAGED_ANSWERS } from '../ui/cursor.ts'
import { timesOf } from '../ui/time.ts'
import { activityNumber, noticePath, readNoticed } from './change-notice.ts'
import { activityPage, type ShownOne } from './activity.page.ts'
import { ACTIVITY_PATH, backPath, UNDO_PATH } from './return-to.ts'
import { tellChanges } from './described-change.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database, MemberReader } from '../../db/database.ts'
import type { SignedInVisit } from '../../http/browser-request.ts'
import type { Undoer } from '../../tools/undo.ts'

export interface ActivityParts {
  readonly database: Database
  readonly clock: Clock
  readonly publicUrl: string
  readonly undoers: readonly Undoer[]
}

/** Two names and an id. */
const MOST_FORM_BYTES = 4 * 1024

const PAGE_SIZE = 25

export function activityRoutes(parts: ActivityParts): Route[] {
  return [showRoute(parts), undoRoute(parts), leftAloneRoute(parts)]
}

function showRoute({ database, clock, undoers }: ActivityParts): Route {
  return defineRoute({
    method: 'GET',
    path: ACTIVITY_PATH,
    operationId: 'showActivity',
    summary: 'The page of what was changed, newest first',
    access: 'session',
    answers: PAGED_ANSWERS,
    refuse: refusePage,
    async handle({ search, visit }) {
      const db = database.member(visit.member.memberId)
      const cursor = cursorOf(search)
      const only = await readOnly(db, search)
      const connectionId = only && (readConnectionId(only.publicId) ?? 0)
      const page = await readActivityPage(db, PAGE_SIZE, { cursor, connectionId })
      const { changes, hasMore } = page
      return activityPage({
        visit,
        times: timesOf(visit, clock.now()),
        only,
        changes: await tellChanges(db, changes, undoers),
        older: hasMore ? page.cursorAfter(changes.length - 1) : undefined,
        isNewest: cursor === undefined,
        noticed: await readNoticed(db, search, undoers),
      })
    },
  })
}

/** The connection that the query string names. */
async function readOnly(reader: MemberReader, search: string): Promise<ShownOne | undefined> {
  const publicId = new URLSearchParams(search).get('connection')
  if (publicId === null) return undefined
  const found = await findConnection(reader, readConnectionId(publicId) ?? 0)
  return { publicId, name: found?.name, isDeleted: found?.deletedAt !== null }
}

/** What an undo did not take back, for the one page that lists it. */
interface LeftAlone {
  readonly count: number
  /** The first of them. */
  readonly sentences: readonly string[]
  /** The page to go on with. */
  readonly back: string
}

function leftAloneResults(publicUrl: string) {
  return resultCookies<LeftAlone>(publicUrl, UNDO_PATH)
}

function leftAloneRoute({ publicUrl }: ActivityParts): Route {
  const results = leftAloneResults(publicUrl)
  return defineRoute({
    method: 'GET',
    path: UNDO_PATH,
    operationId: 'showLeftAlone',
    summary: 'What an undo left alone, because it was changed since',
    access: 'session',
    answers: {
      200: { description: 'The page, shown once', type: 'text/html' },
      303: { description: 'To the activity: there is nothing to show' },
    },
    refuse: refusePage,
    async handle({ visit, header }) {
      const leftAlone = results.read(header('cookie'), visit.member)
      return leftAlone
        ? results.shownOnce(leftAlonePage(visit, leftAlone))
        : seeOther(ACTIVITY_PATH)
    },
  })
}

function undoRoute({ database, clock, undoers, publicUrl }: ActivityParts): Route {
  return defineRoute({
    method: 'POST',
    path: UNDO_PATH,
    operationId: 'undoChange',
    summary: 'Take a change back',
    access: 'session',
    body: { kind: 'form', maxBytes: MOST_FORM_BYTES },
    answers: {
      303: { description: 'Done; back to the page, or to what was changed since and left alone' },
      404: { description: 'The member has no such change', type: 'text/html' },
      409: { description: 'It was changed again since, or taken back before', type: 'text/html' },
    },
    refuse: refusePage,
    async handle({ body, visit }) {
      const back = backPath(body.get('back'))
      const activityId = activityNumber(body.get('activity_id'))
      try {
        const { undoId, leftAlone } = await changeByHand(
          database,
          visit.member,
          clock.now(),
          (changing) => undoChange(changing, undoers, activityId),
          // It may be a whole import.
          { bulk: true },
        )
        return leftAlone.length === 0
          ? seeOther(noticePath(back, undoId))
          : leftAloneResults(publicUrl).redirect(UNDO_PATH, visit.member, {
              count: leftAlone.length,
              sentences: leftAlone.slice(0, MOST_LISTED),
              back: noticePath(back, undoId),
            })
      } catch (error) {
        if (error instanceof Refusal && (error.code === 'conflict' || error.code === 'not_found'))
          return refusedPage(error, back)
        throw error
      }
    },
  })
}

/** The hints of these refusals are for whoever calls a tool. */
function refusedPage({ status, message }: Refusal, back: string): Answer {
  return messagePage({
    status,
    title: 'This was not undone',
    text: message,
    hint: 'Nothing was changed. The activity shows what came later; undo that first, or set what you want by hand.',
    action: { href: back, label: 'Back' },
  })
}

/** With these the cookie that carries them stays below the 4,096 bytes of RFC 6265 section 6.1. */
const MOST_LISTED = 20

function leftAlonePage(
  { member, formToken }: SignedInVisit,
  { count, sentences, back }: LeftAlone,
): Answer {
  const items = sentences.map((sentence) => html`<li>${sentence}</li>`)
  const more = count - items.length
  return memberPage({
    title: 'Undone, but not all of it',
    member,
    current: 'activity',
    formToken,
    body: html`<section class="panel" aria-label="Left alone">
        <p role="status">
          What was worked on since stays as it is: ${countOf(count, 'connection')}.
        </p>
        <ul>
          !${items}
        </ul>
        !${more > 0 ? html`<p>And ${countOf(more, 'other')}.</p>` : ''}
      </section>
      <div class="actions"><a class="button plain" href="${back}">Back</a></div>`,
  })
}
