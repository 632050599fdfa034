/** Labels for the recurrence of a follow-up. */

import { perLanguage } from '../../languages/language.ts'
import { phrase, t } from '../../languages/message.ts'
import { RECURRENCES, type Recurrence } from '../../contact-files/contact/calendar-day.ts'

export const RECURRENCE_WORDS: Readonly<Record<Recurrence, string>> = {
  none: '',
  weekly: phrase('Every week'),
  monthly: phrase('Every month'),
  quarterly: phrase('Every three months'),
  yearly: phrase('Every year'),
}
/** Of a select. */
export const RECURRENCE_OPTIONS = perLanguage(() =>
  RECURRENCES.map((value) => ({
    value,
    label: value === 'none' ? t('Never') : t(RECURRENCE_WORDS[value]),
  })),
)
