/** Files that cannot be read, as errors of the caller. */

import { phrase } from '../../languages/message.ts'
import { RequestError } from '../../base/request-error.ts'
import { ThreadLimitExceeded } from '../../base/concurrency/worker-thread.ts'
import { UnreadableFile } from '../../contact-files/bytes/unreadable-file.ts'

/**
 * `unreadable_file` for an `UnreadableFile`, and for a file that takes too much time or memory: reading it again would too,
 * so an import of it is not repeated. Any other error itself.
 */
export function requestErrorOf(error: unknown): unknown {
  if (error instanceof ThreadLimitExceeded)
    return new RequestError(
      'unreadable_file',
      `Reading this file ${error.reason}, so it was stopped.`,
      {
        hint: SPLIT,
        texts: [
          {
            source: phrase(
              'Reading this file took too long or needed too much memory, so it was stopped.',
            ),
          },
          { source: SPLIT },
        ],
        members: { reason: 'limit_exceeded' },
      },
    )
  if (!(error instanceof UnreadableFile)) return error
  const { message, hint, texts, code, guesses, columns } = error
  return new RequestError('unreadable_file', message, {
    hint,
    texts,
    members: {
      reason: code,
      ...(guesses.length > 0 && { guesses }),
      ...(columns.length > 0 && { columns }),
    },
  })
}

const SPLIT = phrase(
  'Split the file into smaller ones, or export the contacts again as CSV or vCard.',
)

/** Reads with `requestErrorOf` for its errors. */
export async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw requestErrorOf(error)
  }
}
