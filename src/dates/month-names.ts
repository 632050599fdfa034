/** The names of months and weekdays, and other ways to write the numbers of a date, in the languages of contact files. */

import { normalForm } from '../base/normal-form.ts'
import { monthWords } from './date-words.ts'
import { readDataLines } from '../base/data-file.ts'
import { lazy } from '../base/lazy.ts'

/** 1 to 12; 0 for any other word and for ambiguous abbreviations. */
export function monthNamed(word: string | undefined): number {
  if (word === undefined) return 0
  const plain = plainMonth(word)
  const known = monthsOfMostFiles().get(plain)
  if (known !== undefined) return known
  const others = monthsOfOtherLanguages()
  return others.get(plain) ?? others.get(plain.replace(/^ב/, '')) ?? 0
}

/** `Tuesday, 12 March 2002` without the weekday. */
export function withoutWeekday(text: string): string {
  const [start = '', word = ''] = /^(\p{L}[\p{L}\p{M}'-]+)\.?,? +/u.exec(text) ?? []
  return word !== '' && weekdays().has(plainMonth(word)) ? text.slice(start.length) : text
}

/**
 * With ASCII digits, numbers instead of Roman months (`11.X.1999`) and Vietnamese ones (`9 tháng 6, 2022`), and years
 * instead of those of eras (`令和2年`, `พ.ศ. 2565`).
 */
export function withUsualNumbers(text: string): string {
  return text
    .replace(/[٠-٩۰-۹०-९๐-๙０-９]/g, (digit) => String(digitValue(digit)))
    .replace(/^(?:ngày )?(\d{1,2}) tháng (\d{1,2})(?:,| năm)? (?=\d{4})/iu, '$1.$2.')
    .replace(/(?<=\p{Script=Thai})\./gu, '')
    .replace(THAI_YEAR, (year) => String(Number(year) - 543))
    .replace(ROMAN, (whole, day: string, month: string, year: string) =>
      ROMAN_MONTHS.includes(month) ? `${day}.${ROMAN_MONTHS.indexOf(month) + 1}.${year}` : whole,
    )
    .replace(ERA, (whole, era: string, year: string) => {
      const before = ERAS.get(era)
      return before === undefined ? whole : `${before + (year === '元' ? 1 : Number(year))}年`
    })
}

/** Unicode has the digits of a script in sequence, each from a code point that ends in 0 or 6. */
function digitValue(digit: string): number {
  const code = digit.charCodeAt(0)
  const zero = [0x0660, 0x06f0, 0x0966, 0x0e50, 0xff10].find((one) => code - one < 10) ?? code
  return code - zero
}

/** Buddhist years, from 1858 on. */
// regex-ok: dates have at most 60 characters
const THAI_YEAR = /(?<=\p{Script=Thai}.*)(?<!\d)2[4-6]\d{2}(?!\d)/u
const ROMAN = /^(\d{1,2})[. /-]+([IVX]{1,4})[. /-]+(\d{4})$/
const ROMAN_MONTHS = 'I II III IV V VI VII VIII IX X XI XII'.split(' ')

const ERA = /^(令和|平成|昭和|大正|明治|民國|民国) ?(\d{1,3}|元)年/
/** The year before the first one of the era. */
const ERAS: ReadonlyMap<string, number> = new Map([
  ['令和', 2018],
  ['平成', 1988],
  ['昭和', 1925],
  ['大正', 1911],
  ['明治', 1867],
  ['民國', 1911],
  ['民国', 1911],
])

/** Lower-case, without accents. */
export function plainMonth(word: string): string {
  return normalForm(word.toLowerCase(), 'NFD').replace(/\p{M}/gu, '')
}

/** Languages of which the platform knows the names. */
const LANGUAGES =
  'en de fr es it pt nl pl cs sk sl hr sr sr-Latn bs mk bg ru uk be lt lv et fi sv da nb nn is hu ro el tr az ar fa he hi bn th vi id ms ka hy sq ca eu gl ga cy af sw'.split(
    ' ',
  )

/** Names that languages use for different months (`listopad`) are left out. */
const monthsOfOtherLanguages = lazy((): ReadonlyMap<string, number> => {
  const months = new Map<string, number>()
  for (const [index, name] of namesIn('month')) {
    const known = months.get(name)
    months.set(name, known === undefined || known === index + 1 ? index + 1 : 0)
  }
  return months
})

const weekdays = lazy(() => new Set([...namesIn('weekday')].map(([, name]) => name)))

/** Each name with its index, alone and in a date, in full and abbreviated. */
function* namesIn(part: 'month' | 'weekday'): Generator<[index: number, name: string]> {
  for (const language of LANGUAGES)
    for (const width of ['long', 'short'] as const)
      for (const day of [undefined, 'numeric'] as const) {
        const format = new Intl.DateTimeFormat(`${language}-u-ca-gregory-nu-latn`, {
          [part]: width,
          ...(part === 'month' && day !== undefined && { day }),
          timeZone: 'UTC',
        })
        for (let index = 0; index < (part === 'month' ? 12 : 7); index++) {
          const date = part === 'month' ? Date.UTC(2024, index, 5) : Date.UTC(2024, 0, index)
          const found = format.formatToParts(date).find(({ type }) => type === part)
          yield [index, plainMonth(found?.value ?? '').replaceAll('.', '')]
        }
      }
}

/** The names in the lists. Any prefix of three or more letters is one, too, unless it is ambiguous: `jui` is two in French. */
const monthsOfMostFiles = lazy((): ReadonlyMap<string, number> => {
  const months = new Map<string, number>()
  const others = readDataLines(new URL('data/other-months.txt', import.meta.url))
  for (const [index, line] of others.entries())
    for (const name of line.split(' ')) months.set(plainMonth(name), index + 1)
  for (const [index, names] of monthWords().entries()) {
    for (const name of names) {
      for (let length = 3; length <= name.length; length++) {
        const prefix = name.slice(0, length)
        const known = months.get(prefix)
        months.set(prefix, known === undefined || known === index + 1 ? index + 1 : 0)
      }
    }
  }
  return months
})
