/**
 * Records how agents connect, so that a member or an admin can see where an attempt stopped.
 *
 * Until a member is known, an attempt is a trace in the memory of this node, by the client's address and user agent.
 * The traces are few and short-lived, so requests without a credential store nothing. Once a signed-in member opens the
 * authorization page, or one of their codes arrives at the token endpoint, the attempt is stored for that member. A
 * trace is assigned to a member only by data that only that flow knows: the client ID that the trace registered, or the
 * code.
 */

import { hashSecret } from '../base/secrets.ts'
import { MINUTE, type Clock } from '../base/clock.ts'
import { changeAttempt, listAttempts } from './attempt-store.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../db/database.ts'
import type { AnsweredRequest } from '../http/handle-request.ts'
import type { AttemptCause, ConnectionAttempt, ConnectionStep } from './connection-attempt.ts'
import {
  OBSERVED,
  RECORDED_BY_ENDPOINT,
  PREFIXED,
  callCause,
  suspicionsOf,
} from './observed-requests.ts'
import {
  type ClientOrigin,
  type Owner,
  type ClientTrace,
  newAttempt,
  withStep,
  earlierSteps,
  keyOf,
  BoundedMap,
} from './attempt-trace.ts'

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
  refreshed(owner: { readonly memberId: number; readonly clientId: string }): Promise<void>
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

const TRACE_LIFETIME_MS = 30 * MINUTE
/** A client that refreshes an unused token this soon considers it expired. */
const REFRESH_TOO_SOON_MS = 5 * MINUTE

