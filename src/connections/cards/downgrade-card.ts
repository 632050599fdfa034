/** A vCard 4.0 for clients that read 3.0: only lines that 3.0 writes in another way change. */

import { unquotedIndex } from '../../contact-files/vcard/vcard-property.ts'
import { octetsOf, cardTextOf, newLine, cardVersionOf, type CardLine } from './card-lines.ts'

/** The card in version 3.0. One that is already, stays the same. */
export function asVersion3(bytes: Uint8Array): Uint8Array {
  // Most cards are: this search takes microseconds, also for photos.
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('4.0')) return bytes
  const card = cardTextOf(bytes)
  if (cardVersionOf(card) !== '4.0') return bytes
  const hasName = card.lines.some(({ name, isNested }) => name === 'N' && !isNested)
  const lines = card.lines.flatMap((line) => {
    if (line.isNested) return [line]
    const text = convertedLine(line)
    const own = text === line.text ? line : newLine(card, text)
    // Version 3.0 requires N (RFC 2426 section 3.1.2).
    return line.name === 'VERSION' && !hasName ? [own, newLine(card, 'N:;;;;')] : [own]
  })
  return octetsOf({ lines, isBinary: card.isBinary })
}

function convertedLine({ name, text }: CardLine): string {
  const colon = unquotedIndex(text, ':')
  const [head, value] = [text.slice(0, colon), text.slice(colon + 1)]
  switch (name) {
    case 'VERSION':
      return 'VERSION:3.0'
    case 'KIND':
      return `${head.replace(/KIND$/i, 'X-ADDRESSBOOKSERVER-KIND')}:${value}`
    case 'MEMBER':
      return `${head.replace(/MEMBER/i, 'X-ADDRESSBOOKSERVER-MEMBER')}:${value}`
    case 'PHOTO':
    case 'LOGO':
      return photoLine(head, value) ?? text
    case 'BDAY':
    case 'ANNIVERSARY':
      return dateLine(head, value)
    case 'TEL':
      return `${preference(withoutValueType(head))}:${value.replace(/^tel:/i, '')}`
    default:
      return `${preference(head)}:${value}`
  }
}

/** A data URL as ENCODING=b, the only form that Apple shows. */
function photoLine(head: string, value: string): string | undefined {
  const [start, type = ''] = /^data:image\/([\w.+-]{1,40});base64,/i.exec(value.slice(0, 100)) ?? []
  if (start === undefined) return undefined
  const others = preference(head).replace(/;(?:MEDIATYPE|VALUE)=[^;:]*/gi, '')
  return `${others};ENCODING=b;TYPE=${type.toUpperCase()}:${value.slice(start.length)}`
}

/** `--1130` is a day of the year 1604 for Apple; `19850412` has hyphens in version 3.0. */
function dateLine(head: string, value: string): string {
  const [, day] = /^--(\d{2})-?(\d{2})$/.exec(value.trim()) ?? []
  if (day !== undefined)
    return `${head};X-APPLE-OMIT-YEAR=1604:1604-${value.trim().replaceAll('-', '').replace(/^(..)/, '$1-')}`
  return `${head}:${value.trim().replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')}`
}

function withoutValueType(head: string): string {
  return head.replace(/;VALUE=(?:uri|text)/i, '')
}

function preference(head: string): string {
  return head.replace(/;PREF=1(?=;|$)/i, ';TYPE=pref').replace(/;PREF=\d{1,3}(?=;|$)/i, '')
}
