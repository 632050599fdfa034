/** `events/list`, `events/subscribe`, `events/unsubscribe` and `events/poll` (extension io.modelcontextprotocol/events). */

import { RequestError } from '../../base/request-error.ts'
import {
  EventError,
  EVENTS_EXTENSION,
  type EventErrorKind,
  type EventProvider,
} from '../protocol/event-messages.ts'
import { invalidParams, isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import {
  methodError,
  resultOf,
  type Feature,
  type MethodCall,
  type MethodHandler,
} from '../protocol/method.ts'
import { type MethodAnswer } from '../protocol/http-message.ts'
import type { Results } from '../protocol/results.ts'

/**
 * Error numbers. The SEP's are used for a client that declares the extension in a 2026-07-28 request; others know those of
 * its first drafts, which ChatGPT documents.
 */
const ERROR_CODES: Readonly<Record<EventErrorKind, readonly [sep: number, draft: number]>> = {
  NotFound: [-32023, -32011],
  Forbidden: [-32024, -32012],
  ResourceExhausted: [-32025, -32013],
  Unsupported: [-32026, -32014],
  CallbackEndpointError: [-32027, -32015],
}

const SECRET = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/
/** Random bytes of a secret (SEP-3415). */
const [MIN_SECRET_BYTES, MAX_SECRET_BYTES] = [24, 64]
/** How soon to poll again. Milliseconds. */
const NEXT_POLL_MS = 60_000

/** Clients look for the capability in either place. */
export function eventsFeature<Caller>(
  events: EventProvider<Caller>,
  results: Results,
): Feature<Caller> {
  const capabilities = { events: {}, extensions: { [EVENTS_EXTENSION]: {} } }
  const answer = (result: object) => resultOf(results.complete(JSON.stringify(result)))
  const methods = {
    'events/list': handler<Caller>(async () => answer({ events: events.types })),
    'events/subscribe': handler<Caller>(async ({ caller, params = {} }) => {
      const { url, secret, mode } = deliveryOf(params)
      if (mode !== 'webhook')
        throw new EventError('Unsupported', 'Only webhook delivery can be subscribed to.', {
          feature: 'deliveryMode',
          value: mode,
        })
      if (!isSecret(secret)) throw badParams('"delivery.secret" must be whsec_ and 24 to 64 bytes')
      const ttlMs = ttlOf(params['ttlMs'])
      const subscription = { ...subjectOf(params), url, secret, ttlMs }
      const granted = await events.subscribe(caller, subscription)
      return answer({ ...granted, cursor: null, truncated: false })
    }),
    'events/unsubscribe': handler<Caller>(async ({ caller, params = {} }) => {
      const { url } = deliveryOf(params)
      const found = await events.unsubscribe(caller, { ...subjectOf(params), url })
      if (!found)
        throw new EventError('NotFound', 'Subscription not found.', { kind: 'subscription' })
      return answer({})
    }),
    'events/poll': handler<Caller>(async ({ caller, params = {} }) => {
      const { cursor = null } = params
      if (cursor !== null && typeof cursor !== 'string')
        throw badParams('"cursor" must be a string or null')
      const polled = await events.poll(caller, { ...subjectOf(params), cursor })
      return answer({ ...polled, truncated: false, hasMore: false, nextPollMs: NEXT_POLL_MS })
    }),
  }
  return { capabilities, methods }
}

class BadParams extends Error {}

function badParams(detail: string): BadParams {
  return new BadParams(detail)
}

function handler<Caller>(
  work: (call: MethodCall<Caller>) => Promise<MethodAnswer>,
): MethodHandler<Caller> {
  return async (call) => {
    try {
      return await work(call)
    } catch (error) {
      if (error instanceof BadParams) return methodError(invalidParams(error.message))
      if (error instanceof EventError) return eventError(error, call)
      if (error instanceof RequestError && error.code === 'invalid_request')
        return methodError(invalidParams(error.message))
      throw error
    }
  }
}

function eventError<Caller>(
  { kind, message, data }: EventError,
  { era, clientCapabilities }: MethodCall<Caller>,
): MethodAnswer {
  const extensions = clientCapabilities?.['extensions']
  const declares = era === 'modern' && isJsonObject(extensions) && EVENTS_EXTENSION in extensions
  const [sep, draft] = ERROR_CODES[kind]
  return methodError({ code: declares ? sep : draft, message, data })
}

function subjectOf(params: JsonObject): { readonly name: string; readonly arguments: JsonObject } {
  const { name, arguments: given = {} } = params
  if (typeof name !== 'string') throw badParams('"name" must be a string')
  if (!isJsonObject(given)) throw badParams('"arguments" must be an object')
  return { name, arguments: given }
}

function deliveryOf(params: JsonObject) {
  const { delivery } = params
  if (!isJsonObject(delivery)) throw badParams('"delivery" must be an object')
  const { mode = 'webhook', url, secret } = delivery
  if (typeof url !== 'string') throw badParams('"delivery.url" must be a string')
  return { mode, url, secret }
}

function isSecret(secret: unknown): secret is string {
  if (typeof secret !== 'string' || !SECRET.test(secret)) return false
  const { length } = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return length >= MIN_SECRET_BYTES && length <= MAX_SECRET_BYTES
}

function ttlOf(ttlMs: unknown): number | null | undefined {
  if (ttlMs === undefined || ttlMs === null) return ttlMs
  if (typeof ttlMs === 'number' && ttlMs >= 0) return ttlMs
  throw badParams('"ttlMs" must be a number or null')
}