export function createAttemptRecorder(deps: AttemptRecorderDeps): AttemptRecorder {
  const { database, clock, log, publicUrl } = deps
  /** By address and user agent. */
  const traces = new BoundedMap<ClientTrace>()
  /** The traces that registered a client, by client ID. */
  const registrations = new BoundedMap<ClientTrace>()
  /** Access tokens that were not used yet, by their hash. */
  const unusedTokens = new BoundedMap<Owner & { readonly issuedAt: number }>()
  let pending: Promise<void> = Promise.resolve()

  const store = (
    { memberId, clientId }: Owner,
    change: (before: ConnectionAttempt | undefined) => ConnectionAttempt | undefined,
  ): Promise<void> => {
    // A connection must not fail because recording it fails.
    const stored = database
      .member(memberId)
      .write((tx) => changeAttempt(tx, clientId, change))
      .catch((error: unknown) => log.warn({ err: error }, 'a connection attempt was not recorded'))
    pending = bothCompleted(pending, stored)
    return stored
  }
  const traceOf = (origin: ClientOrigin): ClientTrace | undefined => {
    const trace = traces.get(keyOf(origin))
    return trace && clock.now() - trace.attempt.updatedAt < TRACE_LIFETIME_MS ? trace : undefined
  }
  const begin = (origin: ClientOrigin): ClientTrace => {
    const trace = { attempt: newAttempt(clock.now()), owner: undefined }
    traces.set(keyOf(origin), trace)
    return trace
  }
  /** The trace for a step before the token: a new one if the earlier attempt has ended. */
  const openTrace = (origin: ClientOrigin): ClientTrace => {
    const trace = traceOf(origin)
    return trace && !trace.attempt.steps.first_call ? trace : begin(origin)
  }
  /** A registration after a token starts a new attempt, which needs no further discovery. */
  const registrationTrace = (origin: ClientOrigin): ClientTrace => {
    const earlier = openTrace(origin)
    const { challenge, resource_metadata, server_metadata, token } = earlier.attempt.steps
    if (!token) return earlier
    const trace = begin(origin)
    const steps = {
      ...(challenge && { challenge }),
      ...(resource_metadata && { resource_metadata }),
      ...(server_metadata && { server_metadata }),
    }
    trace.attempt = { ...trace.attempt, steps }
    return trace
  }
  /** Adds a step to a trace, and to the stored attempt of its owner. */
  const note = (trace: ClientTrace, step: ConnectionStep, cause?: AttemptCause): void => {
    const now = clock.now()
    trace.attempt = withStep(trace.attempt, step, now, cause)
    if (trace.owner)
      void store(trace.owner, (before) => before && withStep(before, step, now, cause))
  }

  const observeChallenge = (origin: ClientOrigin, hasToken: boolean): ClientTrace => {
    const earlier = traceOf(origin)
    const steps = earlier?.attempt.steps
    if (earlier && steps?.token && !steps.token.cause && !steps.first_call) {
      note(earlier, 'first_call', hasToken ? 'token_rejected' : 'authorization_stripped')
      return earlier
    }
    const isSame = earlier && !steps?.first_call && !steps?.token
    const trace = isSame ? earlier : begin(origin)
    note(trace, 'challenge')
    return trace
  }
  const observeCall = (answered: AnsweredRequest, origin: ClientOrigin, hash: string): void => {
    const owner = unusedTokens.get(hash)
    if (!owner) return
    const cause = callCause(answered)
    if (answered.status !== 200 && answered.status !== 202 && !cause) return
    unusedTokens.delete(hash)
    const trace = traceOf(origin)
    const now = clock.now()
    if (trace) trace.attempt = withStep(trace.attempt, 'first_call', now, cause)
    void store(owner, (before) => before && withStep(before, 'first_call', now, cause))
  }
  const observeToolEndpoint = (
    answered: AnsweredRequest,
    origin: ClientOrigin,
  ): ClientTrace | undefined => {
    const { request, status } = answered
    const { authorization, accept = '' } = request.headers
    if (request.method === 'POST' && status === 401)
      return observeChallenge(origin, authorization !== undefined)
    if (request.method === 'POST' && authorization !== undefined) {
      observeCall(answered, origin, hashSecret(authorization.replace(/^bearer +/i, '')))
      return undefined
    }
    // A client that opens an event stream accepts nothing else; a redirected POST accepts JSON too.
    const isRedirected = /\bjson\b/.test(accept) && accept.includes('event-stream')
    if (request.method !== 'GET' || !isRedirected) return undefined
    const trace = traceOf(origin) ?? begin(origin)
    note(trace, trace.attempt.steps.token ? 'first_call' : 'challenge', 'post_redirected')
    return trace
  }
  const observeStep = (
    answered: AnsweredRequest,
    origin: ClientOrigin,
  ): ClientTrace | undefined => {
    const { route, status } = answered
    if (route === undefined) {
      const trace = traceOf(origin) ?? begin(origin)
      note(trace, 'challenge', 'path_prefix')
      return trace
    }
    const step = OBSERVED[route]
    if (step === 'first_call') return observeToolEndpoint(answered, origin)
    // Without a trace, this is a crawler or a person reading the document.
    if (!step || !traceOf(origin)) return undefined
    const trace = openTrace(origin)
    if (status === 405) note(trace, step, 'post_redirected')
    else if (status === 413) note(trace, step, 'body_too_large')
    else if (status < 400 && !RECORDED_BY_ENDPOINT.has(step)) note(trace, step)
    return trace
  }

  return {
    observe(answered) {
      const { request, route, status } = answered
      const isKnown = route !== undefined && route in OBSERVED
      if (!isKnown && !(route === undefined && PREFIXED.test(request.url ?? ''))) return
      // Almost every request: a call by a client that has connected.
      if (status === 200 && OBSERVED[route ?? ''] === 'first_call' && unusedTokens.size === 0)
        return
      const address = deps.addressOf(request)
      const trace = observeStep(answered, { address, userAgent: request.headers['user-agent'] })
      if (!trace) return
      for (const suspicion of suspicionsOf(request.headers, publicUrl))
        if (!trace.attempt.suspicions.includes(suspicion))
          trace.attempt = {
            ...trace.attempt,
            suspicions: [...trace.attempt.suspicions, suspicion],
          }
    },
    registered(origin, clientId) {
      const trace = registrationTrace(origin)
      note(trace, 'registration', clientId === undefined ? 'invalid_registration' : undefined)
      if (clientId !== undefined) registrations.set(clientId, trace)
    },
    authorized(memberId, { clientId, name, redirectHost }, cause) {
      const now = clock.now()
      const trace = registrations.get(clientId)
      // A client belongs to the first member who opens its page: a shared registration shows others only their part.
      const isOwn = trace !== undefined && (trace.owner?.memberId ?? memberId) === memberId
      if (isOwn) trace.owner = { memberId, clientId }
      const before = isOwn ? trace.attempt : newAttempt(now)
      const attempt = { ...before, clientName: name, redirectHost }
      const after = withStep(attempt, 'authorize', now, cause)
      if (isOwn) trace.attempt = after
      return store({ memberId, clientId }, () => after)
    },
    decided(memberId, clientId, isAllowed) {
      const now = clock.now()
      const cause = isAllowed ? undefined : 'denied'
      return store(
        { memberId, clientId },
        (before) => before && withStep(before, 'consent', now, cause),
      )
    },
    async exchanged(origin, { memberId, clientId }, outcome) {
      const now = clock.now()
      const cause = 'cause' in outcome ? outcome.cause : undefined
      const trace = traceOf(origin)
      if (memberId === undefined) {
        // The sender of an unknown code may not be the owner of the trace.
        if (trace && !trace.owner) note(trace, 'token', cause)
        return
      }
      const owner = { memberId, clientId }
      if (trace) {
        trace.owner = owner
        trace.attempt = withStep(trace.attempt, 'token', now, cause)
      }
      if ('accessToken' in outcome)
        unusedTokens.set(hashSecret(outcome.accessToken), { ...owner, issuedAt: now })
      const earlier = trace ? earlierSteps(trace.attempt) : undefined
      await store(owner, (before) => {
        if (!before) return undefined
        const merged = { ...before, steps: { ...earlier, ...before.steps } }
        return withStep(merged, 'token', now, cause)
      })
    },
    async refreshed({ memberId, clientId }) {
      const now = clock.now()
      for (const [hash, token] of unusedTokens.entries()) {
        if (token.memberId !== memberId || token.clientId !== clientId) continue
        unusedTokens.delete(hash)
        if (now - token.issuedAt > REFRESH_TOO_SOON_MS) continue
        for (const [, trace] of traces.entries())
          if (trace.owner?.memberId === memberId && trace.owner.clientId === clientId)
            trace.attempt = withStep(trace.attempt, 'first_call', now, 'clock_skew')
        await store(token, (before) => before && withStep(before, 'first_call', now, 'clock_skew'))
      }
    },
    async list(memberId) {
      await pending
      return listAttempts(database.member(memberId))
    },
    unassigned: () =>
      [...traces.entries()]
        .map(([, trace]) => trace)
        .filter(
          ({ owner, attempt }) => !owner && clock.now() - attempt.updatedAt < TRACE_LIFETIME_MS,
        )
        .map(({ attempt }) => attempt)
        .toReversed(),
  }
}

async function bothCompleted(one: Promise<void>, other: Promise<void>): Promise<void> {
  await one
  await other
}
