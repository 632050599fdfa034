/** An HTML page as a response: private, not cached, not framed, and without content from other origins. */

import { contentSecurityPolicy } from './content-security-policy.ts'
import { currentLanguage } from '../languages/language.ts'
import type { Answer } from '../http/response.ts'
import { type Html } from './html.ts'

const HTML_TYPE = 'text/html; charset=utf-8'

interface PageAnswer {
  readonly status: number
  /** Additional allowed form targets of this page, from `formTarget`. */
  readonly formTargets?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
}

/** The response with the document, which only here becomes a string. */
export function pageAnswer(
  document: Html,
  { status, formTargets = [], headers = {} }: PageAnswer,
): Answer {
  return {
    status,
    headers: {
      'content-type': HTML_TYPE,
      'content-language': currentLanguage(),
      'cache-control': 'no-store',
      'content-security-policy': contentSecurityPolicy(formTargets),
      // For browsers without frame-ancestors.
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
      ...headers,
    },
    body: document.toString(),
    page: true,
  }
}
