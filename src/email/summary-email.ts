/** The emails of reminders: the summary of a day or a week, and a follow-up that is due now. */

import { daysLater } from '../dates/calendar-day.ts'
import { localTimeAt } from '../dates/time-zone.ts'
import { FOLLOW_UPS, publicFollowUpId } from '../connections/follow-ups/follow-ups.ts'
import { publicConnectionId } from '../connections/model/connection.ts'
import { findConnections } from '../connections/model/connection-store.ts'
import {
  ACTIVITY_PATH,
  connectionPath,
  FOLLOW_UPS_PATH,
  NOTIFICATIONS_PATH,
  USER_PATH,
} from '../html/site-map.ts'
import { dateFormatter } from '../dates/format-date.ts'
import { perLanguage } from '../languages/language.ts'
import { t } from '../languages/message.ts'
import { findRows } from '../records/recorded-table.ts'
import { isLive } from '../records/undo-rows.ts'
import {
  agentText,
  followUpPath,
  writeNames,
  type WriteName,
} from '../reminders/reminder-notices.ts'
import { isWorthTelling, readSummary, type Summary } from '../reminders/summary.ts'
import { compose, type ComposedEmail, type EmailItem, type EmailSection } from './email-layout.ts'
import type { ListedFollowUp } from '../connections/follow-ups/follow-up-list.ts'
import type { MemberReader } from '../db/database.ts'
import type { ReminderSettings } from '../reminders/reminder-settings.ts'

/** A member who gets reminders by email. */
export interface Subscriber {
  readonly db: MemberReader
  readonly settings: ReminderSettings
  readonly timeZone: string
  readonly publicUrl: string
}

interface Period {
  /** YYYY-MM-DD */
  readonly day: string
  readonly days: number
}

/** How an email shows days and names. */
interface Style extends Period {
  readonly publicUrl: string
  readonly timeZone: string
  readonly nameOf: WriteName
}

/** Undefined if nothing is due any more. */
export async function summaryEmail(
  { db, settings, timeZone, publicUrl }: Subscriber,
  { day, days }: Period,
): Promise<ComposedEmail | undefined> {
  const { birthdayDays, agentChanges } = settings
  const query = { day, days, timeZone, birthdayDays, agentChanges }
  const summary = await readSummary(db, query)
  if (!isWorthTelling(summary, query)) return undefined
  const style = { day, days, timeZone, publicUrl, nameOf: writeNames(settings.initialsOnly) }
  const date = DATE().format(Date.parse(day))
  return compose({
    subject: days > 1 ? t('Your week from {date}', { date }) : t('Your day: {date}', { date }),
    paragraphs: [],
    sections: [
      meetingSection(summary, style),
      followUpSection(summary, style),
      reconnectSection(summary, style),
      birthdaySection(summary, style),
      agentSection(summary, style),
    ].filter(({ items }) => items.length > 0),
    link: { label: t('Open Weft'), url: publicUrl + USER_PATH },
    closing: [],
    footer: settingsLink(publicUrl),
  })
}

/** A follow-up that is due at this time. Undefined if it was completed or deleted. */
export async function reminderEmail(
  { db, settings, publicUrl, timeZone }: Subscriber,
  followUpId: number,
): Promise<ComposedEmail | undefined> {
  const [followUp] = await findRows(FOLLOW_UPS, db, [followUpId])
  if (!followUp || !isLive(followUp) || followUp.completedAt !== null) return undefined
  const { connectionId } = followUp
  const [person] = connectionId === null ? [] : await findConnections(db, [connectionId])
  const nameOf = writeNames(settings.initialsOnly)
  const day = followUp.dueOn
  const style = { day, days: 1, publicUrl, timeZone, nameOf }
  const item = followUpItem({ followUp, name: person?.name ?? null }, style)
  return compose({
    subject: item.text,
    paragraphs: [],
    sections: [{ title: t('Follow-up due'), items: [item] }],
    closing: [],
    footer: settingsLink(publicUrl),
  })
}

