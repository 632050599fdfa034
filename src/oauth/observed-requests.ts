/** What a request that a client sends while it connects says about the attempt. */

import type { AnsweredRequest } from '../http/handle-request.ts'
import type { AttemptCause, ConnectionStep } from './connection-attempt.ts'

/** The routes that a client uses to connect, and the step of each. */
export const OBSERVED: Readonly<Record<string, ConnectionStep>> = {
  '/mcp': 'first_call',
  '/mcp/v1': 'first_call',
  '/.well-known/oauth-protected-resource': 'resource_metadata',
  '/.well-known/oauth-protected-resource/mcp': 'resource_metadata',
  '/.well-known/oauth-protected-resource/mcp/v1': 'resource_metadata',
  '/.well-known/oauth-authorization-server': 'server_metadata',
  '/oauth/register': 'registration',
  '/oauth/token': 'token',
}
/** Their endpoints know more and record their requests themselves. */
export const RECORDED_BY_ENDPOINT: ReadonlySet<ConnectionStep> = new Set(['registration', 'token'])

/** A path that a client derives from a tool endpoint below a prefix. Longer paths are ignored. */
export const PREFIXED =
  /^\/.{1,100}(?:\/mcp(?:\/v1)?\/?|\/\.well-known\/oauth-[a-z-]{1,30}(?:\/mcp)?)(?:\?|$)/
export function callCause({ status, isCut }: AnsweredRequest): AttemptCause | undefined {
  if (status === 413) return 'body_too_large'
  if (status === 403) return 'host_rewritten'
  return isCut ? 'stream_cut' : undefined
}

const LOCAL_HOST =
  /^(?:localhost|\[::1\]|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|[^.:]+(?::|$))/

export function suspicionsOf(
  headers: AnsweredRequest['request']['headers'],
  publicUrl: string,
): AttemptCause[] {
  const { host: publicHost, protocol } = new URL(publicUrl)
  const { host = publicHost } = headers
  const found: AttemptCause[] = []
  if (headers['x-forwarded-prefix'] !== undefined) found.push('path_prefix')
  if (headers['x-forwarded-proto'] === 'https' && protocol === 'http:')
    found.push('https_with_http_url')
  if (host !== publicHost) {
    const isRewritten = headers['x-forwarded-host'] === publicHost || LOCAL_HOST.test(host)
    found.push(isRewritten ? 'host_rewritten' : 'wrong_public_url')
  }
  return found
}
