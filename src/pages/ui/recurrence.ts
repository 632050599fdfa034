/** Labels for the recurrence of a follow-up. */

import { RECURRENCES, type Recurrence } from '../../contact-files/contact/calendar-day.ts'

export const RECURRENCE_WORDS: Readonly<Record<Recurrence, string>> = {
  none: '',
  weekly: 'Every week',
  monthly: 'Every month',
  quarterly: 'Every three months',
  yearly: 'Every year',
}
/** Of a select. */
export const RECURRENCE_OPTIONS = RECURRENCES.map((value) => ({
  value,
  label: value === 'none' ? 'Never' : RECURRENCE_WORDS[value],
}))
