/** The home of a member. A box without content is absent. */

import { t } from '../../languages/message.ts'
import {
  publicConnectionId,
  type Connection,
  type Listed,
} from '../../connections/model/connection.ts'
import { followUpPeople, publicFollowUpId } from '../../connections/follow-ups/follow-ups.ts'
import { formTokenField, hiddenField } from '../../html/form.ts'
import { html, joinHtml, NOTHING, type Html } from '../../html/html.ts'
import { icon } from '../../html/icon.ts'
import { memberPage } from '../../html/member-layout.ts'
import {
  ACTIVITY_PATH,
  BRIEFING_PATH,
  COMPLETE_FOLLOW_UP_PATH,
  connectionPath,
  DUPLICATES_PATH,
  FOLLOW_UPS_PATH,
  IMPORT_PATH,
  INTEGRATIONS_PATH,
  LOG_PATH,
  PROFILE_PATH,
  UNDO_SINCE_PATH,
} from '../../html/site-map.ts'
import { publicActivityId } from '../../tools/activity.ts'
import { agentTitles, type AgentChanges } from '../activity/agent-changes.ts'
import { actorName } from '../activity/author.ts'
import { changeNotice } from '../activity/change-notice.ts'
import { meetingItem } from '../briefing/meeting-item.ts'
import { personLink } from '../ui/person-link.ts'
import { dueLine, followUpHeading } from '../ui/follow-up-due.ts'
import { moveForm } from '../person/entry-edit.ts'
import { weekdayDate } from '../ui/calendar-date.ts'
import { confirmButton } from '../ui/confirm-button.ts'
import { listPath } from '../ui/list-path.ts'
import { countOf } from '../ui/numbers.ts'
import { buttonLink, itemList, panel } from '../ui/sections.ts'
import { networkChart } from './network-chart.ts'
import { reconnectPanel } from './reconnect-panel.ts'
import type { DayBriefing } from '../../connections/briefing/day-briefing.ts'
import type { ListedFollowUp } from '../../connections/follow-ups/follow-up-list.ts'
import type { ValueCount } from '../../search/index/count-values.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { Answer } from '../../http/response.ts'
import type { DescribedChange } from '../activity/described-change.ts'
import type { Times } from '../ui/time.ts'

interface HomeView {
  readonly browser: SignedInRequest
  readonly times: Times
  readonly noticed: DescribedChange | undefined
  /** Of today. */
  readonly briefing: DayBriefing
  /** Whose pages were opened last. */
  readonly recent: readonly Connection[]
  readonly agents: readonly AgentChanges[]
  /** Undefined if the member has joined since. */
  readonly visitedAt: number | undefined
  /** Pairs that an import queued as possible duplicates. */
  readonly reviews: number
  readonly network: {
    readonly live: number
    readonly withEmail: number
    readonly companies: readonly ValueCount[]
  }
  readonly years: readonly ValueCount[]
  readonly steps: {
    readonly hasPeople: boolean
    readonly hasAgent: boolean
    readonly hasHeadline: boolean
  }
}

export function homePage(view: HomeView): Answer {
  const { browser, noticed } = view
  const reconnect = reconnectPanel(view.briefing.reconnects, browser.formToken)
  const main = [todayPanel(view), reconnect, agentPanel(view), tidyPanel(view)]
  const side = [stepsPanel(view), comingPanel(view), recentPanel(view), chartPanel(view)]
  const isQuiet = [...main, ...side].every((one) => one === NOTHING)
  return memberPage({
    title: t('Home'),
    browser,
    current: 'home',
    isWide: true,
    actions: html`<div class="actions"><a class="button" href="${LOG_PATH}">Log contact</a></div>`,
    body: html`${changeNotice(noticed, { back: 'home', browser })}
      <div class="home">
        <div>${main}${isQuiet ? quietPanel() : ''}</div>
        <div>${side}</div>
      </div>`,
  })
}

function quietPanel(): Html {
  return html`<section class="panel" aria-label="Today">
    <p class="empty">Nothing is due.</p>
  </section>`
}

function todayPanel({ briefing, browser, times }: HomeView): Html {
  const { meetings, birthdays, followUps, hasMoreFollowUps } = briefing
  const items = [
    ...meetings.map((one) => meetingItem(one, times.timeZone, BRIEFING_PATH)),
    ...birthdays
      .filter(({ on }) => on === times.today)
      .map(({ connection }) => birthdayItem(connection, t('Birthday'))),
    ...followUps.map((one) => followUpItem(one, { browser, times })),
  ]
  if (items.length === 0) return NOTHING
  const more = hasMoreFollowUps ? html`<p><a href="${FOLLOW_UPS_PATH}">All follow-ups</a></p>` : ''
  return panel('today', t('Today'), html`${itemList(items)} ${more}`)
}

function birthdayItem(connection: Listed, text: Html | string): Html {
  return html`<li>
    <div>
      <h3>${personLink(connection)}</h3>
      <p>${text}</p>
    </div>
  </li>`
}

