/** `/user/briefing`: what the member should know for a day. */

import { t } from '../../languages/message.ts'
import { currentLocale } from '../../languages/language.ts'
import { isDay, daysLater } from '../../base/calendar-day.ts'
import {
  readDayBriefing,
  type BriefedMeeting,
  type DayBriefing,
} from '../../connections/briefing/day-briefing.ts'
import { publicActivityId } from '../../tools/activity.ts'
import { publicConnectionId, type Listed } from '../../connections/model/connection.ts'
import { pageRoute, type PageDeps } from '../../forms/page-route.ts'
import { NOTHING, html, joinHtml, type Html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import {
  ACTIVITY_PATH,
  BRIEFING_PATH,
  CALENDAR_PATH,
  FOLLOW_UPS_PATH,
  connectionPath,
} from '../../html/site-map.ts'
import { weekdayDate } from '../ui/calendar-date.ts'
import { buttonLink, itemList, panel } from '../ui/sections.ts'
import { timesOf } from '../ui/time.ts'
import type { Route } from '../../http/route.ts'

export function briefingRoutes(deps: PageDeps): Route[] {
  return [
    pageRoute(deps, {
      path: BRIEFING_PATH,
      async handle({ search, browser, db, now }) {
        const times = timesOf(browser, now)
        const given = new URLSearchParams(search).get('day') ?? ''
        const day = isDay(given) ? given : times.today
        const briefing = await readDayBriefing(db, { day, timeZone: times.timeZone, now })
        const link = (to: string, label: string) => buttonLink(`${BRIEFING_PATH}?day=${to}`, label)
        return memberPage({
          title: day === times.today ? t('Briefing for today') : t('Briefing for {day}', { day }),
          ...(day !== times.today && { heading: html`Briefing for ${weekdayDate(day)}` }),
          browser,
          current: 'briefing',
          actions: html`<div class="actions">
            ${link(daysLater(day, -1), t('Previous day'))} ${link(daysLater(day, 1), t('Next day'))}
          </div>`,
          body: html`${sectionsOf(briefing, times.timeZone)}
            <p class="quiet">
              Times are in the time zone ${times.timeZone}. Agents get the same with
              <code>get_briefing</code>.
            </p>`,
        })
      },
    }),
  ]
}

function sectionsOf(briefing: DayBriefing, timeZone: string): Html {
  const { meetings, followUps, reconnects, birthdays, jobChanges, agentChanges } = briefing
  const clock = new Intl.DateTimeFormat(currentLocale(), {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
  })
  return html`${panel(
    'meetings',
    t('Meetings'),
    itemList(
      meetings.map((meeting) => meetingItem(meeting, clock)),
      html`<p class="empty">
        No meetings with other people. <a href="${CALENDAR_PATH}">Connect a calendar</a> to see them
        here.
      </p>`,
    ),
  )}
  ${section(
    'follow-ups',
    html`<a href="${FOLLOW_UPS_PATH}">Follow-ups</a>`,
    followUps.map(({ followUp, name }) =>
      item(
        html`<a href="${connectionPath(publicConnectionId(followUp.connectionId))}"
          ><bdi>${name}</bdi></a
        >`,
        html`<bdi>${followUp.text}</bdi>, due ${weekdayDate(followUp.dueOn)}`,
      ),
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
    agentChanges.map(({ activityId, actor, action }) =>
      item(
        html`<bdi>${actor}</bdi>`,
        html`${action.replace('.', ': ').replaceAll('_', ' ')} (${publicActivityId(activityId)})`,
      ),
    ),
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

function meetingItem(
  { title, startsAt, endsAt, people }: BriefedMeeting,
  clock: Intl.DateTimeFormat,
): Html {
  const names = people.map(({ connection, name }) =>
    connection ? personLink(connection) : html`<bdi>${name}</bdi>`,
  )
  return item(
    html`${clock.formatRange(startsAt, endsAt)} <bdi>${title ?? t('Meeting')}</bdi>`,
    joinHtml(names, ', '),
  )
}

function personLink({ connectionId, name }: Listed): Html {
  return html`<a href="${connectionPath(publicConnectionId(connectionId))}"><bdi>${name}</bdi></a>`
}

function roleOf({ title, company }: Listed): string {
  return [title, company].filter((part) => part !== null).join(', ')
}
