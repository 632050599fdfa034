/**
 * Runs one metered call: validates the arguments, runs the tool and charges for it. A write, its charge, its activity
 * entry and, for a keyed call, its outcome commit in one transaction. Rejected and failed calls are free. For a keyed read,
 * only its fingerprint is stored: a retry runs again and is not charged.
 */

import { rfc3339 } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import {
  creditBalance,
  exhausted,
  lockBalance,
  spendCredits,
  type Charge,
  type CreditBalance,
} from '../credits/account.ts'
import { periodOf } from '../credits/account-row.ts'
import { budgetExhausted, findBudget } from '../credits/budget.ts'
import {
  CHARGED,
  NOT_CHARGED,
  findAnswer,
  recordAnswer,
  recordRead,
} from '../guards/idempotency-record.ts'
import { recordChange } from './activity.ts'
import { isToolAllowed, notAllowed } from './allowed-tools.ts'
import { readCallState } from './call-state.ts'
import { exampleHint, type Explanation } from './arguments/explain.ts'
import { readArguments } from './arguments/read-arguments.ts'
import { partOf } from './arguments/schema-part.ts'
import { withholdText } from './free-text.ts'
import type { Log } from '../base/log.ts'
import type { SpanStart, Trace } from '../base/tracing.ts'
import type { ChargeQueue } from '../credits/charge-queue.ts'
import type { SchemaProblem } from '../base/schema.ts'
import type { Database, MemberReader, MemberTransaction } from '../db/database.ts'
import type { RequestKey } from '../guards/idempotency-key.ts'
import type { InFlight } from '../guards/in-flight.ts'
import type { Change, ReadTool, Tool, ToolCall, WriteTool } from './tool.ts'

/** Outcome of a call. The tool endpoint converts it to a JSON-RPC result. */
export type ToolOutcome =
  | {
      readonly ok: true
      readonly output: object
      readonly meta: CallMeta
      readonly replayed?: true
    }
  | { readonly ok: false; readonly error: ToolError; readonly replayed?: true }

/** Cost of a successful call, and the remaining credits. */
export interface CallMeta {
  readonly cost: number
  /** The remaining budget of the agent, if it is lower. */
  readonly remaining: number
  readonly resets_at: string
}

/** An error that a model can act on: stable code, message, and what to change. */
export interface ToolError {
  readonly code: string
  readonly message: string
  readonly hint?: string
  readonly errors?: readonly SchemaProblem[]
  readonly [member: string]: unknown
}

export interface MeteringDeps {
  readonly database: Database
  readonly quota: number
  readonly log: Log
  /** Keyed calls in progress in this process. */
  readonly inFlight: InFlight
  readonly charges: ChargeQueue
  readonly onCalled?: OnCalled | undefined
  readonly trace?: Trace | undefined
}

/** A finished call. */
interface CalledTool {
  readonly tool: string
  /** `ok`, or the code of the error. */
  readonly outcome: string
  readonly milliseconds: number
  /** Credits charged by this call; none if it is a replay. */
  readonly cost: number
  readonly requestId: string
  readonly memberId: number
}

/** For measuring and logging. Must be fast and not throw. */
export type OnCalled = (called: CalledTool) => void

/** A call and, if the caller may retry it, the key under which its outcome is stored. */
export interface MeteredCall extends ToolCall {
  readonly requestId: string
  readonly once?: RequestKey | undefined
}

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

/** A read and the state of its record: undefined on the first attempt, and without a key. */
interface ReadOnce extends MeteredCall {
  readonly kept: string | undefined
}

