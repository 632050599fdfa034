/** The page of one connection: details, tags, follow-ups, notes and history. */

import { readNoticed, changeNotice } from '../activity/change-notice.ts'
import { readConnectionId, type Connection } from '../../connections/model/connection.ts'
import { customFieldsOf } from '../../connections/model/custom-fields.ts'
import { html, type Html, NOTHING } from '../../html/html.ts'
import { type Tag, tagsOf } from '../../connections/model/tag-store.ts'
import { NOTHING_TYPED, fieldState } from '../../forms/field-errors.ts'
import { findConnection } from '../../connections/model/connection-store.ts'
import { recordOf } from './facts.ts'
import { connectionPath } from '../../html/site-map.ts'
import { historyPanel, returnToOf, readHistory } from './history.ts'
import { formKeyField, textField, formError, formTokenField } from '../../html/form.ts'
import { buttonLink, actionPanel, itemList } from '../ui/sections.ts'
import { listPath } from '../ui/list-path.ts'
import { type PersonView, notePanel, followUpPanel } from './entry-panels.ts'
import { missingPage } from './missing.page.ts'
import { memberPage } from '../../html/member-layout.ts'
import { icon } from '../../html/icon.ts'
import { timesOf } from '../ui/time.ts'
import { findSplittable } from '../../connections/duplicates/split-connection.ts'
import type { Answer } from '../../http/response.ts'
import type { MemberReader } from '../../db/database.ts'
import type { InvalidForm } from '../ui/invalid-form.ts'
import type { PageRequest, PageDeps } from '../../forms/page-route.ts'
import type { Undoer } from '../../tools/undo.ts'

export interface PersonDeps extends PageDeps {
  readonly undoers: readonly Undoer[]
}

interface DetailsRequest extends Pick<PageRequest, 'browser' | 'db' | 'now' | 'search'> {
  readonly params: { readonly id: string }
}

/** With the form that was rejected, if any. */
export async function showDetails(
  { undoers }: PersonDeps,
  { browser, db, now, search, params: { id: publicId } }: DetailsRequest,
  invalid?: InvalidForm,
): Promise<Answer> {
  const connection = await findLive(db, publicId)
  if (!connection) return missingPage(db, publicId)
  const { connectionId, name, details } = connection
  const person = { browser, times: timesOf(browser, now), publicId, connectionId, invalid }
  const fields = await customFieldsOf(db, details)
  const tags = (await tagsOf(db, [connectionId])).get(connectionId) ?? []
  const noticed = await readNoticed(db, search, undoers)
  const splittable = await findSplittable(db, connection, now)
  const notice = noticed && changeNotice(noticed, { back: returnToOf(noticed, publicId), browser })
  return memberPage({
    title: name,
    heading: html`<bdi>${name}</bdi>`,
    actions: buttonLink(connectionPath(publicId, 'edit'), 'Edit'),
    browser,
    current: 'connections',
    status: invalid?.status ?? 200,
    body: html`${notice} ${formError(invalid?.problem)}
      <article class="panel person" aria-label="Details">
        ${recordOf({ connection, fields, publicId, times: person.times })}
      </article>
      ${tagSection(person, tags)} ${await followUpPanel(db, person)}
      ${await notePanel(db, person, search)}
      ${historyPanel(person, await readHistory(db, connection, undoers), noticed)}
      ${splitPanel(person, splittable)} ${deletePanel(person)}`,
  })
}

/** A connection that is not deleted. */
export async function findLive(
  reader: MemberReader,
  publicId: string,
): Promise<Connection | undefined> {
  const found = await findConnection(reader, readConnectionId(publicId) ?? 0)
  return found?.deletedAt === null ? found : undefined
}

/** The tags. Each links to the connections with that tag and can be removed. */
function tagSection({ publicId, invalid, browser }: PersonView, tags: readonly Tag[]): Html {
  const action = connectionPath(publicId, 'tags')
  const items = tags.map(
    ({ tag }) =>
      html`<li class="badge">
        <a href="${listPath({ tag })}"><bdi>${tag}</bdi></a>
        <button class="link" name="take_off" value="${tag}" aria-label="Remove tag ${tag}">
          ${icon('cross')}
        </button>
      </li>`,
  )
  const list = html`<form method="post" action="${action}">
    ${formTokenField(browser.formToken)} ${itemList(items, NOTHING, 'tags')}
  </form>`
  const state = fieldState(invalid ?? NOTHING_TYPED, 'tag', 'Tag')
  return html`<section class="panel person" aria-labelledby="tags">
    <h2 id="tags">Tags</h2>
    ${items.length === 0 ? '' : list}
    <form class="short" method="post" action="${action}">
      ${formTokenField(browser.formToken)}
      ${textField({ ...state, label: 'Add a tag', autocomplete: 'off' })}
      <button class="plain">Add tag</button>
    </form>
  </section>`
}

/** `splittable` is the name of a person that was merged into this connection. */
function splitPanel({ publicId, browser }: PersonView, splittable: string | undefined): Html {
  if (splittable === undefined) return NOTHING
  return actionPanel(
    'split',
    'Split',
    html`<bdi>${splittable}</bdi> was merged into this connection. Split them if they are different
      people: they become two connections again, and are no longer listed as duplicates. Your edits
      stay here.`,
    html`<form method="post" action="${connectionPath(publicId, 'split')}">
      ${formTokenField(browser.formToken)} ${formKeyField()}
      <button class="plain">Split</button>
    </form>`,
  )
}

function deletePanel({ publicId, browser }: PersonView): Html {
  return actionPanel(
    'delete',
    'Delete',
    `You can restore it for 30 days, with its tags, notes and follow-ups. After that it is
     permanently deleted. Imports skip it.`,
    html`<form method="post" action="${connectionPath(publicId, 'delete')}">
      ${formTokenField(browser.formToken)} ${formKeyField()}
      <button class="plain danger">Delete</button>
    </form>`,
  )
}
