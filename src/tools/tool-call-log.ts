/** Logs tool calls: one line each, with the request ID of the HTTP request that carried it. */

import { withoutRedaction, type Log } from '../base/log.ts'
import type { RequestLogSetting } from '../http/request-log.ts'
import type { OnCalled } from './metered-call.ts'

/** Successful calls are logged only with `all`: their requests may be sampled. */
export function toolCallLog(log: Log, setting: RequestLogSetting): OnCalled {
  const lines = withoutRedaction(log)
  return ({ tool, outcome, cost, milliseconds, requestId, memberId }) => {
    if (outcome === 'ok' && setting !== 'all') return
    const fields = {
      request_id: requestId,
      tool,
      outcome,
      cost,
      duration_ms: Math.round(milliseconds * 10) / 10,
      member_id: memberId,
    }
    if (outcome === 'internal' || outcome === 'unavailable') lines.warn(fields, 'tool call')
    else lines.info(fields, 'tool call')
  }
}
