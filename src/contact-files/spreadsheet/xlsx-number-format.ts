// Shows the number in a cell as a spreadsheet does, by the format code of the cell (ECMA-376 part 1, 18.8.31). Dates are
// YYYY-MM-DD in every language. Digits are grouped only beside a unit, so that a plain number stays one.

import { withoutLast } from '../../base/without-last.ts'
import { dateTokens, momentText, type DateToken } from './xlsx-dates.ts'
import { fractionIn, fractionText, type FractionFormat } from './xlsx-fractions.ts'
import { languageIn } from './xlsx-locales.ts'

/** Text of a cell with a number, from its text in the XML. */
export type NumberText = (value: string, is1904: boolean) => string

const MAX_CODE_LENGTH = 255 // characters, Excel's own limit

/** How cells with a format code are shown. A longer code than Excel writes shows plain numbers. */
export function numberFormat(code: string): NumberText {
  if (code.length > MAX_CODE_LENGTH) return plainNumber
  const codes = sectionsOf(withPoint(code))
  const sections = codes.map(sectionOf)
  if (sections.every(({ kind }) => kind === 'general')) return plainNumber
  const limits = codes.map(limitIn)
  return (written, is1904) => {
    const value = Number(written)
    if (written === '' || !Number.isFinite(value)) return written
    const at = sectionFor(value, limits)
    const section = sections[at]
    if (section === undefined || section.kind === 'general')
      return at === ZERO_SECTION && codes[at] === '' ? '' : plainNumber(written)
    if (section.kind === 'date')
      return (
        momentText(value, section.tokens, { is1904, language: section.language }) ??
        plainNumber(written)
      )
    if (section.kind === 'fraction')
      return withMinus(fractionText(value, section.format), value < 0 && at === 0)
    return withMinus(digitsText(value, section), value < 0 && at === 0)
  }
}

/** Some programs write `#.##0,00`, as Excel shows the code in German, instead of `#,##0.00`. */
function withPoint(code: string): string {
  if (!/[#0?]\.##0(?![#0?])/.test(code)) return code
  return code.replace(TOKEN, (token) => (token === '.' ? ',' : token === ',' ? '.' : token))
}

/** A negative number in parentheses without a unit gets a sign, so that it stays a number. */
function withMinus(text: string, isMissing: boolean): string {
  return isMissing && /[1-9]/.test(text) ? `-${text}` : text.replace(/^\(([\d.]+)\)$/, '-$1')
}

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

type Section = General | DateSection | FractionSection | DigitSection

interface General {
  readonly kind: 'general'
}

interface DateSection {
  readonly kind: 'date'
  readonly tokens: readonly DateToken[]
  /** Of the names of months and weekdays. */
  readonly language: string
}

interface FractionSection {
  readonly kind: 'fraction'
  readonly format: FractionFormat
}

interface DigitSection {
  readonly kind: 'digits'
  readonly parts: readonly Part[]
  readonly decimals: number
  /** Decimals that are left out if they are zeros. */
  readonly optionalDecimals: number
  readonly isGrouped: boolean
  /** Percent signs and commas after the digits. */
  readonly factor: number
}

/** A digit of the integer, where the digits begin after the decimal point, or text. */
type Part =
  | { readonly kind: 'digit'; readonly isRequired: boolean }
  | { readonly kind: 'fraction' }
  | { readonly kind: 'text'; readonly text: string }

/** Text in quotes, a color, a currency, an escaped character, a space, a repeated character, or one character. */
const TOKEN = /"([^"]*)"?|\[([^\]]*)\]|\\(.)|_(.)|\*(.)|general|[\s\S]/giu

function sectionsOf(code: string): string[] {
  const sections = ['']
  for (const [token] of code.matchAll(TOKEN)) {
    if (token === ';') sections.push('')
    else sections[sections.length - 1] += token
  }
  return sections
}

