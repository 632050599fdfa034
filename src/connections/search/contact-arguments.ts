/** Arguments of tools that list people by when they were last contacted or are due. */

import * as Type from '../../base/type.ts'
import type { MeantDay } from '../../base/date-period.ts'
import { requireDay } from '../../contact-files/contact/calendar-day.ts'
import { CalendarDay } from '../../tools/arguments/calendar-day.ts'
import { PLAIN_KEYWORD } from '../../tools/arguments/schema-part.ts'

/** Days are YYYY-MM-DD. */
export interface ContactFilter {
  /** Last contact before that day, or never. */
  readonly lastContactBefore?: string
  /** Due by their cadence on or before that day. */
  readonly dueBy?: string
  /** Earliest first. People without a date come last. */
  readonly sort?: 'last_contact' | 'due'
}

const plainDay = (description: string, period: MeantDay) =>
  Type.Optional({ ...CalendarDay(description, period), [PLAIN_KEYWORD]: true })

export const ContactArguments = {
  last_contact_before: plainDay('Last contact before that date, or never', 'latest-first'),
  due_by: plainDay('Due by their cadence on or before that date', 'next-last'),
}

interface ContactInput {
  readonly last_contact_before?: string
  readonly due_by?: string
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
