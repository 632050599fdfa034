/** The response with a stored photo. */

import type { Photo } from '../contact-files/contact/photo.ts'
import type { Answer } from '../http/response.ts'

/** Nothing in an image is run, even if it is opened on its own. */
export function imageAnswer(
  { mediaType, bytes }: Photo,
  headers: Readonly<Record<string, string>>,
): Answer {
  return {
    status: 200,
    headers: {
      'content-type': mediaType,
      'content-security-policy': "default-src 'none'; sandbox",
      ...headers,
    },
    body: bytes,
  }
}
