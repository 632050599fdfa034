/** The timeline on the page of a connection, as a fragment. */

import { phrase, t } from '../../languages/message.ts'
import { NOTHING, html, type Html } from '../../html/html.ts'
import { activityPath, connectionPath, jobPath } from '../../html/site-map.ts'
import { publicActivityId } from '../../tools/activity.ts'
import { authorName, entryActions, sign } from '../../ui/entry-signs.ts'
import { undoButton } from '../../ui/change-notice.ts'
import { calendarDate, nearDay } from '../../ui/calendar-date.ts'
import { buttonLink, itemList, tabLinks } from '../../ui/sections.ts'
import { interactionItem } from '../../connections/interactions/interaction-item.page.ts'
import {
  SHOWN_KINDS,
  type TimelineOrigin,
  type Timeline,
  type ShownEntry,
  type ShownKind,
  type ShownTimeline,
} from './timeline/timeline.ts'
import { changeLine } from './timeline/change-line.ts'
import { viewPath, type PersonView } from '../../connections/person/person-view.page.ts'
import { noteItem } from '../../connections/notes/note-item.page.ts'
import type { IconName } from '../../html/icon.ts'
import type { MentioningNote } from '../../connections/told-contacts/notes-that-mention.ts'
import { publicConnectionId, type Source } from '../../connections/model/connection.ts'
import { publicNoteId } from '../../connections/notes/notes.ts'
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
  const older = timeline.older === undefined ? NOTHING : olderLink(view, query, timeline.older)
  return html`<section class="panel" aria-labelledby="timeline">
    <div class="over">
      <h2 id="timeline">Timeline</h2>
      ${kindLinks(view, query.show)}
    </div>
    ${itemList(items, nothingYet(), 'items timeline')}
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
    const path = timelinePath(view, { show: kind === 'all' ? undefined : kind })
    return { label: t(KIND_LABELS[kind]), path, isHere: kind === current }
  })
  return tabLinks(t('Shown in the timeline'), links)
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
  if ('origin' in entry) return originEntry(entry.origin, view)
  if ('mention' in entry) return mentionEntry(entry.mention, view)
  const { described } = entry
  const isNoticed = described.change.activityId === noticed?.change.activityId
  return changeEntry(view, isNoticed ? { ...described, isUndoable: false } : described)
}

function changeEntry(view: PersonView, described: DescribedChange): Html {
  const { times } = view
  const { activityId, actor, at, isByAgent } = described.change
  const by = html`By ${authorName({ name: actor, isByAgent })} · ${times.ago(at)}`
  return html`<li id="${publicActivityId(activityId)}" class="change">
    <div>${changeLine(described, times.today, by)}</div>
    ${entryActions(publicActivityId(activityId), [
      undoButton(described, returnToOf(described, view)),
    ])}
    ${sign(isByAgent ? 'agents' : 'edit')}
  </li>`
}

/** Where an undo returns to: this page, unless the undo removes the connection. */
export function returnToOf(
  described: DescribedChange | undefined,
  view: Pick<PersonView, 'publicId' | 'view'>,
): ReturnTo {
  return described && TAKEN_AWAY.has(described.change.action) ? 'connections' : viewPath(view)
}

const TAKEN_AWAY = new Set(['connection.add', 'connections.restore'])

/** The last import, the first file, or the day on which the two of you connected. */
function originEntry(origin: TimelineOrigin, { times }: PersonView): Html {
  if ('connectedOn' in origin)
    return quietItem(
      origin.isOnLinkedIn ? html`Connected on LinkedIn` : html`Connected`,
      calendarDate(origin.connectedOn),
      'link',
    )
  if ('source' in origin)
    return quietItem(html`Imported from ${t(FILES[origin.source])}`, times.day(origin.at), 'import')
  const { jobId, filename, at } = origin
  const file = html`<a href="${jobPath(jobId)}"><bdi>${filename ?? t('a file')}</bdi></a>`
  return quietItem(html`Imported from ${file}`, times.ago(at), 'import')
}

function mentionEntry({ note, about, sentence }: MentioningNote, { times }: PersonView): Html {
  const { happenedOn, createdAt, noteId } = note
  const day = happenedOn === null ? times.ago(createdAt) : nearDay(happenedOn, times.today)
  const path = `${connectionPath(publicConnectionId(about.connectionId))}#${publicNoteId(noteId)}`
  const name = html`<a href="${path}"><bdi>${about.name}</bdi></a>`
  const said = html`<p><bdi>${sentence}</bdi></p>`
  return quietItem(html`Mentioned in a note about ${name}`, day, 'note', said)
}

function quietItem(title: Html, day: Html, kind: IconName, text = NOTHING): Html {
  return html`<li class="change">
    <div>
      <h3>${title}</h3>
      ${text}
      <small>${day}</small>
    </div>
    ${sign(kind)}
  </li>`
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
