/** Lets the write transactions of one member run one after another, so that one member never holds a whole pool. */

import { databaseUnavailable } from '../../unavailable.ts'

export class KeyedMutex {
  readonly #last = new Map<number, Promise<void>>()

  /**
   * Runs `work` once those before it have ended.
   *
   * @param patience milliseconds to wait for them
   * @throws Refusal `unavailable` when they take longer
   */
  async take<T>(memberId: number, patience: number, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(memberId)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last.set(memberId, promise)
    const leave = () => {
      resolve()
      if (this.#last.get(memberId) === promise) this.#last.delete(memberId)
    }
    if (before && !(await endsWithin(before, patience))) {
      // Those behind wait for the ones before all the same.
      void before.then(leave)
      throw databaseUnavailable(new Error('waited too long for other writes of this member'))
    }
    try {
      return await work()
    } finally {
      leave()
    }
  }
}

async function endsWithin(before: Promise<void>, patience: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), patience)
  void before.then(() => resolve(true))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
  }
}
