/** The timeline on the page of a connection, as a fragment. */

import { phrase, t } from '../../languages/message.ts'
import { NOTHING, attributes, html, joinHtml, type Html } from '../../html/html.ts'
import { activityPath, jobPath } from '../../html/site-map.ts'
import { publicActivityId } from '../../tools/activity.ts'
import { authorName, entryActions, sign } from '../../ui/entry-signs.ts'
import { changeDetails } from '../activity/change-details.ts'
import { undoButton } from '../../ui/change-notice.ts'
import { calendarDate, nearDay } from '../../ui/calendar-date.ts'
import { buttonLink, itemList } from '../../ui/sections.ts'
import { interactionItem } from '../../connections/interactions/interaction-item.page.ts'
import {
  SHOWN_KINDS,
  type Timeline,
  type ShownEntry,
  type ShownKind,
  type ShownTimeline,
} from './timeline/timeline.ts'
import { DAY } from '../../base/clock.ts'
import { recordedIn } from '../activity/change-subjects.ts'
import { viewPath, type PersonView } from '../../connections/person/person-view.page.ts'
import { noteItem } from '../../connections/notes/note-item.page.ts'
import type { ActivityItem } from '../../tools/activity-log/activity-page.ts'
import type { Source } from '../../connections/model/connection.ts'
import type { ChangedValue } from '../activity/changed-values.ts'
import type { DescribedChange } from '../activity/described-change.ts'
import type { ReturnTo } from '../../ui/return-to.ts'

/** `noticed` is the change of the notice, which already has an undo button. */
export function timelinePanel(
  view: PersonView,
  timeline: Timeline,
  query: ShownTimeline,
  noticed: DescribedChange | undefined,
): Html {
  const { publicId } = view
  const items = timeline.entries.map((entry) =>
    entryItem({ view, mentioned: timeline.mentioned, noticed }, entry),
  )
  const began = timeline.origin ? originItems(timeline.origin, view) : []
  const older = timeline.older === undefined ? NOTHING : olderLink(view, query, timeline.older)
  return html`<section class="panel" aria-labelledby="timeline">
    <div class="over">
      <h2 id="timeline">Timeline</h2>
      ${kindLinks(view, query.show)}
    </div>
    ${itemList([...items, ...began], nothingYet(), 'items timeline')}
    <p>${older} <a href="${activityPath(publicId)}">View full history</a></p>
  </section>`
}

function nothingYet(): Html {
  return html`<p class="quiet">
    Nothing yet. Notes, contacts and changes by you or an agent appear here.
  </p>`
}

const KIND_LABELS: Readonly<Record<ShownKind, string>> = {
  all: phrase('All'),
  notes: phrase('Notes'),
  interactions: phrase('Contacts'),
  changes: phrase('Changes'),
}

function kindLinks(view: PersonView, current: ShownKind): Html {
  const links = SHOWN_KINDS.map((kind) => {
    const href = timelinePath(view, { show: kind === 'all' ? undefined : kind })
    const here = kind === current ? 'true' : undefined
    return html`<a ${attributes({ href, 'aria-current': here })}>${t(KIND_LABELS[kind])}</a> `
  })
  return html`<nav class="kinds seg" aria-label="Shown in the timeline">${links}</nav>`
}

function olderLink(view: PersonView, { show }: ShownTimeline, older: string): Html {
  return buttonLink(
    timelinePath(view, { show: show === 'all' ? undefined : show, older }),
    t('Older'),
  )
}

/** The page with another part of the timeline. */
function timelinePath(
  { publicId, view }: PersonView,
  { show, older }: { readonly show: string | undefined; readonly older?: string },
): string {
  const list = new URLSearchParams(view).get('in')
  const query = new URLSearchParams({
    ...(show !== undefined && { show }),
    ...(older !== undefined && { older }),
    ...(list !== null && { in: list }),
  }).toString()
  return `${viewPath({ publicId, view: query })}#timeline`
}

interface Shown extends Pick<Timeline, 'mentioned'> {
  readonly view: PersonView
  readonly noticed: DescribedChange | undefined
}

function entryItem({ view, mentioned, noticed }: Shown, entry: ShownEntry): Html {
  if ('note' in entry) return noteItem(view, { ...entry, mentioned }, noticed)
  if ('interaction' in entry) return interactionItem(view, entry, noticed)
  const { described } = entry
  const isNoticed = described.change.activityId === noticed?.change.activityId
  return changeEntry(view, isNoticed ? { ...described, isUndoable: false } : described)
}

