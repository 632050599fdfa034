// The dates, times and durations of a workbook: days since the start of 1900 or 1904.

/** A placeholder of a format code: `yyyy`, `m`, `[h]`, `am/pm`; `M` stands for minutes. */
export type DateToken = string

/** The placeholders of a date or time in a format code; null if the code has none. */
export function dateTokens(code: string): readonly DateToken[] | null {
  const plain = code
    .replace(/"[^"]*"?|\\.|_.|\*./g, '')
    // regex-ok: format codes have at most 255 characters
    .replace(/\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, '')
  if (/general|[#?@]/i.test(plain)) return null
  const tokens = plain.match(/\[(?:h+|m+|s+)\]|am\/pm|a\/p|y+|e+|m+|d+|h+|s+/gi) ?? []
  const read = tokens.map((token) => token.toLowerCase())
  if (read.length === 0 || !read.some((token) => /^\[?[ymdhs]/.test(token))) return null
  return read.map((token, at) => (isMinutes(read, at) ? 'M'.repeat(token.length) : token))
}

/** `m` after hours or before seconds stands for minutes. */
function isMinutes(tokens: readonly string[], at: number): boolean {
  if (!/^mm?$/.test(tokens[at] ?? '')) return false
  return /^\[?h/.test(tokens[at - 1] ?? '') || /^\[?s/.test(tokens[at + 1] ?? '')
}

const DAY_MS = 86_400_000
const SECOND_MS = 1000
/** Day 0 of a workbook from day 61 on: it has a day 60, 29 February 1900, which did not exist. */
const EPOCH_1900 = Date.UTC(1899, 11, 30)
const LAST_DAY_BEFORE_GAP = 59
const EPOCH_1904 = Date.UTC(1904, 0, 1)
const MAX_DAY = 2_958_465 // 31 December 9999

/** Null for a value that is no date. */
export function momentText(
  value: number,
  tokens: readonly DateToken[],
  { is1904, language = 'en' }: { readonly is1904: boolean; readonly language?: string },
): string | null {
  const elapsed = tokens.find((token) => token.startsWith('['))
  if (elapsed !== undefined) return durationText(value, elapsed, tokens)
  if (value < 0 || value >= MAX_DAY + 1) return null
  const has = (pattern: RegExp) => tokens.some((token) => pattern.test(token))
  const time = has(/^[hsM]/) ? timeText(value, tokens) : ''
  if (!has(/^[ymde]/)) return time
  if (value < 1 && !is1904) return time === '' ? null : time
  const day = dayText(new Date(dayStart(value, is1904)), has, language)
  const isMidnight = /^(?:00:00(?::00)?|12:00(?::00)? AM)$/.test(time)
  return time === '' || isMidnight ? day : `${day} ${time}`
}

/** Rounded to the second, because days have binary fractions. */
function seconds(value: number): number {
  return Math.round((value * DAY_MS) / SECOND_MS)
}

function dayStart(value: number, is1904: boolean): number {
  const day = Math.floor(seconds(value) / (DAY_MS / SECOND_MS))
  const offset = is1904 ? EPOCH_1904 : EPOCH_1900
  return offset + (!is1904 && day <= LAST_DAY_BEFORE_GAP ? day + 1 : day) * DAY_MS
}

/** What the format shows of a day: all of it, or only some parts, such as the month and the year, or a weekday. */
function dayText(date: Date, has: (pattern: RegExp) => boolean, language: string): string {
  const text = date.toISOString()
  const [hasYear, hasMonth, hasDay] = [has(/^[ye]/), has(/^m/), has(/^dd?$/)]
  if (hasYear && hasMonth && !hasDay) return text.slice(0, 'YYYY-MM'.length)
  if (hasYear && !hasMonth && !hasDay) return text.slice(0, 'YYYY'.length)
  if (!hasYear && hasMonth && hasDay)
    return `${date.getUTCDate()} ${partOf(date, 'en', { month: 'long' })}`
  if (!hasYear && hasDay) return String(date.getUTCDate())
  if (!hasYear && hasMonth)
    return partOf(date, language, {
      month: has(/^m{4}/) ? 'long' : has(/^m{3}/) ? 'short' : 'numeric',
    })
  if (!hasYear) return partOf(date, language, { weekday: has(/^d{4}/) ? 'long' : 'short' })
  return text.slice(0, 'YYYY-MM-DD'.length)
}

function partOf(date: Date, language: string, part: Intl.DateTimeFormatOptions): string {
  return date.toLocaleString(language, { ...part, timeZone: 'UTC' })
}

function timeText(value: number, tokens: readonly DateToken[]): string {
  const inDay = seconds(value) % (DAY_MS / SECOND_MS)
  const hours = Math.floor(inDay / 3600)
  const [minutes, rest] = [two(Math.floor(inDay / 60) % 60), two(inDay % 60)]
  const has = (start: RegExp) => tokens.some((token) => start.test(token))
  const end = has(/^s/) ? `:${rest}` : ''
  if (!has(/^h/)) return has(/^M/) ? `${minutes}${end}` : rest
  if (!has(/^a/)) return `${two(hours)}:${minutes}${end}`
  return `${hours % 12 === 0 ? 12 : hours % 12}:${minutes}${end} ${hours < 12 ? 'AM' : 'PM'}`
}

/** Hours, minutes or seconds that are not limited to a day: 26:30. */
function durationText(value: number, elapsed: string, tokens: readonly DateToken[]): string {
  const all = Math.abs(seconds(value))
  const sign = value < 0 ? '-' : ''
  if (elapsed.startsWith('[s')) return `${sign}${all}`
  const end = tokens.some((token) => token.startsWith('s')) ? `:${two(all % 60)}` : ''
  if (elapsed.startsWith('[m')) return `${sign}${Math.floor(all / 60)}${end}`
  const hours = `${sign}${Math.floor(all / 3600)}`
  const hasMinutes = tokens.some((token) => token.startsWith('M'))
  return hasMinutes ? `${hours}:${two(Math.floor(all / 60) % 60)}${end}` : hours
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
