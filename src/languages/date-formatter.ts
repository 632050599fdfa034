/** Formats dates with the day first and, in English, months of three letters. */

import { currentLocale } from './language.ts'

export interface DateFormatter {
  format(at: number): string
}

/** As `5 Sep 2021`. British English, which has the day first, abbreviates September as "Sept". */
export function dateFormatter(options: Intl.DateTimeFormatOptions): DateFormatter {
  const formatter = new Intl.DateTimeFormat(currentLocale(), options)
  return { format: (at) => formatter.format(at).replace(/\bSept\b/, 'Sep') }
}
