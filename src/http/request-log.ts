/** Logs requests: one line each, with the request ID that the response carries. */

import { withoutRedaction, type Log } from '../base/log.ts'
import type { AnsweredRequest, OnAnswered } from './handle-request.ts'

/** `errors`: 4xx and 5xx. `sampled`: these, and one in a hundred others. */
export const REQUEST_LOGS = ['all', 'errors', 'sampled'] as const
export type RequestLogSetting = (typeof REQUEST_LOGS)[number]

/** With `sampled`, one in this many requests is logged. */
const SAMPLE_INTERVAL = 100

/** The route is logged, not the path: a path or query may contain names and one-time secrets. */
export function requestLog(log: Log, setting: RequestLogSetting): OnAnswered {
  let requests = 0
  const lines = withoutRedaction(log)
  return (answered) => {
    requests += 1
    const isSampled = setting === 'sampled' && requests % SAMPLE_INTERVAL === 0
    if (answered.status >= 400 || setting === 'all' || isSampled) write(lines, answered)
  }
}

function write(
  log: Log,
  { requestId, method, route, status, milliseconds, code }: AnsweredRequest,
): void {
  const fields = {
    request_id: requestId,
    method,
    route: route ?? 'unmatched',
    status,
    duration_ms: Math.round(milliseconds * 10) / 10,
    ...(code !== undefined && { code }),
  }
  if (status >= 500) log.warn(fields, 'request')
  else log.info(fields, 'request')
}
