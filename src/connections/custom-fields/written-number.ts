/** Reads numbers as spreadsheets and accounting programs of any country write them. */

import { normalForm } from '../../base/normal-form.ts'

/**
 * The number in a text, as JSON writes it: `$1,234.50` is 1234.50, `1.234,50 €` too, `(1,200)` is -1200, `12.5%` is 12.5.
 * Undefined for any other text, and for one with two meanings: `1,234` is 1234 in English and 1.234 in German, unless it
 * is an amount of money, which has no three decimals.
 */
export function writtenNumberIn(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const { digits, isNegative, hasUnit } = partsOf(normalForm(text, 'NFKC').trim())
  if (!WRITTEN.test(digits)) return undefined
  const number = plainNumber(digits, hasUnit)
  return number === undefined ? undefined : `${isNegative ? '-' : ''}${number}`
}

const MAX_LENGTH = 100 // characters: no number is longer

/** One or more digits, and separators between digits. */
const WRITTEN = /^\d+(?:[ .,'’]\d+)*$/

interface NumberParts {
  /** With their separators. */
  readonly digits: string
  readonly isNegative: boolean
  /** Whether it has a currency, or the parentheses of an account. */
  readonly hasUnit: boolean
}

/** The sign can be before or after the currency, or after the number. Accounts write negative amounts in parentheses. */
function partsOf(text: string): NumberParts {
  const [, inParentheses] = /^\((.*)\)$/.exec(text) ?? []
  const plain = (inParentheses ?? text).replaceAll('−', '-')
  const written = plain.replaceAll(CURRENCY, '$<sign>')
  const amount = (written.endsWith('%') ? written.slice(0, -1) : written).trim()
  // regex-ok: at most MAX_LENGTH characters
  const [, before, digits = '', after] = /^([+-]?)\s*(.*?)\s*(-?)$/.exec(amount) ?? []
  const isNegative = inParentheses !== undefined || before === '-' || after === '-'
  const isAccount = inParentheses !== undefined && before === '' && after === ''
  return { digits, isNegative, hasUnit: isAccount || written !== plain }
}

/** A symbol, a code of three letters, or a common abbreviation, at either end. */
// regex-ok: at most MAX_LENGTH characters
const CURRENCY =
  /^(?<sign>[+-]?)\s*(?:[A-Z]{0,3}\p{Sc}|[A-Z]{3}(?![a-z])|Fr\.|kr\.?|Rs\.?|zł)\s*|\s*(?:\p{Sc}|[A-Z]{3}|Fr\.|kr\.?|zł|Kč|Ft|lei|руб\.?|元|円|원)$/gu

function plainNumber(digits: string, isMoney: boolean): string | undefined {
  const separators = new Set(digits.match(/\D/g))
  if (separators.size === 0) return digits
  const last = digits.match(/\D/g)?.at(-1) ?? ''
  const [integer = '', decimals = ''] = splitAtLast(digits, last)
  if (separators.size > 1) {
    const isDecimal = !integer.includes(last) && /[.,]/.test(last)
    return separators.size === 2 && isDecimal ? grouped(integer, decimals) : undefined
  }
  if (/[ '’]/.test(last) || integer.includes(last)) return grouped(digits)
  // One separator, a point or a comma.
  if (decimals.length !== 3 || integer.startsWith('0') || integer.length > 3)
    return `${integer}.${decimals}`
  if (isMoney) return grouped(digits)
  return last === '.' ? `${integer}.${decimals}` : undefined
}

function splitAtLast(digits: string, separator: string): readonly string[] {
  const at = digits.lastIndexOf(separator)
  return [digits.slice(0, at), digits.slice(at + 1)]
}

/** Undefined unless the groups have three digits, or two before the last one, as in India. */
function grouped(integer: string, decimals?: string): string | undefined {
  if (!/^\d{1,3}(?:\D\d{2,3})*\D\d{3}$|^\d+$/.test(integer)) return undefined
  const groups = integer.split(/\D/).slice(1, -1)
  if (new Set(groups.map((group) => group.length)).size > 1) return undefined
  const plain = integer.replaceAll(/\D/g, '')
  return decimals === undefined ? plain : `${plain}.${decimals}`
}
