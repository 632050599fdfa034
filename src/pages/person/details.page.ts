/** The page of one connection: who it is beside what happened and what comes next. */

import { changeNotice } from '../../ui/change-notice.ts'
import { readNoticed } from '../activity/read-noticed.ts'
import { asListed, type Connection } from '../../connections/model/connection.ts'
import {
  contactTimesOf,
  type ContactTimes,
} from '../../connections/last-contact/read-contact-times.ts'
import { linkedRelations } from '../../connections/relations/linked-relations.ts'
import { relationKind } from '../../contact-files/contact/relation-kinds.ts'
import { findPresent } from '../../connections/model/connection-store.ts'
import { dayOfInteraction } from '../../connections/interactions/interaction-store.ts'
import { customFieldsOf } from '../../connections/custom-fields/custom-fields.ts'
import { html, NOTHING, type Html } from '../../html/html.ts'
import { MAX_QUERY_LENGTH } from '../../connections/search/query-lengths.ts'
import { connectionPath } from '../../html/site-map.ts'
import { tagsOf } from '../../connections/model/tag-store.ts'
import { listTags } from '../../connections/tags/tags.ts'
import { searchConnections } from '../../connections/search/search.ts'
import { findLive } from './find-live.ts'
import { recordOf } from './facts.ts'
import { formError } from '../../html/form.ts'
import { personLink } from '../../connections/person/person-link.page.ts'
import { composer } from './composer.ts'
import { ENTRY_FORMS } from './entry-forms.ts'
import { followUpPanel } from '../../connections/follow-ups/follow-up-panel.page.ts'
import { neighborLinks, type Neighbors } from './neighbor-links.ts'
import { personHead, standing } from './person-head.ts'
import { viewIn, type PersonView } from '../../connections/person/person-view.page.ts'
import {
  readTimeline,
  SHOWN_KINDS,
  type ShownTimeline,
  type Timeline,
} from './timeline/timeline.ts'
import { toldContacts } from './timeline/told-contact.ts'
import { returnToOf, timelinePanel } from './timeline-panel.ts'
import { duplicatePanel, mergePanel, moreMenu, relationsPanel, tagList } from './side-panels.ts'
import { missingPage } from './missing.page.ts'
import { rememberOpened } from './recent-people.ts'
import { memberPage } from '../../html/member-layout.ts'
import { timesOf } from '../../ui/time.ts'
import { findDuplicateOf } from '../../connections/duplicates/duplicate-of.ts'
import { findSplittable } from '../../connections/duplicates/split-connection.ts'
import type { Answer } from '../../http/response.ts'
import type { MemberDatabase } from '../../db/database.ts'
import type { InvalidForm } from '../../ui/invalid-form.ts'
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
  const shown = invalid ?? prefilled(search)
  const view = {
    browser,
    times,
    publicId,
    connectionId,
    invalid: shown,
    view: viewIn(search),
    edit,
  }
  const query = timelineQuery(search)
  const list = new URLSearchParams(search).get('in')
  const [neighbors, side, noticed, timeline, followUps, splittable] = await Promise.all([
    list === null ? undefined : findNeighbors(request, list, connectionId),
    readSide(db, view, connection, new URLSearchParams(search).get('with')),
    readNoticed(db, search, undoers),
    readTimeline(db, connection, undoers, query),
    followUpPanel(db, view),
    findSplittable(db, connection, now),
  ])
  const told = await toldContacts(db, noticed, times)
  const isContacted = typeof side.contact?.lastContactOn === 'string'
  const more = moreMenu(view, { name, isContacted }, splittable)
  const notice = changeNotice(noticed, { back: returnToOf(noticed, view), browser }, told)
  const page = memberPage({
    title: name,
    heading: NOTHING,
    browser,
    current: 'connections',
    status: invalid?.status ?? 200,
    body: html`${neighborLinks(list ?? '', neighbors)}
      ${personHead({ view, connection, tags: side.tags, more })} ${notice}
      ${formError(invalid?.problem)}
      ${standing({ view, connection, contact: side.contact, lastKind: lastKindOf(timeline, side.contact), through: side.through })}
      <div class="with-side">
        <div>${composer(view)} ${followUps} ${timelinePanel(view, timeline, query, noticed)}</div>
        <div class="side">${side.panels}</div>
      </div>`,
  })
  return { ...page, cookies: [rememberOpened(publicUrl, request, connectionId)] }
}

