/** Fixed-window request counters in Redis, which all nodes share. */

import { createClient, defineScript } from '@redis/client'
import { SECOND } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import type { Log } from '../base/log.ts'

interface SharedWindow {
  /** Used requests, including the ones of this call. */
  readonly used: number
  /** Milliseconds until the window ends. */
  readonly endsIn: number
}

export interface SharedWindows extends AsyncDisposable {
  /**
   * Counts `requests` of `key` in a window of `length` milliseconds. Undefined if Redis is unavailable; the requests may
   * have been counted. Never rejects.
   */
  count(key: string, requests: number, length: number): Promise<SharedWindow | undefined>
  /** Whether the node counts in Redis. */
  readonly isAvailable: boolean
}

interface SharedWindowsDeps {
  /** `redis://`, `rediss://` or `unix:<socket>`. */
  readonly url: string
  readonly log: Log
  /** Receives milliseconds. */
  readonly onAnswered?: ((milliseconds: number) => void) | undefined
}

/** How often responses are looked for while some are missing. Milliseconds. */
const CHECK_INTERVAL_MS = 100
/** Checks in a row without a response after which Redis is unavailable. */
const MAX_SILENT_CHECKS = 10
/** Responses in a row, one per check, after which it is available again. */
const MIN_RESPONSES = 10
/** Checks in a row after which a connection is replaced, because it may have been dropped silently. */
const MAX_CONNECTION_CHECKS = 50
const CONNECT_TIMEOUT_MS = SECOND
const MAX_RECONNECT_DELAY_MS = SECOND

/**
 * Connects in the background: a node starts without Redis. Requests wait for Redis, also while it connects, until ten
 * checks in a row have found no response; then they continue without it. Each check follows a poll of all sockets, so the
 * turns of a busy event loop do not count as silence.
 */
export function openSharedWindows(deps: SharedWindowsDeps): SharedWindows {
  return new RedisWindows(deps)
}

/**
 * ```text
 * connecting ── ready ──> available <── 10 responses ──┐
 *     └───────────────────────┴────── 10 silent checks ──> unavailable
 * ```
 */
class RedisWindows implements SharedWindows {
  readonly #deps: SharedWindowsDeps
  #client: RedisClient
  #state: 'connecting' | 'available' | 'unavailable' = 'connecting'
  #isClosed = false
  #isChecking = false
  /** Requests that Redis has not responded to. */
  #waiting = 0
  /** Why the last request or connection failed, if none has succeeded since. */
  #failure: unknown
  /** Checks in a row that found no response. */
  #silentChecks = 0
  /** Responses in a row while unavailable. */
  #responses = 0

  constructor(deps: SharedWindowsDeps) {
    this.#deps = deps
    this.#client = this.#connect()
  }

  get isAvailable(): boolean {
    return this.#state === 'available'
  }

  async count(key: string, requests: number, length: number): Promise<SharedWindow | undefined> {
    return this.#state === 'unavailable' ? undefined : this.#request(key, requests, length)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    this.#client.destroy()
  }

