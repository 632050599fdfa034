/** Plans, changes or deletes a follow-up and records the change, for the tools and the forms. */

import { t } from '../../languages/message.ts'
import { TimeOfDay } from '../../tools/arguments/date-argument.ts'
import {
  PLAIN_KEYWORD,
  SHORT_KEYWORD,
  UNLISTED_KEYWORD,
} from '../../tools/arguments/schema-part.ts'
import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { invalidArgument, RequestError } from '../../base/request-error.ts'
import { CalendarDay } from '../../tools/arguments/date-argument.ts'
import { requireDay } from '../../dates/calendar-day.ts'
import { firstDay, intervalOf, type Recurrence } from '../../dates/recurrence.ts'
import { readRecurrence } from '../../dates/recurrence-text.ts'
import { requireConnection } from '../editing/require-connection.ts'
import { changeFollowUps } from './change-follow-ups.ts'
import { FollowUpId } from './follow-up-schemas.ts'
import {
  FOLLOW_UPS,
  createFollowUp,
  requireFollowUp,
  type FollowUp,
  type FollowUpFields,
} from './follow-ups.ts'
import { entryOf } from '../../records/entry.ts'
import { MAX_FOLLOW_UP_LENGTH } from '../../base/limits.ts'
import { PersonRef } from '../person/schemas.ts'
import type { MemberTransaction } from '../../db/database.ts'
import type { WriteCall } from '../../tools/tool.ts'

export const FollowUpInput = Type.Closed(
  {
    follow_up_id: Type.Optional({
      ...FollowUpId,
      description: 'To change or complete: f_… from list_follow_ups',
    }),
    connection_id: Type.Optional(PersonRef),
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
  },
  {
    examples: [{ connection_id: 'c_12', text: 'Send the slides', due_on: '2026-03-05' }],
  },
)
export type FollowUpInput = Static<typeof FollowUpInput>

/** A reminder to plan with each person. */
export const FollowUpArgument = Type.Closed(
  {
    text: Type.Optional(
      Type.String({
        pattern: '\\S',
        maxLength: MAX_FOLLOW_UP_LENGTH,
        description: 'What to do',
        examples: ['Send the slides'],
        [PLAIN_KEYWORD]: true,
      }),
    ),
    due_on: { ...CalendarDay('Date', 'next-first'), [PLAIN_KEYWORD]: true as const },
    time: Type.Optional({ ...FollowUpInput.properties.time, [UNLISTED_KEYWORD]: true as const }),
    recurrence: Type.Optional({
      ...FollowUpInput.properties.recurrence,
      [PLAIN_KEYWORD]: true as const,
    }),
  },
  {
    description: 'Reminder',
    [SHORT_KEYWORD]: 'due_on',
  },
)
export type FollowUpArgument = Static<typeof FollowUpArgument>

/** A follow-up that is planned, as it is given. */
export interface PlannedText {
  readonly text?: string | undefined
  readonly due_on: string
  readonly time?: string | undefined
  readonly recurrence?: string | undefined
}

/** What is planned with each person. */
export type FollowUpPlan = Omit<FollowUpFields, 'connectionId'>

interface SetFollowUp {
  readonly followUp: FollowUp
  /** ID of the change in the activity log; undefined when nothing changed. */
  readonly activityId: number | undefined
}

/**
 * Creates a follow-up, or changes the one with `follow_up_id`.
 *
 * @throws {RequestError} `invalid_request` when a value is missing or invalid.
 * @throws {RequestError} `not_found` when the connection or the follow-up does not exist.
 * @throws {RequestError} `conflict` when the follow-up is already completed.
 */
export async function setFollowUp(
  { tx, now, record }: Pick<WriteCall, 'tx' | 'now' | 'record'>,
  { follow_up_id, ...input }: FollowUpInput,
): Promise<SetFollowUp> {
  const fields = await readFields(tx, input)
  if (follow_up_id === undefined) {
    const followUp = await createFollowUp(tx, requireAll(fields), now)
    return { followUp, activityId: await record(entryOf(FOLLOW_UPS, [{ after: followUp }])) }
  }
  if (Object.keys(fields).length === 0) throw nothingToUpdate()
  const before = await requireFollowUp(tx, follow_up_id)
  const { changed, activityId } = await changeFollowUps({ tx, now, record }, [before], { fields })
  return { followUp: changed[0]?.after ?? before, activityId }
}

export function nothingToUpdate(): RequestError {
  return new RequestError('invalid_request', t('No fields to update. Provide at least one field.'))
}

/**
 * Reads a follow-up that is planned with several people, or none. Its day is the first of its recurrence.
 *
 * @throws {RequestError} `invalid_request` when a value is not valid.
 */
export function readPlan({
  text = 'Get in touch',
  due_on,
  time,
  recurrence = 'none',
}: PlannedText): FollowUpPlan {
  const every = requireRecurrence(recurrence)
  return {
    text: readFollowUpText(text),
    dueOn: firstDay(readDueDay(due_on), every),
    dueTime: readDueTime(time),
    recurrence: every,
  }
}

/** Omits fields that are not given. */
export async function readFields(
  tx: MemberTransaction,
  { connection_id, text, due_on, time, recurrence }: Omit<FollowUpInput, 'follow_up_id'>,
): Promise<Partial<FollowUpFields>> {
  const one = connection_id === undefined ? undefined : await requireConnection(tx, connection_id)
  return {
    ...(one && { connectionId: one.connectionId }),
    ...(text !== undefined && { text: readFollowUpText(text) }),
    ...(due_on !== undefined && { dueOn: readDueDay(due_on) }),
    ...(time !== undefined && { dueTime: readDueTime(time) }),
    ...(recurrence !== undefined && { recurrence: requireRecurrence(recurrence) }),
  }
}

/** Joins the lines of the text.
 *
 * @throws {RequestError} `invalid_request` when it contains control characters.
 */
function readFollowUpText(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (/\p{Cc}/u.test(line)) throw invalidArgument('text', t('must not contain control characters'))
  return line
}

/** Allowed due dates. The limit leaves room for recurring dates, whose years must keep four digits. */
const [FIRST_DAY, LAST_DAY] = ['1900-01-01', '2999-12-31']

/** @throws {RequestError} `invalid_request` when the date does not exist or is out of range. */
export function readDueDay(text: string): string {
  const day = requireDay(text, 'due_on')
  if (day >= FIRST_DAY && day <= LAST_DAY) return day
  throw invalidArgument(
    'due_on',
    t('must be between {from} and {until}', { from: FIRST_DAY, until: LAST_DAY }),
  )
}

/** Empty for `none`. */
function readDueTime(time: string | undefined): string {
  return time === undefined || time === 'none' ? '' : time
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
export function firstDueDay(recurrence: string | undefined, today: string): string | undefined {
  const every = readRecurrence(recurrence ?? '')
  const hasWeekday = every !== undefined && intervalOf(every)?.weekday !== undefined
  return hasWeekday ? firstDay(today, every) : undefined
}

function requireAll(fields: Partial<FollowUpFields>): FollowUpFields {
  const { connectionId = null, text, dueOn, dueTime = '', recurrence = 'none' } = fields
  if (text === undefined) throw missing('text')
  if (dueOn === undefined) throw missing('due_on')
  return { connectionId, text, dueOn, dueTime, recurrence }
}

function missing(argument: string): RequestError {
  return invalidArgument(argument, t('is required unless follow_up_id is given'))
}
