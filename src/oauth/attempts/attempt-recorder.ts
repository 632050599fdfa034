/**
 * Records how agents connect, so that a member or an admin can see where an attempt stopped.
 *
 * Until a member is known, an attempt is a trace in the memory of this node, by the client's address and user agent.
 * The traces are few and short-lived, so requests without a credential store nothing. Once a signed-in member opens the
 * authorization page, or one of their codes arrives at the token endpoint, the attempt is stored for that member. A
 * trace is assigned to a member only by data that only that flow knows: the client ID that the trace registered, or the
 * code.
 */

import { BoundedMap } from '../../base/memoize.ts'
import {
  MAX_TRACES,
  withStep,
  type Owner,
  newAttempt,
  stepsUntil,
  ClientTraces,
  type ClientTrace,
  type ClientOrigin,
} from './attempt-trace.ts'
import {
  suspicionsOf,
  observationOf,
  callCause,
  isObserved,
  tokenOfCall,
  OBSERVED,
} from './observed-requests.ts'
import { changeAttempt, listAttempts } from './attempt-store.ts'
import { hashSecret } from '../../base/secrets.ts'
import { type Clock, MINUTE } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { AnsweredRequest } from '../../http/handle-request.ts'
import type { Database } from '../../db/database.ts'
import type { ConnectionStep, AttemptCause, ConnectionAttempt } from './connection-attempt.ts'

interface RequestedClient {
  readonly clientId: string
  /** Null if the client is unknown. */
  readonly name: string | null
  readonly redirectHost: string | null
}

type TokenOutcome = { readonly accessToken: string } | { readonly cause: AttemptCause }

export interface AttemptRecorder {
  /** Inspects every response; fast for all but the few paths that clients use to connect. */
  observe(answered: AnsweredRequest): void
  /** `clientId` is undefined if the registration was rejected. */
  registered(origin: ClientOrigin, clientId: string | undefined): void
  /** A signed-in member opened the authorization page. */
  authorized(memberId: number, client: RequestedClient, cause?: AttemptCause): Promise<void>
  decided(memberId: number, clientId: string, isAllowed: boolean): Promise<void>
  /** `memberId` is the owner of the code or refresh token; undefined if it was unknown. */
  exchanged(
    origin: ClientOrigin,
    owner: { readonly memberId: number | undefined; readonly clientId: string },
    outcome: TokenOutcome,
  ): Promise<void>
  refreshed(owner: Owner): Promise<void>
  /** The attempts of a member, including everything that this node has seen. */
  list(memberId: number): Promise<ConnectionAttempt[]>
  /** Attempts seen by this node for which no member is known, latest first. For admins. */
  unassigned(): ConnectionAttempt[]
}

interface AttemptRecorderDeps {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly publicUrl: string
  addressOf(request: AnsweredRequest['request']): string
}

/** A client that refreshes an unused token this soon considers it expired. */
const REFRESH_TOO_SOON_MS = 5 * MINUTE

export function createAttemptRecorder(deps: AttemptRecorderDeps): AttemptRecorder {
  return new Recorder(deps)
}

class Recorder implements AttemptRecorder {
  readonly #deps: AttemptRecorderDeps
  readonly #traces: ClientTraces
  /** The traces that registered a client, by client ID. */
  readonly #registrations = new BoundedMap<string, ClientTrace>(MAX_TRACES)
  /** Access tokens that were not used yet, by their hash. */
  readonly #unusedTokens = new BoundedMap<string, Owner & { readonly issuedAt: number }>(MAX_TRACES)
  #pending: Promise<void> = Promise.resolve()

  constructor(deps: AttemptRecorderDeps) {
    this.#deps = deps
    this.#traces = new ClientTraces(deps.clock)
  }