/** The forms with what the query has for their controls, which the palette understood. */
function prefilled(search: string): InvalidForm | undefined {
  const sent = new URLSearchParams(search)
  const typed = Object.fromEntries([...sent].filter(([name]) => PREFILLED.has(name)))
  return Object.keys(typed).length === 0 ? undefined : { status: 200, typed, errors: {} }
}

const PREFILLED: ReadonlySet<string> = new Set([
  ...ENTRY_FORMS.flatMap(({ controls }) => Object.values(controls)),
  'tag',
  'field_value',
])

function timelineQuery(search: string): ShownTimeline {
  const sent = new URLSearchParams(search)
  const show = SHOWN_KINDS.find((kind) => kind === sent.get('show')) ?? 'all'
  return { show, older: sent.get('older') ?? undefined }
}

/** Colleagues whose faces are shown. */
const MAX_FACES = 3

/** Suggested while a tag is typed. */
const MAX_SUGGESTED_TAGS = 100

/** `wanted` is the name of who to merge with, if it was typed. */
async function readSide(
  db: MemberDatabase,
  view: PersonView,
  connection: Connection,
  wanted: string | null,
) {
  const { connectionId, company, details } = connection
  const [relations, fields, tags, contacts, known, colleagues, duplicate] = await Promise.all([
    linkedRelations(db, connection),
    customFieldsOf(db, details),
    tagsOf(db, [connectionId]),
    contactTimesOf(db, [connectionId]),
    listTags(db, { limit: MAX_SUGGESTED_TAGS }),
    company === null
      ? undefined
      : searchConnections(db, { query: { query: '', company }, limit: MAX_FACES + 1 }),
    findDuplicateOf(db, connection),
  ])
  const related = await findPresent(
    db,
    relations.flatMap(({ connectionId: id }) => id ?? []),
  )
  const suggested = known.entries.map(({ tag }) => tag)
  const introducer = relations.find(
    ({ relation }) => relation && relationKind(relation) === INTRODUCER,
  )
  const through =
    introducer?.connectionId === undefined ? undefined : related.get(introducer.connectionId)
  const others = (colleagues?.connections ?? []).filter((one) => one.connectionId !== connectionId)
  const merge = view.edit === 'merge' ? await readMerge(db, view, connection, wanted) : NOTHING
  const count = Math.max((colleagues?.total ?? 0) - 1, 0)
  return {
    contact: contacts.get(connectionId),
    through: through && personLink(asListed(through)),
    tags: tagList(view, tags.get(connectionId) ?? [], suggested),
    panels: html`${merge}
      <article class="panel" aria-labelledby="details">
        <div class="over">
          <h2 id="details">Contact details</h2>
          ${view.browser.member.isTour ? NOTHING : html`<a class="act" href="${connectionPath(view.publicId, 'edit')}">Edit</a>`}
        </div>
        ${recordOf({ connection, fields, view })}
      </article>
      ${relationsPanel({ view, connection, relations, known: related, colleagues: { count, shown: others.slice(0, MAX_FACES) } })}
      ${duplicatePanel(view, duplicate)}`,
  }
}

async function readMerge(
  db: MemberDatabase,
  view: PersonView,
  { connectionId, name }: Connection,
  wanted: string | null,
): Promise<Html> {
  // Who is here twice often has the same given name.
  const [given = name] = name.split(' ')
  const query = { query: (wanted ?? given).slice(0, MAX_QUERY_LENGTH) }
  const { connections } = await searchConnections(db, { query, limit: MAX_MERGEABLE + 1 })
  const others = connections.filter((one) => one.connectionId !== connectionId)
  return mergePanel(view, wanted ?? '', others.slice(0, MAX_MERGEABLE))
}

const MAX_MERGEABLE = 6

const INTRODUCER = relationKind('introduced by')

/** The kind of the last contact, if the page lists it. */
function lastKindOf({ entries }: Timeline, contact: ContactTimes | undefined) {
  const last = entries.find(
    (entry) =>
      'interaction' in entry && dayOfInteraction(entry.interaction) === contact?.lastContactOn,
  )
  return last && 'interaction' in last ? last.interaction.kind : undefined
}
