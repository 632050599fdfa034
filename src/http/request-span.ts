/** The span of a request in a trace. */

import type { IncomingMessage } from 'node:http'
import type { Span, SpanStart } from '../base/monitoring/tracing.ts'

/** RFC 9110 section 9.3 and RFC 5789. Span names must not contain arbitrary methods. */
const KNOWN_METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'CONNECT',
  'TRACE',
])

/**
 * `path` is that of the route. OpenTelemetry's semantic conventions for HTTP servers, without `url.path` and addresses, which
 * may be private.
 */
export function requestSpan(
  { method = '', headers, httpVersion }: IncomingMessage,
  path: string | undefined,
): SpanStart {
  const known = KNOWN_METHODS.has(method) ? method : '_OTHER'
  return {
    name: path === undefined ? known : `${known} ${path}`,
    kind: 'server',
    headers,
    attributes: {
      'http.request.method': known,
      'network.protocol.version': httpVersion,
      ...(path !== undefined && { 'http.route': path }),
    },
  }
}

/** Client errors do not fail a server span. */
export function describeResponse(
  span: Span,
  requestId: string,
  status: number,
  code: string | undefined,
): void {
  span.set({ 'http.response.status_code': status, 'weft.request_id': requestId })
  if (code !== undefined) span.set({ 'error.type': code })
  if (status >= 500) span.fail(code ?? String(status))
}
