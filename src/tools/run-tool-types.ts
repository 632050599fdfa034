/** Types of a metered call: the call, and what `runTool` needs to run it. */

import type { Log } from '../base/log.ts'
import type { Trace } from '../base/monitoring/tracing.ts'
import type { ChargeQueue } from '../credits/charge-queue.ts'
import type { AgentLimits } from '../http/caller.ts'
import type { RequestError } from '../base/request-error.ts'
import type { Database, MemberDatabase } from '../db/database.ts'
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
  /** Completes an error after its transaction has ended. */
  readonly explain?: ExplainError | undefined
  readonly onCalled?: OnCalled | undefined
  readonly trace?: Trace | undefined
}

type ExplainError = (
  reader: MemberDatabase,
  error: RequestError,
  limits: AgentLimits,
) => Promise<RequestError>

interface CalledTool {
  readonly tool: string
  readonly effect: Tool['effect']
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
