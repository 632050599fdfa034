/** Traces of attempts in the memory of this node, and the steps in them. */

import {
  type AttemptCause,
  type ConnectionAttempt,
  type ConnectionStep,
  CONNECTION_STEPS,
  type SeenSteps,
} from './connection-attempt.ts'
import { BoundedMap } from '../../base/memoize.ts'
import { MINUTE, type Clock } from '../../base/clock.ts'

/** Where a request of a client came from. */
export interface ClientOrigin {
  readonly address: string
  readonly userAgent: string | undefined
}

/** Traces on this node, and registrations and unused tokens. Each takes less than a kilobyte. */
export const MAX_TRACES = 500
const MAX_USER_AGENT_LENGTH = 200
const TRACE_LIFETIME_MS = 30 * MINUTE

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

export function stepsUntil({ steps }: ConnectionAttempt, last: ConnectionStep): SeenSteps {
  const until = CONNECTION_STEPS.slice(0, CONNECTION_STEPS.indexOf(last) + 1)
  return Object.fromEntries(until.flatMap((step) => (steps[step] ? [[step, steps[step]]] : [])))
}

/** The traces of this node, by address and user agent. */
export class ClientTraces {
  readonly #traces = new BoundedMap<string, ClientTrace>(MAX_TRACES)
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  find(origin: ClientOrigin): ClientTrace | undefined {
    const trace = this.#traces.get(keyOf(origin))
    return trace && this.#isRecent(trace) ? trace : undefined
  }

  /** `same`: the trace of this client, or a new one. `open`: a new one also if the earlier attempt has ended. */
  of(origin: ClientOrigin, kind: 'same' | 'open' | 'new'): ClientTrace {
    const earlier = kind === 'new' ? undefined : this.find(origin)
    const isOver = kind === 'open' && earlier?.attempt.steps.first_call !== undefined
    if (earlier && !isOver) return earlier
    const trace = { attempt: newAttempt(this.#clock.now()), owner: undefined }
    this.#traces.set(keyOf(origin), trace)
    return trace
  }

  /** A registration after a token starts a new attempt, which needs no further discovery. */
  forRegistration(origin: ClientOrigin): ClientTrace {
    const earlier = this.of(origin, 'open')
    if (!earlier.attempt.steps.token) return earlier
    const trace = this.of(origin, 'new')
    trace.attempt = { ...trace.attempt, steps: stepsUntil(earlier.attempt, 'server_metadata') }
    return trace
  }

  ownedBy({ memberId, clientId }: Owner): ClientTrace[] {
    return [...this.#traces.values()].filter(
      ({ owner }) => owner?.memberId === memberId && owner.clientId === clientId,
    )
  }

  /** The attempts for which no member is known, latest first. */
  unassigned(): ConnectionAttempt[] {
    const traces = [...this.#traces.values()].filter(
      (trace) => !trace.owner && this.#isRecent(trace),
    )
    return traces.map(({ attempt }) => attempt).toReversed()
  }

  #isRecent({ attempt }: ClientTrace): boolean {
    return this.#clock.now() - attempt.updatedAt < TRACE_LIFETIME_MS
  }
}

function keyOf({ address, userAgent = '' }: ClientOrigin): string {
  return `${address}\n${userAgent.slice(0, MAX_USER_AGENT_LENGTH)}`
}
