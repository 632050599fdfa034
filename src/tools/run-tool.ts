/**
 * One metered call: check the arguments, run the tool, charge for it. A write, its charge, its activity entry and, for a
 * call that may be sent again, its outcome commit in one transaction; a refused or failed call costs nothing.
 */

import { BROKEN_TEXT, findBrokenText } from '../base/broken-text.ts'
import { rfc3339 } from '../base/clock.ts'
import { Refusal } from '../base/refusal.ts'
import { checkSchema, type SchemaProblem } from '../base/schema.ts'
import {
  chargeCredits,
  creditBalance,
  exhausted,
  lockBalance,
  spendCredits,
  type CreditBalance,
} from '../credits/account.ts'
import { findAnswer, recordAnswer } from '../guards/idempotency-record.ts'
import { recordChange } from './activity.ts'
import type { Log } from '../base/log.ts'
import type { Database, MemberReader, MemberTransaction } from '../db/database.ts'
import type { RequestKey } from '../guards/idempotency-key.ts'
import type { InFlight } from '../guards/in-flight.ts'
import type { Change, ReadTool, Tool, ToolCall, WriteTool } from './tool.ts'

/** What a call came to; the tool endpoint puts it into a JSON-RPC result. */
export type ToolOutcome =
  | {
      readonly ok: true
      readonly output: object
      readonly meta: CallMeta
      readonly replayed?: true
    }
  | { readonly ok: false; readonly error: ToolError; readonly replayed?: true }

/** What a successful call cost, and what is left. */
export interface CallMeta {
  readonly cost: number
  readonly remaining: number
  readonly resets_at: string
}

/** A failure a model can read and act on: stable code, sentence, what to change. */
export interface ToolError {
  readonly code: string
  readonly message: string
  readonly hint?: string
  readonly errors?: readonly SchemaProblem[]
  readonly [member: string]: unknown
}

export interface MeteringParts {
  readonly database: Database
  readonly quota: number
  readonly log: Log
  /** Keyed calls that are running in this process. */
  readonly inFlight: InFlight
}

/** A call and, where its caller may send it again, the key under which its outcome is kept. */
export interface MeteredCall extends ToolCall {
  readonly requestId: string
  readonly once?: RequestKey | undefined
}

/** Refuses for the key's sake (`idempotency_key_reused`, `idempotency_in_flight`), and with `rate_limited`. */
export async function runTool(
  parts: MeteringParts,
  tool: Tool,
  call: MeteredCall,
  input: unknown,
): Promise<ToolOutcome> {
  if (!call.once) return callTool(parts, tool, call, input)
  const { value, joined } = await parts.inFlight.join(call.once, () =>
    callTool(parts, tool, call, input),
  )
  return joined ? { ...value, replayed: true } : value
}

async function callTool(
  parts: MeteringParts,
  tool: Tool,
  call: MeteredCall,
  input: unknown,
): Promise<ToolOutcome> {
  const answered = await findOutcome(parts.database.member(call.caller.memberId), call)
  if (answered) return answered
  const checked = checkSchema(tool.input, input ?? {})
  if (!checked.ok) return { ok: false, error: wrongArguments(tool, checked.problems) }
  const broken = findBrokenText(checked.value)
  if (broken !== undefined)
    return { ok: false, error: wrongArguments(tool, [{ pointer: broken, detail: BROKEN_TEXT }]) }
  try {
    return tool.effect === 'read'
      ? await runRead(parts, tool, call, checked.value)
      : await runWrite(parts, tool, call, checked.value)
  } catch (error) {
    if (isForTheRequest(error)) throw error
    if (tool.effect === 'read' && call.signal.aborted) return { ok: false, error: callerLeft(tool) }
    const failed = toolError(parts.log, tool, call.requestId, error)
    return failed.code === 'internal'
      ? { ok: false, error: failed }
      : keepFailure(parts, call, failed)
  }
}

/** Refusals of the HTTP request rather than of the call: nothing ran, nothing is kept, and clients send it again. */
function isForTheRequest(error: unknown): boolean {
  return (
    error instanceof Refusal &&
    (error.code === 'idempotency_key_reused' || error.code === 'rate_limited')
  )
}

/** No one receives it. It is not kept under a key, so that the call can be sent again. */
function callerLeft(tool: Tool): ToolError {
  return {
    code: 'cancelled',
    message: `${tool.name} was stopped because the client disconnected. Nothing was changed or charged.`,
  }
}