/** Reads first and charges afterwards, so that a failed read is free. */
async function runRead(
  deps: MeteringDeps,
  tool: ReadTool,
  call: ReadOnce,
  input: unknown,
): Promise<ToolOutcome> {
  const { quota } = deps
  const { kept } = call
  const db = deps.database.member(call.caller.memberId)
  // The concurrent calls of an agent read one state.
  const { balance: before, network } = await deps.database.shareRead(
    `call state of ${db.memberId} in ${periodOf(call.now).periodStart}`,
    () => readCallState(db, quota, call.now),
  )
  const cost = isCharged(kept) ? 0 : tool.credits
  // Skip work that the member cannot pay for. The charge below is authoritative.
  if (before.remaining < cost) throw exhausted(before, cost)
  const isLimited = call.caller.limits.monthlyCredits !== null
  const budget = isLimited ? await budgetOf(db, call, before) : undefined
  if (budget && budget.remaining < cost) throw budgetExhausted(budget, before, cost)
  const output = (await tool.run({ ...call, db, network }, input)) as object
  const charge = chargeOf(tool, call, quota)
  if (call.once && !isCharged(kept)) return db.write((tx) => chargeOnce(tx, call, charge, output))
  const balance = cost === 0 ? before : await deps.charges.charge(db, charge)
  // A replay reports what the call originally cost, like the first response.
  const spendable = isLimited ? await forCaller(db, call, balance) : balance
  const outcome = succeeded(output, tool.credits, spendable)
  return kept === undefined ? outcome : { ...outcome, replayed: true }
}

/** The credits that this caller can spend, limited by its budget. */
async function forCaller(
  reader: MemberReader,
  call: ToolCall,
  balance: CreditBalance,
): Promise<CreditBalance> {
  const budget = await budgetOf(reader, call, balance)
  return budget ? { ...balance, remaining: Math.min(balance.remaining, budget.remaining) } : balance
}

function budgetOf(
  reader: MemberReader,
  { caller }: ToolCall,
  balance: CreditBalance,
): ReturnType<typeof findBudget> | undefined {
  if (caller.limits.monthlyCredits === null) return undefined
  return findBudget(reader, caller.credential.id, balance)
}

/** Earlier releases also stored the results of reads; those were charged. */
function isCharged(kept: string | undefined): boolean {
  return kept !== undefined && kept !== NOT_CHARGED
}

/** Charges a keyed read unless another node or a concurrent call already charged it. */
async function chargeOnce(
  tx: MemberTransaction,
  call: ReadOnce,
  charge: Charge,
  output: object,
): Promise<ToolOutcome> {
  const kept = await findKept(tx, call)
  if (isCharged(kept)) {
    const balance = await creditBalance(tx, charge.quota, call.now)
    const spendable = await forCaller(tx, call, balance)
    return { ...succeeded(output, charge.cost, spendable), replayed: true }
  }
  const balance = await spendCredits(tx, charge)
  if (call.once) await recordRead(tx, call.once, CHARGED, call.now)
  const outcome = succeeded(output, charge.cost, await forCaller(tx, call, balance))
  return kept === undefined ? outcome : { ...outcome, replayed: true }
}

/** Calls of a tool with `turns` run one at a time per member. One that waits ends if its client disconnects. */
async function runWrite(
  deps: MeteringDeps,
  tool: WriteTool,
  call: MeteredCall,
  input: unknown,
): Promise<ToolOutcome> {
  const run = () => prepareAndWrite(deps, tool, call, input)
  return tool.turns ? tool.turns.run(call.caller.memberId, run, call.signal) : run()
}

async function prepareAndWrite(
  deps: MeteringDeps,
  tool: WriteTool,
  call: MeteredCall,
  input: unknown,
): Promise<ToolOutcome> {
  const { quota } = deps
  const { id: credentialId, name: actor } = call.caller.credential
  const db = deps.database.member(call.caller.memberId)
  const prepared = await tool.prepare?.({ ...call, db }, input)
  const write = async (tx: MemberTransaction) => {
    const before = await lockBalance(tx, quota, call.now)
    // It may have waited for other writes. If `prepare` has already changed data, the call is finished.
    if (prepared === undefined) call.signal.throwIfAborted()
    // Another node may have completed this call while this one waited.
    const kept = await findKept(tx, call)
    if (kept !== undefined) return replayOf(kept)
    if (tool.chargesItself !== true) await spendCredits(tx, chargeOf(tool, call, quota))
    const record = (change: Change) =>
      recordChange(tx, { credentialId, actor, now: call.now }, change)
    const output = (await tool.run({ ...call, tx, quota, record, prepared }, input)) as object
    const balance = await creditBalance(tx, quota, call.now)
    const cost = before.remaining - balance.remaining
    return storeOutcome(tx, call, succeeded(output, cost, await forCaller(tx, call, balance)))
  }
  const outcome = await db.write(write, { bulk: tool.bulk === true })
  if (outcome.ok && outcome.replayed !== true) tool.committed?.(outcome.output)
  return outcome
}

