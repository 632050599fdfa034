/** The photo of a connection as a property of a vCard 4.0. */

import { photoDataUrl, type Photo } from '../contact-files/contact/photo.ts'

/** Octets of a line without the line break (RFC 6350 section 3.2). */
const MAX_LINE_LENGTH = 75

/** A folded PHOTO property (RFC 6350 section 6.2.4). */
export function photoProperty(photo: Photo): string {
  const property = `PHOTO:${photoDataUrl(photo)}`
  const lines = [property.slice(0, MAX_LINE_LENGTH)]
  for (let at = MAX_LINE_LENGTH; at < property.length; at += MAX_LINE_LENGTH - 1)
    lines.push(` ${property.slice(at, at + MAX_LINE_LENGTH - 1)}`)
  return `${lines.join('\r\n')}\r\n`
}
