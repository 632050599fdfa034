/** Runs a write in one transaction with its charge, its activity entry and its stored outcome; or its preview. */

import { creditBalance, lockBalance, spendCredits } from '../credits/account.ts'
import { recordChange } from './activity.ts'
import { readCallState } from './call-state.ts'
import { findKept, replayOf, storeOutcome } from './kept-outcome.ts'
import { chargeOf, forCaller, type MeteredCall, type MeteringDeps } from './metered-call.ts'
import { succeeded, type ToolOutcome } from './tool-outcome.ts'
import type { MemberTransaction } from '../db/database.ts'
import type { Change, WriteTool } from './tool.ts'

/** Calls of a tool with `turns` run one at a time per member. One that waits ends if its client disconnects. */
export async function runWrite(
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
export async function runPreview(
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
