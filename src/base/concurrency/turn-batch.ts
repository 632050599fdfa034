/**
 * Runs what arrives in one turn of the event loop at its end. Items that start together proceed in step, so each step
 * runs for all of them while its code and data are in the CPU caches (decisions/0008).
 */

import { AsyncResource } from 'node:async_hooks'

interface Waiting<Item> {
  readonly item: Item
  readonly context: AsyncResource
}

interface TurnBatch<Item> {
  readonly add: (item: Item) => void
  /** A connection was accepted in this turn. More may be waiting, and libuv accepts one per turn: it should be short. */
  readonly shortenTurn: () => void
}

/**
 * The first item of a turn runs at once, unless several arrived in the turn before: an item alone would only wait for other
 * work at the end of the turn, such as a part of an import. Each item runs in the asynchronous context in which it arrived,
 * such as the span of an instrumentation. `run` must not throw: the items after it would be lost.
 *
 * Other items keep their order over the turns. Clients that connect together wait for as many turns as there are clients
 * before them, so a turn is limited, and more so while connections arrive.
 */
export function atEndOfTurn<Item>(run: (item: Item) => void): TurnBatch<Item> {
  const batch: Waiting<Item>[] = []
  let arrived = 0
  let wasCrowded = false
  let isShort = false
  const endTurn = () => {
    const waiting = batch.splice(0, isShort ? MAX_ITEMS_PER_SHORT_TURN : MAX_ITEMS_PER_TURN)
    isShort = false
    wasCrowded = arrived > 1
    // The rest count as the first arrivals of the next turn.
    arrived = batch.length
    if (arrived > 0) setImmediate(endTurn)
    for (const { item, context } of waiting) context.runInAsyncScope(run, undefined, item)
  }
  return {
    add(item) {
      arrived += 1
      if (arrived === 1) setImmediate(endTurn)
      if (arrived === 1 && !wasCrowded) run(item)
      else batch.push({ item, context: new AsyncResource('Arrival') })
    },
    shortenTurn() {
      isShort = true
    },
  }
}

/** Enough to share the CPU caches: calls from 50 connections took a quarter more CPU time with 8. */
const MAX_ITEMS_PER_TURN = 32
const MAX_ITEMS_PER_SHORT_TURN = 2
