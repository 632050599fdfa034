// Reads e-mail addresses and phone numbers out of the cells people put them in.

import { oneLine } from './clean-text.ts'

/** Every address in the text (`Ann <ann@x.org>; a@y.org` holds two), lower-case. */
export function emailsIn(text: string): readonly string[] {
  const whole = text.toLowerCase()
  if (EMAIL.test(whole) && whole.length <= EMAIL_CAP) return [whole]
  return oneLine(whole, EMAIL_CELL_CAP)
    .split(/[\s;,]+/)
    .flatMap(emailIn)
}

/** The phone number in the text, as written; none when there is no digit in it. */
export function phoneIn(text: string): readonly string[] {
  const number = oneLine(text, PHONE_CAP).replace(/^tel:/i, '').trim()
  return /\p{Nd}/u.test(number) ? [number] : []
}

const EMAIL_CAP = 254 // characters: RFC 5321 section 4.5.3.1.3, less the angle brackets
const EMAIL_CELL_CAP = 50 * (EMAIL_CAP + 2) // characters: as many addresses as a contact may have
const PHONE_CAP = 100 // characters: fifteen digits, an extension and a remark

// Enough to tell an address from other text; only sending to one proves it.
const EMAIL = /^[^\s@<>()[\],;:"\\\p{C}]+@[^\s@<>()[\],;:"\\\p{C}]+$/u

function emailIn(word: string): readonly string[] {
  if (word.length > 2 * EMAIL_CAP) return []
  const address = word.replace(/^<?(?:mailto:)?/, '').replace(/(?:\?.*)?>?$/, '')
  return EMAIL.test(address) && address.length <= EMAIL_CAP ? [address] : []
}
