/** One change in a list: action, actor, time, values before and after, and the undo button. */

import { phrase, t } from '../../languages/message.ts'
import { NOTHING, html, type Html } from '../../html/html.ts'
import { UNDO_SINCE_PATH } from '../../html/site-map.ts'
import { publicActivityId } from '../../tools/activity.ts'
import { actorName } from './author.ts'
import { confirmButton } from '../ui/confirm-button.ts'
import { undoButton, type UndoButton } from './change-notice.ts'
import { countOf } from '../ui/numbers.ts'
import { table } from '../ui/sections.ts'
import type { Times } from '../ui/time.ts'
import type { ChangedValues } from './changed-values.ts'

interface ChangeItem extends UndoButton {
  /** The heading level. */
  readonly level: 2 | 3
  readonly times: Times
  /** Changes by the same agent from this one on; undefined if they cannot be undone together. */
  readonly since?: number | undefined
}

export function changeItem({ level, times, since, ...button }: ChangeItem): Html {
  const { described } = button
  const { actor, at, undoneBy, isByAgent } = described.change
  const undone = undoneBy === undefined ? '' : html`<span class="badge">undone</span>`
  const title = html`${described.heading} ${undone}`
  return html`<li>
    <div>
      ${level === 2 ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`}
      <small>By ${actorName({ name: actor, isByAgent })} · ${times.ago(at)}</small>
      ${changeDetails(described.changed)}
    </div>
    <div class="actions">
      ${undoButton(button)} ${since === undefined ? NOTHING : undoSinceButton(button, since)}
    </div>
  </li>`
}

function undoSinceButton({ described: { change }, browser }: UndoButton, count: number): Html {
  return confirmButton({
    verb: t('Undo this and later changes by'),
    label: t('Undo since here'),
    name: change.actor,
    text: t('Undoes {count} by this agent. If one cannot be undone, none is.', {
      count: countOf(count, 'change'),
    }),
    action: UNDO_SINCE_PATH,
    field: 'activity_id',
    id: publicActivityId(change.activityId),
    formToken: browser.formToken,
  })
}

/** A table that is closed at first; nothing without values. Empty columns are omitted, such as "Before" for an addition. */
export function changeDetails({ values, more }: ChangedValues): Html {
  const columns = COLUMNS.filter(({ field }) => values.some((value) => value[field] !== undefined))
  if (values.length === 0) return NOTHING
  const rows = values.map((value) => {
    const cells = columns.map(({ field }) => html`<td>${valueOf(value[field])}</td>`)
    return html`<tr>
      ${cells}
    </tr>`
  })
  const titles = columns.map(({ title }) => t(title))
  return html`<details>
    <summary><small>Details</small></summary>
    ${table(titles, rows, 'values')}
    ${more === 0 ? '' : html`<small>And ${countOf(more, 'value')} more.</small>`}
  </details>`
}

const COLUMNS = [
  { field: 'whose', title: phrase('Connection') },
  { field: 'label', title: phrase('Field') },
  { field: 'before', title: phrase('Before') },
  { field: 'after', title: phrase('After') },
] as const

function valueOf(text: string | undefined): Html {
  return text === undefined ? html`<span class="quiet">empty</span>` : html`<bdi>${text}</bdi>`
}