/** Runs outside a transaction, because a preview may take long. A keyed one is stored like any outcome of a write. */
async function runPreview(
  { database, quota }: MeteringDeps,
  preview: NonNullable<WriteTool['preview']>,
  call: MeteredCall,
  input: unknown,
): Promise<ToolOutcome> {
  const db = database.member(call.caller.memberId)
  const { balance, network } = await readCallState(db, quota, call.now)
  const output = (await preview.run({ ...call, db, network }, input)) as object
  const outcome = succeeded(output, 0, await forCaller(db, call, balance))
  if (!call.once) return outcome
  return db.write(async (tx) => {
    const kept = await findKept(tx, call)
    return kept === undefined ? storeOutcome(tx, call, outcome) : replayOf(kept)
  })
}

/** @throws {RequestError} `idempotency_key_reused` when the key belongs to another call. */
async function findKept(
  reader: MemberReader,
  { once, now }: MeteredCall,
): Promise<string | undefined> {
  return once && findAnswer(reader, once, now)
}

/** Reads what `storeOutcome` stored. */
function replayOf(kept: string): ToolOutcome {
  return { ...(JSON.parse(kept) as ToolOutcome), replayed: true }
}

/** Stores the outcome of a keyed call in the transaction of its effect. */
async function storeOutcome(
  tx: MemberTransaction,
  { once, now }: MeteredCall,
  outcome: ToolOutcome,
): Promise<ToolOutcome> {
  if (once) await recordAnswer(tx, once, JSON.stringify(outcome), now)
  return outcome
}

/** Stores a failure, which has no transaction of its own. */
async function storeFailure(
  { database }: MeteringDeps,
  tool: Tool,
  call: MeteredCall,
  error: ToolError,
): Promise<ToolOutcome> {
  const { once, now } = call
  const outcome: ToolOutcome = { ok: false, error }
  if (!once) return outcome
  return database.member(call.caller.memberId).write(async (tx) => {
    const kept = await findKept(tx, call)
    if (tool.effect !== 'read')
      return kept === undefined ? storeOutcome(tx, call, outcome) : replayOf(kept)
    if (kept !== undefined) return { ...outcome, replayed: true }
    await recordRead(tx, once, NOT_CHARGED, now)
    return outcome
  })
}

function succeeded(
  output: object,
  cost: number,
  balance: CreditBalance,
): ToolOutcome & { readonly ok: true } {
  return { ok: true, output, meta: metaOf(cost, balance) }
}

function chargeOf(tool: Tool, call: ToolCall, quota: number): Charge {
  return {
    cost: tool.credits,
    reason: tool.name,
    credentialId: call.caller.credential.id,
    quota,
    now: call.now,
  }
}

function metaOf(cost: number, balance: CreditBalance): CallMeta {
  return { cost, remaining: balance.remaining, resets_at: rfc3339(balance.resetsAt) }
}

function invalidArguments(explanation: Explanation): ToolError {
  return { code: 'invalid_arguments', ...explanation }
}

function toolError(log: Log, tool: Tool, requestId: string, error: unknown): ToolError {
  if (error instanceof RequestError) {
    const { errors, members } = error.details
    const hint = error.details.hint ?? argumentHint(tool, error)
    return {
      code: error.code,
      message: error.message,
      ...(hint === undefined ? {} : { hint }),
      ...(errors === undefined ? {} : { errors }),
      ...members,
    }
  }
  log.error({ err: error, request_id: requestId, tool: tool.name }, 'tool failed')
  return {
    code: 'internal',
    message: `${tool.name} failed because of an internal error. No changes were made, and no credits charged.`,
    request_id: requestId,
  }
}

/** For arguments that only the tool itself can check. */
function argumentHint(tool: Tool, { code, details }: RequestError): string | undefined {
  if (code !== 'invalid_request') return undefined
  return exampleHint(tool.name, partOf(tool.input), details.errors)
}
