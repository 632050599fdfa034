/** Numbers, counts and sizes as text. */

import { currentLanguage, perLanguage } from '../languages/language.ts'
import { t } from '../languages/message.ts'

/** `1,204` */
export function numberText(number: number): string {
  return NUMBER().format(number)
}

/** `+1,000`, `-5` */
export function signedText(number: number): string {
  return SIGNED().format(number)
}

/** A number with its noun: `1 call`, `1,204 people`. */
export function countOf(count: number, word: string): string {
  if (currentLanguage() !== 'en') return t(countMessage(word), { count }).replace(' ', '\u00A0')
  return `${numberText(count)}\u00A0${count === 1 ? word : pluralOf(word)}`
}

/** Minutes or hours until a time, at least one minute. */
export function minutesUntil(at: number | null, now: number): string {
  const minutes = Math.max(1, Math.ceil(((at ?? now) - now) / 60_000) + 1)
  return minutes <= 90 ? countOf(minutes, 'minute') : countOf(Math.ceil(minutes / 60), 'hour')
}

/** The message of `countOf`. */
export function countMessage(word: string): string {
  return `{count, plural, one {# ${word}} other {# ${pluralOf(word)}}}`
}

/** English plurals end in s, except one. */
function pluralOf(word: string): string {
  return word === 'person' ? 'people' : `${word}s`
}

const KILOBYTE = 1024
const MEGABYTE = 1024 * KILOBYTE

/** The size of a file: `812 bytes`, `12 KB`, `3.4 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < KILOBYTE) return countOf(bytes, 'byte')
  return bytes < MEGABYTE
    ? `${Math.round(bytes / KILOBYTE)}\u00A0KB`
    : `${(bytes / MEGABYTE).toFixed(1)}\u00A0MB`
}

const NUMBER = perLanguage((locale) => new Intl.NumberFormat(locale))
const SIGNED = perLanguage((locale) => new Intl.NumberFormat(locale, { signDisplay: 'exceptZero' }))
