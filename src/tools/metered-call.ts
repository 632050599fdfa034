/** A metered call, and what metering it needs. */

import { findBudget } from '../credits/budget.ts'
import type { Log } from '../base/log.ts'
import type { Trace } from '../base/tracing.ts'
import type { Charge, CreditBalance } from '../credits/account.ts'
import type { ChargeQueue } from '../credits/charge-queue.ts'
import type { Database, MemberReader } from '../db/database.ts'
import type { InFlight } from '../guards/in-flight.ts'
import type { RequestKey } from '../guards/idempotency-key.ts'
import type { Tool, ToolCall } from './tool.ts'

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

/** The credits that this caller can spend, limited by its budget. */
export async function forCaller(
  reader: MemberReader,
  call: ToolCall,
  balance: CreditBalance,
): Promise<CreditBalance> {
  const budget = await budgetOf(reader, call, balance)
  return budget ? { ...balance, remaining: Math.min(balance.remaining, budget.remaining) } : balance
}

/** The budget of this caller; undefined without one. */
export function budgetOf(
  reader: MemberReader,
  { caller }: ToolCall,
  balance: CreditBalance,
): ReturnType<typeof findBudget> | undefined {
  if (caller.limits.monthlyCredits === null) return undefined
  return findBudget(reader, caller.credential.id, balance)
}

/** What a call of the tool costs. */
export function chargeOf(tool: Tool, call: ToolCall, quota: number): Charge {
  return {
    cost: tool.credits,
    reason: tool.name,
    credentialId: call.caller.credential.id,
    quota,
    now: call.now,
  }
}