  async #request(key: string, requests: number, length: number): Promise<SharedWindow | undefined> {
    const client = this.#client
    const startedAt = performance.now()
    this.#waiting += 1
    this.#scheduleCheck()
    try {
      const window = await client.countRequests(key, requests, length)
      this.#deps.onAnswered?.(performance.now() - startedAt)
      this.#succeed(client)
      return window
    } catch (error) {
      this.#fail(client, error)
      return undefined
    } finally {
      this.#waiting -= 1
    }
  }

  #connect(): RedisClient {
    const client = redisClient(this.#deps.url, (retries) =>
      Math.min(50 * 2 ** retries, MAX_RECONNECT_DELAY_MS),
    )
    client.on('error', (error) => this.#fail(client, error))
    client.on('ready', () => {
      if (this.#state === 'connecting') this.#state = 'available'
      if (this.#state === 'available') this.#succeed(client)
    })
    // Reconnects by itself. Rejects only if it is closed meanwhile.
    client.connect().catch(() => {})
    return client
  }

  #succeed(client: RedisClient): void {
    if (client !== this.#client) return
    this.#failure = undefined
    this.#silentChecks = 0
    this.#responses += 1
  }

  #fail(client: RedisClient, error: unknown): void {
    if (client !== this.#client || this.#isClosed) return
    this.#failure = error
    this.#responses = 0
    this.#scheduleCheck()
  }

  #scheduleCheck(): void {
    if (this.#isChecking) return
    this.#isChecking = true
    // The timer may fire late and before the sockets are read. An immediate runs after they were read.
    setTimeout(() => setImmediate(() => this.#check()), CHECK_INTERVAL_MS).unref()
  }

  #check(): void {
    this.#isChecking = false
    const isUnavailable = this.#state === 'unavailable'
    if (this.#isClosed || (!isUnavailable && this.#waiting === 0 && this.#failure === undefined))
      return
    this.#silentChecks += 1
    this.#scheduleCheck()
    if (!isUnavailable && this.#silentChecks >= MAX_SILENT_CHECKS) return this.#giveUp()
    if (!isUnavailable) return
    if (this.#responses >= MIN_RESPONSES) return this.#resume()
    if (this.#silentChecks >= MAX_CONNECTION_CHECKS) this.#replaceConnection()
    if (this.#client.isReady && this.#waiting === 0) void this.#request('probe', 1, SECOND)
  }

  #giveUp(): void {
    this.#state = 'unavailable'
    const cause = this.#failure ?? new Error(`no response in ${MAX_SILENT_CHECKS} checks`)
    this.#deps.log.warn(
      { err: outage(cause) },
      'Redis does not respond; this node counts rate limits by itself',
    )
    this.#replaceConnection()
  }

  #resume(): void {
    this.#state = 'available'
    this.#deps.log.info('Redis responds again; all nodes share their rate limits')
  }

  /** The requests that wait for the old connection continue without Redis. */
  #replaceConnection(): void {
    const old = this.#client
    this.#silentChecks = 0
    this.#responses = 0
    this.#client = this.#connect()
    old.destroy()
  }
}

function outage(cause: unknown): RequestError {
  const error = new RequestError('unavailable', 'Redis does not respond.')
  error.cause = cause
  return error
}

/**
 * Counts a request and returns the version of the server, for `weft doctor`.
 *
 * @throws {Error} when it cannot.
 */
export async function checkRedis(url: string): Promise<string> {
  const client = redisClient(url, false)
  client.on('error', () => {})
  try {
    await client.connect()
    await client.countRequests('doctor', 1, SECOND)
    const info = await client.info('server')
    return /^redis_version:(\S+)/m.exec(info)?.[1] ?? 'unknown'
  } finally {
    if (client.isOpen) client.destroy()
  }
}

type RedisClient = ReturnType<typeof redisClient>

function redisClient(url: string, reconnectStrategy: false | ((retries: number) => number)) {
  const socket = { connectTimeout: CONNECT_TIMEOUT_MS, reconnectStrategy }
  const path = /^unix:(?:\/\/)?(.+)$/.exec(url)?.[1]
  return createClient({
    ...(path === undefined
      ? { url, socket }
      : { socket: { ...socket, path, tls: false as const } }),
    name: 'weft',
    scripts: { countRequests: COUNT_REQUESTS },
  })
}

/**
 * Uses the clock of Redis, so the clocks of the nodes do not matter. Shortens a window that is longer than the policy
 * allows.
 */
const COUNT_REQUESTS = defineScript({
  SCRIPT: `
    local used = redis.call('incrby', KEYS[1], ARGV[1])
    local left = redis.call('pttl', KEYS[1])
    local length = tonumber(ARGV[2])
    if left < 0 or left > length then
      redis.call('pexpire', KEYS[1], length)
      left = length
    end
    return { used, math.max(left, 1) }`,
  NUMBER_OF_KEYS: 1,
  parseCommand(parser, key: string, requests: number, length: number) {
    parser.pushKey(KEY_PREFIX + key)
    parser.push(String(requests), String(length))
  },
  transformReply: ([used, endsIn]: [number, number]): SharedWindow => ({ used, endsIn }),
})

const KEY_PREFIX = 'weft:rate:'
