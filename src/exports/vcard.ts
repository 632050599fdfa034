/** A connection as a vCard 4.0 (RFC 6350). */

import { photoProperty } from './vcard-photo.ts'
import type { Photo } from '../connections/model/photo.ts'
import type { PortableContact } from './contact-mapping.ts'

export function vcardOf(contact: PortableContact, photo?: Photo): string {
  const { name, givenName, familyName, company, title, location, birthday, note } = contact
  const hasParts = givenName !== null || familyName !== null
  const lines = [
    'BEGIN:VCARD',
    'VERSION:4.0',
    `FN:${escaped(name)}`,
    ...(hasParts ? [`N:${escaped(familyName ?? '')};${escaped(givenName ?? '')};;;`] : []),
    ...property('ORG', company),
    ...property('TITLE', title),
    // The location is one text, so it goes into the city field, which every program shows.
    ...(location === null ? [] : [`ADR:;;;${escaped(location)};;;`]),
    ...preferred('EMAIL', contact.emails.map(escaped)),
    ...preferred('TEL', contact.phones.map(escaped)),
    ...contact.urls.map((url) => `URL:${url.replaceAll('\\', '\\\\')}`),
    // Section 4.3.1: no hyphens, except for a missing year.
    ...(birthday === null ? [] : [`BDAY:${birthday.replace(/(?<=\d)-/g, '')}`]),
    ...(contact.labels.length > 0 ? [`CATEGORIES:${contact.labels.map(escaped).join(',')}`] : []),
    ...property('NOTE', note === '' ? null : note),
  ]
  return `${lines.map(folded).join('')}${photo ? photoProperty(photo) : ''}END:VCARD\r\n`
}

function property(name: string, text: string | null): string[] {
  return text === null ? [] : [`${name}:${escaped(text)}`]
}

/** Section 5.3: the first of several values is the preferred one. */
function preferred(name: string, values: readonly string[]): string[] {
  return values.map((value, index) =>
    index === 0 && values.length > 1 ? `${name};PREF=1:${value}` : `${name}:${value}`,
  )
}

/** Section 3.4. */
function escaped(text: string): string {
  return text.replace(/[\\,;\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))
}

/** Section 3.2. Octets without the line break. */
const MAX_LINE_LENGTH = 75

/** Section 3.2: a long line continues after a line break and a space, never inside a character. */
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