function settingsLink(publicUrl: string) {
  return { label: t('Change when these emails come'), url: publicUrl + NOTIFICATIONS_PATH }
}

function meetingSection({ meetings }: Summary, style: Style): EmailSection {
  const items = meetings.map(({ title, startsAt, on, people }): EmailItem => {
    const [first] = people.flatMap(({ connection }) => (connection ? [connection] : []))
    const path = first ? connectionPath(publicConnectionId(first.connectionId)) : USER_PATH
    const time = startsAt === null ? laterText(on, style) : timeText(startsAt, style)
    const shown = title ?? t('Meeting')
    return {
      text: time === '' ? shown : t('{time}: {title}', { time, title: shown }),
      detail: people.map(({ name }) => style.nameOf(name)).join(', '),
      url: style.publicUrl + path,
    }
  })
  return { title: t('Meetings'), items }
}

function followUpSection({ followUps, hasMoreFollowUps }: Summary, style: Style): EmailSection {
  const items = followUps.map((listed) => followUpItem(listed, style))
  const more = { text: t('More follow-ups'), url: style.publicUrl + FOLLOW_UPS_PATH }
  return { title: t('Follow-ups'), items: hasMoreFollowUps ? [...items, more] : items }
}

function followUpItem({ followUp, name }: ListedFollowUp, style: Style): EmailItem {
  const { dueOn, dueTime, text, followUpId } = followUp
  const detail = [dueText(dueOn, style), dueTime].filter((part) => part !== '').join(', ')
  return {
    text: name === null ? text : `${style.nameOf(name)}: ${text}`,
    ...(detail !== '' && { detail }),
    isLate: dueOn < style.day,
    url: style.publicUrl + followUpPath(publicFollowUpId(followUpId)),
  }
}

function reconnectSection({ reconnects }: Summary, { publicUrl, nameOf }: Style): EmailSection {
  const items = reconnects.map(({ connection, reason }) => ({
    text: nameOf(connection.name),
    detail: reason,
    url: publicUrl + connectionPath(publicConnectionId(connection.connectionId)),
  }))
  return { title: t('Get in touch'), items }
}

function birthdaySection({ birthdays }: Summary, style: Style): EmailSection {
  const items = birthdays.map(({ connection, on }) => ({
    text: style.nameOf(connection.name),
    detail: dayText(on, style),
    url: style.publicUrl + connectionPath(publicConnectionId(connection.connectionId)),
  }))
  return { title: t('Birthdays'), items }
}

function agentSection({ agents }: Summary, { publicUrl }: Style): EmailSection {
  const url = publicUrl + ACTIVITY_PATH
  const items = agents.map((agent) => ({ text: agentText(agent), url }))
  return { title: t('Changes by agents'), items }
}

/** How late a follow-up is, or its day if it is later in the week; empty for today. */
function dueText(dueOn: string, style: Style): string {
  const { day } = style
  if (dueOn < day)
    return t('{days, plural, one {# day late} other {# days late}}', {
      days: daysBetween(dueOn, day),
    })
  return laterText(dueOn, style)
}

/** A day that is later in the week; empty for today. */
function laterText(on: string, { day }: Style): string {
  return on > day ? dateText(on) : ''
}

function dayText(on: string, { day }: Style): string {
  if (on === day) return t('today')
  return on === daysLater(day, 1) ? t('tomorrow') : dateText(on)
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
}

function timeText(at: number, { timeZone, days }: Style): string {
  const local = localTimeAt(timeZone, at)
  const time = new Date(local).toISOString().slice(11, 16)
  return days > 1 ? `${DATE().format(local)} ${time}` : time
}

function dateText(day: string): string {
  return DATE().format(Date.parse(day))
}

const DATE = perLanguage(() =>
  dateFormatter({ weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' }),
)
