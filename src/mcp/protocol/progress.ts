/** `notifications/progress`, for a request that asks for it (MCP 2026-07-28, basic/patterns/progress). */

import { isJsonObject, serializeNotification } from './json-rpc.ts'
import type { MethodCall } from './method.ts'
import type { ReportProgress } from '../../tools/tool.ts'

/** Undefined if no progress was requested or cannot be sent. A report without further progress is not sent. */
export function progressReporter<Caller>({
  params,
  reply,
}: Pick<MethodCall<Caller>, 'params' | 'reply'>): ReportProgress | undefined {
  const meta = params?.['_meta']
  const progressToken = isJsonObject(meta) ? meta['progressToken'] : undefined
  if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return undefined
  if (!reply.canStream) return undefined
  let last = Number.NEGATIVE_INFINITY
  return (progress, total, message) => {
    if (progress <= last) return
    last = progress
    const report = { progressToken, progress, total, message }
    reply.say(serializeNotification('notifications/progress', report))
  }
}
