/** Compares phone numbers with or without country code, trunk prefix and punctuation. */

import { readDataLines } from '../base/data-file.ts'
import { lazy } from '../base/lazy.ts'
import { normalForm } from '../base/normal-form.ts'

/** The last digits of a number without its country code; longer numbers begin with an area code that may be left out. */
const SIGNIFICANT_DIGITS = 9
const MIN_DIGITS = 7

interface PhoneNumber {
  /** All digits, with the country code if one was written; without extension. */
  readonly digits: string
  /** The digits after the country calling code (ITU-T E.164), or all of them without the trunk zero. */
  readonly national: string
  /** Empty if none was written with `+` or `00`. */
  readonly callingCode: string
  /** Digits of the extension; empty for none. */
  readonly extension: string
}

const EXTENSION =
  /(?:\b(?:ext|extension|durchwahl|dw|poste|int|wewn)\b\.?|x|#|;ext=)\s*(?::\s*)?(\d{1,6})$/i

function parsePhone(text: string): PhoneNumber {
  const extension = EXTENSION.exec(text.trimEnd())
  const number = extension ? text.slice(0, extension.index) : text
  // `+44 (0)20 …`: the zero is dialed only within the country.
  const ascii = normalForm(number, 'NFKC').replace(/\(0\)/, '')
  const isInternational = /^\D*\+|^\D*00[1-9]/.test(ascii)
  const written = ascii.replace(/\D/g, '')
  const digits = isInternational ? written.replace(/^00/, '') : written
  const callingCode = isInternational ? callingCodeOf(digits) : ''
  return {
    digits,
    national: digits.slice(callingCode.length).replace(/^0+/, ''),
    callingCode,
    extension: extension?.[1] ?? '',
  }
}

/** Codes have one digit in the zones 1 and 7, two where listed, and three elsewhere. */
function callingCodeOf(digits: string): string {
  if (/^[17]/.test(digits)) return digits.slice(0, 1)
  return digits.slice(0, TWO_DIGIT_CODE.test(digits) ? 2 : 3)
}

const TWO_DIGIT_CODE = /^(?:2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/

/**
 * A key that is the same for every common spelling of a number: the last nine digits after the country code, and the
 * extension. Empty if the number is too short to identify anyone.
 */
export function phoneKey(text: string): string {
  const { national, extension } = parsePhone(text)
  const significant = national.slice(-SIGNIFICANT_DIGITS)
  if (significant.length < MIN_DIGITS) return ''
  return extension === '' ? significant : `${significant}x${extension}`
}

/** Whether two texts are the same number. Numbers with different country codes are different. */
export function isSamePhone(one: string, other: string): boolean {
  const key = phoneKey(one)
  if (key === '' || key !== phoneKey(other)) return false
  const [a, b] = [parsePhone(one), parsePhone(other)]
  return a.callingCode === '' || b.callingCode === '' || a.digits === b.digits
}

/** Whether a number is written with its country code. */
export function hasCallingCode(text: string): boolean {
  return parsePhone(text).callingCode !== ''
}

type PhoneKind = 'mobile' | 'landline' | 'unknown'

/**
 * The kind of a number by its spellings: by the numbering plan, or else by the labels that address books gave it. Most
 * numbers of countries whose plan does not tell are mobiles.
 */
export function phoneKindOf(
  spellings: readonly string[],
  labels: readonly (string | undefined)[] = [],
): PhoneKind {
  const numbers = spellings.map(parsePhone)
  for (const { callingCode, national } of numbers) {
    const prefixes = mobilePrefixes().get(callingCode)
    if (prefixes !== undefined)
      return prefixes.some((prefix) => national.startsWith(prefix)) ? 'mobile' : 'landline'
  }
  const written = labels.filter((label) => label !== undefined)
  if (written.some((label) => /mobile|cell|handy|iphone/i.test(label))) return 'mobile'
  if (written.length > 0) return 'landline'
  return numbers.some(({ callingCode }) => callingCode !== '') ? 'mobile' : 'unknown'
}

const mobilePrefixes = lazy(
  () =>
    new Map(
      readDataLines(new URL('data/mobile-prefixes.txt', import.meta.url)).map((line) => {
        const [code = '', ...prefixes] = line.split(' ')
        return [code, prefixes] as const
      }),
    ),
)
