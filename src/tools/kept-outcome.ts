/** Outcomes that are stored under the idempotency keys of their calls. */

import { NOT_CHARGED, findAnswer, recordAnswer, recordRead } from '../guards/idempotency-record.ts'
import type { MemberReader, MemberTransaction } from '../db/database.ts'
import type { MeteredCall, MeteringDeps } from './metered-call.ts'
import type { ToolError, ToolOutcome } from './tool-outcome.ts'
import type { Tool } from './tool.ts'

/**
 * What is stored under the key of the call, if it has one.
 *
 * @throws {RequestError} `idempotency_key_reused` when the key belongs to another call.
 */
export async function findKept(
  reader: MemberReader,
  { once, now }: MeteredCall,
): Promise<string | undefined> {
  return once && findAnswer(reader, once, now)
}

/** Reads what `storeOutcome` stored. */
export function replayOf(kept: string): ToolOutcome {
  return { ...(JSON.parse(kept) as ToolOutcome), replayed: true }
}

/** Stores the outcome of a keyed call in the transaction of its effect. */
export async function storeOutcome(
  tx: MemberTransaction,
  { once, now }: MeteredCall,
  outcome: ToolOutcome,
): Promise<ToolOutcome> {
  if (once) await recordAnswer(tx, once, JSON.stringify(outcome), now)
  return outcome
}

/** Stores a failure, which has no transaction of its own. */
export async function storeFailure(
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
