/** What callers give to plan or change a follow-up, and follow-ups as tools return them. */

import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { rfc3339 } from '../../base/clock.ts'
import { MAX_FOLLOW_UP_LENGTH } from '../../base/limits.ts'
import { invalidArgument } from '../../base/request-error.ts'
import { requireDayInRange } from '../../dates/calendar-day.ts'
import { firstDay, intervalOf, type Recurrence } from '../../dates/recurrence.ts'
import { readRecurrence } from '../../dates/recurrence-text.ts'
import { localTimeAt } from '../../dates/time-zone.ts'
import { t } from '../../languages/message.ts'
import { CalendarDay, TimeOfDay } from '../../tools/arguments/date-argument.ts'
import {
  PLAIN_KEYWORD,
  SHORT_KEYWORD,
  UNLISTED_KEYWORD,
} from '../../tools/arguments/schema-part.ts'
import { freeText } from '../../tools/free-text.ts'
import { findConnection } from '../model/connection-store.ts'
import { publicConnectionId } from '../model/connection.ts'
import { promisedBy } from './promise.ts'
import { rowId } from '../../records/recorded-table.ts'
import {
  FOLLOW_UPS,
  isPast,
  publicFollowUpId,
  type FollowUp,
  type FollowUpPlan,
} from './follow-ups.ts'
import type { ListedFollowUp } from './follow-up-list.ts'
import type { ToolCall, WriteCall } from '../../tools/tool.ts'

export const FollowUpId = rowId(FOLLOW_UPS)

export const FollowUpInput = Type.Closed({
  text: Type.Optional(
    Type.String({
      pattern: '\\S',
      maxLength: MAX_FOLLOW_UP_LENGTH,
      description: 'What to do',
      examples: ['Send the slides'],
    }),
  ),
  due_on: Type.Optional({ ...CalendarDay('Due date', 'next-first'), [PLAIN_KEYWORD]: true }),
  time: Type.Optional(TimeOfDay('HH:MM, local', 'none')),
  recurrence: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'every 10 days, last Friday of the month, none …',
      examples: ['every 2 weeks'],
    }),
  ),
})
export type FollowUpInput = Static<typeof FollowUpInput>

const { text: TEXT, time: TIME, recurrence: RECURRENCE } = FollowUpInput.properties

/** A reminder to plan with each person. */
export const FollowUpArgument = Type.Closed(
  {
    text: Type.Optional({ ...TEXT, [PLAIN_KEYWORD]: true as const }),
    due_on: { ...CalendarDay('Date', 'next-first'), [PLAIN_KEYWORD]: true as const },
    time: Type.Optional({ ...TIME, [UNLISTED_KEYWORD]: true as const }),
    recurrence: Type.Optional({ ...RECURRENCE, [PLAIN_KEYWORD]: true as const }),
  },
  { description: 'Reminder', [SHORT_KEYWORD]: 'due_on' },
)

/** A follow-up to plan, in the words of the caller. */
export type PlannedText = Static<typeof FollowUpArgument>

/**
 * Reads a follow-up that is planned with several people, or none. Its day is the first of its recurrence.
 *
 * @throws {RequestError} `invalid_request` when a value is not valid.
 */
export function readPlan({
  text = 'Get in touch',
  due_on,
  time = 'none',
  recurrence = 'none',
}: PlannedText): FollowUpPlan {
  const every = requireRecurrence(recurrence)
  const dueOn = firstDay(requireDayInRange(due_on, 'due_on'), every)
  return { text: readText(text), dueOn, dueTime: readTime(time), recurrence: every }
}

/**
 * Reads the fields to change. Omits those that are not given.
 *
 * @throws {RequestError} `invalid_request` when a value is not valid.
 */
