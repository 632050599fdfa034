/** Runs a read and charges for it. */

import { creditBalance, exhausted, spendCredits, type Charge } from '../credits/account.ts'
import { periodOf } from '../credits/account-row.ts'
import { budgetExhausted } from '../credits/budget.ts'
import { CHARGED, NOT_CHARGED, recordRead } from '../guards/idempotency-record.ts'
import { readCallState } from './call-state.ts'
import { findKept } from './kept-outcome.ts'
import {
  budgetOf,
  chargeOf,
  forCaller,
  type MeteredCall,
  type MeteringDeps,
} from './metered-call.ts'
import { succeeded, type ToolOutcome } from './tool-outcome.ts'
import type { MemberTransaction } from '../db/database.ts'
import type { ReadTool } from './tool.ts'

/** A read and the state of its record: undefined on the first attempt, and without a key. */
interface ReadOnce extends MeteredCall {
  readonly kept: string | undefined
}

/** Reads first and charges afterwards, so that a failed read is free. */
export async function runRead(
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
