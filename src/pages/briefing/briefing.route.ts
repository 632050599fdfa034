/** `/user/briefing`: what the member should know for a day. */

import { t } from '../../languages/message.ts'
import { isDay, daysLater } from '../../dates/calendar-day.ts'
import { DAY } from '../../base/clock.ts'
import { readDayBriefing, type DayBriefing } from '../../connections/briefing/day-briefing.ts'
import type { Listed } from '../../connections/model/connection.ts'
import { pageRoute } from '../../forms/page-route.ts'
import { NOTHING, html, type Html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import {
  ACTIVITY_PATH,
  BRIEFING_PATH,
  CALENDAR_PATH,
  FOLLOW_UPS_PATH,
} from '../../html/site-map.ts'
import { readAgentChanges, agentTitles, type AgentChanges } from '../activity/agent-changes.ts'
import { actorName } from '../activity/author.ts'
import { weekdayDate } from '../ui/calendar-date.ts'
import { buttonLink, itemList, panel } from '../ui/sections.ts'
import { dueLine, followUpHeading } from '../ui/follow-up-due.ts'
import { timesOf, type Times } from '../ui/time.ts'
import { meetingItem } from './meeting-item.ts'
import { personLink } from '../ui/person-link.ts'
import type { Route } from '../../http/route.ts'
import type { PersonDeps } from '../person/details.page.ts'

export function briefingRoutes(deps: PersonDeps): Route[] {
  return [
    pageRoute(deps, {
      path: BRIEFING_PATH,
      async handle({ search, browser, db, now }) {
        const times = timesOf(browser, now)
        const given = new URLSearchParams(search).get('day') ?? ''
        const day = isDay(given) ? given : times.today
        const [briefing, agents] = await Promise.all([
          readDayBriefing(db, { day, timeZone: times.timeZone, now }),
          readAgentChanges(db, deps.undoers, now - DAY),
        ])
        const link = (to: string, label: string) => buttonLink(`${BRIEFING_PATH}?day=${to}`, label)
        return memberPage({
          title: day === times.today ? t('Briefing for today') : t('Briefing for {day}', { day }),
          ...(day !== times.today && { heading: html`Briefing for ${weekdayDate(day)}` }),
          browser,
          current: 'briefing',
          actions: html`<div class="actions">
            ${link(daysLater(day, -1), t('Previous day'))} ${link(daysLater(day, 1), t('Next day'))}
          </div>`,
          body: html`${sectionsOf(briefing, agents, times)}
            <p class="quiet">
              Times are in the time zone ${times.timeZone}. Agents get the same with
              <code>get_briefing</code>.
            </p>`,
        })
      },
    }),
  ]
}

function sectionsOf(
  { meetings, followUps, reconnects, birthdays, jobChanges }: DayBriefing,
  agents: readonly AgentChanges[],
  times: Times,
): Html {
  return html`${panel(
    'meetings',
    t('Meetings'),
    itemList(
      meetings.map((meeting) => meetingItem(meeting, times.timeZone)),
      html`<div class="empty">
        <p>
          No meetings with other people. They come from your
          <a href="${CALENDAR_PATH}">calendars</a>.
        </p>
      </div>`,
    ),
  )}
  ${section(
    'follow-ups',
    html`<a href="${FOLLOW_UPS_PATH}">Follow-ups</a>`,
    followUps.map(
      (one) =>
        html`<li>
          <div>${followUpHeading(one)} ${dueLine(one.followUp, times)}</div>
        </li>`,
    ),
  )}
  ${section(
    'reconnects',
    t('Who to contact again'),
    reconnects.map(({ connection, reason }) =>
      item(personLink(connection), html`<bdi>${reason}</bdi>`),
    ),
  )}
  ${section(
    'birthdays',
    t('Birthdays'),
    birthdays.map(({ connection, on }) => item(personLink(connection), html`${weekdayDate(on)}`)),
  )}
  ${section(
    'job-changes',
    t('New jobs'),
    jobChanges.map(({ connection }) => item(personLink(connection), html`${roleOf(connection)}`)),
  )}
  ${section(
    'agent-changes',
    html`<a href="${ACTIVITY_PATH}">Changes by agents</a>`,
    agents.map((one) => item(actorName({ name: one.actor, isByAgent: true }), agentTitles(one))),
  )}`
}

function section(id: string, title: string | Html, items: readonly Html[]): Html {
  return items.length === 0 ? NOTHING : panel(id, title, itemList(items))
}

function item(heading: Html, text: Html): Html {
  return html`<li>
    <div>
      <h3>${heading}</h3>
      <p>${text}</p>
    </div>
  </li>`
}

function roleOf({ title, company }: Listed): string {
  return [title, company].filter((part) => part !== null).join(', ')
}
