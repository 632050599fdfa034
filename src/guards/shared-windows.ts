/** Fixed-window request counters in Redis, which all nodes share. */

import { createClient, defineScript } from '@redis/client'
import { SECOND } from '../base/clock.ts'
import type { Log } from '../base/log.ts'

/** The window of a key, as all nodes together have counted it. */
interface SharedWindow {
  /** Requests counted so far, with those of this call. */
  readonly used: number
  /** Milliseconds until the window ends. */
  readonly endsIn: number
}

export interface SharedWindows extends AsyncDisposable {
  /**
   * Counts `requests` of `key` in a window of `length` milliseconds. Undefined if Redis does not respond in time; the
   * requests may have been counted. Never rejects.
   */
  count(key: string, requests: number, length: number): Promise<SharedWindow | undefined>
  /** Whether Redis responded to the last request. */
  readonly isAvailable: boolean
}

interface SharedWindowsDeps {
  /** `redis://`, `rediss://` (TLS) or `unix:` and the path of a socket. */
  readonly url: string
  readonly log: Log
  /** Receives the duration of every request, in milliseconds. */
  readonly onAnswered?: ((milliseconds: number) => void) | undefined
  /** How long a request waits for Redis. Milliseconds. */
  readonly answerTimeoutMs?: number
}

/** Far more than Redis needs, but short for a request. Milliseconds. */
const ANSWER_TIMEOUT_MS = 25
/** How long a node counts by itself before it tries an unresponsive Redis again. Milliseconds. */
const PAUSE_MS = SECOND
/**
 * A connection that has not responded for this long is replaced, because it may have been dropped silently.
 * Milliseconds.
 */
const SILENCE_TIMEOUT_MS = 5 * SECOND
const CONNECT_TIMEOUT_MS = SECOND
const MAX_RECONNECT_DELAY_MS = SECOND

/**
 * Connects in the background: a node starts without Redis. While Redis does not respond, one request per `PAUSE_MS`
 * tries again, and all others continue at once without it.
 */
export function openSharedWindows(deps: SharedWindowsDeps): SharedWindows {
  return new RedisWindows(deps)
}

class RedisWindows implements SharedWindows {
  readonly #deps: SharedWindowsDeps
  readonly #answerTimeoutMs: number
  #client: RedisClient
  #state: 'connecting' | 'available' | 'unavailable' = 'connecting'
  #isClosed = false
  /** By `performance.now()`, as the other times. When the connection last responded, or was opened. */
  #answeredAt = performance.now()
  #retryAt = 0

  constructor(deps: SharedWindowsDeps) {
    this.#deps = deps
    this.#answerTimeoutMs = deps.answerTimeoutMs ?? ANSWER_TIMEOUT_MS
    this.#client = this.#connect()
  }

  get isAvailable(): boolean {
    return this.#state === 'available'
  }

  async count(key: string, requests: number, length: number): Promise<SharedWindow | undefined> {
    const startedAt = performance.now()
    const isConnecting = this.#state === 'connecting' && !this.#client.isReady
    if (isConnecting && startedAt - this.#answeredAt < CONNECT_TIMEOUT_MS) return undefined
    if (this.#state === 'unavailable') {
      if (startedAt < this.#retryAt) return undefined
      this.#retryAt = startedAt + PAUSE_MS
    }
    try {
      const window = await withTimeout(
        this.#client.countRequests(key, requests, length),
        this.#answerTimeoutMs,
      )
      this.#answeredAt = performance.now()
      this.#deps.onAnswered?.(this.#answeredAt - startedAt)
      this.#setAvailable(true)
      return window
    } catch (error) {
      this.#fail(error)
      return undefined
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    if (this.#client.isOpen) this.#client.destroy()
  }

  #connect(): RedisClient {
    const client = redisClient(this.#deps.url, (retries) =>
      Math.min(50 * 2 ** retries, MAX_RECONNECT_DELAY_MS),
    )
    client.on('error', (error) => this.#fail(error))
    client.on('ready', () => {
      this.#retryAt = 0
    })
    // Reconnects by itself, and rejects only if it is closed meanwhile.
    client.connect().catch(() => {})
    return client
  }

  #fail(error: unknown): void {
    if (this.#isClosed) return
    const now = performance.now()
    this.#retryAt = now + PAUSE_MS
    this.#setAvailable(false, error)
    if (now - this.#answeredAt < SILENCE_TIMEOUT_MS) return
    this.#answeredAt = now
    if (this.#client.isOpen) this.#client.destroy()
    this.#client = this.#connect()
  }

  #setAvailable(isAvailable: boolean, error?: unknown): void {
    const state = isAvailable ? 'available' : 'unavailable'
    const before = this.#state
    if (state === before) return
    this.#state = state
    const { log } = this.#deps
    if (!isAvailable)
      log.warn({ err: error }, 'Redis does not respond; this node counts rate limits by itself')
    else if (before === 'unavailable')
      log.info('Redis responds again; all nodes share their rate limits')
  }
}

/**
 * For `weft doctor`: the version of the server, after it has counted a request.
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
    // A request must not wait for a connection.
    disableOfflineQueue: true,
    scripts: { countRequests: COUNT_REQUESTS },
  })
}

/**
 * Starts a window with the first request of a key. Uses the clock of Redis, so that the clocks of the nodes do not
 * matter. Shortens a window that is longer than the policy allows, after a setting was changed.
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

/** For databases that Weft shares with other programs. */
const KEY_PREFIX = 'weft:rate:'

async function withTimeout<T>(answer: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds)
  })
  try {
    return await Promise.race([answer, timeout])
  } finally {
    clearTimeout(timer)
  }
}
