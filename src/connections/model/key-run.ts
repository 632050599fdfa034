/**
 * Matching keys as numbers, sorted, in typed arrays: 12 bytes per key and connection. A large import stores its keys as
 * such runs, because inserting each key at its place in the index of a table would change nearly every page of that index.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ConnectionKey, FoundKey } from './connection-key.ts'

/** Sorted by `high`, `low` and connection. The arrays have the same length. */
export interface KeyRun {
  /** The first 32 bits of each key. */
  readonly high: Uint32Array
  /** The other 32 bits, the last four of which are the kind. */
  readonly low: Uint32Array
  /** The connection that has the key. */
  readonly ids: Uint32Array
}

/**
 * The kinds of keys, by the characters before the hash (`match-keys.ts`). The number of a kind is stored; those up to
 * `LAST_IDENTITY` are evidence of who a person is.
 */
const KINDS = ['', 'e', 'u', 'p', 'n', 'f', 'g', 'h', 's', 'h~'] as const
const LAST_IDENTITY = KINDS.indexOf('g')
const KIND_BITS = 4

/** Whether a key, by its `low`, is one of those that identify people; fingerprints do not. */
export function isIdentity(low: number): boolean {
  return (low & ((1 << KIND_BITS) - 1)) <= LAST_IDENTITY
}

/** By character code: the value of a base64url digit. */
const DIGITS = digitValues()

function digitValues(): Uint8Array {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const values = new Uint8Array(128)
  for (let value = 0; value < digits.length; value += 1) values[digits.charCodeAt(value)] = value
  return values
}

const CARD = KINDS.indexOf('h~')
const KIND_OF = new Map(KINDS.entries().map(([number, kind]) => [kind as string, number]))

/** The first 32 bits of the hash. Hashes are evenly distributed, and so are these numbers. */
export function highOf(key: string): number {
  const at = startOf(key)
  return (
    ((digitAt(key, at) << 26) |
      (digitAt(key, at + 1) << 20) |
      (digitAt(key, at + 2) << 14) |
      (digitAt(key, at + 3) << 8) |
      (digitAt(key, at + 4) << 2) |
      (digitAt(key, at + 5) >> 4)) >>>
    0
  )
}

/** The next 28 bits of the hash, and the kind. */
export function lowOf(key: string): number {
  const at = startOf(key)
  const kind = at === 2 ? CARD : (KIND_OF.get(key.charAt(0)) ?? 0)
  return (
    (((digitAt(key, at + 5) & 15) << 28) |
      (digitAt(key, at + 6) << 22) |
      (digitAt(key, at + 7) << 16) |
      (digitAt(key, at + 8) << 10) |
      (digitAt(key, at + 9) << 4) |
      kind) >>>
    0
  )
}

/** Where the hash starts. */
function startOf(key: string): 1 | 2 {
  return key.charCodeAt(1) === TILDE ? 2 : 1
}

const TILDE = '~'.charCodeAt(0)

function digitAt(key: string, at: number): number {
  return DIGITS[key.charCodeAt(at)] ?? 0
}

/** The positions below this many fit into a double beside 32 bits of a key. */
export const MAX_SORTED = 2 ** 20

/** For at most 1,048,576 keys. */
export function runOf(keys: readonly ConnectionKey[]): KeyRun {
  return sortedRun(numbersOf(keys))
}

/** Like a run, but in the order of the keys. */
export function numbersOf(keys: readonly ConnectionKey[]): KeyRun {
  const run = emptyRun(keys.length)
  for (const [at, { key, connectionId }] of keys.entries()) {
    run.high[at] = highOf(key)
    run.low[at] = lowOf(key)
    run.ids[at] = connectionId
  }
  return run
}

/** A run of the same keys, in order. For at most 1,048,576. */
export function sortedRun(keys: KeyRun): KeyRun {
  const { length } = keys.high
  if (length > MAX_SORTED) throw new RangeError('too many keys for one run')
  const order = new Float64Array(length)
  for (let at = 0; at < length; at += 1) order[at] = (keys.high[at] ?? 0) * MAX_SORTED + at
  order.sort()
  const run = emptyRun(length)
  for (let at = 0; at < length; at += 1) insertAt(run, at, keys, (order[at] ?? 0) % MAX_SORTED)
  return run
}