export function readFields({
  text,
  due_on,
  time,
  recurrence,
}: FollowUpInput): Partial<FollowUpPlan> {
  return {
    ...(text !== undefined && { text: readText(text) }),
    ...(due_on !== undefined && { dueOn: requireDayInRange(due_on, 'due_on') }),
    ...(time !== undefined && { dueTime: readTime(time) }),
    ...(recurrence !== undefined && { recurrence: requireRecurrence(recurrence) }),
  }
}

/** Joins the lines of the text. */
function readText(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (/\p{Cc}/u.test(line)) throw invalidArgument('text', t('must not contain control characters'))
  return line
}

function readTime(time: string): string {
  return time === 'none' ? '' : time
}

/** @throws {RequestError} `invalid_request` when the text is not a recurrence. */
export function requireRecurrence(text: string): Recurrence {
  const recurrence = readRecurrence(text)
  if (recurrence !== undefined) return recurrence
  throw invalidArgument(
    'recurrence',
    t(
      'must be such as weekly, every 10 days, every Friday, last Friday of every month or none, and at most once in 10 years',
    ),
  )
}

/** The first day of a recurrence on a weekday, from today on; undefined for any other, which needs a date. */
export function firstDueDay(
  { recurrence = '' }: { readonly recurrence?: string | undefined },
  today: string,
): string | undefined {
  const every = readRecurrence(recurrence)
  const hasWeekday = every !== undefined && intervalOf(every)?.weekday !== undefined
  return hasWeekday ? firstDay(today, every) : undefined
}

/** `time` is local; `recurrence` is omitted when it does not recur; `overdue` means due before now where the member is. */
export const FollowUpDetails = Type.Closed({
  follow_up_id: Type.String(),
  connection_id: Type.Optional(Type.String()),
  text: freeText('text', Type.String()),
  due_on: Type.String(),
  time: Type.Optional(Type.String()),
  recurrence: Type.Optional(Type.String()),
  overdue: Type.Optional(Type.Boolean()),
  promised_by: Type.Optional(Type.String({ description: 'me or them, if the text says so' })),
  completed_at: Type.Optional(Type.String()),
})
export type FollowUpDetails = Static<typeof FollowUpDetails>

/** With the name of its person, if it has one. */
export const NamedFollowUp = Type.Closed({
  ...FollowUpDetails.properties,
  name: Type.Optional(Type.String()),
})
export type NamedFollowUp = Static<typeof NamedFollowUp>

/** Returns a listed follow-up as tools show it. */
export function formatNamed({ followUp, name }: ListedFollowUp, call: ToolCall): NamedFollowUp {
  const by = promisedBy(followUp.text, name)
  return {
    ...formatFollowUp(followUp, call),
    ...(by && { promised_by: by }),
    ...(name !== null && { name }),
  }
}

/** Returns a follow-up as tools show it, with the name of its person. */
export async function formatSaved(followUp: FollowUp, call: WriteCall): Promise<NamedFollowUp> {
  const { connectionId: id } = followUp
  const person = id === null ? undefined : await findConnection(call.tx, id)
  return formatNamed({ followUp, name: person?.name ?? null }, call)
}

/** Returns a follow-up as tools show it, without the name of its person. */
export function formatFollowUp(
  followUp: FollowUp,
  { caller, now }: Pick<ToolCall, 'caller' | 'now'>,
): FollowUpDetails {
  const { connectionId, dueTime, recurrence, completedAt } = followUp
  const isOverdue = completedAt === null && isPast(followUp, localTimeAt(caller.timeZone, now))
  return {
    follow_up_id: publicFollowUpId(followUp.followUpId),
    ...(connectionId !== null && { connection_id: publicConnectionId(connectionId) }),
    text: followUp.text,
    due_on: followUp.dueOn,
    ...(dueTime !== '' && { time: dueTime }),
    ...(recurrence !== 'none' && { recurrence }),
    ...(isOverdue && { overdue: true }),
    ...(completedAt !== null && { completed_at: rfc3339(completedAt) }),
  }
}
