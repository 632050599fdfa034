/** The messages of reminders. */

import { initialsOf } from '../base/initials.ts'
import { daysLater } from '../dates/calendar-day.ts'
import { rfc3339 } from '../base/clock.ts'
import { publicFollowUpId } from '../connections/follow-ups/follow-ups.ts'
import { publicConnectionId } from '../connections/model/connection.ts'
import { ACTIVITY_PATH, connectionPath, FOLLOW_UPS_PATH, USER_PATH } from '../html/site-map.ts'
import { t } from '../languages/message.ts'
import type { AheadMeeting } from '../connections/meetings/meetings-ahead.ts'
import type { ListedFollowUp } from '../connections/follow-ups/follow-up-list.ts'
import type { Notice } from '../deliveries/notice.ts'
import type { BusyAgent } from './busy-agents.ts'
import type { Summary, SummaryQuery } from './summary.ts'

/** How names are written outside of Weft. */
export type WriteName = (name: string) => string

/** Names as they are, or their initials. */
export function writeNames(initialsOnly: boolean): WriteName {
  return initialsOnly ? initialsOf : (name) => name
}

/** Names that a message lists; the rest are counted. */
const MAX_NAMES = 3
const MAX_TEXT = 120

/** The one message about a day. */
export function summaryNotice(summary: Summary, day: string, nameOf: WriteName): Notice {
  const { meetings, followUps, reconnects, birthdays, agents } = summary
  const today = birthdays.filter(({ on }) => on === day)
  const parts = [
    countText(
      t('{count, plural, one {# meeting} other {# meetings}}', { count: meetings.length }),
      meetings,
    ),
    countText(
      t('{count, plural, one {# follow-up due} other {# follow-ups due}}', {
        count: followUps.length,
      }),
      followUps,
    ),
    countText(
      t('{count, plural, one {# person to contact} other {# people to contact}}', {
        count: reconnects.length,
      }),
      reconnects,
    ),
    countText(
      t('Birthday: {names}', {
        names: nameList(
          today.map(({ connection }) => connection.name),
          nameOf,
        ),
      }),
      today,
    ),
    agents.map(agentText),
  ].flat()
  const [first] = followUps
  return {
    cause: 'summary',
    subject: `summary ${day}`,
    title: t('Your day in Weft'),
    body: [parts.join(' · '), ...(first ? [followUpText(first, nameOf)] : [])].join('\n'),
    path: USER_PATH,
    data: {
      day,
      meetings: meetings.length,
      follow_up_ids: followUps.map(({ followUp }) => publicFollowUpId(followUp.followUpId)),
      reconnect_ids: reconnects.map(({ connection }) => idOf(connection)),
      birthday_ids: birthdays.map(({ connection }) => idOf(connection)),
    },
  }
}

/** One message for each item, for agents and for webhooks that take no summary. */
export function itemNotices(
  { followUps, reconnects, birthdays, agents }: Summary,
  { day, birthdayDays }: SummaryQuery,
  nameOf: WriteName,
): Notice[] {
  const announced = new Set([day, daysLater(day, birthdayDays)])
  const notices = [
    ...followUps
      .filter(({ followUp }) => followUp.dueOn === day && followUp.dueTime === '')
      .map((listed) => followUpNotice(listed, nameOf)),
    ...reconnects
      .filter(({ dueOn }) => dueOn === day)
      .map(({ connection, lastContactOn }): Notice => {
        const connectionId = idOf(connection)
        return {
          cause: 'reconnect.due',
          subject: `reconnect.due ${connectionId} ${day}`,
          title: t('Get in touch with {name}', { name: nameOf(connection.name) }),
          body: '',
          path: connectionPath(connectionId),
          data: { connection_id: connectionId, due_on: day, last_contact_on: lastContactOn },
        }
      }),
    ...birthdays
      .filter(({ on }) => announced.has(on))
      .map(({ connection, on }): Notice => {
        const connectionId = idOf(connection)
        return {
          cause: 'birthday.soon',
          subject: `birthday.soon ${connectionId} ${on} ${day}`,
          title: t('Birthday: {names}', { names: nameOf(connection.name) }),
          body: on,
          path: connectionPath(connectionId),
          data: { connection_id: connectionId, on, days: on === day ? 0 : birthdayDays },
        }
      }),
    ...agents.map((agent): Notice => ({
      cause: 'agent.changed',
      subject: `agent.changed ${day} ${agent.actor}`,
      title: agentText(agent),
      body: '',
      path: ACTIVITY_PATH,
      data: { day, agent: agent.actor, changes: agent.count },
    })),
  ]
  return notices.map((notice) => Object.assign(notice, { isInSummary: true }))
}

/** A follow-up that is due on its day, or now. */
export function followUpNotice(listed: ListedFollowUp, nameOf: WriteName): Notice {
  const { followUpId, connectionId, dueOn, dueTime } = listed.followUp
  const id = publicFollowUpId(followUpId)
  return {
    cause: 'follow_up.due',
    subject: `follow_up.due ${id} ${dueOn} ${dueTime}`.trimEnd(),
    title: t('Follow-up due'),
    body: followUpText(listed, nameOf),
    path: followUpPath(id),
    data: {
      follow_up_id: id,
      connection_id: connectionId === null ? null : publicConnectionId(connectionId),
      due_on: dueOn,
      due_time: dueTime === '' ? null : dueTime,
    },
  }
}

/** A meeting that starts soon. `time` is that of the member. */
export function meetingNotice(
  { key, title, startsAt, people }: AheadMeeting & { readonly startsAt: number },
  time: string,
  nameOf: WriteName,
): Notice {
  const names = people.map(({ name }) => name)
  const connections = people.flatMap(({ connection }) => (connection ? [idOf(connection)] : []))
  const [first] = connections
  return {
    cause: 'meeting.upcoming',
    subject: `meeting.upcoming ${key} ${startsAt}`,
    title: t('{time}: {title}', { time, title: title ?? t('Meeting') }),
    body: nameList(names, nameOf),
    path: first === undefined ? USER_PATH : connectionPath(first),
    data: { starts_at: rfc3339(startsAt), connection_ids: connections },
  }
}

/** The place on the page of all follow-ups with the buttons to complete or move it. */
export function followUpPath(publicId: string): string {
  return `${FOLLOW_UPS_PATH}#${publicId}`
}

function followUpText({ followUp, name }: ListedFollowUp, nameOf: WriteName): string {
  const text = followUp.text.slice(0, MAX_TEXT)
  return name === null ? text : `${nameOf(name)}: ${text}`
}

/** One line about an agent that changed much. */
export function agentText({ actor, count }: BusyAgent): string {
  return t('{actor} changed {count, plural, one {# record} other {# records}}', { actor, count })
}

function nameList(names: readonly string[], nameOf: WriteName): string {
  const shown = names.slice(0, MAX_NAMES).map(nameOf).join(', ')
  const more = names.length - MAX_NAMES
  return more > 0 ? t('{shown} and {more} more', { shown, more }) : shown
}

function countText(text: string, counted: readonly unknown[]): string[] {
  return counted.length === 0 ? [] : [text]
}

function idOf({ connectionId }: { readonly connectionId: number }): `c_${number}` {
  return publicConnectionId(connectionId)
}
