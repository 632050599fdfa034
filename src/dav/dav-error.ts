/** Errors as WebDAV writes them: an element that names the precondition, and the reason in words (RFC 4918 section 16). */

import { RequestError } from '../base/request-error.ts'
import { CARD, DAV, document, escapeXml, tag, XML_TYPE, dav } from './xml.ts'
import type { Answer } from '../http/response.ts'
import type { WriteProblem } from './book.ts'

/** An error that RFC 4918, 6352 or 6578 name. */
export function davError(
  status: number,
  condition: { readonly namespace: string; readonly local: string; readonly content?: string },
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return {
    status,
    headers: { 'content-type': XML_TYPE, 'cache-control': 'no-store', ...headers },
    body: document('error', `${tag(condition, condition.content)}${described(message)}`),
  }
}

/** Sabre's element, which clients show to people. */
function described(message: string): string {
  return `<s:message xmlns:s="http://sabredav.org/ns">${escapeXml(message)}</s:message>`
}

/** Errors before the handler, and those that a handler throws. */
export function writeDavError(error: RequestError): Answer {
  const { retryAfter, headers } = error.details
  if (error.code === 'payload_too_large')
    return davError(403, { namespace: CARD, local: 'max-resource-size' }, error.message)
  return davError(
    error.status,
    { namespace: 'https://weft.example/ns', local: error.code.replaceAll('_', '-') },
    error.message,
    {
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      ...headers,
    },
  )
}

/** How long a paused device waits before it tries again. Seconds. */
const PAUSE_SECONDS = 3600

/** The answer to a write that was not done. */
export function writeProblem(problem: WriteProblem, hrefOf: (name: string) => string): Answer {
  if (problem.code === 'no_uid_conflict') {
    const content = dav('href', escapeXml(hrefOf(problem.name)))
    const condition = { namespace: CARD, local: 'no-uid-conflict', content }
    return davError(409, condition, 'A card with this UID exists at another URL.')
  }
  const { status, namespace, local, message, headers } = PROBLEMS[problem.code]
  const reason = 'reason' in problem ? problem.reason : message
  return davError(status, { namespace, local }, reason, headers)
}

interface Problem {
  readonly status: number
  readonly namespace: string
  readonly local: string
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

const PROBLEMS: Readonly<Record<Exclude<WriteProblem['code'], 'no_uid_conflict'>, Problem>> = {
  precondition_failed: {
    status: 412,
    namespace: DAV,
    local: 'precondition-failed',
    message: 'The card has changed, or If-None-Match names one that exists.',
  },
  not_found: {
    status: 404,
    namespace: DAV,
    local: 'resource-must-exist',
    message: 'The address book has no such card.',
  },
  read_only: {
    status: 403,
    namespace: DAV,
    local: 'need-privileges',
    message: 'This device can only read the address book.',
  },
  // A temporary error: a client keeps its change and tries again. After a 403 it would drop it.
  paused: {
    status: 503,
    namespace: DAV,
    local: 'temporarily-unavailable',
    message:
      'This device changed many people within an hour, so its changes wait. Confirm them on the page Contacts apps.',
    headers: { 'retry-after': String(PAUSE_SECONDS) },
  },
  valid_address_data: {
    status: 403,
    namespace: CARD,
    local: 'valid-address-data',
    message: 'The body is not a vCard.',
  },
  supported_address_data: {
    status: 415,
    namespace: CARD,
    local: 'supported-address-data',
    message: 'Only vCard 3.0 and 4.0 are supported.',
  },
}
