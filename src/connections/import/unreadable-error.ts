/** Files that cannot be read, as errors of the caller. */

import { RequestError } from '../../base/request-error.ts'
import { UnreadableFile } from './formats/unreadable-file.ts'

/** `unreadable_file` for an `UnreadableFile`; any other error itself. */
export function requestErrorOf(error: unknown): unknown {
  if (!(error instanceof UnreadableFile)) return error
  const { message, hint, code, guesses, columns } = error
  return new RequestError('unreadable_file', message, {
    hint,
    members: {
      reason: code,
      ...(guesses.length > 0 && { guesses }),
      ...(columns.length > 0 && { columns }),
    },
  })
}
