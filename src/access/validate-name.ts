/** Names that members give to their credentials. */

import { RequestError } from '../base/request-error.ts'

const MAX_NAME_LENGTH = 80

/** Trimmed; 1 to 80 characters that can be seen. `of` is what is named, with its article. */
export function checkVisibleName(name: string, of: string): string {
  const trimmed = name.trim()
  if (trimmed !== '' && trimmed.length <= MAX_NAME_LENGTH && !/\p{C}/u.test(trimmed)) return trimmed
  const detail = `must have 1 to ${MAX_NAME_LENGTH} visible characters`
  throw new RequestError(
    'invalid_request',
    `${of}'s name has 1 to ${MAX_NAME_LENGTH} visible characters.`,
    { errors: [{ pointer: '/name', detail }] },
  )
}
