/** Announces what has become due for a member, and plans the next run. */

import { daysLater, weekdayOf } from '../dates/calendar-day.ts'
import { dayInZone, localTimeAt } from '../dates/time-zone.ts'
import { DAY, HOUR, MINUTE } from '../base/clock.ts'
import { listAhead } from '../connections/meetings/meetings-ahead.ts'
import { listTimedFollowUps, nextTimedFollowUp } from '../connections/follow-ups/follow-up-list.ts'
import { queueDeliveries } from '../deliveries/delivery-store.ts'
import { listEndpoints } from '../deliveries/endpoint-store.ts'
import { inLanguage } from '../languages/language.ts'
import { readLanguage } from '../members/member-language.ts'
import { findMember, memberTimeZone } from '../members/member.ts'
import { queueEmail } from '../outbox/outbox.ts'
import { finishedJobNotices } from './job-notices.ts'
import {
  followUpNotice,
  itemNotices,
  meetingNotice,
  summaryNotice,
  writeNames,
} from './reminder-notices.ts'
import { claimSettings, recordRun, type ReminderSettings } from './reminder-settings.ts'
import { nextSummaryAt, summaryAt } from './summary-time.ts'
import { isWorthTelling, readSummary } from './summary.ts'
import type { Database, MemberTransaction } from '../db/database.ts'
import type { Notice } from '../deliveries/notice.ts'

/** A member without anything to send to is looked at when that changes. */
const NEVER = Number.MAX_SAFE_INTEGER
/** Later meetings are found by the run of a summary in between. */
const MAX_WAIT_MS = 400 * DAY
/** After a pause of the service, what was due longer ago is in the summary only. Milliseconds. */
const MAX_CATCH_UP_MS = 48 * HOUR
const MAX_MEETINGS = 20

interface Run {
  readonly tx: MemberTransaction
  readonly settings: ReminderSettings
  readonly timeZone: string
  readonly email: string | null
  /** The member's local date, YYYY-MM-DD. */
  readonly today: string
  readonly now: number
}

/**
 * Announces everything that became due since the last run, in one transaction with its record, so that each thing is
 * announced once, also with several nodes. Returns false if another node was faster.
 */
export async function runReminders(
  database: Database,
  memberId: number,
  now: number,
): Promise<boolean> {
  const language = (await readLanguage(database, memberId)) ?? 'en'
  return database.member(memberId).write(async (tx) => {
    const settings = await claimSettings(tx, now)
    if (!settings) return false
    const member = await findMember(tx.shared, memberId)
    const hasEndpoints = (await listEndpoints(tx)).some(({ endedAt }) => endedAt === null)
    const email = settings.email === 'off' ? null : (member?.email ?? null)
    const isSilent = !member || member.disabledAt !== null || (email === null && !hasEndpoints)
    if (isSilent) {
      await recordRun(tx, { ...settings, nextAt: NEVER, ranAt: now })
      return true
    }
    const timeZone = await memberTimeZone(tx.shared, memberId)
    const run = { tx, settings, timeZone, email, today: dayInZone(timeZone, now), now }
    await inLanguage(language, () => announce(run))
    return true
  })
}

async function announce(run: Run): Promise<void> {
  const { tx, settings, now, today, timeZone } = run
  const time = { timeZone, minute: settings.minute }
  const isSummaryDue = summaryAt(today, time) <= now && (settings.summarizedOn ?? '') < today
  // A new member has nothing to catch up with.
  const isFirst = settings.ranAt === 0
  const notices = isFirst
    ? []
    : [
        ...(isSummaryDue ? await summarize(run) : []),
        ...(await timedNotices(run)),
        ...(await finishedJobNotices(tx, { after: sinceOf(run), until: now })),
        ...(await meetingNotices(run)),
      ]
  await queueDeliveries(tx, notices, now)
  const nextTimes = [
    nextSummaryAt(time, now),
    (await nextTimedFollowUp(tx, { timeZone, after: now })) ?? NEVER,
    (await nextMeetingAt(run)) ?? NEVER,
  ]
  await recordRun(tx, {
    nextAt: Math.min(...nextTimes),
    ranAt: now,
    summarizedOn: isSummaryDue ? today : settings.summarizedOn,
  })
}

