/**
 * Collects what arrives in one turn of the event loop and runs it at the end of the turn.
 *
 * Asynchronous work that starts together proceeds in step: each step runs for all items in a row, while its code and data
 * are in the CPU caches. Started one by one, each item would run through all of the code and evict it before the next
 * (decisions/0067).
 */

import { AsyncResource } from 'node:async_hooks'

interface Waiting<Item> {
  readonly item: Item
  readonly context: AsyncResource
}

/**
 * The first item of a turn runs at once, unless several arrived in the turn before: an item alone would only wait for other
 * work at the end of the turn, such as a part of an import. Each item runs in the asynchronous context in which it arrived,
 * such as the span of an instrumentation. `run` must not throw: the items after it would be lost.
 */
export function atEndOfTurn<Item>(run: (item: Item) => void): (item: Item) => void {
  let batch: Waiting<Item>[] = []
  let arrived = 0
  let wasCrowded = false
  const endTurn = () => {
    const waiting = batch
    wasCrowded = arrived > 1
    batch = []
    arrived = 0
    for (const { item, context } of waiting) context.runInAsyncScope(run, undefined, item)
  }
  return (item) => {
    arrived += 1
    if (arrived === 1) setImmediate(endTurn)
    if (arrived === 1 && !wasCrowded) run(item)
    else batch.push({ item, context: new AsyncResource('Arrival') })
  }
}

/**
 * Resolves when the items that proceed in step have reached the same step: what follows then runs for all of them in a row.
 * Call it between two long synchronous parts of a request. It takes less than a microsecond (decisions/0079).
 */
export function nextStep(): Promise<void> {
  return RESOLVED
}

const RESOLVED = Promise.resolve()
