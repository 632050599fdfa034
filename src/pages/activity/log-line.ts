/** One line of the log: who, what, whose faces and how long, with the values and the undo button. */

import { t } from '../../languages/message.ts'
import { rfc3339 } from '../../base/clock.ts'
import { icon } from '../../html/icon.ts'
import { NOTHING, html, joinHtml, type Html } from '../../html/html.ts'
import { UNDO_SINCE_PATH, connectionPath } from '../../html/site-map.ts'
import { COMMAND_LINE } from '../../tools/security-events.ts'
import { publicActivityId } from '../../tools/activity.ts'
import { readConnectionId, type Connection } from '../../connections/model/connection.ts'
import { confirmButton } from '../../ui/confirm-button.ts'
import { face, hueOf } from '../../html/face.ts'
import { countOf, numberText } from '../../ui/numbers.ts'
import { recordedIn } from './change-subjects.ts'
import { undoButton, undoForm, undoPress } from '../../ui/change-notice.ts'
import { valueList } from './change-details.ts'
import { betweenAuthorAndSentence, type DescribedChange } from './described-change.ts'
import { listed } from '../../ui/listed.ts'
import type { ReturnTo } from '../../ui/return-to.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { ActivityAction } from '../../tools/activity-action.ts'
import type { LogDay, LogGroup } from './changes-by-day.ts'
import type { Times } from '../../ui/time.ts'

export interface LogView {
  readonly browser: SignedInRequest
  readonly back: ReturnTo
  readonly times: Times
  /** The connections that are not deleted, by public ID. */
  readonly people: ReadonlyMap<string, Pick<Connection, 'name' | 'details'>>
  /** For each change of an agent, how many an undo of it and the later ones would undo. */
  readonly since: ReadonlyMap<number, number>
}

/** A day with its lines. A day that another page continues has no count. */
export function logDay(
  { day, title, count, groups }: LogDay,
  view: LogView,
  isWhole: boolean,
): Html {
  return html`<section class="log" aria-labelledby="day-${day}">
    <h2 id="day-${day}">
      ${title} ${isWhole ? html`<small>${countOf(count, 'change')}</small>` : NOTHING}
    </h2>
    <ol class="lines">
      ${groups.map((group) => logLine(group, view))}
    </ol>
  </section>`
}

function logLine(group: LogGroup, view: LogView): Html {
  const { changes, time } = group
  const [latest] = changes
  const { at, undoneBy } = latest.change
  const more = content(group, view)
  const line = html`<time datetime="${rfc3339(at)}" title="${view.times.longDay(at)}, ${time}"
      >${time}</time
    >
    ${authorSign(latest)}
    <span class="what"
      >${sentence(group, view)}
      ${undoneBy === undefined ? NOTHING : html`<span class="badge">undone</span>`}</span
    >
    ${faces(group, view)}`
  return html`<li>
    ${
      more === NOTHING
        ? html`<div class="line">${line}</div>`
        : html`<details>
            <summary class="line">${line}</summary>
            <div class="more">${more}</div>
          </details>`
    }
    ${undoAll(group, view)}
  </li>`
}

/** A sentence such as `Claude changed Grace Hopper`. */
function sentence({ changes }: LogGroup, view: LogView): Html {
  const [latest, ...others] = changes
  const { change, title } = latest
  const imported = others.length === 0 ? importSentence(latest) : undefined
  if (imported) return imported
  const who = isOwn(latest, view) ? html`You` : html`<bdi>${actorName(change)}</bdi>`
  if (OF_THE_ACCOUNT.has(change.action)) return html`<b>${who}</b> · ${title}`
  const what =
    others.length === 0 ? latest.sentence : latest.sentenceOf(changes, subjects(changes, view))
  return html`<b>${who}</b>${betweenAuthorAndSentence()}${what}`
}

/** What an admin did to the account is a sentence of its own. */
const OF_THE_ACCOUNT: ReadonlySet<string> = new Set<ActivityAction>([
  'account.disable',
  'account.enable',
  'account.promote',
  'account.demote',
  'account.reset_link',
])

/** The name of an author that is no one. */
function actorName({ actor, isByAgent }: DescribedChange['change']): string {
  return !isByAgent && actor === COMMAND_LINE ? t(COMMAND_LINE) : actor
}

/** The member, who is the actor by name: an agent that calls itself the same is still an agent. */
function isOwn({ change }: DescribedChange, { browser }: LogView): boolean {
  return !change.isByAgent && change.actor === browser.member.name
}

/** `phone.vcf brought 12 people and changed 18` */
function importSentence({ change }: DescribedChange): Html | undefined {
  const { filename, created, updated } = recordedIn(change.after)
  if (change.action !== 'connections.import' || typeof filename !== 'string') return undefined
  const count = (value: unknown) => (typeof value === 'number' ? value : 0)
  const by = change.isByAgent ? html`<small>by <bdi>${change.actor}</bdi></small>` : NOTHING
  const counts = { created: count(created), updated: count(updated) }
  const brought =
    counts.updated === 0
      ? t('brought {created, plural, one {# person} other {# people}}', counts)
      : counts.created === 0
        ? t('changed {updated, plural, one {# person} other {# people}}', counts)
        : t(
            'brought {created, plural, one {# person} other {# people}} and changed {updated}',
            counts,
          )
  return html`<b><bdi>${filename}</bdi></b> ${brought} ${by}`
}