/** Birthdays of the next week. */
function comingPanel({ briefing, times }: HomeView): Html {
  const items = briefing.birthdays
    .filter(({ on }) => on !== times.today)
    .map(({ connection, on }) => birthdayItem(connection, html`Birthday on ${weekdayDate(on)}`))
  return items.length === 0 ? NOTHING : panel('coming', t('Coming up'), itemList(items))
}

function recentPanel({ recent }: HomeView): Html {
  if (recent.length === 0) return NOTHING
  const links = recent.map(
    ({ connectionId, name }) =>
      html`<a class="chip" href="${connectionPath(publicConnectionId(connectionId))}"
        ><bdi>${name}</bdi></a
      > `,
  )
  return panel('recent', t('Recent people'), html`<p class="chips">${links}</p>`)
}

function followUpItem(
  { followUp, name }: ListedFollowUp,
  { browser, times }: Pick<HomeView, 'browser' | 'times'>,
): Html {
  const { followUpId, text } = followUp
  const entry_id = publicFollowUpId(followUpId)
  const id = followUpPeople(followUp).map(publicConnectionId).join('')
  const what = name === null ? text : `${text}, ${name}`
  return html`<li id="${entry_id}">
    <div>${followUpHeading({ followUp, name })} ${dueLine(followUp, times)}</div>
    <div class="actions">
      <form method="post" action="${COMPLETE_FOLLOW_UP_PATH}">
        ${formTokenField(browser.formToken)} ${hiddenField('back', 'home')}
        <button class="plain" name="follow_up_id" value="${entry_id}">
          <span>Done<span class="unseen"> ${what}</span></span>
        </button>
      </form>
      ${moveForm({ place: { id, entry_id, back: 'home', view: '' }, browser }, what)}
    </div>
  </li>`
}

function agentPanel({ agents, browser, times, visitedAt }: HomeView): Html {
  if (agents.length === 0) return NOTHING
  const items = agents.map(
    (one) =>
      html`<li>
        <div>
          <h3>${actorName({ name: one.actor, isByAgent: true })}</h3>
          <p>${agentTitles(one)}</p>
        </div>
        <div class="actions">
          ${buttonLink(ACTIVITY_PATH, t('Review'))} ${undoAll(one, browser.formToken)}
        </div>
      </li>`,
  )
  const title =
    visitedAt === undefined
      ? html`What agents changed since you joined`
      : html`What agents changed since ${times.ago(visitedAt)}`
  return panel('agents', title, itemList(items))
}

function undoAll({ actor, since, undoCount }: AgentChanges, formToken: string): Html {
  if (undoCount === undefined) return NOTHING
  return confirmButton({
    verb: t('Undo all changes by'),
    label: t('Undo all'),
    name: actor,
    text: t('Undoes {undoCount} by this agent. If one cannot be undone, none is.', {
      undoCount: countOf(undoCount, 'change'),
    }),
    action: UNDO_SINCE_PATH,
    field: 'activity_id',
    id: publicActivityId(since),
    formToken,
  })
}

function tidyPanel({ reviews, network }: HomeView): Html {
  const lacking = network.live - network.withEmail
  const found = [
    {
      count: reviews,
      text: t(
        '{count, plural, one {# pair of possible duplicates} other {# pairs of possible duplicates}}',
        { count: reviews },
      ),
      path: DUPLICATES_PATH,
    },
    {
      count: lacking,
      text: t('{lacking} without email', { lacking: countOf(lacking, 'connection') }),
      path: listPath({ lacks: 'email' }),
    },
  ]
  const links = found
    .filter(({ count }) => count > 0)
    .map(({ text, path }) => html`<a href="${path}">${text}</a>`)
  if (links.length === 0) return NOTHING
  return panel('tidy', t('Tidy up'), html`<p>${joinHtml(links, ' · ')}</p>`)
}

/** Until all three are done. */
function stepsPanel({ steps: { hasPeople, hasAgent, hasHeadline } }: HomeView): Html {
  const steps = [
    { isDone: hasPeople, text: t('Import your contacts'), path: IMPORT_PATH },
    { isDone: hasAgent, text: t('Connect an agent'), path: INTEGRATIONS_PATH },
    { isDone: hasHeadline, text: t('Write one line about you'), path: PROFILE_PATH },
  ]
  const done = steps.filter(({ isDone }) => isDone).length
  if (done === steps.length) return NOTHING
  const items = steps.map(({ isDone, text, path }) =>
    isDone
      ? html`<li>
          ${icon('check')} <span>${text}<span class="unseen">, done</span></span>
        </li>`
      : html`<li>${icon('plus')} <a href="${path}">${text}</a></li>`,
  )
  const title = html`Set up <small>${done} of ${steps.length}</small>`
  return panel(
    'steps',
    title,
    html`<ul class="steps">
      ${items}
    </ul>`,
  )
}

function chartPanel({ network, years }: HomeView): Html {
  const chart = networkChart(years, network.companies)
  if (chart === NOTHING) return NOTHING
  return panel(
    'network',
    t('Your network: {live}', { live: countOf(network.live, 'connection') }),
    chart,
  )
}