function changeEntry(view: PersonView, described: DescribedChange): Html {
  const { browser, times } = view
  const { change, heading, changed } = described
  const { activityId, actor, at, undoneBy, isByAgent } = change
  const undone = undoneBy === undefined ? '' : html`<span class="badge">undone</span>`
  const isShort =
    changed.more === 0 && changed.values.length <= MAX_INLINE && changed.values.every(isShortValue)
  return html`<li id="${publicActivityId(activityId)}">
    <div>
      <h3>${heading} ${undone}</h3>
      ${planned(change, times.today) ?? (isShort ? changed.values.map(inlineValue) : NOTHING)}
      <small>By ${authorName({ name: actor, isByAgent })} · ${times.ago(at)}</small>
      ${isShort ? NOTHING : changeDetails(changed)}
    </div>
    ${entryActions(publicActivityId(activityId), [
      undoButton({ described, back: returnToOf(described, view), browser }),
    ])}
    ${sign(isByAgent ? 'agents' : 'edit')}
  </li>`
}

/** What a new follow-up says: `Send the deck, in 6 days`. Undefined for other changes. */
function planned({ action, before, after }: ActivityItem, today: string): Html | undefined {
  if (action !== 'follow_up.set' || before !== null) return undefined
  const { text, due_on: day } = recordedIn(after)
  return typeof text === 'string' && typeof day === 'string'
    ? html`<p class="quiet"><bdi>${text}</bdi>, ${nearDay(day, today)}</p>`
    : undefined
}

/** More values, or longer ones, are in a table that is closed at first. */
const MAX_INLINE = 3
const MAX_INLINE_LENGTH = 120

function isShortValue({ whose, before = '', after = '' }: ChangedValue): boolean {
  return whose === undefined && before.length + after.length <= MAX_INLINE_LENGTH
}

/** `Title: Founder → CTO` */
function inlineValue({ label, before, after }: ChangedValue): Html {
  const values = [before, after].flatMap((text) =>
    text === undefined ? [] : [html`<bdi>${text}</bdi>`],
  )
  const what = after === undefined ? html`<s>${joinHtml(values, '')}</s>` : joinHtml(values, ' → ')
  return html`<p class="quiet"><bdi>${label}</bdi>: ${what}</p>`
}

/** Where an undo returns to: this page, unless the undo removes the connection. */
export function returnToOf(
  described: DescribedChange | undefined,
  view: Pick<PersonView, 'publicId' | 'view'>,
): ReturnTo {
  return described && TAKEN_AWAY.has(described.change.action) ? 'connections' : viewPath(view)
}

const TAKEN_AWAY = new Set(['connection.add', 'connections.restore'])

/** One line for the imports, and the day on which the two of you connected. */
function originItems(
  { lastImport, first, connectedOn, isOnLinkedIn }: NonNullable<Timeline['origin']>,
  { times }: PersonView,
): Html[] {
  const items: Html[] = []
  if (lastImport) {
    const { jobId, filename, at } = lastImport
    const file = html`<a href="${jobPath(jobId)}"
      >${filename === undefined ? t('a file') : html`<bdi>${filename}</bdi>`}</a
    >`
    const isLater = first !== undefined && at - first.at > DAY
    items.push(
      html`<li>
        <div>
          <h3>Imported from ${file}</h3>
          ${isLater ? html`<p class="quiet">First from ${t(FILES[first.source])}, ${times.day(first.at)}</p>` : NOTHING}
          <small>${times.day(at)}</small>
        </div>
        ${sign('import')}
      </li>`,
    )
  } else if (first)
    items.push(
      html`<li>
        <div>
          <h3>Imported from ${t(FILES[first.source])}</h3>
          <small>${times.day(first.at)}</small>
        </div>
        ${sign('import')}
      </li>`,
    )
  if (connectedOn !== null)
    items.push(
      html`<li>
        <div>
          <h3>${isOnLinkedIn ? t('Connected on LinkedIn') : t('Connected')}</h3>
          <small>${calendarDate(connectedOn)}</small>
        </div>
        ${sign('link')}
      </li>`,
    )
  return items
}

const FILES: Readonly<Record<Source, string>> = {
  typed: phrase('a file'),
  contacts_app: phrase('a file'),
  linkedin: phrase('LinkedIn'),
  google: phrase('Google Contacts'),
  outlook: phrase('Outlook'),
  vcard: phrase('an address book'),
  monica: phrase('Monica'),
  table: phrase('a spreadsheet or CSV file'),
}
