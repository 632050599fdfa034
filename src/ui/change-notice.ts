/** The notice after a change, with an undo button. The URL carries only the ID of the change, so a link cannot forge
 * its text. */

import { dayInZone } from '../dates/time-zone.ts'
import { formKeyField, hiddenField } from '../html/form.ts'
import { NOTHING, html, type Html } from '../html/html.ts'
import { publicActivityId } from '../tools/activity.ts'
import { weekdayDate } from './calendar-date.ts'
import { UNDO_PATH } from '../html/site-map.ts'
import type { ActivityItem } from '../tools/activity-log/activity-page.ts'
import type { ReturnTo } from './return-to.ts'
import type { SignedInRequest } from '../http/browser-request.ts'

/** `page`, which may end with a fragment, with the notice of this change; or only `page` if nothing changed. */
export function changeNoticePath(page: string, activityId: number | undefined): string {
  if (activityId === undefined) return page
  const [path = page, ...fragment] = page.split(/(?=#)/)
  const query = `${path.includes('?') ? '&' : '?'}change=${publicActivityId(activityId)}`
  return path + query + fragment.join('')
}

/** A change with its title, a fragment such as "Added Grace Hopper". */
export interface TitledChange {
  readonly change: ActivityItem
  readonly title: Html
  readonly isUndoable: boolean
}

/** The page that shows the notice. */
interface NoticePlace {
  readonly back: ReturnTo
  readonly browser: Pick<SignedInRequest, 'timeZone'>
}

/** At the bottom of the window, so that the page does not move. Empty without a change. `more` is a fragment with a complete sentence. */
export function changeNotice(
  described: TitledChange | undefined,
  { back, browser }: NoticePlace,
  more = NOTHING,
): Html {
  if (!described) return NOTHING
  return html`<div class="toast">
    <div class="notice success with-act" role="status">
      <p>${described.title}. ${more} ${pastDueDate(described, browser)}</p>
      ${undoButton(described, back)}
    </div>
  </div>`
}

/** A hint if a follow-up was planned for a day that is over. */
function pastDueDate(
  { change: { action, at, after } }: TitledChange,
  { timeZone }: Pick<SignedInRequest, 'timeZone'>,
): Html {
  const day = after && 'due_on' in after ? after.due_on : undefined
  const isPast =
    action === 'follow_up.set' && typeof day === 'string' && day < dayInZone(timeZone, at)
  return isPast ? html`${weekdayDate(day)} is in the past.` : NOTHING
}

/** A fragment; empty if the change cannot be undone. */
export function undoButton(described: TitledChange, back: ReturnTo): Html {
  return described.isUndoable ? undoForm(back, undoPress(described)) : NOTHING
}

/** A form around the buttons that undo changes. */
export function undoForm(back: ReturnTo, buttons: Html): Html {
  return html`<form method="post" action="${UNDO_PATH}">
    ${formKeyField()} ${hiddenField('back', back)} ${buttons}
  </form>`
}

/** The button of `undoButton`, for a form that has several. */
export function undoPress({ isUndoable, change, title }: TitledChange): Html {
  if (!isUndoable) return NOTHING
  return html`<button
    class="plain"
    name="activity_id"
    value="${publicActivityId(change.activityId)}"
  >
    <span>Undo<span class="unseen"> ${title}</span></span>
  </button>`
}