/** Queues the email of the day or the week, and returns the messages for other endpoints. */
async function summarize({ tx, settings, timeZone, email, today, now }: Run): Promise<Notice[]> {
  const { birthdayDays, agentChanges, initialsOnly } = settings
  const query = { day: today, timeZone, days: 1, birthdayDays, agentChanges }
  const summary = await readSummary(tx, query)
  const isWeekly = settings.email === 'weekly'
  const isEmailDay = !isWeekly || isWeekStart(settings, today)
  if (email !== null && isEmailDay) {
    const emailed = isWeekly ? { ...query, days: 7 } : query
    const content = isWeekly ? await readSummary(tx, emailed) : summary
    if (isWorthTelling(content, emailed)) {
      const details = { day: today, days: emailed.days }
      await queueEmail(tx.shared, { kind: 'summary', memberId: tx.memberId, details }, now)
    }
  }
  if (!isWorthTelling(summary, query)) return []
  const nameOf = writeNames(initialsOnly)
  return [summaryNotice(summary, today, nameOf), ...itemNotices(summary, query, nameOf)]
}

/** True on the member's day of the week, or on a day after it if the service did not run then. */
function isWeekStart({ weekday, summarizedOn }: ReminderSettings, today: string): boolean {
  const start = daysLater(today, -((weekdayOf(today) - weekday + 7) % 7))
  return start === today || (summarizedOn !== null && summarizedOn < start)
}

/** What happened before was announced, or is too old. */
function sinceOf({ settings, now }: Pick<Run, 'settings' | 'now'>): number {
  return Math.max(settings.ranAt, now - MAX_CATCH_UP_MS)
}

/** Follow-ups with a time of day. Without a device, the member gets an email. */
async function timedNotices({ tx, settings, timeZone, email, now }: Run): Promise<Notice[]> {
  const after = sinceOf({ settings, now })
  const due = await listTimedFollowUps(tx, { timeZone, after, until: now })
  const devices = await listEndpoints(tx, 'push')
  const hasDevice = devices.some(({ endedAt }) => endedAt === null)
  if (!hasDevice && email !== null && settings.email !== 'weekly')
    for (const { followUp } of due) {
      const details = { follow_up: followUp.followUpId }
      await queueEmail(tx.shared, { kind: 'reminder', memberId: tx.memberId, details }, now)
    }
  return due.map((one) => followUpNotice(one, writeNames(settings.initialsOnly)))
}

async function meetingNotices({ tx, settings, timeZone, now }: Run): Promise<Notice[]> {
  const { meetingMinutes, ranAt, initialsOnly } = settings
  if (meetingMinutes === null) return []
  const ahead = meetingMinutes * MINUTE
  // A meeting that has begun needs no announcement.
  const window = { from: Math.max(ranAt + ahead, now), to: now + ahead + 1, limit: MAX_MEETINGS }
  const { meetings } = await listAhead(tx, { ...window, now, timeZone, isTimed: true })
  return meetings.flatMap(({ startsAt, ...meeting }) => {
    if (startsAt === null) return []
    const time = new Date(localTimeAt(timeZone, startsAt)).toISOString().slice(11, 16)
    return meetingNotice({ ...meeting, startsAt }, time, writeNames(initialsOnly))
  })
}

async function nextMeetingAt({ tx, settings, timeZone, now }: Run): Promise<number | undefined> {
  if (settings.meetingMinutes === null) return undefined
  const ahead = settings.meetingMinutes * MINUTE
  const from = now + ahead + 1
  const range = { from, to: from + MAX_WAIT_MS, now, timeZone, limit: 1, isTimed: true }
  const [next] = (await listAhead(tx, range)).meetings
  return next?.startsAt == null ? undefined : next.startsAt - ahead
}
