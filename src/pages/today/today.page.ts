/** The page *Today*: what a day asks for, and on the first day what to begin with. */

import { nameLink } from '../../connections/person/person-link.page.ts'
import { t } from '../../languages/message.ts'
import { perLanguage } from '../../languages/language.ts'
import { dateFormatter, dateText } from '../../dates/format-date.ts'
import { formError } from '../../html/form.ts'
import { html, joinHtml, NOTHING, type Html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { FOLLOW_UPS_PATH } from '../../html/site-map.ts'
import { countOf, numberText } from '../../ui/numbers.ts'
import { face } from '../../html/face.ts'
import { columnChart } from '../../ui/charts.ts'
import { listPath } from '../../connections/people/list-path.page.ts'
import { agentSection } from './agent-lines.ts'
import { birthdaySection } from './birthday-list.ts'
import { daySwitch } from './day-switch.ts'
import { addFollowUp, type ShownReading } from './add-follow-up.ts'
import { comingUp, nextContacts, type Coming } from './coming-up.ts'
import { keepingUp } from './keeping-up.ts'
import { meetingRow } from './meeting-row.ts'
import { section, listSection } from './today-section.ts'
import { followUpRow } from '../../connections/follow-ups/follow-up-row.page.ts'
import { reconnectRow } from '../../connections/cadence/reconnect-row.page.ts'
import type { TaskPage } from '../../ui/task-row.ts'
import type { InvalidForm } from '../../ui/invalid-form.ts'
import type { KeptCounts, KeptPerson } from '../../connections/cadence/kept-people.ts'
import type { DueCounts } from '../../connections/briefing/count-days.ts'
import type { DayBriefing } from '../../connections/briefing/day-briefing.ts'
import type { ValueCount } from '../../search/index/count-values.ts'
import type { Answer } from '../../http/response.ts'
import type { AgentChanges } from '../activity/agent-changes.ts'

export interface TodayView extends TaskPage {
  /** YYYY-MM-DD */
  readonly day: string
  readonly days: readonly { readonly day: string; readonly count: number }[]
  readonly briefing: DayBriefing
  /** How much is due; the briefing has the first. */
  readonly due: DueCounts
  /** Contacts of the last weeks, by the Monday of each. */
  readonly weeks: readonly ValueCount[]
  readonly agents: readonly AgentChanges[]
  /** Undefined if the member has joined since. */
  readonly visitedAt: number | undefined
  /** A notice about the last change. */
  readonly notice: Html
  readonly status: number
  /** Why a contact was not logged, if its row is gone. */
  readonly problem: string | undefined
  /** Longest due first. */
  readonly kept: readonly KeptPerson[]
  readonly coming: Coming
  /** A follow-up that was rejected. */
  readonly added: InvalidForm | undefined
  readonly reading: ShownReading | undefined
  readonly keptCounts: KeptCounts
  /** Steps of the first day that are not done, after it. */
  readonly unfinished: Html
  /** What the first day shows above and beside the rest. */
  readonly firstDay:
    | (Readonly<Record<'heading' | 'summary' | 'steps' | 'main', Html>> & {
        readonly side: readonly Html[]
      })
    | undefined
}

export function todayPage(view: TodayView): Answer {
  const { browser, day, days, times, firstDay, notice } = view
  const date = DATE().format(Date.parse(day))
  const heading = firstDay?.heading ?? html`<time datetime="${day}">${date}</time>`
  const isEmptyWeek = firstDay !== undefined && days.every(({ count }) => count === 0)
  const { briefing } = view
  const isToday = day === times.today
  const ofDay = briefing.birthdays.filter(({ on }) => on === day)
  const sections = html`${meetings(view)}
  ${isToday ? NOTHING : birthdaySection(ofDay, t('Birthdays'), { day, times })} ${followUps(view)}
  ${reconnects(view)} ${firstDay?.main ?? ahead(view)}
  ${agentSection(view.agents, view.visitedAt, view)}`
  const kept = keepingUp(view.kept, view.keptCounts, times.today)
  const birthdays = birthdaySection(briefing.birthdays, t('Birthdays'), { day, times })
  const besides = isToday ? [birthdays, jobChanges(view), contacts(view), kept] : []
  const side = firstDay ? [...firstDay.side, jobChanges(view)] : besides
  return memberPage({
    title: isToday ? t('Today') : date,
    heading,
    browser,
    current: 'home',
    status: view.status,
    actions: isEmptyWeek ? NOTHING : daySwitch({ days, current: day, today: times.today }),
    body: html`<div class="today" data-swap>
      ${firstDay?.summary === NOTHING ? NOTHING : html`<p class="summary">${firstDay?.summary ?? summary(view)}</p>`}
      ${firstDay?.steps ?? view.unfinished} ${formError(view.problem)}
      <div class="parts">
        <div>${sections}</div>
        ${side.every((one) => one === NOTHING) ? NOTHING : html`<aside aria-label="${t('Birthdays and more')}">${side}</aside>`}
      </div>
      ${notice}
    </div>`,
  })
}

/** `3 meetings, 5 follow-ups, 4 people to contact` */
function summary({ briefing, day, times, due }: TodayView): string {
  const { meetings: met } = briefing
  const parts = [
    met.length > 0 && countOf(met.length, 'meeting'),
    due.followUps > 0 && countOf(due.followUps, 'follow-up'),
    due.people > 0 &&
      t('{count, plural, one {# person to contact} other {# people to contact}}', {
        count: due.people,
      }),
    birthdayText(briefing.birthdays.filter(({ on }) => on === day)),
  ].filter((part) => part !== false)
  const [first, ...others] = parts
  if (first !== undefined)
    return (
      [first.charAt(0).toLocaleUpperCase(), first.slice(1)].join('') +
      others.map((one) => `, ${one}`).join('')
    )
  return day === times.today ? t('Nothing is due today.') : t('Nothing is due on this day.')
}

function birthdayText([first, ...others]: DayBriefing['birthdays']): string | false {
  if (!first) return false
  const count = others.length + 1
  return count === 1
    ? t('birthday of {name}', { name: first.connection.name })
    : t('{count, plural, one {# birthday} other {# birthdays}}', { count })
}

function meetings(view: TodayView): Html {
  const items = view.briefing.meetings.map((one) => meetingRow(one, view))
  if (items.length === 0) return NOTHING
  return html`<section aria-labelledby="meetings">
    <h2 id="meetings" class="unseen">Meetings</h2>
    <ul class="meetings">
      ${items}
    </ul>
  </section>`
}

function followUps(view: TodayView): Html {
  const { followUps: rows, hasMoreFollowUps } = view.briefing
  const isAdding = view.day === view.times.today && !view.firstDay
  const add = isAdding ? [addFollowUp(view, view.added, view.reading)] : []
  const items = [...rows.map((one) => followUpRow(one, view)), ...add]
  if (items.length === 0) return NOTHING
  const more = hasMoreFollowUps ? t('Show more') : t('All follow-ups')
  const count = rows.length > 0 && html`<small>${numberText(view.due.followUps)}</small>`
  return section('follow-ups', html`Follow-ups ${count}`, {
    more: html`<a href="${FOLLOW_UPS_PATH}">${more}</a>`,
    rows: items,
  })
}

function reconnects(view: TodayView): Html {
  const people = view.briefing.reconnects
  const isToday = view.day === view.times.today
  if (people.length === 0) return NOTHING
  return section('reconnect', html`Get in touch <small>${numberText(view.due.people)}</small>`, {
    more: isToday ? html`<a href="${listPath({ due: '7' })}">Due this week</a>` : NOTHING,
    rows: people.map((one) => reconnectRow(one, view, view.day)),
  })
}

/** What comes next. On a day that asks for nothing, at least who is to be contacted then. */
function ahead(view: TodayView): Html {
  const { briefing, coming, due, kept, times, day } = view
  const isFree = due.followUps + due.people + briefing.meetings.length === 0
  return isFree && day === times.today && coming.entries.length === 0
    ? nextContacts(kept, times.today)
    : comingUp(coming, view)
}

function jobChanges({ briefing }: TodayView): Html {
  const items = briefing.jobChanges.map(({ connection }) => {
    const { title, company } = connection
    const role = [title, company]
      .filter((part) => part !== null)
      .map((part) => html`<bdi>${part}</bdi>`)
    return html`<li>
      ${face(connection)}
      <div class="t">
        ${nameLink(connection)}
        <p><small>${joinHtml(role, ', ')}</small></p>
      </div>
    </li>`
  })
  return listSection('job-changes', t('New jobs'), items)
}

/** Weeks with contacts, of which a chart says something. */
const MIN_WEEKS = 3

function contacts({ weeks }: TodayView): Html {
  if (weeks.filter(({ count }) => count > 0).length < MIN_WEEKS) return NOTHING
  const bars = weeks.map(({ value, count }, at) => ({
    label: dateText(value),
    count,
    path: listPath({ contacted: value }),
    isNow: at === weeks.length - 1,
  }))
  const now = weeks.at(-1)?.count ?? 0
  const caption = countOf(weeks.length, 'week')
  return html`<section aria-labelledby="weeks">
    <h2 id="weeks">This week <small>${countOf(now, 'contact')}</small></h2>
    ${columnChart(bars, { title: t('Contacts per week'), unit: 'contact', caption, height: 44 })}
  </section>`
}

const DATE = perLanguage(() =>
  dateFormatter({ weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }),
)
