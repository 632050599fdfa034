/** `/user/follow-ups`: all open follow-ups, overdue, due today and later, and the forms that add and complete them. */

import { phrase, t } from '../../languages/message.ts'
import { daysLater } from '../../dates/calendar-day.ts'
import { countDays } from '../../connections/briefing/count-days.ts'
import { completeFollowUp } from '../../connections/follow-ups/change-follow-ups.ts'
import { listFollowUps } from '../../connections/follow-ups/follow-up-list.ts'
import { type PageDeps, pageRoute, formRoute, type PageRequest } from '../../forms/page-route.ts'
import { formError } from '../../html/form.ts'
import { type Html, html, NOTHING } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { notFoundPage } from '../../html/message.page.ts'
import { COMPLETE_FOLLOW_UP_PATH, FOLLOW_UPS_PATH } from '../../html/site-map.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { changeNoticePath } from '../../ui/change-notice.ts'
import { todayPathIn } from '../../ui/return-to.ts'
import { addFollowUp, type ShownReading } from './add-follow-up.ts'
import { numberText } from '../../ui/numbers.ts'
import type { InvalidForm } from '../../ui/invalid-form.ts'
import { changeManually } from '../../ui/manual-change.ts'
import { cursorOf, nextOf, pager } from '../../ui/pager.ts'
import { timesOf } from '../../ui/time.ts'
import { daySwitch, shownDays } from './day-switch.ts'
import { loggable, openLog } from './log-form.ts'
import { noticeOf } from './today-notice.ts'
import { followUpRow } from '../../connections/follow-ups/follow-up-row.page.ts'
import { section } from './today-section.ts'
import type { Route } from '../../http/route.ts'
import type { TaskPage } from '../../ui/task-row.ts'
import type { Undoer } from '../../tools/undo.ts'

export interface FollowUpDeps extends PageDeps {
  readonly undoers: readonly Undoer[]
}

const PAGE_SIZE = 50

/** The list, and the buttons that complete a follow-up. */
export function followUpRoutes(deps: FollowUpDeps): Route[] {
  return [showRoute(deps), doneRoute(deps)]
}

function showRoute(deps: FollowUpDeps): Route {
  return pageRoute(deps, {
    path: FOLLOW_UPS_PATH,
    handle: (request) => showFollowUps(deps, request),
  })
}

/** What was not saved: a new follow-up with what was read from it, or a contact in one of the rows. */
export interface Rejected {
  readonly added?: InvalidForm
  readonly reading?: ShownReading
  readonly log?: InvalidForm
}

export async function showFollowUps(
  deps: FollowUpDeps,
  { search, browser, db, now }: Pick<PageRequest, 'search' | 'browser' | 'db' | 'now'>,
  { added, reading, log: invalid }: Rejected = {},
): Promise<Answer> {
  const cursor = cursorOf(search)
  const times = timesOf(browser, now)
  const { today } = times
  const [page, days] = await Promise.all([
    listFollowUps(db, { status: 'open' }, PAGE_SIZE, cursor),
    countDays(db, shownDays(today, times)),
  ])
  const { entries: followUps } = page
  const query = new URLSearchParams(search)
  const [key, edit] = [query.get('log'), query.get('edit')]
  const back = FOLLOW_UPS_PATH
  const [log, notice] = await Promise.all([
    openLog(db, loggable(followUps), { key, browser, times, back, invalid }),
    noticeOf(deps, { search, browser, db }, FOLLOW_UPS_PATH),
  ])
  const shown: TaskPage = { browser, times, back, log, edit }
  const next = nextOf(page, followUps.length)
  const isWhole = cursor === undefined && next === undefined
  const sections = SPANS.map((span, at) => {
    const { id, title } = span
    const [from, to] = [SPANS[at - 1]?.until(today) ?? '', span.until(today)]
    const rows = followUps
      .filter(({ followUp: { dueOn } }) => dueOn > from && dueOn <= to)
      .map((one) => followUpRow(one, shown))
    if (rows.length === 0) return NOTHING
    const count = isWhole && html` <small>${numberText(rows.length)}</small>`
    return section(id, html`${t(title)}${count}`, { rows })
  })
  return memberPage({
    title: t('Follow-ups'),
    browser,
    current: 'home',
    status: (added ?? invalid)?.status ?? 200,
    actions: daySwitch({ days, current: undefined, today }),
    body: html`<div class="today" data-swap>
      ${log ? NOTHING : formError(invalid?.problem)}
      <ul class="tasks">
        ${addFollowUp(shown, added, reading)}
      </ul>
      ${followUps.length === 0 ? nonePanel() : sections}
      ${pager({ path: FOLLOW_UPS_PATH, cursor, next })} ${notice}
    </div>`,
  })
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
  /** Its last day, YYYY-MM-DD. It begins after the one before. */
  until(today: string): string
}

const SPANS: readonly Span[] = [
  { id: 'overdue', title: phrase('Overdue'), until: (today) => daysLater(today, -1) },
  { id: 'today', title: phrase('Due today'), until: (today) => today },
  { id: 'week', title: phrase('Next 7 days'), until: (today) => daysLater(today, 7) },
  { id: 'later', title: phrase('Later'), until: () => '9999-12-31' },
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
