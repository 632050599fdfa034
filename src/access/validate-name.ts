/** Names that members give to their credentials. */

import { Refusal } from '../base/request-error.ts'

const LONGEST_NAME = 80

/** Trimmed; 1 to 80 characters that can be seen. `of` is what is named, with its article. */
export function checkVisibleName(name: string, of: string): string {
  const trimmed = name.trim()
  if (trimmed !== '' && trimmed.length <= LONGEST_NAME && !/\p{C}/u.test(trimmed)) return trimmed
  const detail = `must have 1 to ${LONGEST_NAME} visible characters`
  throw new Refusal(
    'invalid_request',
    `${of}'s name has 1 to ${LONGEST_NAME} visible characters.`,
    { errors: [{ pointer: '/name', detail }] },
  )
}
