/** Compares phone numbers with or without country code, trunk prefix and punctuation. */

import { normalForm } from '../base/normal-form.ts'

/** The last digits of a number, which do not depend on the country code. */
const SIGNIFICANT_DIGITS = 9
const MIN_DIGITS = 7

interface PhoneNumber {
  /** All digits, with the country code if one was written; without extension. */
  readonly digits: string
  /** Whether it starts with `+` or `00`, so that the digits begin with the country code. */
  readonly isInternational: boolean
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
  const digits = ascii.replace(/\D/g, '')
  return {
    digits: isInternational ? digits.replace(/^00/, '') : digits,
    isInternational,
    extension: extension?.[1] ?? '',
  }
}

/** `+49 170 1234567`, as most address books have them: nothing to remove but spaces. */
const INTERNATIONAL = /^\+[1-9](?: ?\d){9,14}$/

/**
 * A key that is the same for every common spelling of a number: its last nine digits and the extension. Empty if the
 * number is too short to identify anyone.
 */
export function phoneKey(text: string): string {
  if (INTERNATIONAL.test(text)) return text.replaceAll(' ', '').slice(-SIGNIFICANT_DIGITS)
  const { digits, extension } = parsePhone(text)
  if (digits.length < MIN_DIGITS) return ''
  const significant = digits.replace(/^0+/, '').slice(-SIGNIFICANT_DIGITS)
  if (significant.length < MIN_DIGITS) return ''
  return extension === '' ? significant : `${significant}x${extension}`
}

/** Whether two texts are the same number. Numbers with different country codes are different. */
export function isSamePhone(one: string, other: string): boolean {
  const key = phoneKey(one)
  if (key === '' || key !== phoneKey(other)) return false
  const [a, b] = [parsePhone(one), parsePhone(other)]
  return !a.isInternational || !b.isInternational || a.digits === b.digits
}
