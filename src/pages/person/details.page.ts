/** The page of one connection: who it is beside what happened and what comes next. */

import { t } from '../../languages/message.ts'
import { readNoticed, changeNotice } from '../activity/change-notice.ts'
import type { Connection } from '../../connections/model/connection.ts'
import { contactTimesOf } from '../../connections/last-contact/read-contact-times.ts'
import { withLinkedRelations } from '../../connections/relations/linked-relations.ts'
import { customFieldsOf } from '../../connections/model/custom-fields.ts'
import { html, type Html } from '../../html/html.ts'
import { tagsOf } from '../../connections/model/tag-store.ts'
import { listTags } from '../../connections/tags/tags.ts'
import { searchConnections } from '../../connections/search/search.ts'
import { findLive } from './find-live.ts'
import { recordOf } from './facts.ts'
import { connectionPath, logContactPath } from '../../html/site-map.ts'
import { formError } from '../../html/form.ts'
import { buttonLink } from '../ui/sections.ts'
import { composer, followUpPanel } from './entry-panels.ts'
import { neighborLinks, type Neighbors } from './neighbor-links.ts'
import { keepInTouchPanel } from './keep-in-touch.ts'
import { viewIn, type PersonView } from './person-view.ts'
import { readTimeline, SHOWN_KINDS, type ShownTimeline } from './timeline.ts'
import { returnToOf, timelinePanel } from './timeline-panel.ts'
import { colleaguesPanel, duplicatePanel, moreMenu, tagList } from './side-panels.ts'
import { missingPage } from './missing.page.ts'
import { rememberOpened } from './recent-people.ts'
import { memberPage } from '../../html/member-layout.ts'
import { timesOf } from '../ui/time.ts'
import { findDuplicateOf } from '../../connections/duplicates/duplicate-of.ts'
import { findSplittable } from '../../connections/duplicates/split-connection.ts'
import type { Answer } from '../../http/response.ts'
import type { MemberDatabase } from '../../db/database.ts'
import type { InvalidForm } from '../ui/invalid-form.ts'
import type { PageRequest, PageDeps } from '../../forms/page-route.ts'
import type { Undoer } from '../../tools/undo.ts'

export interface PersonDeps extends PageDeps {
  readonly publicUrl: string
  readonly undoers: readonly Undoer[]
}

export interface DetailsDeps extends PersonDeps {
  readonly findNeighbors: FindNeighbors
}

/** `list` is the query of the list from which the page was opened. */
export type FindNeighbors = (
  request: Pick<PageRequest, 'browser' | 'db' | 'now' | 'signal'>,
  list: string,
  connectionId: number,
) => Promise<Neighbors | undefined>

interface DetailsRequest extends Pick<
  PageRequest,
  'browser' | 'db' | 'now' | 'search' | 'signal' | 'header'
> {
  readonly params: { readonly id: string }
}

/** With the form that was rejected, if any. */
export async function showDetails(
  { undoers, findNeighbors, publicUrl }: DetailsDeps,
  request: DetailsRequest,
  invalid?: InvalidForm,
): Promise<Answer> {
  const { browser, db, now, search } = request
  const publicId = request.params.id
  const connection = await findLive(db, publicId)
  if (!connection) return missingPage(db, publicId)
  const { connectionId, name } = connection
  const edit = new URLSearchParams(search).get('edit') ?? undefined
  const times = timesOf(browser, now)
  const view = { browser, times, publicId, connectionId, invalid, view: viewIn(search), edit }
  const query = timelineQuery(search)
  const list = new URLSearchParams(search).get('in')
  const [neighbors, side, noticed, timeline, followUps, splittable] = await Promise.all([
    list === null ? undefined : findNeighbors(request, list, connectionId),
    sidePanels(db, view, connection),
    readNoticed(db, search, undoers),
    readTimeline(db, connection, undoers, query),
    followUpPanel(db, view),
    findSplittable(db, connection, now),
  ])
  const notice = noticed && changeNotice(noticed, { back: returnToOf(noticed, view), browser })
  const page = memberPage({
    title: name,
    heading: html`<bdi>${name}</bdi>`,
    actions: html`<div class="actions">
      <a class="button" href="${logContactPath(publicId)}">Log contact</a>
      ${buttonLink(connectionPath(publicId, 'edit'), t('Edit'))} ${moreMenu(view, splittable)}
    </div>`,
    browser,
    current: 'connections',
    status: invalid?.status ?? 200,
    isWide: true,
    body: html`${neighborLinks(list ?? '', neighbors)} ${notice} ${formError(invalid?.problem)}
      <div class="with-side">
        <div class="side">${side}</div>
        <div>${composer(view)} ${followUps} ${timelinePanel(view, timeline, query, noticed)}</div>
      </div>`,
  })
  return { ...page, cookies: [rememberOpened(publicUrl, request, connectionId)] }
}

function timelineQuery(search: string): ShownTimeline {
  const sent = new URLSearchParams(search)
  const show = SHOWN_KINDS.find((kind) => kind === sent.get('show')) ?? 'all'
  return { show, older: sent.get('older') ?? undefined }
}

/** Suggested while a tag is typed. */
const MAX_SUGGESTED_TAGS = 100

async function sidePanels(
  db: MemberDatabase,
  view: PersonView,
  connection: Connection,
): Promise<Html> {
  const { connectionId, company, details } = connection
  const [shown, fields, tags, contacts, known, colleagues, duplicate] = await Promise.all([
    withLinkedRelations(db, connection),
    customFieldsOf(db, details),
    tagsOf(db, [connectionId]),
    contactTimesOf(db, [connectionId]),
    listTags(db, { limit: MAX_SUGGESTED_TAGS }),
    company === null
      ? undefined
      : searchConnections(db, { query: { query: '', company }, limit: 1 }),
    findDuplicateOf(db, connection),
  ])
  const contact = contacts.get(connectionId)
  const suggested = known.tags.map(({ tag }) => tag)
  return html`<article class="panel person" aria-label="Details">
      ${recordOf({ connection: shown, fields, view, tags: tagList(view, tags.get(connectionId) ?? [], suggested) })}
    </article>
    ${duplicatePanel(view, duplicate)} ${keepInTouchPanel(view, contact)}
    ${colleaguesPanel(connection, Math.max((colleagues?.total ?? 0) - 1, 0))}`
}
