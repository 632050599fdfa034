// Extracts emails and phone numbers from free-text cells.

import { withoutLast } from '../../base/without-last.ts'
import { oneLine } from './clean-text.ts'
import { MAX_EMAIL_LENGTH, MAX_PHONE_LENGTH, MAX_VALUES } from '../../base/limits.ts'

/** Every email in the text (`Ann <ann@x.org>; a@y.org` holds two), lower-case. */
export function emailsIn(text: string): readonly string[] {
  const whole = text.toLowerCase()
  if (EMAIL.test(whole) && whole.length <= MAX_EMAIL_LENGTH) return [whole]
  return oneLine(whole, MAX_EMAIL_CELL_LENGTH)
    .split(/[\s;,]+/)
    .flatMap(emailIn)
}

/** Whether the text holds any email. */
export function hasEmail(text: string): boolean {
  return emailsIn(text).length > 0
}

/** Whether the text holds any phone number. */
export function hasPhone(text: string): boolean {
  return phoneIn(text).length > 0
}

/** Whether the text is only an email of the usual characters, as most are. */
export function isPlainEmail(text: string): boolean {
  return PLAIN_EMAIL.test(text)
}

const PLAIN_EMAIL = /^[\w.+-]{1,64}@[\w.-]{1,180}$/

/** The text without its emails and what encloses them: `Ann` for `Ann <ann@x.org>`. */
export function textBesideEmails(text: string): string {
  const line = oneLine(text, MAX_EMAIL_CELL_LENGTH)
  const beside = line
    .split(/[\s;,]+/)
    .filter((word) => emailIn(word.toLowerCase()).length === 0 && /[\p{L}\p{N}]/u.test(word))
    .join(' ')
  return withoutLast(beside.replace(/^["'(]+/, ''), `"')`)
}

/** The phone number in the text, as written; empty when the text has no digit. */
export function phoneIn(text: string): readonly string[] {
  const number = oneLine(text, MAX_PHONE_LENGTH).replace(/^tel:/i, '').trim()
  return /\p{Nd}/u.test(number) ? [number] : []
}

const MAX_EMAIL_CELL_LENGTH = MAX_VALUES * (MAX_EMAIL_LENGTH + 2) // characters: as many emails as a contact may have

// A plausibility check; only sending a message proves that an address works.
const EMAIL = /^[^\s@<>()[\],;:"\\\p{C}]+@[^\s@<>()[\],;:"\\\p{C}]+$/u

function emailIn(word: string): readonly string[] {
  if (word.length > 2 * MAX_EMAIL_LENGTH) return []
  const [written = ''] = word.replace(/^<?(?:mailto:)?/, '').split('?', 1)
  const address = word.endsWith('>') && written.endsWith('>') ? written.slice(0, -1) : written
  return EMAIL.test(address) && address.length <= MAX_EMAIL_LENGTH ? [address] : []
}
