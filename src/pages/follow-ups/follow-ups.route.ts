/** `/user/follow-ups`: a member's follow-ups, overdue, due today and later, with buttons to complete them. */

import { phrase, t } from '../../languages/message.ts'
import { type ListedFollowUp, listFollowUps } from '../../connections/follow-ups/follow-up-list.ts'
import {
  FOLLOW_UPS_PATH,
  USER_PATH,
  entryPath,
  COMPLETE_FOLLOW_UP_PATH,
} from '../../html/site-map.ts'
import { timesOf, type Times } from '../ui/time.ts'
import { nextOf, cursorOf, pager } from '../ui/pager.ts'
import { dueLine, followUpHeading } from '../ui/follow-up-due.ts'
import { changeNoticePath, changeNotice, readNoticed } from '../activity/change-notice.ts'
import { followUpPeople, publicFollowUpId } from '../../connections/follow-ups/follow-ups.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { formError, formKeyField, formTokenField } from '../../html/form.ts'
import { type PageDeps, pageRoute, formRoute, type PageRequest } from '../../forms/page-route.ts'
import { notFoundPage } from '../../html/message.page.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { attributes, type Html, html, NOTHING } from '../../html/html.ts'
import { moveForm } from '../person/entry-edit.ts'
import { FOLLOW_UP_ENTRY } from '../person/entry-forms.ts'
import { recordedIn } from '../activity/subjects.ts'
import { editLink, panel, itemList } from '../ui/sections.ts'
import { weekdayDate } from '../ui/calendar-date.ts'
import { memberPage } from '../../html/member-layout.ts'
import { markFollowUpComplete } from '../../connections/follow-ups/change-follow-ups.ts'
import { hasCode } from '../../base/request-error.ts'
import { invalidForm, type InvalidForm } from '../ui/invalid-form.ts'
import { NOTHING_TYPED } from '../../forms/field-errors.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import { changeManually, changeOnce } from '../ui/manual-change.ts'
import type { DescribedChange } from '../activity/described-change.ts'
import type { Route } from '../../http/route.ts'
import type { Undoer } from '../../tools/undo.ts'

export interface FollowUpDeps extends PageDeps {
  readonly undoers: readonly Undoer[]
}

const PAGE_SIZE = 50

export function followUpRoutes(deps: FollowUpDeps): Route[] {
  return [showRoute(deps), addRoute(deps), doneRoute(deps)]
}

function showRoute(deps: FollowUpDeps): Route {
  return pageRoute(deps, {
    path: FOLLOW_UPS_PATH,
    handle: (request) => showFollowUps(deps, request),
  })
}

/** Adds a to-do without a person. */
function addRoute(deps: FollowUpDeps): Route {
  const { controls, add } = FOLLOW_UP_ENTRY
  return formRoute(deps, {
    path: FOLLOW_UPS_PATH,
    async handle(request) {
      const { body, browser } = request
      const typed = Object.fromEntries(
        Object.entries(controls).map(([name, control]) => [name, body.get(control) ?? '']),
      )
      try {
        const activityId = await changeOnce(request, (changing) =>
          add({ ...changing, timeZone: browser.timeZone }, '', typed),
        )
        return seeOther(changeNoticePath(FOLLOW_UPS_PATH, activityId))
      } catch (error) {
        return showFollowUps(deps, request, invalidForm(error, controls, body))
      }
    },
  })
}

async function showFollowUps(
  deps: FollowUpDeps,
  { search, browser, db, now }: PageRequest,
  invalid?: InvalidForm,
): Promise<Answer> {
  const cursor = cursorOf(search)
  const page = await listFollowUps(db, { status: 'open' }, PAGE_SIZE, cursor)
  const { followUps } = page
  const noticed = await readNoticed(db, search, deps.undoers)
  const times = timesOf(browser, now)
  const next = nextOf(page, followUps.length)
  const sections = SPANS.map((span) => {
    const within = followUps.filter(({ followUp }) => span.holds(followUp.dueOn, times.today))
    const items = within.map((listed) => item(listed, times, browser.formToken))
    return items.length === 0 ? NOTHING : panel(span.id, t(span.title), itemList(items))
  })
  return memberPage({
    title: t('Follow-ups'),
    browser,
    current: 'follow-ups',
    status: invalid?.status ?? 200,
    body: html`${changeNotice(noticed, { back: 'follow-ups', browser }, nextIn(noticed))}
      ${addPanel(browser, invalid)} ${followUps.length === 0 ? nonePanel() : sections}
      ${pager({ path: FOLLOW_UPS_PATH, cursor, next })}
      <p class="quiet">
        Days and times are in the time zone ${times.timeZone}. Your agents can see and change these
        follow-ups.
      </p>`,
  })
}

