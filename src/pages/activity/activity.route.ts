/** `/user/activity`: the changes to a member's data, with undo. */

import { resultCookies } from '../../access/result-cookie.ts'
import { RequestError } from '../../base/request-error.ts'
import { readConnectionId } from '../../connections/model/connection.ts'
import { findConnection } from '../../connections/model/connection-store.ts'
import { html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { messagePage, errorPage } from '../../html/message.page.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { readActivityPage } from '../../tools/activity-page.ts'
import { MAX_UNDONE, prepareUndo, undoChange, undoSince } from '../../tools/undo-change.ts'
import { changeManually } from '../ui/manual-change.ts'
import { countOf } from '../ui/count-of.ts'
import { cursorOf, PAGED_ANSWERS } from '../ui/cursor.ts'
import { timesOf } from '../ui/time.ts'
import {
  activityNumber,
  countOwnChangesSince,
  findChangingCredential,
  type ListedChange,
} from '../../tools/activity.ts'
import { changeNoticePath, readNoticed } from './change-notice.ts'
import { activityPage, type ActivityFilter } from './activity.page.ts'
import { returnToPath } from './return-to.ts'
import { describeChanges } from './described-change.ts'
import { ACTIVITY_PATH, UNDO_PATH, UNDO_SINCE_PATH } from '../../html/site-map.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database, MemberReader } from '../../db/database.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { Undoer } from '../../tools/undo.ts'

export interface ActivityDeps {
  readonly database: Database
  readonly clock: Clock
  readonly publicUrl: string
  readonly undoers: readonly Undoer[]
}

/** Two names and an id. */
const MAX_FORM_BYTES = 4 * 1024

const PAGE_SIZE = 25

export function activityRoutes(deps: ActivityDeps): Route[] {
  return [showRoute(deps), undoRoute(deps), undoSinceRoute(deps), skippedRoute(deps)]
}

function showRoute({ database, clock, undoers }: ActivityDeps): Route {
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

/** The connections that an undo skipped, for the page that lists them once. */
interface SkippedConnections {
  readonly count: number
  /** The first of them. */
  readonly sentences: readonly string[]
  /** The path of the page to return to. */
  readonly back: string
}

function skippedResults(publicUrl: string) {
  return resultCookies<SkippedConnections>(publicUrl, UNDO_PATH)
}

function skippedRoute({ publicUrl }: ActivityDeps): Route {
  const results = skippedResults(publicUrl)
  return defineRoute({
    method: 'GET',
    path: UNDO_PATH,
    operationId: 'showLeftAlone',
    summary: 'List the connections that an undo skipped because they changed later',
    access: 'session',
    answers: {
      200: { description: 'The page, shown once', type: 'text/html' },
      303: { description: 'Nothing to show; redirects to the activity page' },
    },
    onError: errorPage,
    async handle({ browser, header }) {
      const skipped = results.read(header('cookie'), browser.member)
      return skipped ? results.shownOnce(skippedPage(browser, skipped)) : seeOther(ACTIVITY_PATH)
    },
  })
}

function undoRoute({ database, clock, undoers, publicUrl }: ActivityDeps): Route {
  return defineRoute({
    method: 'POST',
    path: UNDO_PATH,
    operationId: 'undoChange',
    summary: 'Undo a change',
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: {
      303: { description: 'Undone; redirects to the page, or to the list of skipped connections' },
      404: { description: 'The member has no such change', type: 'text/html' },
      409: { description: 'It changed later, or was already undone', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ body, browser }) {
      const back = returnToPath(body.get('back'))
      const activityId = activityNumber(body.get('activity_id'))
      try {
        const now = clock.now()
        const db = database.member(browser.member.memberId)
        const prepared = await prepareUndo({ db, now }, undoers, { activityId })
        const { undoId, skipped } = await changeManually(
          database,
          browser.member,
          now,
          (changing) => undoChange({ ...changing, prepared }, undoers, { activityId }),
          // It may be a whole import.
          { bulk: true },
        )
        return skipped.length === 0
          ? seeOther(changeNoticePath(back, undoId))
          : skippedResults(publicUrl).redirect(UNDO_PATH, browser.member, {
              count: skipped.length,
              sentences: skipped.slice(0, MAX_LISTED),
              back: changeNoticePath(back, undoId),
            })
      } catch (error) {
        if (
          error instanceof RequestError &&
          (error.code === 'conflict' || error.code === 'not_found')
        )
          return invalidQueryPage(error, back)
        throw error
      }
    },
  })
}

function undoSinceRoute({ database, clock, undoers }: ActivityDeps): Route {
  return defineRoute({
    method: 'POST',
    path: UNDO_SINCE_PATH,
    operationId: 'undoChangesSince',
    summary: 'Undo a change by an agent and all later ones by the same agent',
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: {
      303: { description: 'Undone, all of them; redirects to the page' },
      404: { description: 'The member has no such change by an agent', type: 'text/html' },
      409: { description: 'One changed later, so none was undone', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ body, browser }) {
      const since = activityNumber(body.get('activity_id'))
      try {
        await changeManually(
          database,
          browser.member,
          clock.now(),
          async (changing) => {
            const credentialId = await findChangingCredential(changing.tx, since)
            if (credentialId === undefined)
              throw new RequestError('not_found', 'This change was not found, or no agent made it.')
            return undoSince(changing, undoers, { since, credentialId })
          },
          { bulk: true },
        )
        return seeOther(ACTIVITY_PATH)
      } catch (error) {
        if (
          error instanceof RequestError &&
          (error.code === 'conflict' || error.code === 'not_found')
        )
          return invalidQueryPage(error, ACTIVITY_PATH)
        throw error
      }
    },
  })
}

/** The hints of these errors are for tool callers, so the page has its own. */
function invalidQueryPage({ status, message }: RequestError, back: string): Answer {
  return messagePage({
    status,
    title: 'Could not undo',
    text: message,
    hint: 'No changes were made. Undo the later changes in Activity first, or edit the values yourself.',
    action: { href: back, label: 'Back' },
  })
}

/** Keeps the cookie that carries the list below the 4,096 bytes of RFC 6265 section 6.1. */
const MAX_LISTED = 20

function skippedPage(
  { member, formToken }: SignedInRequest,
  { count, sentences, back }: SkippedConnections,
): Answer {
  const items = sentences.map((sentence) => html`<li>${sentence}</li>`)
  const more = count - items.length
  return memberPage({
    title: 'Partly undone',
    member,
    current: 'activity',
    formToken,
    body: html`<section class="panel" aria-label="Skipped">
        <p role="status">${countOf(count, 'connection')} skipped because of later changes.</p>
        <ul>
          ${items}
        </ul>
        ${more > 0 ? html`<p>And ${countOf(more, 'other')}.</p>` : ''}
      </section>
      <div class="actions"><a class="button plain" href="${back}">Back</a></div>`,
  })
}