/** With room for this many keys. */
export function emptyRun(length: number): KeyRun {
  return {
    high: new Uint32Array(length),
    low: new Uint32Array(length),
    ids: new Uint32Array(length),
  }
}

/**
 * Inserts the key at `from` in `keys`. Those before `end` that belong after it move: few, because connections are mostly
 * added in order.
 */
function insertAt({ high, low, ids }: KeyRun, end: number, keys: KeyRun, from: number): void {
  const ofHigh = keys.high[from] ?? 0
  const ofLow = keys.low[from] ?? 0
  const id = keys.ids[from] ?? 0
  let at = end
  while (at > 0 && high[at - 1] === ofHigh) {
    const lowBefore = low[at - 1] ?? 0
    const idBefore = ids[at - 1] ?? 0
    if (lowBefore < ofLow || (lowBefore === ofLow && idBefore <= id)) break
    low[at] = lowBefore
    ids[at] = idBefore
    at -= 1
  }
  high[end] = ofHigh
  low[at] = ofLow
  ids[at] = id
}

/** The first position whose key is at least this, if it is between these two. */
function lowerBound(high: Uint32Array, wanted: number, first = 0, last = high.length): number {
  let [from, to] = [first, last]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((high[middle] ?? 0) < wanted) from = middle + 1
    else to = middle
  }
  return from
}

/** Adds the connections with this key to `found`, perhaps one more than once. */
export function addHolders(run: KeyRun, high: number, low: number, found: number[]): void {
  for (let at = firstAt(run.high, high); run.high[at] === high; at += 1)
    if (run.low[at] === low) found.push(run.ids[at] ?? 0)
}

/** Whether the connection has the key in this run. */
export function hasKey(run: KeyRun, { key, connection_id }: FoundKey): boolean {
  const holders: number[] = []
  addHolders(run, highOf(key), lowOf(key), holders)
  return holders.includes(connection_id)
}

/**
 * Like `lowerBound`. It starts where the key is if all keys are evenly distributed, which is near, and so takes a third of
 * the time.
 */
function firstAt(high: Uint32Array, wanted: number): number {
  const { length } = high
  if (length === 0) return 0
  const guess = Math.floor((wanted / 2 ** 32) * length)
  let step = 32
  let [from, to] = [guess, guess]
  if ((high[guess] ?? 0) < wanted) {
    while (to < length && (high[to] ?? 0) < wanted) {
      from = to
      to += step
      step *= 2
    }
  } else {
    while (from > 0 && (high[from] ?? 0) >= wanted) {
      to = from
      from -= step
      step *= 2
    }
  }
  return lowerBound(high, wanted, Math.max(from, 0), Math.min(to, length))
}

/** Entries that are merged before other calls run. */
const MERGED_AT_ONCE = 100_000

/** One run with all keys; a connection has each of them once. */
export async function mergeRuns(runs: readonly KeyRun[]): Promise<KeyRun> {
  let queue = runs.toSorted((one, other) => one.high.length - other.high.length)
  for (;;) {
    const [one, other, ...rest] = queue
    if (!one) return emptyRun(0)
    if (!other) return one
    const merged = await mergeTwo(one, other)
    const place = rest.findIndex(({ high }) => high.length >= merged.high.length)
    queue = rest.toSpliced(place === -1 ? rest.length : place, 0, merged)
  }
}

async function mergeTwo(one: KeyRun, other: KeyRun): Promise<KeyRun> {
  const merged = emptyRun(one.high.length + other.high.length)
  let [a, b, length] = [0, 0, 0]
  for (let done = 0; a < one.high.length || b < other.high.length; done += 1) {
    if (done % MERGED_AT_ONCE === MERGED_AT_ONCE - 1) await nextTurn()
    const isOne = b === other.high.length || (a < one.high.length && compare(one, a, other, b) <= 0)
    const from = isOne ? one : other
    const at = isOne ? a : b
    if (isOne) a += 1
    else b += 1
    if (length > 0 && compare(from, at, merged, length - 1) === 0) continue
    merged.high[length] = from.high[at] ?? 0
    merged.low[length] = from.low[at] ?? 0
    merged.ids[length] = from.ids[at] ?? 0
    length += 1
  }
  return slice(merged, 0, length)
}

