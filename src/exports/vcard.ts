/** A connection as a vCard 4.0 (RFC 6350). */

import type { PortableContact } from './contact-mapping.ts'

export function vcardOf(contact: PortableContact): string {
  const { name, givenName, familyName, company, title, location, birthday, note } = contact
  const hasParts = givenName !== null || familyName !== null
  const lines = [
    'BEGIN:VCARD',
    'VERSION:4.0',
    `FN:${escaped(name)}`,
    ...(hasParts ? [`N:${escaped(familyName ?? '')};${escaped(givenName ?? '')};;;`] : []),
    ...property('ORG', company),
    ...property('TITLE', title),
    // Which part is the country nobody knows: the whole stands where every reader looks, in place of the city.
    ...(location === null ? [] : [`ADR:;;;${escaped(location)};;;`]),
    ...preferred('EMAIL', contact.emails.map(escaped)),
    ...preferred('TEL', contact.phones.map(escaped)),
    ...contact.urls.map((url) => `URL:${url.replaceAll('\\', '\\\\')}`),
    // Section 4.3.1: without hyphens, but for a year that is left out.
    ...(birthday === null ? [] : [`BDAY:${birthday.replace(/(?<=\d)-/g, '')}`]),
    ...(contact.labels.length > 0 ? [`CATEGORIES:${contact.labels.map(escaped).join(',')}`] : []),
    ...property('NOTE', note === '' ? null : note),
    'END:VCARD',
  ]
  return lines.map(folded).join('')
}

function property(name: string, text: string | null): string[] {
  return text === null ? [] : [`${name}:${escaped(text)}`]
}

/** Section 5.3: the first of several is the one to use. */
function preferred(name: string, values: readonly string[]): string[] {
  return values.map((value, index) =>
    index === 0 && values.length > 1 ? `${name};PREF=1:${value}` : `${name}:${value}`,
  )
}

/** Section 3.4. */
function escaped(text: string): string {
  return text.replace(/[\\,;\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))
}

/** Section 3.2: the octets of a line without its end. */
const MAX_LINE_LENGTH = 75

/** Section 3.2: a long line goes on behind a space, and never within a character. */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= MAX_LINE_LENGTH) return `${line}\r\n`
  let text = ''
  let octets = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > MAX_LINE_LENGTH) {
      text += '\r\n '
      octets = 1
    }
    text += character
    octets += size
  }
  return `${text}\r\n`
}
