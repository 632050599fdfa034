/** Arguments of tools that list people by when they were last contacted, are due or changed jobs. */

import * as Type from '../../../base/type.ts'
import type { MeantDay } from '../../../dates/said-date.ts'
import { requireDay } from '../../../dates/calendar-day.ts'
import { CalendarDay } from '../../../tools/arguments/date-argument.ts'
import { PLAIN_KEYWORD } from '../../../tools/arguments/schema-part.ts'

/** Days are YYYY-MM-DD. */
export interface ContactFilter {
  /** Last contact before that day, or never. */
  readonly lastContactBefore?: string
  /** Due by their cadence on or before that day. */
  readonly dueBy?: string
  /** Left a position on or after that day. */
  readonly changedJobsSince?: string
  /**
   * By last contact or due date, earliest first; by name; by the day they met, added or changed jobs, newest first.
   * People without the date come last.
   */
  readonly sort?: 'last_contact' | 'due' | 'name' | 'recent' | 'added' | 'job_change'
}

const plainDay = (description: string, period: MeantDay) =>
  Type.Optional({ ...CalendarDay(description, period), [PLAIN_KEYWORD]: true })

export const ContactArguments = {
  last_contact_before: plainDay('Last contact before that date, or never', 'latest-first'),
  due_by: plainDay('Due by their cadence on or before that date', 'next-last'),
  changed_jobs_since: plainDay('Left a job on or after that date', 'latest-first'),
}

export interface ContactInput {
  readonly last_contact_before?: string
  readonly due_by?: string
  readonly changed_jobs_since?: string
}

export function contactFilterOf({
  last_contact_before: before,
  due_by,
}: ContactInput): Pick<ContactFilter, 'lastContactBefore' | 'dueBy'> {
  return {
    ...(before !== undefined && {
      lastContactBefore: requireDay(before, 'last_contact_before'),
    }),
    ...(due_by !== undefined && { dueBy: requireDay(due_by, 'due_by') }),
  }
}
