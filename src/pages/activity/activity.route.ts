/** `/user/activity`: every change, newest first, with its actor, values before and after, and an undo button. */

import { t } from '../../languages/message.ts'
import { pageRoute } from '../../forms/page-route.ts'
import { timesOf } from '../../ui/time.ts'
import { MAX_UNDONE } from '../../tools/undo/undo-change.ts'
import { logDays, type LogDay } from './changes-by-day.ts'
import { logDay, faceIdsIn, type LogView } from './log-line.ts'
import { BY_TIME, nextOf, cursorOf, pager } from '../../ui/pager.ts'
import { readActivityPage } from '../../tools/activity-log/activity-page.ts'
import { activityPath, ACTIVITY_PATH, connectionPath } from '../../html/site-map.ts'
import { changeNotice } from '../../ui/change-notice.ts'
import { readNoticed } from './read-noticed.ts'
import { countOwnChangesSince, type ListedChange } from '../../tools/activity-log/read-activity.ts'
import { undoRoutes, type UndoDeps } from './undo.route.ts'
import { html, NOTHING, type Html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { publicConnectionId, readConnectionId } from '../../connections/model/connection.ts'
import { describeChanges } from './described-change.ts'
import {
  filteredPath,
  activityFilterForm,
  activitySegments,
  isFiltered,
  readFilters,
  typedFilters,
} from './activity-filters.ts'
import { credentialNames } from '../../access/credential-name.ts'
import { emptyNote } from '../../ui/sections.ts'
import { countOf } from '../../ui/numbers.ts'
import { findConnection, findConnections } from '../../connections/model/connection-store.ts'
import type { Route } from '../../http/route.ts'
import type { MemberReader } from '../../db/database.ts'

/** An undo of all changes of one line is one call. */
const PAGE_SIZE = MAX_UNDONE

export function activityRoutes(deps: UndoDeps): Route[] {
  return [showRoute(deps), ...undoRoutes(deps)]
}

function showRoute(deps: UndoDeps): Route {
  const { undoers } = deps
  return pageRoute(deps, {
    path: ACTIVITY_PATH,
    async handle({ search, browser, db, now }) {
      const cursor = cursorOf(search)
      const only = await readOnly(db, search)
      const people = only && [readConnectionId(only.publicId) ?? 0]
      const times = timesOf(browser, now)
      const typed = typedFilters(search)
      const { filter, errors } = readFilters(typed, times)
      const page = await readActivityPage(db, PAGE_SIZE, { cursor, people, ...filter })
      const described = await describeChanges(db, page.changes, undoers)
      const isWhole = only === undefined && !isFiltered(typed)
      const since = isWhole ? await undoableTogether(db, page.changes) : new Map()
      const agents = [...new Set((await credentialNames(db)).values())].toSorted()
      const noticed = await readNoticed(db, search, undoers)
      const back = filteredPath(typed)
      const days = logDays(described, times)
      const next = nextOf(page, described.length)
      const view = { browser, back, times, since, people: await readFaces(db, days) }
      // A day that begins or ends on another page is shown without its number of changes.
      const lines = days.map((day, at) => {
        const isCut = (at === 0 && cursor !== undefined) || (day === days.at(-1) && next != null)
        return logDay(day, view, !isCut)
      })
      return memberPage({
        title: t('Activity'),
        actions: html`<div class="actions">
          ${activitySegments(typed)} ${activityFilterForm(typed, errors, agents)}
        </div>`,
        browser,
        current: 'activity',
        body: html`${changeNotice(noticed, { back, browser })} ${undoneNotice(search)}
          ${only === undefined ? '' : onlyOne(only)}
          ${lines.length === 0 ? emptyNote(emptyText(isFiltered(typed), only !== undefined)) : lines}
          ${pager({ path: back, cursor, next, labels: BY_TIME })}
          <p class="quiet">
            Lists changes by you and your agents. Reads are not listed. Undoing is free and can
            itself be undone.
          </p>`,
      })
    },
  })
}

/** After an undo of several changes. */
function undoneNotice(search: string): Html {
  const count = Number(new URLSearchParams(search).get('undone'))
  if (!Number.isInteger(count) || count <= 0) return NOTHING
  return html`<div class="toast">
    <div class="notice success with-act" role="status">
      <p>Undid ${countOf(count, 'change')}.</p>
    </div>
  </div>`
}

function emptyText(isNarrowed: boolean, isOfOne: boolean): string {
  if (isNarrowed) return t('No results. Remove a filter.')
  return isOfOne
    ? t("No changes to this person yet. Changes made by an import are listed on the import's page.")
    : t(
        'No changes yet. Changes to your network and profile by you or your agents appear here, and you can undo them.',
      )
}

/** The people in the lines of these days who are not deleted. */
async function readFaces(db: MemberReader, days: readonly LogDay[]): Promise<LogView['people']> {
  const connections = await findConnections(db, faceIdsIn(days))
  return new Map(
    connections
      .filter(({ deletedAt }) => deletedAt === null)
      .map((one) => [publicConnectionId(one.connectionId), one]),
  )
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

/** A connection, by its public id. */
interface ActivityFilter {
  readonly publicId: string
  /** Undefined for a permanently deleted connection. */
  readonly name: string | undefined
  readonly isDeleted: boolean
}

/** The connection that the query string names. */
async function readOnly(reader: MemberReader, search: string): Promise<ActivityFilter | undefined> {
  const publicId = new URLSearchParams(search).get('connection')
  if (publicId === null) return undefined
  const found = await findConnection(reader, readConnectionId(publicId) ?? 0)
  return { publicId, name: found?.name, isDeleted: found?.deletedAt !== null }
}

function onlyOne({ publicId, name, isDeleted }: ActivityFilter): Html {
  const link = html`<a href="${connectionPath(publicId)}"><bdi>${name}</bdi></a>`
  const known = isDeleted ? html`<bdi>${name}</bdi>` : link
  return html`<p>
    Showing changes to ${name === undefined ? t('a deleted person') : known}.
    <a href="${activityPath()}">Show all activity</a>
  </p>`
}