/** Up to three names, one and a few others, or a number; undefined for changes that are not about people. */
function subjects(changes: readonly DescribedChange[], { people }: LogView): Html | undefined {
  const ids = [...new Set(changes.flatMap((one) => one.people))]
  if (ids.length === 0) return undefined
  const named = ids.flatMap((id) => people.get(id)?.name ?? [])
  const shown = named.slice(0, ids.length > MAX_NAMED ? 1 : MAX_NAMED)
  const others = ids.length - shown.length
  if (shown.length === 0 || others > MAX_OTHERS) return html`${ids.length} people`
  const names = shown.map((name) => html`<bdi>${name}</bdi>`)
  return listed(others === 0 ? names : [...names, html`${countOf(others, 'other')}`])
}

const [MAX_NAMED, MAX_OTHERS] = [3, 9]

function authorSign({ change }: DescribedChange): Html {
  const { action, actor, isByAgent } = change
  if (action === 'connections.import')
    return html`<span class="sign import">${icon('import')}</span>`
  if (isByAgent)
    return html`<span class="sign hue-${hueOf(actor)}"
      >${icon('agents')}<span class="unseen">Agent</span></span
    >`
  return face({ name: actor })
}

const MAX_FACES = 4

/** Decorative: the names are in the line, or in what it opens. */
function faces({ changes }: LogGroup, { people }: LogView): Html {
  const ids = [...new Set(changes.flatMap((one) => one.people))]
  const known = ids.filter((id) => people.has(id)).slice(0, MAX_FACES)
  if (known.length === 0) return html`<span class="faces"></span>`
  const more = ids.length - known.length
  return html`<span class="faces" aria-hidden="true"
    >${known.map((id) => {
      const one = people.get(id)
      return one ? face({ name: one.name, photo: one.details.photo }) : NOTHING
    })}${more > 0 ? html`<small>+${numberText(more)}</small>` : NOTHING}</span
  >`
}

/** Values of each change of a group. */
const MAX_VALUES = 6

/** What the line opens: the values of one change, or each change of several. */
function content(group: LogGroup, view: LogView): Html {
  const { changes } = group
  const [only, ...others] = changes
  if (others.length === 0) {
    const since = undoSince(group, view)
    const values = valueList(only.changed)
    const pages = pagesOf(only, view)
    return [values, since, pages].every((part) => part === NOTHING)
      ? NOTHING
      : html`${values} ${pages} ${since}`
  }
  const items = changes.map(
    (described) =>
      html`<li>
        <p>${described.heading} <small>${view.times.time(described.change.at)}</small></p>
        ${valueList(described.changed, MAX_VALUES)} ${undoPress(described)}
      </li>`,
  )
  const list = html`<ol>
    ${items}
  </ol>`
  return html`${undoForm(view.back, list)} ${undoSince(group, view)}`
}

/** Links to the first people of a change: a summary cannot have links. */
function pagesOf({ people: ids }: DescribedChange, { people }: LogView): Html {
  const links = ids.slice(0, MAX_PAGES).flatMap((id) => {
    const name = people.get(id)?.name
    return name === undefined ? [] : [html`<a href="${connectionPath(id)}"><bdi>${name}</bdi></a>`]
  })
  return links.length === 0 ? NOTHING : html`<p class="pages">${joinHtml(links, ', ')}</p>`
}

const MAX_PAGES = 8

function undoAll({ changes }: LogGroup, { back }: LogView): Html {
  const able = changes.filter(({ isUndoable }) => isUndoable)
  const [first] = able
  if (!first) return NOTHING
  if (changes.length === 1) return undoButton(first, back)
  const ids = able.map(({ change }) => publicActivityId(change.activityId)).join(' ')
  const button = html`<button class="plain" name="activity_id" value="${ids}">
    <span>Undo all<span class="unseen"> ${countOf(able.length, 'change')}</span></span>
  </button>`
  return undoForm(back, button)
}

/** Undoes also what the agent changed later in other lines. */
function undoSince({ changes }: LogGroup, { since }: LogView): Html {
  const oldest = (changes.at(-1) ?? changes[0]).change
  const count = since.get(oldest.activityId) ?? 0
  if (count <= changes.length) return NOTHING
  return confirmButton({
    verb: t('Undo this and later changes by'),
    label: t('Undo since here'),
    name: oldest.actor,
    text: t('Undoes {count} by this agent. If one cannot be undone, none is.', {
      count: countOf(count, 'change'),
    }),
    action: UNDO_SINCE_PATH,
    field: 'activity_id',
    id: publicActivityId(oldest.activityId),
  })
}

/** The public IDs of the people whose faces a log can show. */
export function faceIdsIn(days: readonly LogDay[]): readonly number[] {
  const shown = days.flatMap(({ groups }) =>
    groups.flatMap(({ changes }) => {
      const ids = [...new Set(changes.flatMap(({ people }) => people))]
      // A few more than faces, because some may be deleted.
      return ids.slice(0, 2 * MAX_FACES)
    }),
  )
  return [...new Set(shown)].flatMap((id) => readConnectionId(id) ?? [])
}
