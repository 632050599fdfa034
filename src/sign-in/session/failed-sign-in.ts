/** The log line of a failed sign-in. Its format is stable for tools such as fail2ban (docs/sign-in.md has a filter). */

import type { Log } from '../../base/log.ts'

export interface FailedSignIn {
  readonly method: 'password' | 'passkey' | 'link_identity'
  readonly reason: 'not_accepted' | 'rate_limited'
  /** An IPv4 address, or the /64 network of an IPv6 address, as for rate limits. */
  readonly address: string
  readonly requestId: string
}

/** Contains no user input, because people type passwords into the wrong field. */
export function logFailedSignIn(
  log: Log,
  { method, reason, address, requestId }: FailedSignIn,
): void {
  log.warn({ event: 'sign_in_failed', method, reason, address, request_id: requestId }, MESSAGE)
}

const MESSAGE = 'sign-in failed'