  observe(answered: AnsweredRequest): void {
    const { request, route, status } = answered
    if (!isObserved(answered)) return
    // Almost every request: a call by a client that has connected.
    if (status === 200 && OBSERVED[route ?? ''] === 'first_call' && this.#unusedTokens.size === 0)
      return
    const origin = {
      address: this.#deps.addressOf(request),
      userAgent: request.headers['user-agent'],
    }
    const token = tokenOfCall(answered)
    if (token !== undefined) this.#called(answered, origin, hashSecret(token))
    const seen = observationOf(answered, this.#traces.find(origin)?.attempt.steps)
    if (!seen) return
    const trace = this.#traces.of(origin, seen.trace)
    if (seen.step) this.#note(trace, seen.step, seen.cause)
    const { suspicions } = trace.attempt
    const added = suspicionsOf(request.headers, this.#deps.publicUrl)
    const all = [...new Set([...suspicions, ...added])]
    if (all.length > suspicions.length) trace.attempt = { ...trace.attempt, suspicions: all }
  }

  registered(origin: ClientOrigin, clientId: string | undefined): void {
    const trace = this.#traces.forRegistration(origin)
    const cause = clientId === undefined ? 'invalid_registration' : undefined
    this.#note(trace, 'registration', cause)
    if (clientId !== undefined) this.#registrations.set(clientId, trace)
  }

  authorized(
    memberId: number,
    { clientId, name, redirectHost }: RequestedClient,
    cause?: AttemptCause,
  ): Promise<void> {
    const now = this.#deps.clock.now()
    const trace = this.#registrations.get(clientId)
    // A client belongs to the first member who opens its page: a shared registration shows others only their part.
    const isOwn = trace !== undefined && (trace.owner?.memberId ?? memberId) === memberId
    if (isOwn) trace.owner = { memberId, clientId }
    const before = isOwn ? trace.attempt : newAttempt(now)
    const attempt = { ...before, clientName: name, redirectHost }
    const after = withStep(attempt, 'authorize', now, cause)
    if (isOwn) trace.attempt = after
    return this.#store({ memberId, clientId }, () => after)
  }

  decided(memberId: number, clientId: string, isAllowed: boolean): Promise<void> {
    return this.#storeStep({ memberId, clientId }, 'consent', isAllowed ? undefined : 'denied')
  }

  async exchanged(
    origin: ClientOrigin,
    { memberId, clientId }: { readonly memberId: number | undefined; readonly clientId: string },
    outcome: TokenOutcome,
  ): Promise<void> {
    const now = this.#deps.clock.now()
    const cause = 'cause' in outcome ? outcome.cause : undefined
    const trace = this.#traces.find(origin)
    if (memberId === undefined) {
      // The sender of an unknown code may not be the owner of the trace.
      if (trace && !trace.owner) this.#note(trace, 'token', cause)
      return
    }
    const owner = { memberId, clientId }
    if (trace) {
      trace.owner = owner
      trace.attempt = withStep(trace.attempt, 'token', now, cause)
    }
    if ('accessToken' in outcome)
      this.#unusedTokens.set(hashSecret(outcome.accessToken), { ...owner, issuedAt: now })
    const earlier = trace && stepsUntil(trace.attempt, 'registration')
    await this.#store(owner, (before) => {
      if (!before) return undefined
      const merged = { ...before, steps: { ...earlier, ...before.steps } }
      return withStep(merged, 'token', now, cause)
    })
  }

  async refreshed({ memberId, clientId }: Owner): Promise<void> {
    const now = this.#deps.clock.now()
    for (const [tokenHash, token] of this.#unusedTokens.entries()) {
      if (token.memberId !== memberId || token.clientId !== clientId) continue
      this.#unusedTokens.delete(tokenHash)
      if (now - token.issuedAt > REFRESH_TOO_SOON_MS) continue
      for (const trace of this.#traces.ownedBy(token))
        trace.attempt = withStep(trace.attempt, 'first_call', now, 'clock_skew')
      await this.#storeStep(token, 'first_call', 'clock_skew')
    }
  }

  async list(memberId: number): Promise<ConnectionAttempt[]> {
    await this.#pending
    return listAttempts(this.#deps.database.member(memberId))
  }

  unassigned(): ConnectionAttempt[] {
    return this.#traces.unassigned()
  }

  /** A call with a token that was not used yet is the last step, unless it failed for another reason. */
  #called(answered: AnsweredRequest, origin: ClientOrigin, tokenHash: string): void {
    const owner = this.#unusedTokens.get(tokenHash)
    if (!owner) return
    const cause = callCause(answered)
    if (answered.status !== 200 && answered.status !== 202 && !cause) return
    this.#unusedTokens.delete(tokenHash)
    const trace = this.#traces.find(origin)
    const now = this.#deps.clock.now()
    if (trace) trace.attempt = withStep(trace.attempt, 'first_call', now, cause)
    void this.#storeStep(owner, 'first_call', cause)
  }

  /** Adds a step to a trace, and to the stored attempt of its owner. */
  #note(trace: ClientTrace, step: ConnectionStep, cause?: AttemptCause): void {
    trace.attempt = withStep(trace.attempt, step, this.#deps.clock.now(), cause)
    if (trace.owner) void this.#storeStep(trace.owner, step, cause)
  }

  #storeStep(owner: Owner, step: ConnectionStep, cause: AttemptCause | undefined): Promise<void> {
    const now = this.#deps.clock.now()
    return this.#store(owner, (before) => before && withStep(before, step, now, cause))
  }

  #store(
    { memberId, clientId }: Owner,
    change: (before: ConnectionAttempt | undefined) => ConnectionAttempt | undefined,
  ): Promise<void> {
    const { database, log } = this.#deps
    // A connection must not fail because recording it fails.
    const stored = database
      .member(memberId)
      .write((tx) => changeAttempt(tx, clientId, change))
      .catch((error: unknown) => log.warn({ err: error }, 'a connection attempt was not recorded'))
    this.#pending = bothCompleted(this.#pending, stored)
    return stored
  }
}

async function bothCompleted(one: Promise<void>, other: Promise<void>): Promise<void> {
  await one
  await other
}
