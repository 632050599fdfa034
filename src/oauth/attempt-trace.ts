/** Traces of attempts in the memory of this node, and the steps in them. */

import type { AttemptCause, ConnectionAttempt, ConnectionStep } from './connection-attempt.ts'

/** Where a request of a client came from. */
export interface ClientOrigin {
  readonly address: string
  readonly userAgent: string | undefined
}

/** Maximum number of traces on this node. Each takes less than a kilobyte. */
const MAX_TRACES = 500
const MAX_USER_AGENT_LENGTH = 200

/** The member and the client of an attempt. */
export interface Owner {
  readonly memberId: number
  readonly clientId: string
}

/** What this node has seen of one client. */
export interface ClientTrace {
  attempt: ConnectionAttempt
  /** The member and client of the trace, once known. */
  owner: Owner | undefined
}

export function newAttempt(now: number): ConnectionAttempt {
  const empty = { steps: {}, suspicions: [], startedAt: now, updatedAt: now }
  return { clientName: null, redirectHost: null, ...empty }
}

export function withStep(
  attempt: ConnectionAttempt,
  step: ConnectionStep,
  at: number,
  cause: AttemptCause | undefined,
): ConnectionAttempt {
  const seen = { at, ...(cause && { cause }) }
  return { ...attempt, steps: { ...attempt.steps, [step]: seen }, updatedAt: at }
}

/** The steps of a client before the member is known. */
export function earlierSteps({ steps }: ConnectionAttempt): ConnectionAttempt['steps'] {
  const { challenge, resource_metadata, server_metadata, registration } = steps
  return {
    ...(challenge && { challenge }),
    ...(resource_metadata && { resource_metadata }),
    ...(server_metadata && { server_metadata }),
    ...(registration && { registration }),
  }
}

export function keyOf({ address, userAgent = '' }: ClientOrigin): string {
  return `${address}\n${userAgent.slice(0, MAX_USER_AGENT_LENGTH)}`
}

/** Evicts the least recently written entry beyond the limit. */
export class BoundedMap<Value> extends Map<string, Value> {
  override set(key: string, value: Value): this {
    this.delete(key)
    super.set(key, value)
    const [oldest] = this.keys()
    if (this.size > MAX_TRACES && oldest !== undefined) this.delete(oldest)
    return this
  }
}