function sectionOf(code: string): Section {
  const tokens = dateTokens(code)
  if (tokens !== null) return { kind: 'date', tokens, language: languageIn(code) }
  const fraction = fractionIn(bare(code, ' '))
  if (fraction !== null) return { kind: 'fraction', format: fraction }
  const parts = partsOf(code)
  const isPlain = !parts.some(({ kind }) => kind === 'digit' || kind === 'fraction')
  // A number with an exponent is shown with all digits, because it can be a phone number.
  if (/general|@|[#?]\s*\/|E[+-]/i.test(bare(code))) return { kind: 'general' }
  if (isPlain && code.trim() === '') return { kind: 'general' }
  const [, placeholders = ''] = /\.([0#?]*)/.exec(bare(code)) ?? []
  const scale = /[0#?](,+)[^0#?,]*$/.exec(bare(code))?.[1]?.length ?? 0
  const percents = bare(code).split('%').length - 1
  return {
    kind: 'digits',
    parts,
    decimals: placeholders.length,
    // regex-ok: format codes have at most 255 characters
    optionalDecimals: /[#?]*$/.exec(placeholders)?.[0].length ?? 0,
    isGrouped: /[0#?],[0#?]/.test(code) && parts.some((part) => isUnit(part)),
    factor: 100 ** percents / 1000 ** scale,
  }
}

/** The code with `instead` of its texts. */
function bare(code: string, instead = ''): string {
  return code.replace(TOKEN, (token, ...texts: (string | undefined)[]) =>
    texts.slice(0, 5).some((text) => text !== undefined) ? instead : token,
  )
}

/** Letters, currencies and percent signs, but not the parentheses of an account. */
function isUnit(part: Part): boolean {
  return part.kind === 'text' && /[\p{L}\p{Sc}%]/u.test(part.text)
}

function partsOf(code: string): Part[] {
  const parts: Part[] = []
  let isFraction = false
  for (const [token, quoted, bracketed, escaped, space] of code.matchAll(TOKEN)) {
    const text = quoted ?? escaped ?? currencyIn(bracketed) ?? (space === undefined ? '' : ' ')
    if (text !== '') parts.push({ kind: 'text', text })
    else if (token === '.') {
      isFraction = true
      parts.push({ kind: 'fraction' })
    } else if (/^[0#?]$/.test(token)) {
      if (!isFraction) parts.push({ kind: 'digit', isRequired: token === '0' })
    } else if (/^[^,;*_[\]"\\]$/u.test(token)) parts.push({ kind: 'text', text: token })
  }
  return parts
}

/** `[$€-407]` is €. Colors and conditions show nothing. */
function currencyIn(bracketed: string | undefined): string | undefined {
  return bracketed === undefined ? undefined : (/^\$([^-]*)/.exec(bracketed)?.[1] ?? '')
}

/** Whether a section with a condition such as `[<=9999999]` is for the value; undefined without a condition. */
type Limit = ((value: number) => boolean) | undefined

function limitIn(code: string): Limit {
  const [, operator = '', text = ''] = /\[([<>=]+)(-?[\d.]+)\]/.exec(code) ?? []
  const limit = Number(text)
  switch (operator) {
    case '<':
      return (value) => value < limit
    case '<=':
      return (value) => value <= limit
    case '>':
      return (value) => value > limit
    case '>=':
      return (value) => value >= limit
    case '=':
      return (value) => value === limit
    case '<>':
      return (value) => value !== limit
    default:
      return undefined
  }
}

const ZERO_SECTION = 2

/** The index of the section for the value: positive, negative or zero ones, unless the format has conditions. */
function sectionFor(value: number, limits: readonly Limit[]): number {
  if (limits.some((limit) => limit !== undefined)) {
    const found = limits.findIndex((limit) => limit === undefined || limit(value))
    return found === -1 ? 0 : found
  }
  if (value < 0 && limits.length > 1) return 1
  return value === 0 && limits.length > ZERO_SECTION ? ZERO_SECTION : 0
}

/** Without a sign. */
function digitsText(value: number, section: DigitSection): string {
  const { parts, decimals, optionalDecimals } = section
  const scaled = exact(Math.abs(value) * section.factor)
  const [integer = '', all = ''] = rounded(scaled, decimals).split('.')
  const fraction = withoutZeros(all, optionalDecimals)
  const slots = parts.filter((part) => part.kind === 'digit').length
  let digits = integer === '0' ? '' : integer
  let left = slots
  const shown = parts.map((part) => {
    if (part.kind === 'text') return part.text
    if (part.kind === 'fraction')
      return left === 0 && slots === 0 ? `${digits}.${fraction}` : fraction && `.${fraction}`
    // The first placeholder takes all digits that have none of their own.
    const count = left === slots ? Math.max(digits.length - left + 1, 0) : digits.length - left + 1
    left -= 1
    const own = digits.slice(0, Math.max(count, 0))
    digits = digits.slice(own.length)
    const text = own === '' && part.isRequired ? '0' : own
    return section.isGrouped ? grouped(text, left) : text
  })
  return shown.join('').replaceAll(/\s+/g, ' ').trim()
}

/** Half away from zero, as a spreadsheet does: 0.125 to two decimals is 0.13. */
function rounded(value: number, decimals: number): string {
  if (value >= 1e15) return BigInt(Math.round(value)).toString()
  const [digits = '', exponent = '0'] = value.toExponential(14).split('e')
  const moved = Math.round(Number(`${digits}e${Number(exponent) + decimals}`))
  if (!Number.isSafeInteger(moved)) return value.toFixed(decimals)
  const text = String(moved).padStart(decimals + 1, '0')
  return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`
}

function withoutZeros(fraction: string, most: number): string {
  const kept = fraction.slice(0, fraction.length - most)
  return kept + withoutLast(fraction.slice(fraction.length - most), '0')
}

/** Adds commas to digits that `after` more digits follow. */
function grouped(digits: string, after: number): string {
  return digits.replace(/\d/g, (digit, at: number) => {
    const following = digits.length - at - 1 + after
    return following > 0 && following % 3 === 0 ? `${digit},` : digit
  })
}
