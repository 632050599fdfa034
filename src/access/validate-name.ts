/** Validates the names that members give to credentials. */

import { t } from '../languages/message.ts'
import { isVisible } from '../base/schema.ts'
import { RequestError } from '../base/request-error.ts'

/** Maximum length of the name of a token, passkey or agent, in characters. */
export const MAX_CREDENTIAL_NAME_LENGTH = 80

/** Returns the trimmed name: 1 to 80 visible characters. `of` is the named thing with its article. */
export function checkVisibleName(name: string, of: string): string {
  const trimmed = name.trim()
  if (isVisible(trimmed) && trimmed.length <= MAX_CREDENTIAL_NAME_LENGTH && !/\p{C}/u.test(trimmed))
    return trimmed
  const detail = t('must have 1 to {maxCredentialNameLength} visible characters', {
    maxCredentialNameLength: MAX_CREDENTIAL_NAME_LENGTH,
  })
  throw new RequestError(
    'invalid_request',
    t("{of}'s name must have 1 to {maxCredentialNameLength} visible characters.", {
      of,
      maxCredentialNameLength: MAX_CREDENTIAL_NAME_LENGTH,
    }),
    { errors: [{ pointer: '/name', detail }] },
  )
}
