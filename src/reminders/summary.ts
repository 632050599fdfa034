/** What a member is reminded of on a day: for the email, the devices and the webhooks. */

import { daysLater } from '../dates/calendar-day.ts'
import { readDayBriefing, type DayBriefing } from '../connections/briefing/day-briefing.ts'
import { readBusyAgents, type BusyAgent } from './busy-agents.ts'
import type { MemberReader } from '../db/database.ts'

export interface SummaryQuery {
  /** YYYY-MM-DD */
  readonly day: string
  readonly timeZone: string
  /** 1, or 7 for a week that begins on the day. */
  readonly days: number
  readonly birthdayDays: number
  /** See `ReminderSettings`. */
  readonly agentChanges: number | null
}

export interface Summary extends Pick<
  DayBriefing,
  'meetings' | 'followUps' | 'reconnects' | 'birthdays' | 'hasMoreFollowUps'
> {
  /** Agents that changed much on the days before. */
  readonly agents: readonly BusyAgent[]
}

/** At most five people to contact again. */
export async function readSummary(db: MemberReader, query: SummaryQuery): Promise<Summary> {
  const { day, timeZone, days, birthdayDays } = query
  const until = daysLater(day, days - 1)
  const birthdaysUntil = daysLater(day, Math.max(birthdayDays, days - 1))
  const [briefing, agents] = await Promise.all([
    readDayBriefing(db, { day, until, birthdaysUntil, timeZone }),
    readBusyAgents(db, query),
  ])
  const meetings = briefing.meetings.filter(({ people }) =>
    people.some(({ connection }) => connection),
  )
  return { ...briefing, meetings, agents }
}

/**
 * True if something is due. People to contact again count on the day on which that is due: afterwards they are listed, but
 * are no reason for a message of their own.
 */
export function isWorthTelling(
  { meetings, followUps, reconnects, birthdays, agents }: Summary,
  { day, days, birthdayDays }: SummaryQuery,
): boolean {
  const announced = new Set([day, daysLater(day, birthdayDays)])
  return (
    meetings.length > 0 ||
    followUps.length > 0 ||
    agents.length > 0 ||
    reconnects.some(({ dueOn }) => days > 1 || dueOn === day) ||
    birthdays.some(({ on }) => days > 1 || announced.has(on))
  )
}
