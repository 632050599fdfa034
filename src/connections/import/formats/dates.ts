// Parses dates in the notations of export formats and several languages.

/** YYYY-MM-DD, or --MM-DD when the year is unknown; null when the text is not a date. */
export function birthdayIn(text: string, order: DateOrder = 'month-first'): string | null {
  const date = dateIn(text, order)
  if (date === null) return null
  const monthAndDay = `${two(date.month)}-${two(date.day)}`
  return date.year === null ? `--${monthAndDay}` : `${date.year}-${monthAndDay}`
}

/** YYYY-MM-DD; null when the text is not a full date. */
export function dayIn(text: string, order: DateOrder = 'month-first'): string | null {
  const date = dateIn(text, order)
  if (date === null || date.year === null) return null
  return `${date.year}-${two(date.month)}-${two(date.day)}`
}

/** How to read 3/4/2020: English Outlook writes the month first, German and French Outlook the day. */
type DateOrder = 'month-first' | 'day-first'

interface CalendarDate {
  readonly year: number | null
  readonly month: number
  readonly day: number
}

function dateIn(text: string, order: DateOrder): CalendarDate | null {
  const written = text.trim()
  if (written === '' || written.length > MAX_DATE_LENGTH) return null
  return (
    dayMonthYear(written) ??
    yearFirst(written) ??
    withoutYear(written) ??
    separated(written, order) ??
    monthDayYear(written)
  )
}

const MAX_DATE_LENGTH = 60 // characters: enough for a date with time and zone

/** 12 Mar 2024 · 7-Feb-22 · 3. März 2021 · 1er août 2020 · 5 de mayo de 2019 */
function dayMonthYear(text: string): CalendarDate | null {
  const found =
    /^(\d{1,2})(?:er|\.|º)?[ -](?:de )?(\p{L}{3,12})\.?[ -](?:de )?(\d{4}|\d{2})$/iu.exec(text)
  return found === null ? null : dateOf(found[3], monthNamed(found[2]), Number(found[1]))
}

/** Mar 12, 2024 · March 12 2024 */
function monthDayYear(text: string): CalendarDate | null {
  const found = /^(\p{L}{3,12})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/iu.exec(text)
  return found === null ? null : dateOf(found[3], monthNamed(found[1]), Number(found[2]))
}

/** 2024-03-12 · 20240312 · 2024/3/12 · 2024年3月12日, with or without a time (RFC 6350 section 4.3) */
function yearFirst(text: string): CalendarDate | null {
  const found =
    /^(\d{4})(\d{2})(\d{2})(?:[T ].*)?$/.exec(text) ??
    /^(\d{4})[-/.年] ?(\d{1,2})[-/.月] ?(\d{1,2})[日.]?(?:[T ].*)?$/.exec(text)
  return found === null ? null : dateOf(found[1], Number(found[2]), Number(found[3]))
}

/** --0203 · --12-01 (RFC 6350 section 4.3.1; Google CSV) */
function withoutYear(text: string): CalendarDate | null {
  const found = /^ ?--(\d{2})-?(\d{2})(?:T.*)?$/.exec(text)
  return found === null ? null : dateOf(undefined, Number(found[1]), Number(found[2]))
}

/** 3/22/1985 · 22.3.1985 · 22/3/85. Dots mean that the day comes first; a number above 12 is a day. */
function separated(text: string, order: DateOrder): CalendarDate | null {
  const found = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?: .*)?$/.exec(text)
  if (found === null) return null
  const [first, second] = [Number(found[1]), Number(found[3])]
  const dayFirst = found[2] === '.' || order === 'day-first' ? second <= 12 : first > 12
  return dayFirst ? dateOf(found[4], second, first) : dateOf(found[4], first, second)
}

const NO_YEAR = new Set([0, 1604]) // Apple writes 1604 when the year is unknown
const PIVOT = 30 // two-digit years: 00-29 are 20xx, 30-99 are 19xx

function dateOf(yearText: string | undefined, month: number, day: number): CalendarDate | null {
  const year = yearText === undefined ? null : fullYear(yearText)
  const known = year !== null && !NO_YEAR.has(year)
  if (known && (year < 1000 || year > 2999)) return null
  if (month < 1 || month > 12 || day < 1) return null
  if (day > new Date(Date.UTC(known ? year : LEAP_YEAR, month, 0)).getUTCDate()) return null
  return { year: known ? year : null, month, day }
}

const LEAP_YEAR = 2000 // --02-29 is a birthday

function fullYear(text: string): number {
  const year = Number(text)
  if (text.length === 4) return year
  return year < PIVOT ? 2000 + year : 1900 + year
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value)
}

function monthNamed(word: string | undefined): number {
  if (word === undefined) return 0
  return MONTHS.get(word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')) ?? 0
}

// English, German, French, Spanish, Italian, Portuguese, Dutch; without accents.
const MONTH_NAMES = [
  'january januar janvier enero gennaio janeiro januari janner',
  'february februar fevrier febrero febbraio fevereiro februari',
  'march marz mars marzo marco maart maerz mrt',
  'april avril abril aprile',
  'may mai mayo maggio maio mei',
  'june juni juin junio giugno junho',
  'july juli juillet julio luglio julho',
  'august aout agosto augustus',
  'september septembre septiembre settembre setembro',
  'october oktober octobre octubre ottobre outubro',
  'november novembre noviembre novembro',
  'december dezember decembre diciembre dicembre dezembro',
]

const MONTHS = monthPrefixes()

/** Every prefix of three or more letters; ambiguous ones map to 0 (`jui` is two months in French). */
function monthPrefixes(): ReadonlyMap<string, number> {
  const months = new Map<string, number>()
  for (const [index, names] of MONTH_NAMES.entries()) {
    for (const name of names.split(' ')) {
      for (let length = 3; length <= name.length; length++) {
        const prefix = name.slice(0, length)
        const known = months.get(prefix)
        months.set(prefix, known === undefined || known === index + 1 ? index + 1 : 0)
      }
    }
  }
  return months
}
