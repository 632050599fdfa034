/** The error for a path that no route has, or whose parameters no route takes. */

import { RequestError } from '../base/request-error.ts'
import { phrase } from '../languages/message.ts'

export function notFound(): RequestError {
  return new RequestError('not_found', phrase('No page or resource exists at this path.'), {
    hint: phrase('It may have moved, or the address may be mistyped.'),
  })
}
