// Reads a follow-up of Weft's own export: in connections.json with a person, in to-dos.json without one.

import * as Type from '../../base/type.ts'
import type { Static } from 'typebox'
import { isDay } from '../../dates/calendar-day.ts'
import { oneLine } from '../contact/clean-text.ts'
import { MAX_FOLLOW_UP_LENGTH } from '../../base/limits.ts'
import { readRecurrence } from '../../dates/recurrence-text.ts'
import type { ContactHistory } from '../contact/contact.ts'

export const optionalText = Type.Optional(Type.Union([Type.String(), Type.Null()]))

export const ExportedFollowUp = Type.Object({
  text: Type.String(),
  due_on: Type.String(),
  due_time: optionalText,
  recurrence: Type.String(),
  counts_from: optionalText,
  completed_at: optionalText,
  created_at: optionalText,
})

/** None if it has no text or date. */
export function followUpsIn(one: Static<typeof ExportedFollowUp>): ContactHistory['followUps'] {
  const { due_on: dueOn, due_time, counts_from, completed_at, created_at } = one
  const text = oneLine(one.text, MAX_FOLLOW_UP_LENGTH)
  if (text === '' || !isDay(dueOn)) return []
  const isTime = due_time != null && /^([01]\d|2[0-3]):[0-5]\d$/.test(due_time)
  return [
    {
      text,
      dueOn,
      ...(isTime && { dueTime: due_time }),
      recurrence: readRecurrence(one.recurrence) ?? 'none',
      countsFrom: counts_from != null && isDay(counts_from) ? counts_from : dueOn,
      completedAt: timeIn(completed_at),
      createdAt: timeIn(created_at),
    },
  ]
}

/** A time of the export in milliseconds; null if there is none. */
export function timeIn(text: string | null | undefined): number | null {
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) || time < 0 ? null : time
}
