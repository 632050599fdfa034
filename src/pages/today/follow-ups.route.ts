/** `/user/follow-ups`: all open follow-ups, overdue, due today and later, and the forms that add and complete them. */

import { phrase, t } from '../../languages/message.ts'
import { countDays } from '../../connections/briefing/count-days.ts'
import { completeFollowUp } from '../../connections/follow-ups/change-follow-ups.ts'
import { listFollowUps } from '../../connections/follow-ups/follow-up-list.ts'
import { NOTHING_TYPED } from '../../forms/field-errors.ts'
import { type PageDeps, pageRoute, formRoute, type PageRequest } from '../../forms/page-route.ts'
import { formError, formKeyField } from '../../html/form.ts'
import { attributes, type Html, html, NOTHING } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { notFoundPage } from '../../html/message.page.ts'
import { COMPLETE_FOLLOW_UP_PATH, FOLLOW_UPS_PATH } from '../../html/site-map.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { changeNoticePath } from '../../ui/change-notice.ts'
import { todayPathIn } from '../../ui/return-to.ts'
import { FOLLOW_UP_ENTRY } from '../../connections/follow-ups/follow-up-form.page.ts'
import { invalidForm, type InvalidForm } from '../../ui/invalid-form.ts'
import { changeManually, changeOnce } from '../../ui/manual-change.ts'
import { cursorOf, nextOf, pager } from '../../ui/pager.ts'
import { timesOf } from '../../ui/time.ts'
import { daySwitch, shownDays } from './day-switch.ts'
import { loggable, openLog } from './log-form.ts'
import { noticeOf } from './today-notice.ts'
import { followUpRow } from '../../connections/follow-ups/follow-up-row.page.ts'
import { section } from './today-section.ts'
import { typedIn } from '../../ui/entry-form.ts'
import type { Route } from '../../http/route.ts'
import type { TaskPage } from '../../ui/task-row.ts'
import type { Undoer } from '../../tools/undo.ts'

export interface FollowUpDeps extends PageDeps {
  readonly undoers: readonly Undoer[]
}

const PAGE_SIZE = 50

/** The list, the form that adds one without a person, and the buttons that complete a follow-up. */
export function followUpRoutes(deps: FollowUpDeps): Route[] {
  return [showRoute(deps), addRoute(deps), doneRoute(deps)]
}

function showRoute(deps: FollowUpDeps): Route {
  return pageRoute(deps, {
    path: FOLLOW_UPS_PATH,
    handle: (request) => showFollowUps(deps, request),
  })
}

/** Adds a follow-up without a person. */
function addRoute(deps: FollowUpDeps): Route {
  const { controls, add } = FOLLOW_UP_ENTRY
  return formRoute(deps, {
    path: FOLLOW_UPS_PATH,
    async handle(request) {
      const { body, browser } = request
      const typed = typedIn(FOLLOW_UP_ENTRY, body)
      try {
        const activityId = await changeOnce(request, (changing) =>
          add({ ...changing, timeZone: browser.timeZone }, '', typed),
        )
        return seeOther(changeNoticePath(FOLLOW_UPS_PATH, activityId))
      } catch (error) {
        return showFollowUps(deps, request, { added: invalidForm(error, controls, body) })
      }
    },
  })
}

/** What was rejected: a new follow-up, or a contact in one of the rows. */
interface Rejected {
  readonly added?: InvalidForm
  readonly log?: InvalidForm
}

export async function showFollowUps(
  deps: FollowUpDeps,
  { search, browser, db, now }: Pick<PageRequest, 'search' | 'browser' | 'db' | 'now'>,
  { added, log: invalid }: Rejected = {},
): Promise<Answer> {
  const cursor = cursorOf(search)
  const times = timesOf(browser, now)
  const { today } = times
  const [page, days] = await Promise.all([
    listFollowUps(db, { status: 'open' }, PAGE_SIZE, cursor),
    countDays(db, shownDays(today, times)),
  ])
  const { entries: followUps } = page
  const key = new URLSearchParams(search).get('log')
  const back = FOLLOW_UPS_PATH
  const [log, notice] = await Promise.all([
    openLog(db, loggable(followUps), { key, browser, times, back, invalid }),
    noticeOf(deps, { search, browser, db }, FOLLOW_UPS_PATH),
  ])
  const shown: TaskPage = { browser, times, back, log }
  const sections = SPANS.map((span) => {
    const rows = followUps
      .filter(({ followUp }) => span.holds(followUp.dueOn, today))
      .map((one) => followUpRow(one, shown))
    return rows.length === 0 ? NOTHING : section(span.id, html`${t(span.title)}`, { rows })
  })
  return memberPage({
    title: t('Follow-ups'),
    browser,
    current: 'home',
    status: (added ?? invalid)?.status ?? 200,
    actions: daySwitch({ days, current: undefined, today }),
    body: html`<div class="today" data-swap>
      ${log ? NOTHING : formError(invalid?.problem)} ${addPanel(added)}
      ${followUps.length === 0 ? nonePanel() : sections}
      ${pager({ path: FOLLOW_UPS_PATH, cursor, next: nextOf(page, followUps.length) })}
      <p class="quiet">
        Days and times are in the time zone ${times.timeZone}. Your agents can see and change these
        follow-ups.
      </p>
      ${notice}
    </div>`,
  })
}

function addPanel(invalid: InvalidForm | undefined): Html {
  return html`<section class="composer" aria-label="Add follow-up">
    <details ${attributes({ id: 'add-to-do', open: invalid !== undefined })}>
      <summary>Add follow-up</summary>
      ${formError(invalid?.problem)}
      <form method="post" action="${FOLLOW_UPS_PATH}">
        ${formKeyField()} ${FOLLOW_UP_ENTRY.fields(invalid ?? NOTHING_TYPED)}
        <div class="actions"><button>Add follow-up</button></div>
      </form>
    </details>
  </section>`
}

function nonePanel(): Html {
  return html`<p class="empty">
    No open follow-ups. Add one here or on a person's page, or tell a connected agent: “Follow up
    with Grace in two weeks.”
  </p>`
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

function doneRoute(deps: FollowUpDeps): Route {
  return formRoute(deps, {
    path: COMPLETE_FOLLOW_UP_PATH,
    gone: () =>
      notFoundPage(
        t('Follow-up not found'),
        t('It may have been undone since you loaded the page. No changes were made.'),
        { href: FOLLOW_UPS_PATH, label: t('Back to follow-ups') },
      ),
    async handle(request) {
      const { body, browser } = request
      const id = body.get('follow_up_id') ?? ''
      const activityId = await changeManually(request, (changing) =>
        completeFollowUp(changing, id, browser.timeZone),
      )
      // A follow-up that was already done, as by a double click, shows no notice.
      const back = todayPathIn(body.get('back')) ?? FOLLOW_UPS_PATH
      return seeOther(changeNoticePath(back, activityId))
    },
  })
}
