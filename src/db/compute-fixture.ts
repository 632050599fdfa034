/** Computations for tests: they count how many run at the same time, and wait until the test lets them go on. */

import { Refusal } from '../base/refusal.ts'
import { defineComputation, type ReportSteps } from './database.ts'
import { memberStatement } from './statement.ts'
import type { MemberReader } from './database.ts'

/** Shared with the threads. */
export class Counters {
  readonly shared: SharedArrayBuffer
  readonly #values: Int32Array

  constructor(shared = new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared
    this.#values = new Int32Array(shared)
  }

  get started(): number {
    return Atomics.load(this.#values, STARTED)
  }

  get most(): number {
    return Atomics.load(this.#values, MOST)
  }

  enter(): void {
    const running = Atomics.add(this.#values, RUNNING, 1) + 1
    // Two that enter together may both miss the other's count here, but not each other's in RUNNING.
    let most = Atomics.load(this.#values, MOST)
    while (running > most)
      most = Math.max(most, Atomics.compareExchange(this.#values, MOST, most, running))
    Atomics.add(this.#values, STARTED, 1)
    Atomics.notify(this.#values, STARTED)
  }

  leave(): void {
    Atomics.sub(this.#values, RUNNING, 1)
  }

  /** Blocks a thread until `open` was called. */
  waitForGate(): void {
    Atomics.wait(this.#values, GATE, 0)
  }

  open(): void {
    Atomics.store(this.#values, GATE, 1)
    Atomics.notify(this.#values, GATE)
  }

  /** Resolves once so many have begun. */
  async untilStarted(count: number): Promise<void> {
    for (let started = this.started; started < count; started = this.started)
      await Atomics.waitAsync(this.#values, STARTED, started).value
  }
}

const [RUNNING, MOST, STARTED, GATE] = [0, 1, 2, 3]

export async function hold(
  { memberId }: MemberReader,
  shared: SharedArrayBuffer,
  report: ReportSteps,
): Promise<number> {
  const counters = new Counters(shared)
  counters.enter()
  report(1, 2, 'begun')
  counters.waitForGate()
  counters.leave()
  return memberId
}

export const HOLD = defineComputation(import.meta.url, { hold })

export async function countRows(reader: MemberReader): Promise<number> {
  return (await reader.get(COUNT, {}))?.count ?? 0
}

const COUNT = memberStatement<object, { count: number }>()(
  'select count(*) as count from networks where member_id = :member_id',
)

export const COUNT_ROWS = defineComputation(import.meta.url, { countRows })

export async function fail(_reader: MemberReader, how: 'refused' | 'broken'): Promise<never> {
  if (how === 'refused') throw new Refusal('conflict', 'Not now.', { hint: 'Later.' })
  throw new TypeError('broken')
}

export const FAIL = defineComputation(import.meta.url, { fail })

/** Fills the heap of its thread. */
export async function exhaust(): Promise<number> {
  const kept: number[][] = []
  for (;;) kept.push(Array.from({ length: 10_000 }, (_, index) => index + kept.length))
}

export const EXHAUST = defineComputation(import.meta.url, { exhaust })
