/** How often a follow-up comes again, in words. */

import type { Recurrence } from '../../connections/model/calendar-day.ts'

export const RECURRENCE_WORDS: Readonly<Record<Recurrence, string>> = {
  none: '',
  weekly: 'Every week',
  monthly: 'Every month',
  quarterly: 'Every three months',
  yearly: 'Every year',
}
