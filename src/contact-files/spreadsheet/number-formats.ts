// Shows the number in a cell as a spreadsheet does, by the format code of the cell (ECMA-376 part 1, 18.8.30). Dates are
// YYYY-MM-DD in every language. Digits are grouped only beside a unit, so that a plain number stays one.

import type * as Numfmt from 'numfmt'
import type { ZipEntry } from '../bytes/zip.ts'
import { parse } from './xlsx-xml.ts'

/** Text of a cell with a number, from its text in the XML. */
export type NumberText = (value: string, is1904: boolean) => string

/** The formats of numbers in a workbook's styles, by the index of the cell format. */
export async function readNumberFormats(
  entry: ZipEntry | undefined,
): Promise<readonly NumberText[]> {
  const numfmt = await import('numfmt')
  const codes = new Map<number, string>()
  const formats: NumberText[] = []
  let inCells = false
  await parse(entry, {
    open(name, { numFmtId = '0', formatCode = '' }) {
      const id = Number(numFmtId)
      if (name === 'numFmt') codes.set(id, formatCode)
      if (name === 'cellXfs') inCells = true
      if (name === 'xf' && inCells)
        formats.push(numberFormat(codes.get(id) ?? builtIn(id, numfmt), numfmt))
    },
    close(name) {
      if (name === 'cellXfs') inCells = false
    },
  })
  return formats
}

/** Returns a built-in format. For 27 to 36 and 50 to 58, the language of Excel decides which are dates and which are times. */
function builtIn(id: number, { getFormatFromId }: typeof Numfmt): string {
  if ((id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return 'yyyy-mm-dd h:mm'
  return id < MAX_BUILT_IN ? getFormatFromId(id) : 'General'
}

const MAX_BUILT_IN = 50
const MAX_CODE_LENGTH = 255 // characters, Excel's own limit

function numberFormat(code: string, numfmt: typeof Numfmt): NumberText {
  const pattern = withPoint(code)
  // A number with an exponent is shown with all digits, because it can be a phone number.
  const isPlain =
    code.length > MAX_CODE_LENGTH || PLAIN.test(pattern) || /[0#?]E[+-]/i.test(pattern)
  if (isPlain || !numfmt.isValidFormat(pattern)) return plainNumber
  const shown = numfmt.isDateFormat(pattern)
    ? momentFormat(pattern, numfmt)
    : digitsFormat(pattern, numfmt)
  return (written, is1904) => {
    const value = Number(written)
    if (written === '' || !Number.isFinite(value)) return written
    return shown(value, is1904)?.replaceAll(/\s+/g, ' ').trim() ?? plainNumber(written)
  }
}

const PLAIN = /^(?:[\s;@-]|general|\[[^\]]*\])*$/i

/** Some programs write `#.##0,00`, as Excel shows the code in German, instead of `#,##0.00`. */
function withPoint(code: string): string {
  if (!/[#0?]\.##0(?![#0?])/.test(code)) return code
  return code.replace(/"[^"]*"?|\\.|[.,]/g, (token) =>
    token === '.' ? ',' : token === ',' ? '.' : token,
  )
}

/** Without the separators of a currency's country; a negative number in parentheses without a unit gets a sign. */
function digitsFormat(pattern: string, { format }: typeof Numfmt) {
  // regex-ok: format codes have at most 255 characters
  const neutral = pattern.replaceAll(/\[\$([^\]-]*)(?:-[^\]]*)?\]/g, '"$1"')
  return (value: number): string => {
    const text = format(neutral, exact(value)).replace(/\.(?!\d)/, '')
    if (/[\p{L}\p{Sc}%]/u.test(text)) return text
    return text.replaceAll(/(?<=\d),(?=\d)/g, '').replace(/^\s*\(([\d.]+)\)\s*$/, '-$1')
  }
}

/** Null for a value that is no date. */
type MomentText = (value: number, is1904: boolean) => string | null

/** What the format shows of a moment: all of it, or only some parts, such as the month and the year, or a weekday. */
function momentFormat(pattern: string, { format, getFormatDateInfo }: typeof Numfmt): MomentText {
  const { year, month, day, hours, minutes, seconds, clockType } = getFormatDateInfo(pattern)
  const end = seconds ? ':ss' : ''
  const time = !hours ? '' : clockType === 12 ? `h:mm${end} AM/PM` : `hh:mm${end}`
  const isElapsed = /\[(?:h+|m+|s+)\]/i.test(pattern)
  const isPartOnly = year ? false : month !== day || (!hours && (minutes || seconds))
  const date = year ? `yyyy${month || day ? '-mm' : ''}${day ? '-dd' : ''}` : 'd mmmm'
  const hasDate = year || month || day
  return (value, is1904) => {
    const days = is1904 && !isElapsed && hasDate ? value + DAYS_TO_1904 : value
    const isMidnight = Math.round(days * DAY_SECONDS) % DAY_SECONDS === 0
    if (days < 1 && hasDate && time === '' && !isPartOnly) return null
    const shown =
      isElapsed || isPartOnly
        ? pattern
        : [days < 1 && time !== '' ? '' : hasDate && date, hasDate && isMidnight ? '' : time]
            .filter((part) => part !== '' && part !== false)
            .join(' ')
    try {
      return format(shown, days, { dateErrorThrows: true })
    } catch {
      return null
    }
  }
}

const DAYS_TO_1904 = 1462
const DAY_SECONDS = 86_400

/**
 * Without the noise of binary fractions, and without an exponent: a phone number that is stored as 4.91701234567E+11 is
 * 491701234567.
 */
export function plainNumber(written: string): string {
  const value = Number(written)
  if (written === '' || !Number.isFinite(value)) return written
  if (Number.isSafeInteger(value)) return /[.e]/i.test(written) ? String(value) : written
  return /e|\.\d{10}/i.test(written) ? String(exact(value)) : written
}

/** To the 15 digits of a spreadsheet: 1.1000000000000001 is 1.1. */
function exact(value: number): number {
  return Number(value.toPrecision(15))
}