function compare(one: KeyRun, a: number, other: KeyRun, b: number): number {
  return (
    (one.high[a] ?? 0) - (other.high[b] ?? 0) ||
    (one.low[a] ?? 0) - (other.low[b] ?? 0) ||
    (one.ids[a] ?? 0) - (other.ids[b] ?? 0)
  )
}

function slice({ high, low, ids }: KeyRun, from: number, to: number): KeyRun {
  return {
    high: high.subarray(from, to),
    low: low.subarray(from, to),
    ids: ids.subarray(from, to),
  }
}

/** A run without these keys of these connections. */
export function withoutPairs(run: KeyRun, pairs: readonly FoundKey[]): KeyRun {
  if (pairs.length === 0) return run
  const without = new Set(
    pairs.map(({ key, connection_id }) => entryOf(highOf(key), lowOf(key), connection_id)),
  )
  const { high, low, ids } = run
  return filterRun(run, (at) => !without.has(entryOf(high[at] ?? 0, low[at] ?? 0, ids[at] ?? 0)))
}

/** A key of a connection as one text. */
export function entryOf(high: number, low: number, id: number): string {
  return `${high} ${low} ${id}`
}

/** The keys at the positions that pass the test, which runs once for each. */
export function filterRun({ high, low, ids }: KeyRun, test: (at: number) => boolean): KeyRun {
  const isKept = ids.map((_, at) => Number(test(at)))
  const keep = (_: number, at: number) => isKept[at] === 1
  return { high: high.filter(keep), low: low.filter(keep), ids: ids.filter(keep) }
}

/** 24 kB. A search for one key reads a part. */
const KEYS_PER_PART = 2048

/** A power of two. */
export function partsFor(keys: number): number {
  let parts = 1
  while (keys > parts * KEYS_PER_PART) parts *= 2
  return parts
}

/** The part of a run that has this key: its first bits. */
export function partWith(high: number, parts: number): number {
  return Math.floor((high / 2 ** 32) * parts)
}

const NUMBER_BYTES = Uint32Array.BYTES_PER_ELEMENT

/** One part as bytes: all `high`, all `low`, all `ids`; little-endian, like every platform of Node.js. */
export function encodePart(run: KeyRun, part: number, parts: number): Buffer {
  const from = lowerBound(run.high, (part / parts) * 2 ** 32)
  const to =
    part + 1 === parts ? run.high.length : lowerBound(run.high, ((part + 1) / parts) * 2 ** 32)
  return encodeRun(slice(run, from, to))
}

export function encodeRun({ high, low, ids }: KeyRun): Buffer {
  const bytes = new Uint32Array(3 * high.length)
  bytes.set(high)
  bytes.set(low, high.length)
  bytes.set(ids, 2 * high.length)
  return Buffer.from(bytes.buffer)
}

export function decodeRun(bytes: Uint8Array): KeyRun {
  // A copy if the bytes do not start where a number may.
  const aligned = bytes.byteOffset % NUMBER_BYTES === 0 ? bytes : new Uint8Array(bytes)
  const numbers = new Uint32Array(aligned.buffer, aligned.byteOffset, bytes.length / NUMBER_BYTES)
  const length = numbers.length / 3
  return {
    high: numbers.subarray(0, length),
    low: numbers.subarray(length, 2 * length),
    ids: numbers.subarray(2 * length),
  }
}

/** All keys of these, one after the other: a run if they are its parts. */
export function joinParts(parts: readonly KeyRun[]): KeyRun {
  const joined = emptyRun(parts.reduce((length, { high }) => length + high.length, 0))
  let at = 0
  for (const { high, low, ids } of parts) {
    joined.high.set(high, at)
    joined.low.set(low, at)
    joined.ids.set(ids, at)
    at += high.length
  }
  return joined
}
