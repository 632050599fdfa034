/** Serializes the write transactions of each member, so that one member cannot occupy the whole pool. */

import { databaseUnavailable } from '../../unavailable.ts'

export class KeyedMutex {
  readonly #last = new Map<number, Promise<void>>()

  /**
   * Runs `work` after the member's earlier transactions have ended.
   *
   * @param timeoutMs maximum time to wait for them
   * @throws {RequestError} `unavailable` when they take longer.
   */
  async take<T>(memberId: number, timeoutMs: number, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(memberId)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last.set(memberId, promise)
    const leave = () => {
      resolve()
      if (this.#last.get(memberId) === promise) this.#last.delete(memberId)
    }
    if (before && !(await endsWithin(before, timeoutMs))) {
      // Later transactions still wait for the earlier ones.
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

async function endsWithin(before: Promise<void>, timeoutMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), timeoutMs)
  void before.then(() => resolve(true))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
  }
}
