/** The error for a path that no route has. */

import { RequestError } from '../base/request-error.ts'
import { requestPath } from './router.ts'

export function notFound(url: string): RequestError {
  return new RequestError('not_found', `No resource exists at ${requestPath(url).slice(0, 200)}.`)
}
