/**
 * Runs one metered call. The file reads in the order of the steps:
 *
 * 1. `runTool` traces and measures the call.
 * 2. `runLimited` rejects tools that the member does not allow, joins a concurrent call with the same key, writes times in
 *    the member's time zone, and withholds free text.
 * 3. `callTool` replays a stored outcome, validates the arguments, and turns errors into outcomes.
 * 4. `runRead`, `runWrite` or `runPreview` runs the tool and charges for it.
 *
 * A write, its charge, its activity entry and, for a keyed call, its outcome commit in one transaction. Rejected and
 * failed calls are free. For a keyed read, only its fingerprint is stored: a retry runs again and is not charged.
 */

import { rfc3339 } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import {
  balanceIn,
  creditBalance,
  exhausted,
  lockBalance,
  spendCredits,
  type Charge,
  type CreditBalance,
} from '../credits/account.ts'
import type { Account } from '../credits/account-row.ts'
import { periodOf } from '../credits/month.ts'
import { budgetExhausted, findBudget } from '../credits/agent-budget.ts'
import { memberStatement } from '../db/statement.ts'
import {
  CHARGED,
  findAnswer,
  NOT_CHARGED,
  recordAnswer,
  recordRead,
} from '../guards/idempotency-record.ts'
import { recordChange } from './activity.ts'
import { isToolAllowed, mayReadConnections, notAllowed, withholdsNotes } from './allowed-tools.ts'
import { readArguments } from './arguments/read-arguments.ts'
import { NO_NETWORK, type NetworkState } from './network-state.ts'
import { withholdText } from './free-text.ts'
import { withLocalTimes } from './local-times.ts'
import { invalidArguments, toolError, type ToolError, type ToolOutcome } from './tool-outcome.ts'
import type { AgentLimits } from '../http/caller.ts'
import type { SpanStart } from '../base/monitoring/tracing.ts'
import type { MemberDatabase, MemberReader, MemberTransaction } from '../db/database.ts'
import type { MeteredCall, MeteringDeps } from './run-tool-types.ts'
import type { Change, ReadTool, Tool, ToolCall, WriteTool } from './tool.ts'

/**
 * Runs the tool within the limits of the caller. The errors below are not outcomes of the tool and are never stored under
 * a key.
 *
 * @throws {RequestError} `idempotency_key_reused` when the key belongs to another call.
 * @throws {RequestError} `idempotency_in_flight` when a call with this key is running.
 * @throws {RequestError} `rate_limited` when there are too many calls or keys.
 * @throws {RequestError} `unavailable` when the database cannot be reached.
 */
export async function runTool(
  deps: MeteringDeps,
  tool: Tool,
  call: MeteredCall,
  input: unknown,
): Promise<ToolOutcome> {
  if (deps.trace)
    return deps.trace(spanOf(tool), async (span) => {
      const outcome = await runTool({ ...deps, trace: undefined }, tool, call, input)
      if (!outcome.ok) span.fail(outcome.error.code)
      return outcome
    })
  const startedAt = performance.now()
  const report = (outcome: string, cost: number) => {
    const { requestId, caller } = call
    const milliseconds = performance.now() - startedAt
    const { name, effect } = tool
    const { memberId } = caller
    deps.onCalled?.({ tool: name, effect, outcome, milliseconds, cost, requestId, memberId })
  }
  try {
    const outcome = await runLimited(deps, tool, call, input)
    if (outcome.ok) report('ok', outcome.replayed === true ? 0 : outcome.meta.cost)
    else report(outcome.error.code, 0)
    return outcome
  } catch (error) {
    report(error instanceof RequestError ? error.code : 'internal', 0)
    throw error
  }
}

