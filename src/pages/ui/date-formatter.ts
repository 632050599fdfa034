/** Formats dates with the day first and months of three letters. */

export interface DateFormatter {
  format(at: number): string
}

/** As `5 Sep 2021`. British English, which has the day first, abbreviates September as "Sept". */
export function dateFormatter(options: Intl.DateTimeFormatOptions): DateFormatter {
  const formatter = new Intl.DateTimeFormat('en-GB', options)
  return { format: (at) => formatter.format(at).replace(/\bSept\b/, 'Sep') }
}
