// Reads the image in a PHOTO property: base64 in vCard 2.1 and 3.0, a data URL in 4.0 (RFC 6350 section 6.2.4).

import {
  dataUrlBytes,
  readPhoto,
  TOO_LARGE,
  MAX_PHOTO_BYTES,
  type Photo,
  type RefusedPhoto,
} from '../contact/photo.ts'
import { unquotedIndex } from './vcard-property.ts'

/** Undefined for an empty property and for one that only links to an image. */
export function cardPhoto(line: string): Photo | RefusedPhoto | undefined {
  const colon = unquotedIndex(line, ':')
  const value = colon === -1 ? '' : line.slice(colon + 1).replaceAll(/[\s\\]+/g, '')
  // Each 3 bytes are 4 characters.
  if (value.length > MAX_ENCODED_LENGTH) return TOO_LARGE
  const isUrl = /^[a-z][a-z0-9+.-]*:/i.test(value)
  const bytes = isUrl ? dataUrlBytes(value) : Buffer.from(value, 'base64')
  return bytes === undefined || bytes.length === 0 ? undefined : readPhoto(bytes)
}

const MAX_ENCODED_LENGTH = Math.ceil(MAX_PHOTO_BYTES / 3) * 4 + 1000
