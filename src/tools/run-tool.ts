/**
 * One metered call: check the arguments, run the tool, charge for it. A write, its charge and its activity entry
 * commit in one transaction; a refused or failed call costs nothing and leaves nothing.
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
import { recordChange } from './activity.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../db/database.ts'
import type { Change, ReadTool, Tool, ToolCall, WriteTool } from './tool.ts'

/** What a call came to; the tool endpoint puts it into a JSON-RPC result. */
export type ToolOutcome =
  | { readonly ok: true; readonly output: object; readonly meta: CallMeta }
  | { readonly ok: false; readonly error: ToolError }

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
}

export async function runTool(
  parts: MeteringParts,
  tool: Tool,
  call: ToolCall & { readonly requestId: string },
  input: unknown,
): Promise<ToolOutcome> {
  const checked = checkSchema(tool.input, input ?? {})
  if (!checked.ok) return { ok: false, error: wrongArguments(tool, checked.problems) }
  const broken = findBrokenText(checked.value)
  if (broken !== undefined)
    return { ok: false, error: wrongArguments(tool, [{ pointer: broken, detail: BROKEN_TEXT }]) }
  try {
    const { output, cost, balance } =
      tool.effect === 'read'
        ? await runRead(parts, tool, call, checked.value)
        : await runWrite(parts, tool, call, checked.value)
    return { ok: true, output, meta: metaOf(cost, balance) }
  } catch (error) {
    return { ok: false, error: toolError(parts.log, tool, call.requestId, error) }
  }
}

interface Metered {
  readonly output: object
  readonly cost: number
  readonly balance: CreditBalance
}

/** The read comes first and the charge after it: what failed to be read is not paid for. */
async function runRead(
  parts: MeteringParts,
  tool: ReadTool,
  call: ToolCall,
  input: unknown,
): Promise<Metered> {
  const { quota } = parts
  const db = parts.database.member(call.caller.memberId)
  const before = await creditBalance(db, quota, call.now)
  // Not worth the work when it cannot be paid; the charge below still decides.
  if (before.remaining < tool.credits) throw exhausted(before, tool.credits)
  const output = (await tool.run({ ...call, db }, input)) as object
  const cost = tool.credits
  if (cost === 0) return { output, cost, balance: before }
  const balance = await chargeCredits(db, chargeOf(tool, call, quota))
  return { output, cost, balance }
}

async function runWrite(
  parts: MeteringParts,
  tool: WriteTool,
  call: ToolCall,
  input: unknown,
): Promise<Metered> {
  const { quota } = parts
  const { id: credentialId, name: actor } = call.caller.credential
  const metered = await parts.database.member(call.caller.memberId).write(async (tx) => {
    const before = await lockBalance(tx, quota, call.now)
    if (tool.chargesItself !== true) await spendCredits(tx, chargeOf(tool, call, quota))
    const record = (change: Change) =>
      recordChange(tx, { credentialId, actor, now: call.now }, change)
    const output = (await tool.run({ ...call, tx, quota, record }, input)) as object
    const balance = await creditBalance(tx, quota, call.now)
    return { output, cost: before.remaining - balance.remaining, balance }
  })
  tool.committed?.(metered.output)
  return metered
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