/** The read comes first and the charge after it: what failed to be read is not paid for. */
async function runRead(
  parts: MeteringParts,
  tool: ReadTool,
  call: MeteredCall,
  input: unknown,
): Promise<ToolOutcome> {
  const { quota } = parts
  const db = parts.database.member(call.caller.memberId)
  const before = await creditBalance(db, quota, call.now)
  // Not worth the work when it cannot be paid; the charge below still decides.
  if (before.remaining < tool.credits) throw exhausted(before, tool.credits)
  const output = (await tool.run({ ...call, db }, input)) as object
  const charge = chargeOf(tool, call, quota)
  if (call.once)
    return db.write(async (tx) => {
      const answered = await findOutcome(tx, call)
      if (answered) return answered
      const balance = await spendCredits(tx, charge)
      return keepOutcome(tx, call, succeeded(output, tool.credits, balance))
    })
  const balance = tool.credits === 0 ? before : await chargeCredits(db, charge)
  return succeeded(output, tool.credits, balance)
}

async function runWrite(
  parts: MeteringParts,
  tool: WriteTool,
  call: MeteredCall,
  input: unknown,
): Promise<ToolOutcome> {
  const { quota } = parts
  const { id: credentialId, name: actor } = call.caller.credential
  const db = parts.database.member(call.caller.memberId)
  const write = async (tx: MemberTransaction) => {
    const before = await lockBalance(tx, quota, call.now)
    // Another node may have answered this very call while this one waited for its turn.
    const answered = await findOutcome(tx, call)
    if (answered) return answered
    if (tool.chargesItself !== true) await spendCredits(tx, chargeOf(tool, call, quota))
    const record = (change: Change) =>
      recordChange(tx, { credentialId, actor, now: call.now }, change)
    const output = (await tool.run({ ...call, tx, quota, record }, input)) as object
    const balance = await creditBalance(tx, quota, call.now)
    const cost = before.remaining - balance.remaining
    return keepOutcome(tx, call, succeeded(output, cost, balance))
  }
  const outcome = await db.write(write, { bulk: tool.bulk === true })
  if (outcome.ok && outcome.replayed !== true) tool.committed?.(outcome.output)
  return outcome
}

async function findOutcome(
  reader: MemberReader,
  { once, now }: MeteredCall,
): Promise<ToolOutcome | undefined> {
  const answer = once && (await findAnswer(reader, once, now))
  // What `keepOutcome` wrote.
  return answer === undefined
    ? undefined
    : { ...(JSON.parse(answer) as ToolOutcome), replayed: true }
}

/** Keeps the outcome of a keyed call in the transaction of its effect. */
async function keepOutcome(
  tx: MemberTransaction,
  { once, now }: MeteredCall,
  outcome: ToolOutcome,
): Promise<ToolOutcome> {
  if (once) await recordAnswer(tx, once, JSON.stringify(outcome), now)
  return outcome
}

/** A failure had no effect to commit with. */
async function keepFailure(
  { database }: MeteringParts,
  call: MeteredCall,
  error: ToolError,
): Promise<ToolOutcome> {
  const outcome: ToolOutcome = { ok: false, error }
  if (!call.once) return outcome
  const db = database.member(call.caller.memberId)
  return db.write(
    async (tx) => (await findOutcome(tx, call)) ?? (await keepOutcome(tx, call, outcome)),
  )
}

function succeeded(output: object, cost: number, balance: CreditBalance): ToolOutcome {
  return { ok: true, output, meta: metaOf(cost, balance) }
}

function chargeOf(tool: Tool, call: ToolCall, quota: number) {
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

function wrongArguments(tool: Tool, problems: readonly SchemaProblem[]): ToolError {
  const said = problems.map(
    ({ pointer, detail }) => `${pointer === '' ? 'arguments' : pointer.slice(1)} ${detail}`,
  )
  return {
    code: 'invalid_arguments',
    message: `The arguments of ${tool.name} are not valid: ${said.join('; ')}.`,
    hint: 'Correct them by the input schema of tools/list and call again. Nothing was charged.',
    errors: problems,
  }
}

function toolError(log: Log, tool: Tool, requestId: string, error: unknown): ToolError {
  if (error instanceof Refusal) {
    const { hint, errors, members } = error.details
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
    message: `${tool.name} failed on our side. Nothing was changed and nothing charged.`,
    request_id: requestId,
  }
}
