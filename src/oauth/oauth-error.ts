/** OAuth error responses: RFC 6749 section 5.2, RFC 7591 section 3.2.2, RFC 8707 section 2. */

import { json, type Answer } from '../http/response.ts'
import type { RequestError } from '../base/request-error.ts'

type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'access_denied'
  | 'server_error'
  | 'temporarily_unavailable'

export class OAuthError extends Error {
  readonly code: OAuthErrorCode
  readonly status: number

  constructor(code: OAuthErrorCode, description: string, status = 400) {
    super(description)
    this.name = 'OAuthError'
    this.code = code
    this.status = status
  }
}

/** Responses of these endpoints must not be cached (RFC 6749 section 5.1). */
export const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' }

/** Turns an `OAuthError` thrown by `work` into its response. */
export async function answerInOAuth(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof OAuthError) return oauthAnswer(error)
    throw error
  }
}

export function oauthAnswer({ code, message, status }: OAuthError): Answer {
  return errorAnswer(code, message, status)
}

/** Turns errors from outside the handlers, such as rate limits and internal errors, into OAuth error responses. */
export function oauthErrorResponse({ status, message, details }: RequestError): Answer {
  const code =
    status === 429 || status === 503
      ? 'temporarily_unavailable'
      : status >= 500
        ? 'server_error'
        : 'invalid_request'
  const retry = details.retryAfter
  const headers = retry === undefined ? {} : { 'retry-after': String(retry) }
  return errorAnswer(code, message, status, { ...headers, ...details.headers })
}

function errorAnswer(
  code: OAuthErrorCode,
  description: string,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const body = { error: code, error_description: printable(description) }
  return json(body, status, { ...NO_STORE, ...headers })
}

/** RFC 6749 section 5.2 allows only these ASCII characters in the description. */
function printable(text: string): string {
  return text.replaceAll(/[“”"]/g, "'").replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '?')
}