function addPanel(browser: SignedInRequest, invalid: InvalidForm | undefined): Html {
  return html`<section class="panel composer" aria-label="Add a to-do">
    <details ${attributes({ id: 'add', open: invalid !== undefined })}>
      <summary>Add a to-do</summary>
      ${formError(invalid?.problem)}
      <form method="post" action="${FOLLOW_UPS_PATH}">
        ${formTokenField(browser.formToken)} ${formKeyField()}
        ${FOLLOW_UP_ENTRY.fields(invalid ?? NOTHING_TYPED)}
        <div class="actions"><button>Add to-do</button></div>
      </form>
    </details>
  </section>`
}

function nonePanel(): Html {
  return html`<section class="panel" aria-label="No follow-ups">
    <p class="empty">
      No open follow-ups. Add one here or on a connection's page, or tell a connected agent: “Follow
      up with Grace in two weeks.”
    </p>
  </section>`
}

interface Span {
  readonly id: string
  readonly title: string
  holds(day: string, today: string): boolean
}

const SPANS: readonly Span[] = [
  { id: 'overdue', title: phrase('Overdue'), holds: (day, today) => day < today },
  {
    id: 'today',
    title: phrase('Due today'),
    holds: (day, today) => day === today,
  },
  { id: 'later', title: phrase('Later'), holds: (day, today) => day > today },
]

function item({ followUp, name }: ListedFollowUp, times: Times, formToken: string): Html {
  const { followUpId, text } = followUp
  const connectionId = followUpPeople(followUp).map(publicConnectionId).join('')
  const what = name === null ? text : `${text}, ${name}`
  const id = publicFollowUpId(followUpId)
  const editPath = `${entryPath(connectionId, 'follow-ups', id)}?back=follow-ups`
  const place = { id: connectionId, entry_id: id, back: 'follow-ups', view: '' }
  return html`<li id="${id}">
    <div>${followUpHeading({ followUp, name })} ${dueLine(followUp, times)}</div>
    <div class="actions">
      <form method="post" action="${COMPLETE_FOLLOW_UP_PATH}">
        ${formTokenField(formToken)}
        <button class="plain" name="follow_up_id" value="${id}">
          <span>Done<span class="unseen"> ${what}</span></span>
        </button>
      </form>
      ${moveForm({ place, browser: { formToken } }, what)} ${editLink(editPath, what)}
    </div>
  </li>`
}

/** The next occurrence of the follow-up just completed. */
function nextIn(noticed: DescribedChange | undefined): Html {
  const { next } = recordedIn(noticed?.change.after ?? null)
  const day = typeof next === 'object' && next !== null && 'due_on' in next && next.due_on
  return typeof day === 'string' ? html`Next due on ${weekdayDate(day)}.` : NOTHING
}

function doneRoute(deps: FollowUpDeps): Route {
  return formRoute(deps, {
    path: COMPLETE_FOLLOW_UP_PATH,
    async handle(request) {
      const { body, browser } = request
      const id = body.get('follow_up_id') ?? ''
      try {
        const { activityId } = await changeManually(request, (changing) =>
          markFollowUpComplete(changing, id, browser.timeZone),
        )
        // A follow-up that was already done, as by a double click, shows no notice.
        const back = body.get('back') === 'home' ? USER_PATH : FOLLOW_UPS_PATH
        return seeOther(changeNoticePath(back, activityId))
      } catch (error) {
        if (!hasCode(error, 'not_found')) throw error
        return notFoundPage(
          t('Follow-up not found'),
          t('It may have been undone since you loaded the page. No changes were made.'),
          { href: FOLLOW_UPS_PATH, label: t('Back to follow-ups') },
        )
      }
    },
  })
}
