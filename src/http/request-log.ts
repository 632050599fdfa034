/** Logs requests: one line each, with the request ID that the response carries. */

import { RepeatedLines, withoutRedaction, type Log } from '../base/log.ts'
import type { AnsweredRequest, OnAnswered } from './handle-request.ts'

/** `errors`: 4xx and 5xx. `sampled`: also one in a hundred of the rest. */
export const REQUEST_LOGS = ['all', 'errors', 'sampled'] as const
export type RequestLogSetting = (typeof REQUEST_LOGS)[number]

/** With `sampled`, one in this many requests is logged. */
const SAMPLE_INTERVAL = 100

/**
 * The route is logged, not the path: a path or query may contain names and one-time secrets. During an outage,
 * every request fails: unless all requests are logged, one line per minute stands for these.
 */
export function requestLog(log: Log, setting: RequestLogSetting): OnAnswered {
  let requests = 0
  const lines = withoutRedaction(log)
  const outages = new RepeatedLines()
  return (answered) => {
    requests += 1
    const { status, code } = answered
    if (code === 'unavailable' && setting !== 'all')
      return outages.write(code, (repeats) =>
        repeats === 0 ? write(lines, answered) : lines.warn({ status, code, repeats }, 'request'),
      )
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
