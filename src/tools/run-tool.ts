/**
 * Runs one metered call: validates the arguments, runs the tool and charges for it. A write, its charge, its activity
 * entry and, for a keyed call, its outcome commit in one transaction. Rejected and failed calls are free. For a keyed read,
 * only its fingerprint is stored: a retry runs again and is not charged.
 */

import { RequestError } from '../base/request-error.ts'
import { nextStep } from '../base/turn-batch.ts'
import { isToolAllowed, notAllowed } from './allowed-tools.ts'
import { readArguments } from './arguments/read-arguments.ts'
import { withholdText } from './free-text.ts'
import { findKept, replayOf, storeFailure } from './kept-outcome.ts'
import { runRead } from './run-read.ts'
import { runPreview, runWrite } from './run-write.ts'
import { invalidArguments, toolError, type ToolError, type ToolOutcome } from './tool-outcome.ts'
import type { SpanStart } from '../base/tracing.ts'
import type { RequestKey } from '../guards/idempotency-key.ts'
import type { MeteredCall, MeteringDeps } from './metered-call.ts'
import type { Tool } from './tool.ts'

/**
 * Runs the tool within the limits of the caller: rejects a tool that is not allowed, and withholds free text. The
 * errors below are not outcomes of the tool and are never stored under a key.
 *
 * @throws {RequestError} `idempotency_key_reused` when the key belongs to another call.
 * @throws {RequestError} `idempotency_in_flight` when a call with this key is running.
 * @throws {RequestError} `rate_limited` when there are too many calls or keys.
 * @throws {RequestError} `unavailable` when the database cannot be reached.
 */
export function runTool(
  deps: MeteringDeps,
  tool: Tool,
  call: MeteredCall,
  input: unknown,
): Promise<ToolOutcome> {
  const { trace } = deps
  if (!trace) return runMeasured(deps, tool, call, input)
  return trace(spanOf(tool), async (span) => {
    const outcome = await runMeasured(deps, tool, call, input)
    if (!outcome.ok) span.fail(outcome.error.code)
    return outcome
  })
}

/** OpenTelemetry, semantic conventions for MCP. The arguments are the member's. */
function spanOf({ name }: Tool): SpanStart {
  return {
    name: `tools/call ${name}`,
    kind: 'internal',
    attributes: { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': name },
  }
}

async function runMeasured(
  deps: MeteringDeps,
  tool: Tool,
  call: MeteredCall,
  input: unknown,
): Promise<ToolOutcome> {
  const { onCalled } = deps
  if (!onCalled) return runLimited(deps, tool, call, input)
  const startedAt = performance.now()
  const called = (outcome: string, cost: number) => {
    const { requestId, caller } = call
    const milliseconds = performance.now() - startedAt
    onCalled({ tool: tool.name, outcome, milliseconds, cost, requestId, memberId: caller.memberId })
  }
  try {
    const outcome = await runLimited(deps, tool, call, input)
    if (outcome.ok) called('ok', outcome.replayed === true ? 0 : outcome.meta.cost)
    else called(outcome.error.code, 0)
    return outcome
  } catch (error) {
    called(error instanceof RequestError ? error.code : 'internal', 0)
    throw error
  }
}

/** Also limits replays: the limits may have changed since the first call. */
async function runLimited(
  deps: MeteringDeps,
  tool: Tool,
  call: MeteredCall,
  input: unknown,
): Promise<ToolOutcome> {
  const { limits } = call.caller
  if (!isToolAllowed(limits, tool)) {
    const refused = toolError(deps.log, tool, call.requestId, notAllowed(limits, tool))
    return { ok: false, error: refused }
  }
  const { once } = call
  const outcome = await (once
    ? runOnce(deps, tool, { ...call, once }, input)
    : callTool(deps, tool, call, input))
  return outcome.ok
    ? { ...outcome, output: withholdText(limits, tool.output, outcome.output) }
    : outcome
}

async function runOnce(
  deps: MeteringDeps,
  tool: Tool,
  call: MeteredCall & { readonly once: RequestKey },
  input: unknown,
): Promise<ToolOutcome> {
  const { value, joined } = await deps.inFlight.join(call.once, () =>
    callTool(deps, tool, call, input),
  )
  if (!joined) return value
  // The first client left before its turn, so nothing was done or stored.
  if (!value.ok && value.error.code === CANCELLED) return runOnce(deps, tool, call, input)
  return { ...value, replayed: true }
}

async function callTool(
  deps: MeteringDeps,
  tool: Tool,
  call: MeteredCall,
  input: unknown,
): Promise<ToolOutcome> {
  const kept = call.once && (await findKept(deps.database.member(call.caller.memberId), call))
  if (tool.effect !== 'read' && kept !== undefined) return replayOf(kept)
  const { timeZone } = call.caller
  await nextStep()
  const read = readArguments(tool, input, { timeZone, now: call.now })
  if (!read.ok) return { ok: false, error: invalidArguments(read.explanation) }
  try {
    if (tool.effect === 'read') return await runRead(deps, tool, { ...call, kept }, read.value)
    return tool.preview?.isAsked(read.value)
      ? await runPreview(deps, tool.preview, call, read.value)
      : await runWrite(deps, tool, call, read.value)
  } catch (error) {
    if (error instanceof RequestError && isNotAnOutcome(error)) throw error
    // A write throws the reason only before it begins; one that has begun is finished.
    if (call.signal.aborted && (tool.effect === 'read' || error === call.signal.reason))
      return { ok: false, error: callerLeft(tool) }
    const failed = toolError(deps.log, tool, call.requestId, error)
    return failed.code === 'internal'
      ? { ok: false, error: failed }
      : storeFailure(deps, tool, call, failed)
  }
}

/** A reused key, too many calls, or a 5xx error that may not occur on a retry. */
function isNotAnOutcome({ code, status }: RequestError): boolean {
  return code === 'idempotency_key_reused' || code === 'rate_limited' || status >= 500
}

const CANCELLED = 'cancelled'

/** No one receives this outcome. It is not stored under the key, so the call can be retried. */
function callerLeft(tool: Tool): ToolError {
  return {
    code: CANCELLED,
    message: `${tool.name} was stopped because the client disconnected. No changes were made, and no credits charged.`,
  }
}