/** OpenTelemetry, semantic conventions for MCP. The arguments are the member's. */
function spanOf({ name }: Tool): SpanStart {
  return {
    name: `tools/call ${name}`,
    kind: 'internal',
    attributes: { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': name },
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
    const refused = toolError(deps.log, tool, call, notAllowed(limits, tool))
    return { ok: false, error: refused }
  }
  const outcome = await joinOrCall(deps, tool, call, input)
  if (!outcome.ok) return { ...outcome, error: withoutPeople(limits, outcome.error) }
  const output = withLocalTimes(outcome.output, call.caller.timeZone)
  if (!withholdsNotes(limits)) return { ...outcome, output }
  return { ...outcome, output: withholdText(limits, tool.output, output) }
}

/** The error without the people that a name may mean, for an agent that may not read connections. */
function withoutPeople(limits: AgentLimits, error: ToolError): ToolError {
  const namesPeople = 'ambiguous' in error || 'similar' in error
  if (!namesPeople || mayReadConnections(limits)) return error
  const { code, message } = error
  return { code, message, hint: 'Use a connection_id or an email address.' }
}

/** A call with a key waits for a concurrent one with the same key instead of running twice. */
async function joinOrCall(
  deps: MeteringDeps,
  tool: Tool,
  call: MeteredCall,
  input: unknown,
): Promise<ToolOutcome> {
  const run = () => callTool(deps, tool, call, input)
  if (!call.once) return run()
  const { value, joined } = await deps.inFlight.join(call.once, run)
  if (!joined) return value
  // The first client left before its turn, so nothing was done or stored.
  if (!value.ok && value.error.code === CANCELLED) return joinOrCall(deps, tool, call, input)
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
    if (tool.effect === 'read')
      return noted(read.notes, await runRead(deps, tool, { ...call, kept }, read.value))
    if (tool.preview?.isAsked(read.value))
      return await runPreview(deps, tool.preview, call, read.value)
    // Calls of a tool with `turns` run one at a time per member. One that waits ends if its client disconnects.
    const run = () => runWrite(deps, tool, call, read.value)
    return await (tool.turns ? tool.turns.run(call.caller.memberId, run, call.signal) : run())
  } catch (error) {
    if (error instanceof RequestError && isNotAnOutcome(error)) throw error
    // A write throws the reason only before it begins; one that has begun is finished.
    if (call.signal.aborted && (tool.effect === 'read' || error === call.signal.reason))
      return { ok: false, error: callerLeft(tool) }
    const explained = await explain(deps, call, error)
    const failed = toolError(deps.log, tool, { ...call, given: read.value }, explained)
    return failed.code === 'internal'
      ? { ok: false, error: failed }
      : storeFailure(deps, tool, call, failed)
  }
}

/** The outcome with what was changed in the arguments as the last hint. Every tool that takes a limit has hints. */
function noted(notes: readonly string[], outcome: ToolOutcome): ToolOutcome {
  if (notes.length === 0 || !outcome.ok) return outcome
  const { hint } = outcome.output as { hint?: string }
  const hints = [...(hint === undefined ? [] : [hint]), ...notes]
  return { ...outcome, output: { ...outcome.output, hint: hints.join(' ') } }
}

async function explain(deps: MeteringDeps, { caller }: ToolCall, error: unknown): Promise<unknown> {
  if (!deps.explain || !(error instanceof RequestError)) return error
  return deps.explain(deps.database.member(caller.memberId), error, caller.limits)
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
  { database, charges, quota }: MeteringDeps,
  tool: ReadTool,
  call: ReadOnce,
  input: unknown,
): Promise<ToolOutcome> {
  const { kept } = call
  const db = database.member(call.caller.memberId)
  // The concurrent calls of an agent read one state.
  const { balance: before, network } = await database.shareRead(
    `call state of ${db.memberId} in ${periodOf(call.now).periodStart}`,
    () => readCallState(db, quota, call.now),
  )
  const cost = kept === CHARGED ? 0 : tool.credits
  // Skip work that the member cannot pay for. The charge below is authoritative.
  if (before.remaining < cost) throw exhausted(before, cost)
  const isLimited = call.caller.limits.monthlyCredits !== null
  const budget = isLimited ? await budgetOf(db, call, before) : undefined
  if (budget && budget.remaining < cost) throw budgetExhausted(budget, before, cost)
  const output = (await tool.run({ ...call, db, network }, input)) as object
  const charge = chargeOf(tool, call, quota)
  if (call.once && kept !== CHARGED) return db.write((tx) => chargeOnce(tx, call, charge, output))
  const balance = cost === 0 ? before : await charges.charge(db, charge)
  // A replay reports what the call originally cost, like the first response.
  const spendable = isLimited ? await spendableBy(db, call, balance) : balance
  const outcome = succeeded(output, tool.credits, spendable)
  return kept === undefined ? outcome : { ...outcome, replayed: true }
}

/** Charges a keyed read unless another node or a concurrent call already charged it. */
async function chargeOnce(
  tx: MemberTransaction,
  call: ReadOnce,
  charge: Charge,
  output: object,
): Promise<ToolOutcome> {
  const kept = await findKept(tx, call)
  if (kept === CHARGED) {
    const balance = await creditBalance(tx, charge.quota, call.now)
    const spendable = await spendableBy(tx, call, balance)
    return { ...succeeded(output, charge.cost, spendable), replayed: true }
  }
  const balance = await spendCredits(tx, charge)
  if (call.once) await recordRead(tx, call.once, CHARGED, call.now)
  const outcome = succeeded(output, charge.cost, await spendableBy(tx, call, balance))
  return kept === undefined ? outcome : { ...outcome, replayed: true }
}

