/** The page "Follow-ups": overdue, due today and later, with buttons to complete them. */

import { publicConnectionId } from '../../connections/model/connection.ts'
import { publicFollowUpId } from '../../connections/follow-ups/follow-ups.ts'
import type { ListedFollowUp } from '../../connections/follow-ups/follow-up-list.ts'
import { formTokenField } from '../../html/form.ts'
import { NOTHING, html, type Html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { changeNotice } from '../activity/change-notice.ts'
import { recordedIn } from '../activity/subjects.ts'
import type { DescribedChange } from '../activity/described-change.ts'
import {
  COMPLETE_FOLLOW_UP_PATH,
  FOLLOW_UPS_PATH,
  connectionPath,
  entryPath,
} from '../../html/site-map.ts'
import { weekdayDate } from '../ui/calendar-date.ts'
import { editLink } from '../ui/edit-link.ts'
import type { Times } from '../ui/time.ts'
import { RECURRENCE_WORDS } from '../ui/recurrence.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'

interface FollowUpsView {
  readonly browser: SignedInRequest
  readonly times: Times
  /** Ordered by due date. */
  readonly followUps: readonly ListedFollowUp[]
  /** The cursor of the next page. */
  readonly next: string | undefined
  readonly isFirst: boolean
  /** The change just made. */
  readonly noticed: DescribedChange | undefined
}

export function followUpsPage({
  browser,
  times,
  followUps,
  noticed,
  ...pages
}: FollowUpsView): Answer {
  const { member, formToken } = browser
  const { today, timeZone } = times
  const notice = noticed
    ? changeNotice({ described: noticed, back: 'follow-ups', formToken }, nextIn(noticed))
    : ''
  const sections = SPANS.map((span) => {
    const within = followUps.filter(({ followUp }) => span.holds(followUp.dueOn, today))
    return within.length === 0 ? NOTHING : section(span, within, formToken)
  })
  return memberPage({
    title: 'Follow-ups',
    member,
    current: 'follow-ups',
    formToken,
    body: html`${notice} ${followUps.length === 0 ? NONE : sections} ${pageLinks(pages)}
      <p class="quiet">
        Days are in the time zone ${timeZone}. Your agents can see and change these follow-ups.
      </p>`,
  })
}

const NONE = html`<section class="panel" aria-label="No follow-ups">
  <p class="empty">
    No open follow-ups. Add one on a connection's page, or tell a connected agent: “Follow up with
    Grace in two weeks.”
  </p>
</section>`

interface Span {
  readonly id: string
  readonly title: string
  readonly tone: string
  holds(day: string, today: string): boolean
}

const SPANS: readonly Span[] = [
  { id: 'overdue', title: 'Overdue', tone: 'danger', holds: (day, today) => day < today },
  { id: 'today', title: 'Due today', tone: 'warning', holds: (day, today) => day === today },
  { id: 'later', title: 'Later', tone: '', holds: (day, today) => day > today },
]

function section(
  { id, title, tone }: Span,
  followUps: readonly ListedFollowUp[],
  formToken: string,
): Html {
  const items = followUps.map((listed) => item(listed, tone, formToken))
  return html`<section class="panel" aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    <ul class="items">
      ${items}
    </ul>
  </section>`
}

function item({ followUp, name }: ListedFollowUp, tone: string, formToken: string): Html {
  const { followUpId, text, dueOn, recurrence } = followUp
  const connectionId = publicConnectionId(followUp.connectionId)
  const path = connectionPath(connectionId)
  const id = publicFollowUpId(followUpId)
  const editPath = `${entryPath(connectionId, 'follow-ups', id)}?back=follow-ups`
  return html`<li id="${id}">
    <div>
      <h3>
        <a href="${path}"><bdi>${name}</bdi></a>
      </h3>
      <p><bdi>${text}</bdi></p>
      <small>
        <span class="badge ${tone}">${weekdayDate(dueOn)}</span> ${RECURRENCE_WORDS[recurrence]}
      </small>
    </div>
    <div class="actions">
      <form method="post" action="${COMPLETE_FOLLOW_UP_PATH}">
        ${formTokenField(formToken)}
        <button class="plain" name="follow_up_id" value="${id}">
          <span>Done<span class="unseen"> ${text}, ${name}</span></span>
        </button>
      </form>
      ${editLink(editPath, `${text}, ${name}`)}
    </div>
  </li>`
}

/** The next occurrence of the follow-up just completed. */
function nextIn({ change }: DescribedChange): Html {
  const { next } = recordedIn(change.after)
  const day = typeof next === 'object' && next !== null && 'due_on' in next && next.due_on
  return typeof day === 'string' ? html`Next due on ${weekdayDate(day)}.` : NOTHING
}

function pageLinks({ next, isFirst }: Pick<FollowUpsView, 'next' | 'isFirst'>): Html {
  if (next === undefined && isFirst) return NOTHING
  const first = isFirst
    ? ''
    : html`<a class="button plain" href="${FOLLOW_UPS_PATH}">First page</a>`
  const more = next === undefined ? '' : laterLink(next)
  return html`<div class="actions">${first} ${more}</div>`
}

function laterLink(cursor: string): Html {
  const path = `${FOLLOW_UPS_PATH}?cursor=${encodeURIComponent(cursor)}`
  return html`<a class="button plain" rel="next" href="${path}">Next page</a>`
}
