/** Logs tool calls: one line each, with the request ID of the HTTP request that carried it. Outages: see request-log.ts. */

import { RepeatedLines, withoutRedaction, type Log } from '../base/log.ts'
import type { RequestLogSetting } from '../http/request-log.ts'
import type { OnCalled } from './run-tool-types.ts'

/** Successful calls are logged only with `all`: their requests may be sampled. */
export function toolCallLog(log: Log, setting: RequestLogSetting): OnCalled {
  const lines = withoutRedaction(log)
  const outages = new RepeatedLines()
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
    if (outcome === 'unavailable' && setting !== 'all')
      outages.write(outcome, (repeats) =>
        lines.warn(repeats === 0 ? fields : { outcome, repeats }, 'tool call'),
      )
    else if (outcome === 'internal' || outcome === 'unavailable') lines.warn(fields, 'tool call')
    else lines.info(fields, 'tool call')
  }
}