/** Runs a write in one transaction with its charge, its activity entry and its stored outcome. */
async function runWrite(
  { database, quota }: MeteringDeps,
  tool: WriteTool,
  call: MeteredCall,
  input: unknown,
): Promise<ToolOutcome> {
  const { id: credentialId, name: actor } = call.caller.credential
  const db = database.member(call.caller.memberId)
  const given = tool.resolve ? await resolveInput(db, quota, tool, call, input) : input
  const prepared = await tool.prepare?.({ ...call, db }, given)
  const write = async (tx: MemberTransaction) => {
    const before = await lockBalance(tx, quota, call.now)
    // It may have waited for other writes. If `prepare` has already changed data, the call is finished.
    if (prepared === undefined) call.signal.throwIfAborted()
    // Another node may have completed this call while this one waited.
    const kept = await findKept(tx, call)
    if (kept !== undefined) return replayOf(kept)
    if (tool.chargesItself !== true && tool.isFree?.(input) !== true)
      await spendCredits(tx, chargeOf(tool, call, quota))
    const record = (change: Change) =>
      recordChange(tx, { credentialId, actor, now: call.now }, change)
    const output = (await tool.run({ ...call, tx, quota, record, prepared }, given)) as object
    const balance = await creditBalance(tx, quota, call.now)
    const cost = before.remaining - balance.remaining
    const outcome = succeeded(output, cost, await spendableBy(tx, call, balance))
    const stored = tool.withoutSecrets?.(output) ?? output
    await storeOutcome(tx, call, { ...outcome, output: stored })
    return outcome
  }
  const outcome = await db.write(write, { bulk: tool.bulk === true })
  if (outcome.ok && outcome.replayed !== true) tool.committed?.(outcome.output)
  return outcome
}

async function resolveInput(
  db: MemberDatabase,
  quota: number,
  tool: WriteTool,
  call: MeteredCall,
  input: unknown,
): Promise<unknown> {
  const { network } = await readCallState(db, quota, call.now)
  return tool.resolve?.({ ...call, db, network }, input)
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
  const outcome = succeeded(output, 0, await spendableBy(db, call, balance))
  if (!call.once) return outcome
  return db.write(async (tx) => {
    const kept = await findKept(tx, call)
    return kept === undefined ? storeOutcome(tx, call, outcome) : replayOf(kept)
  })
}

/** `balance` is what the caller can spend. */
function succeeded(
  output: object,
  cost: number,
  { remaining, resetsAt }: CreditBalance,
): ToolOutcome & { readonly ok: true } {
  return { ok: true, output, meta: { cost, remaining, resets_at: rfc3339(resetsAt) } }
}

function chargeOf(tool: Tool, { caller, now }: ToolCall, quota: number): Charge {
  const { id: credentialId } = caller.credential
  return { cost: tool.credits, reason: tool.name, credentialId, quota, now }
}

/** The credits that this caller can spend, limited by its budget. */
async function spendableBy(
  reader: MemberReader,
  call: ToolCall,
  balance: CreditBalance,
): Promise<CreditBalance> {
  const budget = await budgetOf(reader, call, balance)
  return budget ? { ...balance, remaining: Math.min(balance.remaining, budget.remaining) } : balance
}

/** The budget of this caller; undefined without one. */
function budgetOf(
  reader: MemberReader,
  { caller }: ToolCall,
  balance: CreditBalance,
): ReturnType<typeof findBudget> | undefined {
  if (caller.limits.monthlyCredits === null) return undefined
  return findBudget(reader, caller.credential.id, balance)
}

/** What a call reads before it runs, in one statement. */
async function readCallState(
  reader: MemberReader,
  quota: number,
  now: number,
): Promise<{ readonly balance: CreditBalance; readonly network: NetworkState }> {
  const row = await reader.get(STATE, {})
  if (!row) return { balance: await creditBalance(reader, quota, now), network: NO_NETWORK }
  const { search_version, last_connection, ...account } = row
  const opened = account.period_start === null ? undefined : (account as Account)
  return {
    balance: await balanceIn(reader, opened, { quota, now }),
    network: { search_version, last_connection },
  }
}

/** Both by primary key. */
const STATE = memberStatement<
  object,
  NetworkState & (Account | { readonly period_start: null })
>()(`
  select n.search_version, n.last_connection, a.period_start, a.quota, a.remaining, a.last_entry
  from networks n left join credit_accounts a on a.member_id = n.member_id
  where n.member_id = :member_id`)

/**
 * What is stored under the key of the call, if it has one.
 *
 * @throws {RequestError} `idempotency_key_reused` when the key belongs to another call.
 */
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
