/** Labels for the recurrence of a follow-up. */

import type { Recurrence } from '../../connections/model/calendar-day.ts'

export const RECURRENCE_WORDS: Readonly<Record<Recurrence, string>> = {
  none: '',
  weekly: 'Every week',
  monthly: 'Every month',
  quarterly: 'Every three months',
  yearly: 'Every year',
}
